import { parseHouseNumber } from '../../territory/places/house-number.ts';
import type { HouseNumber } from '../../territory/places/house-number.ts';
import type { Reading } from './readings.ts';
import type { FrequentWords } from './language-words.ts';
import { queryWords } from './query-words.ts';

/** A number in a text that may be a house. */
interface FoundNumber {
  house: HouseNumber;
  text: string;
  start: number;
  end: number;
  /** Four to six digits, as a postcode has. */
  isLikePostcode: boolean;
}

const MAX_HOUSES = 3;
/** Parts of one text between commas, of which the number is in one. */
const MAX_PARTS = 8;
/** Where a name may end and a town begin, if nothing separates them. */
const MAX_SPLITS = 5;

/**
 * Suffixes of a number: "k. 2", ", str. 1", "lit. a". With a space before a digit, "s" and "k" need a point.
 */
const MORE = String.raw`(?:[ ,]{0,2}(?:korpus|korp|kor|stroenie|str|sooruzhenie|soor|litera|liter|lit|[ksl](?=\.|\d)|l(?=[a-z](?![\p{L}\p{N}]))|k(?= \d)|(?<=k ?\d{1,4} )s(?= \d))\.? ?(?:\d{1,4}|[a-z](?![\p{L}\p{N}])))`;
/** "2-ia Sadovaia", "1-i proezd": the number of a street's name. */
const ORDINAL = String.raw`-(?:i|ia|ya|y|aia|aya|yi|oi|ii|go|ogo|e(?= \p{L}))(?![\p{L}\p{N}])`;
/** A house number: 12, 12a, 12 a, 12/3, 12/b, 12-14, 12k1, 17ak3, "dom 5", "no. 7". */
const HOUSE = new RegExp(
  String.raw`(?<![\p{L}\p{N}./-])(?:(?:dom|d|vladenie|vlad|vl|domovladenie|dvld|zdanie|zd|budinok|budinku|bud|haus|hausnr|house|hs|no|nr|n|n\.o|num|numero|bldg)\.? ?|b\. ?|# ?)?(\d{1,5}(?!${ORDINAL})(?: ?(?![ksl]\.? ?\d)[a-z](?![\p{L}\p{N}])|[a-z](?=[ksl]\d))?(?:[/-](?:\d{1,4}[a-z]?|[a-z](?![\p{L}\p{N}])))?(?:${MORE}{1,3}|(?: ?(?:bis|ter|quater|dup)\.? ?\d{0,3})| 1[/\u2044]2(?!\d))?)(?![\p{L}\p{N}])`,
  'gu',
);
/** "B12": a house number with its letter first. */
const LETTER_FIRST = /(?<![\p{L}\p{N}./-])([a-z]{1,2}-?\d{1,4})(?![\p{L}\p{N}])/gu;
const LIKE_POSTCODE = /^\d{4,6}(?:-\d{3,4})?$/;

function numbersIn(text: string): FoundNumber[] {
  const matches = [...text.matchAll(HOUSE)];
  if (matches.length === 0) matches.push(...text.matchAll(LETTER_FIRST));
  // "148 Elm St # 5" and "2-a Buzkova 7": a flat, and a part of the name.
  const plain = matches.filter(
    ({ 0: number, index }) =>
      !number.startsWith('#') && !(/-[ae]$/.test(number) && /^ \p{L}{3}/u.test(text.slice(index + number.length))),
  );
  return (plain.length > 0 ? plain : matches).flatMap((match) => {
    const house = parseHouseNumber(match[1]!);
    const { index: start } = match;
    return house
      ? [{ house, text: match[1]!, start, end: start + match[0].length, isLikePostcode: LIKE_POSTCODE.test(match[1]!) }]
      : [];
  });
}

/** The house on a street: all other words belong to the street and its surroundings. */
export function housesOf(text: string): Reading[] {
  return likely(numbersIn(text)).flatMap(({ house, start, end }): Reading[] => {
    const rest = queryWords(`${text.slice(0, start)} ${text.slice(end)}`);
    return rest.length > 0 ? [{ kind: 'house', words: rest, house }] : [];
  });
}

/**
 * The number is mostly last, else first: "8 marta 12", "12 rue du 4 septembre". Beside another number, one of
 * four to six digits is first taken for a postcode.
 */
function likely(found: readonly FoundNumber[], withCodes = true): FoundNumber[] {
  const codes = codesAmong(found);
  const others = found.filter((number) => !codes.includes(number));
  return [...new Set([others.at(-1), others[0], others.at(-2), ...(withCodes ? [codes[0], codes.at(-1)] : [])])]
    .filter((number) => number !== undefined)
    .slice(0, MAX_HOUSES)
    .flatMap(withoutLetter);
}

