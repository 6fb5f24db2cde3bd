import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { fold, words } from '../../../../shared/text/fold.ts';
import type { Hit } from '../../../../server/geo/geocoding/types.ts';
import { metresBetweenE7 } from '../../../../server/geo/territory/geometry/metres.ts';
import { onOtherKeyboard } from '../../../../server/geo/geocoding/query/keyboard.ts';
import type { OpenTown } from './drawn-town.ts';
import { mistype, pick } from './mistype.ts';
import { everyLanguage } from './drawn-town.ts';

/** Something an operator types at night, and how to tell whether a hit is what was meant. */
export interface OperatorQuestion {
  kind: string;
  query: string;
  near: Point;
  right: (hit: Hit) => boolean;
}

interface Point {
  lon: number;
  lat: number;
}
interface Thing extends Point {
  id: number;
  kind: string;
  sort: string;
  names: string[];
  settlement: string;
  sortWords: string[];
}
interface House extends Point {
  street: Thing;
  number: string;
}
interface Corner extends Point {
  a: Thing;
  b: Thing;
}

/** What the questions are made of: everything that a places.db has by name. */
interface Known {
  streets: Thing[];
  objects: Thing[];
  houses: House[];
  corners: Corner[];
  postcodes: { street: Thing; postcode: string }[];
}

/** What crews and callers call what an operator asks for most, each with its sort. */
const ASKED_FOR: readonly (readonly [sort: string, ...words: string[]])[] = [
  ['hospital', 'hospital', 'больница'],
  ['police', 'police', 'полиция', 'police station'],
  ['fire_station', 'fire station', 'пожарная часть'],
  ['pharmacy', 'pharmacy', 'аптека'],
  ['school', 'school', 'школа'],
  ['bank', 'bank'],
  ['hotel', 'hotel', 'гостиница'],
  ['restaurant', 'restaurant', 'ресторан'],
  ['supermarket', 'supermarket', 'супермаркет'],
  ['embassy', 'embassy', 'посольство'],
  ['place_of_worship', 'church', 'церковь'],
  ['fuel', 'petrol station', 'заправка'],
  ['cemetery', 'cemetery', 'кладбище'],
  ['museum', 'museum', 'музей'],
  ['kindergarten', 'kindergarten', 'детский сад'],
  ['library', 'library', 'библиотека'],
];

const SAINT = new Set(['st', 'saint', 'san', 'sankt', 'st.', 'sv']);
const SAINTS = ['st', 'St.', 'saint'];

/** So many questions of each kind as the territory has things for, the same for the same chance. */
export function operatorQuestions(directory: string, each: number, chance: () => number): OperatorQuestion[] {
  const known = readKnown(directory);
  const questions: OperatorQuestion[] = [];
  for (const [kind, make] of Object.entries(KINDS)) {
    for (let made = 0, tried = 0; made < each && tried < each * 20; tried++) {
      const question = make(known, chance);
      if (!question) continue;
      questions.push({ kind, near: around(question.at, chance), query: question.query, right: question.right });
      made++;
    }
  }
  return questions;
}

/**
 * Which part of the questions is answered with the right thing first, and among the first five; and what was
 * missed, a line each.
 */
export function shareOfRight(
  town: OpenTown,
  each: number,
  chance: () => number,
): { asked: number; first: number; five: number; missed: string } {
  const questions = operatorQuestions(town.directory, each, chance);
  const missed: string[] = [];
  let first = 0,
    five = 0;
  for (const { kind, query, near, right } of questions) {
    const hits = town.searchNear(query, near, 10);
    const at = hits.findIndex(right);
    if (at === 0) first++;
    else
      missed.push(
        `${kind}: ${query} -> ${hits
          .slice(0, 3)
          .map(({ label }) => label)
          .join(' | ')}`,
      );
    if (at >= 0 && at < 5) five++;
  }
  return {
    asked: questions.length,
    first: first / questions.length,
    five: five / questions.length,
    missed: missed.join('\n'),
  };
}

interface Made {
  query: string;
  at: Point;
  right: (hit: Hit) => boolean;
}
type Make = (known: Known, chance: () => number) => Made | undefined;

