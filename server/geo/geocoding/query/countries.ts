import { fold } from '../../../../shared/text/fold.ts';

/** Languages in which letters name their country. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ca', 'pt', 'it', 'nl', 'pl', 'sv', 'hu', 'tr', 'ru', 'uk', 'mt'];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LONGEST = 240;

let known: ReadonlySet<string> | undefined;

/** Folded names of all countries (CLDR), made at the first query: the thread may never get one. */
function countries(): ReadonlySet<string> {
  const names = new Set<string>();
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const first of LETTERS)
      for (const second of LETTERS) {
        const name = display.of(first + second);
        if (name !== undefined) names.add(fold(name));
      }
  }
  return names;
}

/** The country at the end of an address as on a letter, as typed: for the crew. */
export function countryOf(query: string): string | undefined {
  const parts = query.slice(0, LONGEST).split(/[,;\n\r]/u);
  const last = parts.at(-1)!.trim().replace(/\.$/u, '');
  return parts.length > 1 && (known ??= countries()).has(fold(last)) ? last : undefined;
}