function codesAmong(found: readonly FoundNumber[]): FoundNumber[] {
  const codes = found.filter(({ isLikePostcode }) => isLikePostcode);
  return codes.length < found.length ? codes : codes.slice(1);
}

/** "1211 S Conkling Street": the letter after a space may belong to the street instead. */
function withoutLetter(number: FoundNumber): FoundNumber[] {
  const [, digits, rest] = /^(\d+)( [a-z].*)$/u.exec(number.text) ?? [];
  const house = digits === undefined ? undefined : parseHouseNumber(digits);
  return house && rest !== undefined ? [number, { ...number, house, end: number.end - rest.length }] : [number];
}

export type LetterReading = Extract<Reading, { kind: 'letter' }>;

/**
 * An address as on a letter, in parts between commas: the part with the number, or that before or after it, has
 * the street; all others say where it lies. Nothing of these must be known.
 */
export function lettersOf(text: string, frequent: FrequentWords): LetterReading[] {
  return likely(numbersIn(text), false).flatMap((number) => markedLetter(text, number, frequent));
}

function markedLetter(text: string, number: FoundNumber, frequent: FrequentWords): LetterReading[] {
  const { parts, at } = partsAround(text, number);
  const [before, after] = [queryWords(parts[at]![0]!), queryWords(parts[at]![1]!)];
  const others = (except: number): string[] =>
    parts.flatMap((part, i) => (i === at || i === except ? [] : queryWords(part.join(' '))));
  const letter = (street: string[], around: string[]): LetterReading[] =>
    street.length > 0 && around.length > 0 ? [{ kind: 'letter', words: street, house: number.house, around }] : [];
  const isNamed = (words: string[]): boolean => words.some((word) => word.length > 1 && !frequent.isWeak(word));
  const startsWithCode = LIKE_POSTCODE.test(after[0] ?? '');
  // "Rue du 11 Novembre": the number belongs to the name. "Baixada de la Rambla" is a whole one.
  const isKind = before.filter((word) => frequent.isKind(word)).length < 2;
  if (before.length > 0 && isKind && !isNamed(before) && isNamed(after) && !startsWithCode) return [];
  if (before.length > 0) return letter(before, [...others(at), ...after]);
  // "Calle de Roque, 1 C" and "Via Roma, 13 - 34630 Castelazzi": the street stands before.
  if ((isNamed(after) || after.length > 1) && !(startsWithCode && at > 0)) return letter(after, others(at));
  const beside = at > 0 ? at - 1 : at + 1;
  return beside < parts.length ? letter(queryWords(parts[beside]!.join(' ')), [...others(beside), ...after]) : [];
}

/**
 * The same where nothing separates the street from the town: the street is next to the number, and ends at any
 * word.
 */
export function unmarkedLettersOf(text: string, frequent: FrequentWords): LetterReading[] {
  const found = numbersIn(text);
  // No house was found so far: a word that looks like a postcode may be one.
  const codes = codesAmong(found).flatMap((number) => markedLetter(text, number, frequent));
  const letters = likely(found).flatMap((number): LetterReading[] => {
    const { parts, at } = partsAround(text, number);
    const [before, after] = [queryWords(parts[at]![0]!), queryWords(parts[at]![1]!)];
    const others = parts.flatMap((part, i) => (i === at ? [] : queryWords(part.join(' '))));
    const letters: LetterReading[] = [];
    const add = (street: string[], cut: string[], around: string[]): void => {
      if (street.some((word) => !frequent.isWeak(word)))
        letters.push({ kind: 'letter', words: street, house: number.house, around: [...cut, ...around], cut });
    };
    // "Kyiv Main Street 12": the end of the words before the number.
    for (let from = 1; from < Math.min(before.length, MAX_SPLITS); from++)
      add(before.slice(from), before.slice(0, from), [...after, ...others]);
    if (before.length === 0 || !before.some((word) => !frequent.isWeak(word)))
      for (let to = after.length - 1; to > Math.max(0, after.length - 1 - MAX_SPLITS); to--)
        add(after.slice(0, to), after.slice(to), [...before, ...others]);
    return letters;
  });
  return [...codes, ...letters];
}

/** The parts between commas, each in two: that with the number before and after it. */
function partsAround(text: string, { start, end }: FoundNumber): { parts: [string, string][]; at: number } {
  const before = text.slice(0, start).split(SEPARATOR);
  const after = text.slice(end).split(SEPARATOR);
  const own: [string, string] = [before.pop()!, after.shift()!];
  const whole = (list: string[]): [string, string][] =>
    list.filter((part) => /[\p{L}\p{N}]/u.test(part)).map((part) => [part, '']);
  const first = whole(before).slice(-MAX_PARTS);
  return { parts: [...first, own, ...whole(after).slice(0, MAX_PARTS)], at: first.length };
}

const SEPARATOR = /[,;|]| [-\u2013\u2014] /;
