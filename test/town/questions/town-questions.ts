import type { Chance } from '../../../server/demo/chance.ts';
import type { OsmExtract } from '../../../server/geo/territory/extract/extract.ts';
import { placeOfWay } from '../../../server/geo/territory/places/objects.ts';
import { words } from '../../../shared/text/fold.ts';
import { mistype } from '../../unit/geo/geocoding/mistype.ts';
import { written, type TownLanguage } from '../languages/town-language.ts';

/** Degrees. */
interface Place {
  readonly lon: number;
  readonly lat: number;
}

export interface TownHouse extends Place {
  readonly street: string;
  readonly number: string;
  readonly city: string;
  readonly postcode: string;
}

/** A question and all that answers it. */
export interface TownQuestion {
  readonly query: string;
  readonly answers: readonly (Place & { readonly number?: string })[];
}

export type QuestionForm =
  'street + number' | 'shortened' | 'letter form' | 'official form' | 'other letters' | 'one typing mistake' | 'corner';

/** So many questions of each form that the language has. */
export function questionsAbout(
  extract: OsmExtract,
  language: TownLanguage,
  count: number,
  chance: Chance,
): Map<QuestionForm, TownQuestion[]> {
  const houses = housesOf(extract);
  const { address } = language;
  const keyOf = ({ street, number }: TownHouse): string => `${words(street).join(' ')}, ${words(number).join('')}`;
  const alike = Map.groupBy(houses, keyOf);
  const same = (house: TownHouse, inTown: boolean): TownHouse[] =>
    alike.get(keyOf(house))!.filter((other) => !inTown || other.city === house.city);
  const streets = [...new Set(houses.map(({ street }) => words(street).join(' ')))];
  const asked = (draw: (house: TownHouse) => { query: string; inTown: boolean } | undefined): TownQuestion[] => {
    const questions: TownQuestion[] = [];
    for (let tried = 0; questions.length < count && tried < 20 * count; tried++) {
      const house = chance.pick(houses);
      const drawn = draw(house);
      if (drawn) questions.push({ query: drawn.query, answers: same(house, drawn.inTown) });
    }
    return questions;
  };
  const inForm = (forms: readonly string[], inTown: boolean): TownQuestion[] =>
    asked((house) => ({ query: writtenOut(house, language, chance.pick(forms), chance), inTown }));
  const mistyped = (house: TownHouse): { query: string; inTown: boolean } | undefined => {
    if (!/\p{L}{6}/u.test(house.street)) return undefined;
    const street = mistype(house.street, () => chance.next(), lettersOf(house.street));
    // What is as like another street leaves no right answer, and an unchanged name is no mistake.
    const [typed, meant] = [words(street).join(' '), words(house.street).join(' ')];
    if (streets.some((other) => (other === meant ? other === typed : isOneSlip(other, typed)))) return undefined;
    const query = `${writtenOut({ ...house, street }, language, chance.pick(address.plain), chance)}, ${house.city}`;
    return { query, inTown: true };
  };
  const inLetters = (house: TownHouse): { query: string; inTown: boolean } | undefined => {
    const street = chance.pick(language.inOtherLetters(house.street));
    if (street === house.street) return undefined;
    const number = lettersOf(house.number) === undefined ? house.number : language.inOtherLetters(house.number)[0]!;
    return { query: writtenOut({ ...house, street, number }, language, '{street} {number}', chance), inTown: false };
  };
  return new Map<QuestionForm, TownQuestion[]>([
    ['street + number', inForm(address.plain, false)],
    ['shortened', inForm(address.short, false)],
    ['letter form', inForm(address.letter, true)],
    ...(address.official ? [['official form', inForm(address.official, false)] as const] : []),
    ['other letters', asked(inLetters)],
    ['one typing mistake', asked(mistyped)],
    ['corner', cornersAsked(extract, language, count, chance)],
  ]);
}

/** Does one text become the other by one letter more, less, changed, or exchanged with the next? */
function isOneSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let [from, to] = [0, 0];
  while (from < Math.min(one.length, other.length) && one[from] === other[from]) from++;
  while (to < Math.min(one.length, other.length) - from && one.at(-1 - to) === other.at(-1 - to)) to++;
  const [a, b] = [one.slice(from, one.length - to), other.slice(from, other.length - to)];
  return (a.length <= 1 && b.length <= 1) || (a.length === 2 && b === `${a[1]}${a[0]}`);
}

const lettersOf = (text: string): string | undefined =>
  /\p{sc=Cyrillic}/u.test(text) ? 'абвгдежзиклмнопрстухцчшюя' : undefined;

function writtenOut(house: TownHouse, language: TownLanguage, form: string, chance: Chance): string {
  const parts = {
    ...language.parts,
    street: house.street,
    number: house.number,
    city: house.city,
    postcode: house.postcode,
    short: shortened(house.street, language, chance),
    turned: kindFirst(shortened(house.street, language, chance)),
    spelt: language.spelt?.(house.number) ?? house.number,
  };
  return written(form, parts, chance);
}

function shortened(street: string, { shortened: rules }: TownLanguage, chance: Chance): string {
  return rules.reduce((name, [pattern, forms]) => name.replace(pattern, () => chance.pick(forms)), street);
}

/** "Липовая ул." as officials order it: "ул. Липовая". */
function kindFirst(street: string): string {
  const [, name, kind] = /^(.*\p{Lu}.*) (\p{Ll}[\p{Ll}.-]*)$/u.exec(street) ?? [];
  return name === undefined ? street : `${kind} ${name}`;
}

function housesOf({ nodes, ways, ...rest }: OsmExtract): TownHouse[] {
  const houses: TownHouse[] = [];
  const add = (tags: Record<string, string>, lon: number, lat: number): void => {
    const { 'addr:street': street, 'addr:housenumber': number, 'addr:city': city, 'addr:postcode': postcode } = tags;
    if (street !== undefined && number !== undefined && city !== undefined && postcode !== undefined)
      houses.push({ street, number, city, postcode, lon: lon / 1e7, lat: lat / 1e7 });
  };
  for (const node of nodes.having('addr:housenumber')) add(nodes.tags(node)!, nodes.lon[node]!, nodes.lat[node]!);
  for (const way of ways.having('addr:housenumber')) {
    const place = placeOfWay({ nodes, ways, ...rest }, way);
    if (place) add(ways.tags(way), place.lon, place.lat);
  }
  return houses;
}

/** Where two streets of different names meet. */
function cornersAsked(
  { nodes, ways }: OsmExtract,
  language: TownLanguage,
  count: number,
  chance: Chance,
): TownQuestion[] {
  const at = new Map<number, Set<string>>();
  for (const way of ways.having('highway')) {
    const { name } = ways.tags(way);
    if (name === undefined) continue;
    for (const node of ways.refs.subarray(ways.first[way], ways.first[way + 1]))
      at.set(node, (at.get(node) ?? new Set()).add(name));
  }
  const corners = [...at].flatMap(([node, names]) => {
    const met = [...names];
    const place = { lon: nodes.lon[node]! / 1e7, lat: nodes.lat[node]! / 1e7 };
    return met.flatMap((a, i) => met.slice(i + 1).map((b) => ({ a, b, ...place })));
  });
  return Array.from({ length: count }, () => {
    const { a, b } = chance.pick(corners);
    const isThere = (other: { a: string; b: string }): boolean =>
      (other.a === a && other.b === b) || (other.a === b && other.b === a);
    const [first, second] = chance.happens(0.5) ? [a, b] : [b, a];
    const query = written(chance.pick(language.corner), { a: first, b: second }, chance);
    return { query, answers: corners.filter(isThere) };
  });
}