const KINDS: Readonly<Record<string, Make>> = {
  'object, no marks or apostrophes': ({ objects }, chance) =>
    ofThing(some(objects, chance), (name) => fold(name).replace(/['’ʼ`".]/g, '')),
  'saint in another spelling': ({ streets, objects }, chance) => {
    const saints = [...streets, ...objects].filter(({ names }) => words(names[0]!).some((word) => SAINT.has(word)));
    return ofThing(some(saints, chance), (name) =>
      name
        .split(/\s+/)
        .map((word) => (SAINT.has(fold(word)) ? pick(SAINTS, chance) : word))
        .join(' '),
    );
  },
  'what a thing is, misspelt': ({ objects }, chance) => ofSort(objects, chance, (word) => mistype(word, chance)),
  'what a thing is, and where': ({ objects }, chance) =>
    ofSort(objects, chance, (word, { settlement }) => (settlement === '' ? undefined : `${word} ${settlement}`), true),
  'what a thing is, misspelt, and where': ({ objects }, chance) =>
    ofSort(
      objects,
      chance,
      (word, { settlement }) => (settlement === '' ? undefined : `${mistype(word, chance)} ${settlement}`),
      true,
    ),
  'street, one slip': ({ streets }, chance) =>
    ofThing(some(streets.filter(weighty), chance), (name) => mistype(name.toLowerCase(), chance)),
  'street and place, one slip in each': ({ streets }, chance) =>
    ofThing(
      some(
        streets.filter(weighty).filter(({ settlement }) => settlement.length > 5),
        chance,
      ),
      (name, { settlement }) => `${mistype(name, chance)} ${mistype(settlement, chance)}`,
    ),
  'words in another order': ({ streets, objects }, chance) =>
    ofThing(
      some(
        [...streets, ...objects].filter(({ names }) => words(names[0]!).length > 1),
        chance,
      ),
      (name, { settlement }) => shuffled([...words(name), ...words(settlement)], chance).join(' '),
    ),
  'beginnings of words': ({ streets, objects }, chance) =>
    ofThing(
      some(
        [...streets, ...objects].filter(({ names }) => words(names[0]!).filter((word) => word.length > 4).length > 1),
        chance,
      ),
      (name) =>
        words(name)
          .map((word) => word.slice(0, 4))
          .join(' '),
    ),
  'another name': ({ streets, objects }, chance) =>
    ofThing(
      some(
        [...streets, ...objects].filter(
          ({ names }) => names.length > 1 && /^[\p{sc=Latin}\p{sc=Cyrillic}\s\d'-]+$/u.test(names[1]!),
        ),
        chance,
      ),
      (_, { names }) => names[1],
    ),
  'house, number in any position': ({ houses }, chance) => ofHouse(some(houses, chance), chance),
  'house, a slip in the street': ({ houses }, chance) =>
    ofHouse(
      some(
        houses.filter(({ street }) => weighty(street)),
        chance,
      ),
      chance,
      (name) => mistype(name, chance),
    ),
  'house, with floor and flat': ({ houses }, chance) => {
    const house = some(houses, chance);
    return (
      house && {
        ...houseMeant(house),
        query: pick(
          [
            `${name(house)} ${house.number}, flat 3`,
            `flat 7, ${house.number} ${name(house)}`,
            `${name(house)} д.${house.number} кв.12`,
            `${name(house)} ${house.number}, 2nd floor`,
            `${name(house)} ${house.number} apt 4`,
          ],
          chance,
        ),
      }
    );
  },
  'corner': ({ corners }, chance) => ofCorner(some(corners, chance), chance),
  'corner, a slip in one street': ({ corners }, chance) =>
    ofCorner(
      some(
        corners.filter(({ a }) => weighty(a)),
        chance,
      ),
      chance,
      (text) => mistype(text, chance),
    ),
  'street and postcode': ({ postcodes }, chance) => {
    const found = some(postcodes, chance);
    return found && ofThing(found.street, (text) => `${text} ${found.postcode}`);
  },
  'near something': ({ objects }, chance) =>
    ofThing(
      some(objects, chance),
      (text) =>
        `${pick(['near', 'next to', 'opposite', 'behind', 'in front of', 'возле', 'напротив', 'рядом с', 'за', 'у'], chance)} ${text}`,
    ),
  'what a thing is, near something': ({ objects }, chance) => nearSomething(objects, chance),
  'coordinates': ({ objects }, chance) => {
    const at = some(objects, chance);
    return at && { at, query: pick(NOTATIONS, chance)(at), right: (hit) => metres(hit, at) < 20 };
  },
  'the other alphabet': ({ streets, objects }, chance) =>
    ofThing(
      some(
        [...streets, ...objects].filter(({ names }) => /^[\p{sc=Latin}\p{sc=Cyrillic}\s-]{5,}$/u.test(names[0]!)),
        chance,
      ),
      (text) => (/\p{sc=Cyrillic}/u.test(text) ? romanised(text) : cyrillic(text)),
    ),
  'the other keyboard': ({ streets, objects }, chance) =>
    ofThing(
      some(
        [...streets, ...objects].filter(({ names }) => /^[a-z\s]{6,}$|^[\p{sc=Cyrillic}\s]{6,}$/iu.test(names[0]!)),
        chance,
      ),
      (text) => onOtherKeyboard(text),
    ),
  'two words as one': ({ streets, objects }, chance) =>
    ofThing(
      some(
        [...streets, ...objects].filter(
          ({ names }) => words(names[0]!).length === 2 && words(names[0]!).every((word) => word.length > 3),
        ),
        chance,
      ),
      (text) => words(text).join(''),
    ),
  'a stop by its number': ({ objects }, chance) => {
    const stop = some(
      objects.filter(({ sort, sortWords }) => sort === 'bus_stop' && sortWords.some((word) => /^\d{2,}$/.test(word))),
      chance,
    );
    const number = stop?.sortWords.find((word) => /^\d{2,}$/.test(word));
    return (
      stop && {
        ...thingMeant(stop),
        query: pick([`stop ${number}`, `bus stop ${number}`, `остановка ${number}`, `bus stop no ${number}`], chance),
        right: (hit) => hit.sort === 'bus_stop' && metres(hit, stop) < 5,
      }
    );
  },
  'a sentence': ({ objects }, chance) =>
    ofThing(
      some(
        objects.filter(({ names }) => words(names[0]!).length > 1),
        chance,
      ),
      (text) =>
        pick(
          [
            (n: string) => `fire at ${n} send help`,
            (n: string) => `accident ${n} 2 cars`,
            (n: string) => `ДТП ${n}`,
            (n: string) => `${n} !!! urgent 🚑`,
            (n: string) => `пожар на ${n} срочно`,
          ],
          chance,
        )(text),
    ),
};

function weighty({ names }: Thing): boolean {
  return words(names[0]!).some((word) => !everyLanguage.isWeak(word) && word.length >= 6 && !/\d/.test(word));
}

function name({ street }: House): string {
  return street.names[0]!;
}

function ofThing(
  thing: Thing | undefined,
  query: (name: string, thing: Thing) => string | undefined,
): Made | undefined {
  const text = thing && query(thing.names[0]!, thing);
  return thing && text ? { ...thingMeant(thing), query: text } : undefined;
}

/** The thing itself, or its namesake on the spot: a school is drawn as its building and its ground. */
function thingMeant(thing: Thing): Omit<Made, 'query'> {
  const own = words(thing.names[0]!).join(' ');
  return {
    at: thing,
    right: (hit) => hit.id === thing.id || (words(hit.label).join(' ').startsWith(own) && metres(hit, thing) < 1500),
  };
}

function ofSort(
  objects: readonly Thing[],
  chance: () => number,
  query: (word: string, thing: Thing) => string | undefined,
  there = false,
): Made | undefined {
  const present = ASKED_FOR.filter(([sort]) => objects.some((object) => object.sort === sort));
  const [sort, ...called] = present.length > 0 ? pick(present, chance) : [];
  const thing = some(
    objects.filter((object) => object.sort === sort),
    chance,
  );
  const text = thing && query(pick(called, chance), thing);
  return text
    ? {
        at: thing!,
        query: text,
        right: (hit) => hit.sort === sort && (!there || hit.label.includes(thing!.settlement)),
      }
    : undefined;
}

function nearSomething(objects: readonly Thing[], chance: () => number): Made | undefined {
  const present = ASKED_FOR.filter(([sort]) => objects.filter((object) => object.sort === sort).length > 1);
  const [sort, ...called] = present.length > 0 ? pick(present, chance) : [];
  const landmark = some(
    objects.filter(
      (object) =>
        object.sort !== sort &&
        words(object.names[0]!).join('').length > 8 &&
        objects.filter(({ names }) => names[0] === object.names[0]).length === 1,
    ),
    chance,
  );
  if (!sort || !landmark) return undefined;
  const least = Math.min(...objects.filter((object) => object.sort === sort).map((object) => metres(object, landmark)));
  return {
    at: landmark,
    query: `${pick(called, chance)} ${pick(['near', 'by', 'opposite', 'возле', 'рядом с'], chance)} ${landmark.names[0]!}`,
    right: (hit) => hit.sort === sort && metres(hit, landmark) <= least * 1.25 + 50,
  };
}

function ofHouse(
  house: House | undefined,
  chance: () => number,
  change: (name: string) => string = (text) => text,
): Made | undefined {
  if (!house) return undefined;
  const street = change(house.street.names[0]!),
    { number } = house,
    { settlement } = house.street;
  const forms = [
    `${number} ${street}`,
    `${street} ${number}`,
    `${street}, ${number}`,
    `${settlement} ${street} ${number}`,
    `${number}, ${street}, ${settlement}`,
    `${street} no. ${number}`,
    `${street} д. ${number}`,
    `#${number} ${street}`,
    `house ${number} ${street}`,
    `${street} ${number.replace(/(?<=\d)(?=\p{L})/u, ' ')}`,
  ];
  return { ...houseMeant(house), query: pick(forms, chance) };
}

function houseMeant(house: House): Omit<Made, 'query'> {
  return {
    at: house,
    right: (hit) =>
      hit.kind === 'address' &&
      metres(hit, house) < 60 &&
      words(hit.label).join(' ').startsWith(words(house.street.names[0]!).join(' ')),
  };
}

function ofCorner(
  corner: Corner | undefined,
  chance: () => number,
  change: (name: string) => string = (text) => text,
): Made | undefined {
  if (!corner) return undefined;
  const [a, b] = [change(corner.a.names[0]!), corner.b.names[0]!];
  const forms = [
    `${a} / ${b}`,
    `${a} and ${b}`,
    `corner of ${a} and ${b}`,
    `угол ${a} и ${b}`,
    `${b} & ${a}`,
    `${a} x ${b}`,
    `${a} corner ${b}`,
    `${a} угол ${b}`,
    `перекресток ${a} и ${b}`,
    `${b} at ${a}`,
    `${b} @ ${a}`,
    `junction ${a}, ${b}`,
  ];
  return { at: corner, query: pick(forms, chance), right: (hit) => hit.kind === 'corner' && metres(hit, corner) < 60 };
}

const NOTATIONS: readonly ((at: Point) => string)[] = [
  ({ lon, lat }) => `${lat.toFixed(5)}, ${lon.toFixed(5)}`,
  ({ lon, lat }) => `${lat.toFixed(5)} ${lon.toFixed(5)}`,
  ({ lon, lat }) => `${comma(lat)}; ${comma(lon)}`,
  ({ lon, lat }) => `${comma(lat)} ${comma(lon)}`,
  ({ lon, lat }) => `${comma(lat)}, ${comma(lon)}`,
  ({ lon, lat }) => `lat ${lat.toFixed(5)} lon ${lon.toFixed(5)}`,
  ({ lon, lat }) => `широта ${lat.toFixed(5)}, долгота ${lon.toFixed(5)}`,
  ({ lon, lat }) => `N${lat.toFixed(5)} E${lon.toFixed(5)}`,
  ({ lon, lat }) => `${dms(lat)}N ${dms(lon)}E`,
  ({ lon, lat }) => `N ${dms(lat)} E ${dms(lon)}`,
  ({ lon, lat }) => `${dms(lat)} с.ш. ${dms(lon)} в.д.`,
  ({ lon, lat }) => `${dms(lat).replace(/[°′″]/g, ' ').trim()} ${dms(lon).replace(/[°′″]/g, ' ').trim()}`,
  ({ lon, lat }) =>
    `N${Math.floor(lat)} ${((lat % 1) * 60).toFixed(4)} E${Math.floor(lon)} ${((lon % 1) * 60).toFixed(4)}`,
  ({ lon, lat }) => `geo:${lat.toFixed(6)},${lon.toFixed(6)}`,
  ({ lon, lat }) => `https://maps.example/@${lat.toFixed(6)},${lon.toFixed(6)},17z`,
  ({ lon, lat }) => `https://map.example/#map=17/${lat.toFixed(6)}/${lon.toFixed(6)}`,
  ({ lon, lat }) => `${lat.toFixed(5)}N, ${lon.toFixed(5)}E`,
  ({ lon, lat }) => `(${lat.toFixed(6)} , ${lon.toFixed(6)})`,
  ({ lon, lat }) => `${lat.toFixed(5)}/${lon.toFixed(5)}`,
];

function comma(value: number): string {
  return value.toFixed(5).replace('.', ',');
}

function dms(value: number): string {
  const seconds = Math.round(value * 36_000) / 10;
  return `${Math.floor(seconds / 3600)}°${Math.floor((seconds % 3600) / 60)}′${(seconds % 60).toFixed(1)}″`;
}

/** As people write Russian in Latin letters, not as passports do. */
function romanised(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    д: 'd',
    е: 'e',
    ё: 'yo',
    ж: 'zh',
    з: 'z',
    и: 'i',
    й: 'y',
    к: 'k',
    л: 'l',
    м: 'm',
    н: 'n',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    у: 'u',
    ф: 'f',
    х: 'h',
    ц: 'c',
    ч: 'ch',
    ш: 'sh',
    щ: 'sch',
    ъ: '',
    ы: 'y',
    ь: '',
    э: 'e',
    ю: 'yu',
    я: 'ya',
  };
  return text.toLowerCase().replace(/\p{sc=Cyrillic}/gu, (letter) => letters[letter] ?? letter);
}

/** As somebody writes a foreign name by ear, letter by letter. */
function cyrillic(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    sch: 'ш',
    sh: 'ш',
    ch: 'ч',
    th: 'т',
    ph: 'ф',
    ck: 'к',
    ee: 'и',
    oo: 'у',
    ou: 'у',
    a: 'а',
    b: 'б',
    c: 'к',
    d: 'д',
    e: 'е',
    f: 'ф',
    g: 'г',
    h: 'х',
    i: 'и',
    j: 'й',
    k: 'к',
    l: 'л',
    m: 'м',
    n: 'н',
    o: 'о',
    p: 'п',
    q: 'к',
    r: 'р',
    s: 'с',
    t: 'т',
    u: 'у',
    v: 'в',
    w: 'в',
    x: 'кс',
    y: 'и',
    z: 'з',
  };
  return fold(text).replace(/sch|sh|ch|th|ph|ck|ee|oo|ou|[a-z]/g, (group) => letters[group] ?? group);
}

function shuffled<T>(list: readonly T[], chance: () => number): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(Math.floor(chance() * rest.length), 1)[0]!);
}

