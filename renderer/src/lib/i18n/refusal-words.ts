import { DEEDS, FIELDS, KINDS, NOUNS, REFUSALS } from './refusals-ru.ts';

/**
 * A refusal in words: `text` says what is wrong with `field`, as the interface names it, or all of it where
 * there is none.
 */
export interface SaidRefusal {
  readonly field?: string;
  readonly text: string;
}

interface Sentence {
  readonly english: string;
  readonly russian: string;
  readonly pattern: RegExp;
  readonly parts: readonly string[];
  /**
   * Characters that are said whatever is filled in: of two sentences that fit, the one that says more does.
   */
  readonly fixed: number;
}

const PART = /\{(\w+)\}/g;
const DICTIONARIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  what: NOUNS,
  kind: KINDS,
  deed: DEEDS,
};
/**
 * What may stand for a part: a field has the interface's name, or the name that its administrator gave it.
 */
const FITTING: Readonly<Record<string, string>> = { field: '([\\p{L}\\p{N}_.[\\]-]+|[^.:]{1,100}?)', number: '(\\d+)' };

const SENTENCES: readonly Sentence[] = Object.entries(REFUSALS)
  .map(([english, russian]) => {
    const source = english
      .split(PART)
      .map((text, index) =>
        index % 2 === 0 ? text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : (FITTING[text] ?? '(.+?)'),
      )
      .join('');
    return {
      english,
      russian,
      pattern: new RegExp(`^${source}$`, 'su'),
      parts: [...english.matchAll(PART)].map((found) => found[1]!),
      fixed: english.replace(PART, '').length,
    };
  })
  .sort((one, other) => other.fixed - one.fixed || one.parts.length - other.parts.length);

/**
 * A sentence of the station in Russian, and which one it was taken for; undefined where there is no
 * translation.
 */
export function russianRefusal(said: string): (SaidRefusal & { readonly english: string }) | undefined {
  for (const { english, russian, pattern, parts } of SENTENCES) {
    const found = pattern.exec(said);
    if (!found) continue;
    const values = new Map(parts.map((part, index) => [part, found[index + 1]!]));
    const text = russian.replace(PART, (_, part: string) => filled(part, values.get(part)!));
    const field = values.get('field');
    return field === undefined ? { english, text } : { english, field, text };
  }
  return undefined;
}

function filled(part: string, value: string): string {
  if (part !== 'fault') return DICTIONARIES[part]?.[value] ?? value;
  const inner = russianRefusal(value);
  return inner ? sentenceOf(inner) : value;
}

/** The whole of it where no form says which field it is. */
export function sentenceOf({ field, text }: SaidRefusal): string {
  return field === undefined ? text : `${FIELDS[field] ?? field}: ${text}`;
}
