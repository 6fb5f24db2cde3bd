import type { Tags } from '../extract/extract.ts';
import { words } from '../../../../shared/text/fold.ts';

/**
 * `name`, `alt_name`, `name:ru`, `alt_name:de`, `name_1`; not `name:left`, `name:etymology`, `name:prefix`.
 */
const NAME_KEY =
  /^(?:(?:alt_|old_|loc_|short_|int_|official_|nat_|reg_)?name(?:_\d{1,2})?)(?::[a-z]{2,3}(?:[-_][A-Za-z]{2,8})?)?$/;
/** Letters of a name. */
export const LONGEST_NAME = 160;
const MAX_NAMES = 40;

/**
 * All names of a thing, that on its signs first, each once. Names that differ only in alphabet or marks are
 * equal, because the same words find them. Other languages come last. `halves`: a name in two languages also
 * counts as both.
 */
export function namesOf(tags: Tags, halves = false, read: NamesIn = namesIn): string[] {
  const main = tags.name ?? tags['name:en'] ?? tags.int_name ?? tags.official_name ?? tags.loc_name ?? tags.alt_name;
  const names: string[] = [];
  const known = new Set<string>();
  const add = (value: string | undefined): void => {
    if (value === undefined) return;
    for (const { name, key } of read(value)) {
      if (known.has(key) || names.length >= MAX_NAMES) continue;
      known.add(key);
      names.push(name);
    }
  };
  add(main);
  if (names.length === 0) return names;
  // Towns of two languages write both on one sign: "Rue Neuve - Nieuwstraat".
  if (halves) for (const half of names[0]!.split(/ (?:\/|-|–) /u)) add(half);
  // The pattern is slow, and runs for every tag of the extract.
  const keys = Object.keys(tags).filter((key) => key.includes('name') && NAME_KEY.test(key));
  for (const key of keys) if (!key.includes(':')) add(tags[key]);
  // Of similar languages, one that operators read is shown.
  for (const language of ['en', 'ru']) add(tags[`name:${language}`]);
  for (const key of keys) if (key.includes(':')) add(tags[key]);
  return names;
}

/** Names by language ("ru", "sr-Latn"), without those that equal the shown one. */
export type NamesByLanguage = ReadonlyMap<string, string>;
const IN_LANGUAGE = /^name:([a-z]{2,3}(?:-[A-Z][a-z]{3})?)$/;

export function namesByLanguage(tags: Tags, shown: string | undefined): NamesByLanguage | undefined {
  let names: Map<string, string> | undefined;
  for (const [key, value] of Object.entries(tags)) {
    const language = key.startsWith('name:') ? IN_LANGUAGE.exec(key)?.[1] : undefined;
    const name = language === undefined ? undefined : namesIn(value!)[0]?.name;
    if (name !== undefined && name !== shown) (names ??= new Map()).set(language!, name);
  }
  return names;
}

/** A name, and the words that identify it. */
interface KeyedName {
  readonly name: string;
  readonly key: string;
}
export type NamesIn = (value: string) => readonly KeyedName[];

/** The names in the value of a tag, which may hold several; a name must contain words. */
export function namesIn(value: string): KeyedName[] {
  return value
    .split(';')
    .map((part) => {
      const name = part.trim().replace(/\s+/gu, ' ').slice(0, LONGEST_NAME);
      return { name, key: nameKey(name) };
    })
    .filter(({ key }) => key !== '');
}

export function nameKey(name: string): string {
  return words(name).join(' ');
}

/** A cache of names, since all ways of a street have the same ones. Used for one extract. */
export function remembering<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    let found = known.get(text);
    if (found === undefined) known.set(text, (found = answer(text)));
    return found;
  };
}

const TOWN_KEYS = ['addr:city', 'addr:suburb', 'addr:district', 'is_in:city', 'is_in'];
/** Of a long `is_in` the first are the nearest. */
const MAX_TOWNS = 4;

/** Towns that the tags of a house or a street name. */
export function townsOf(tags: Tags): string[] {
  return TOWN_KEYS.flatMap((key) => tags[key]?.split(/[;,]/) ?? [])
    .map((town) => town.trim().slice(0, LONGEST_NAME))
    .filter((town) => nameKey(town) !== '')
    .slice(0, MAX_TOWNS);
}