function some<T>(list: readonly T[], chance: () => number): T | undefined {
  return list.length > 0 ? pick(list, chance) : undefined;
}

function metres(a: Point, b: Point): number {
  return metresBetweenE7(a.lon * 1e7, a.lat * 1e7, b.lon * 1e7, b.lat * 1e7);
}

/** The operator's map shows the surroundings, not the very spot. */
function around({ lon, lat }: Point, chance: () => number): Point {
  return { lon: lon + (chance() - 0.5) * 0.02, lat: lat + (chance() - 0.5) * 0.02 };
}

function readKnown(directory: string): Known {
  const database = new DatabaseSync(join(directory, 'places.db'), { readOnly: true });
  const rows = database
    .prepare(
      `SELECT id, kind, sort, names, area, area_words, sort_words, lon / 1e7 AS lon, lat / 1e7 AS lat FROM document ORDER BY id`,
    )
    .all() as unknown as (Point & {
    id: number;
    kind: string;
    sort: string;
    names: string;
    area: string;
    area_words: string;
    sort_words: string;
  })[];
  const things = new Map(
    rows.map(({ id, kind, sort, names, area, sort_words, lon, lat }) => [
      id,
      {
        id,
        kind,
        sort,
        names: names.split('\n'),
        settlement: area.split(', ').at(-1)!,
        sortWords: sort_words.split(' '),
        lon,
        lat,
      } satisfies Thing,
    ]),
  );
  // One in Monaco is called just "Impasse".
  const named = [...things.values()].filter(({ names }) =>
    words(names[0]!).some((word) => !everyLanguage.isWeak(word) && word.length > 2),
  );
  const addresses = database
    .prepare(
      `SELECT document, number, lon / 1e7 AS lon, lat / 1e7 AS lat FROM address WHERE NOT estimated AND number GLOB '[0-9]*' ORDER BY id`,
    )
    .all() as unknown as (Point & { document: number; number: string })[];
  const corners = database
    .prepare('SELECT a, b, lon / 1e7 AS lon, lat / 1e7 AS lat FROM corner ORDER BY a, b, lon')
    .all() as unknown as (Point & { a: number; b: number })[];
  database.close();
  const isNamed = new Set(named.map(({ id }) => id));
  return {
    streets: named.filter(({ kind }) => kind === 'street'),
    objects: named.filter(({ kind, sort }) => kind === 'object' && sort !== 'building'),
    houses: addresses
      .filter(({ document }) => isNamed.has(document))
      .map(({ document, number, lon, lat }) => ({ street: things.get(document)!, number, lon, lat })),
    corners: corners
      .filter(({ a, b }) => isNamed.has(a) && isNamed.has(b))
      .map(({ a, b, lon, lat }) => ({ a: things.get(a)!, b: things.get(b)!, lon, lat })),
    postcodes: rows
      .filter(({ id, kind, area_words }) => kind === 'street' && isNamed.has(id) && /\b\d{4,5}\b/.test(area_words))
      .map(({ id, area_words }) => ({ street: things.get(id)!, postcode: /\b\d{4,5}\b/.exec(area_words)![0] })),
  };
}
