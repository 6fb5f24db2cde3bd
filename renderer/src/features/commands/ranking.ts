import { fold } from '../../../../shared/text/fold.ts';

/** Kinds of hits, in the order in which equals stand. */
export const FIND_KINDS = ['task', 'unit', 'person', 'place', 'page', 'command'] as const;
export type FindKind = (typeof FIND_KINDS)[number];

/** Something that can be found, with its words folded once and not at every letter that is typed. */
export interface Findable {
  readonly kind: FindKind;
  readonly id: number | string;
  readonly title: string;
  readonly detail: string;
  /** Words of the title and of other names, as `rankedText` writes them. */
  readonly words: string;
  readonly also: string;
  /** Task number; undefined: it has none. */
  readonly number: number | undefined;
  /** 0 to 1: among equal matches the more urgent one comes first. */
  readonly weight: number;
}

export interface Found {
  readonly entry: Findable;
  readonly score: number;
}

export function findable(
  given: Pick<Findable, 'kind' | 'id' | 'title'> & Partial<Pick<Findable, 'detail' | 'number' | 'weight'>>,
  also = '',
): Findable {
  const { detail = '', number, weight = 0 } = given;
  return { ...given, detail, number, weight, words: rankedText(given.title), also: rankedText(`${detail} ${also}`) };
}

/** A word of the query counts by where it is found; a word that is found nowhere rules the entry out. */
const WHOLE = 60;
const BEGINS = 40;
const ALSO_WHOLE = 25;
const ALSO_BEGINS = 15;
const WITHIN = 8;
const SAME_NUMBER = 1_000;
const SAME_TITLE = 300;
const TITLE_BEGINS = 100;
/** Fewer letters are within too many words. */
const LETTERS_WITHIN = 3;

/** How well an entry is found by the query; undefined: not at all. `#168` asks for a number only. */
export function scoreOf(entry: Findable, query: readonly string[]): number | undefined {
  const [first] = query;
  if (first === undefined) return undefined;
  if (query.length === 1 && entry.number !== undefined && first.replace(/^#/, '') === String(entry.number))
    return SAME_NUMBER + entry.weight;
  let score = 0;
  for (const word of query) {
    const part = scoreOfWord(entry, word);
    if (part === 0) return undefined;
    score += part;
  }
  const [title, asked] = [entry.words.replaceAll(' ', ''), query.join('')];
  if (title === asked) score += SAME_TITLE;
  else if (title.startsWith(asked)) score += TITLE_BEGINS;
  return score / query.length + entry.weight;
}

function scoreOfWord({ words, also }: Findable, word: string): number {
  const begun = ` ${word}`;
  if (words.includes(begun)) return words.includes(`${begun} `) ? WHOLE : BEGINS;
  if (also.includes(begun)) return also.includes(`${begun} `) ? ALSO_WHOLE : ALSO_BEGINS;
  return word.length >= LETTERS_WITHIN && words.includes(word) ? WITHIN : 0;
}

/**
 * The best `most` of all kinds in one order: by score, kind, then age. `given` are matches of other finders,
 * such as addresses of the geocoder, which also tolerates typing errors: they keep their order and are never
 * excluded.
 */
export function ranked(
  query: string,
  entries: Iterable<Findable>,
  most: number,
  given: readonly Findable[] = [],
): readonly Found[] {
  const words = rankedWords(query);
  const places = new Map(given.map((entry, index) => [entry, index]));
  const order = (one: Found, other: Found) =>
    other.score - one.score ||
    FIND_KINDS.indexOf(one.entry.kind) - FIND_KINDS.indexOf(other.entry.kind) ||
    (places.get(one.entry) ?? 0) - (places.get(other.entry) ?? 0) ||
    byId(one.entry, other.entry);
  // A letter finds thousands: the best are kept in order as they come, and the others never sorted.
  const best: Found[] = [];
  function keep(found: Found): void {
    if (best.length === most && order(best[most - 1]!, found) <= 0) return;
    let at = best.length;
    while (at > 0 && order(best[at - 1]!, found) > 0) at--;
    best.splice(at, 0, found);
    if (best.length > most) best.pop();
  }
  for (const entry of entries) {
    const score = scoreOf(entry, words);
    if (score !== undefined) keep({ entry, score });
  }
  let least = Infinity;
  for (const entry of given) {
    least = Math.min(least, scoreOf(entry, words) ?? WITHIN);
    keep({ entry, score: least });
  }
  return best;
}

/** The newer task first, other things as they were made. */
function byId({ id: one, kind }: Findable, { id: other }: Findable): number {
  if (typeof one === 'number' && typeof other === 'number') return kind === 'task' ? other - one : one - other;
  return one < other ? -1 : Number(one > other);
}

/** Folded, without punctuation; `van7` is two words, as `van 7` is. */
export function rankedWords(text: string): readonly string[] {
  return fold(text).match(/#?\d+|\p{L}+/gu) ?? [];
}

/** The words with a space before and behind each, so that one search of the text tells where a word begins. */
const rankedText = (text: string): string => ` ${rankedWords(text).join(' ')} `;
