import { american } from './american.ts';
import { british } from './british.ts';
import { catalan } from './catalan.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { polish } from './polish.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';
import { ukrainian } from './ukrainian.ts';
import type { TownLanguage } from './town-language.ts';

/** The languages in which towns are drawn. */
export const TOWN_LANGUAGES: readonly TownLanguage[] = [
  german,
  french,
  spanish,
  catalan,
  italian,
  polish,
  british,
  american,
  russian,
  ukrainian,
];

/** The language of the code; undefined for none. */
export function languageOf(code: string | undefined): TownLanguage | undefined {
  if (code === undefined) return undefined;
  const language = TOWN_LANGUAGES.find((one) => one.code === code);
  if (!language) throw new RangeError(`Towns speak ${TOWN_LANGUAGES.map((one) => one.code).join(', ')}, not ${code}.`);
  return language;
}
