import type { Chance } from '../../../server/demo/chance.ts';
import type { NameKind } from '../roads/road.ts';

/** Parts of names by their sort, with ` | ` between them; `{sort}` in a part stands for one of that sort. */
export type NameParts = Readonly<Record<string, string>>;

/** How a country names its streets and writes its addresses. No name of a real town or person is meant. */
export interface TownLanguage {
  /** ISO 639-1, with the country where two write it differently. */
  readonly code: string;
  readonly parts: NameParts;
  readonly town: readonly string[];
  readonly village: readonly string[];
  readonly park: readonly string[];
  /** That of the middle first, the others anticlockwise from the north-east. */
  readonly districts: readonly string[];
  readonly river: string;
  readonly lake: string;
  readonly streets: Readonly<Record<Exclude<NameKind, 'none'>, readonly string[]>>;
  /** Names of objects by the value of their `amenity`; the others have none. */
  readonly objects: Readonly<Record<string, readonly string[]>>;
  /** `#` is a digit, `@` a letter; each district and village has its own. */
  readonly postcode: string;
  /** Each street has a postcode of its own. */
  readonly hasStreetCodes?: true;
  /** Numbers of houses: with a letter where one was built between two others, and rare forms. */
  readonly numbers: {
    readonly lettered: readonly string[];
    /** Of one in twelve; `{next}` is the next number on that side, which the house takes too. */
    readonly rare: readonly string[];
    /** Of the n-th lot; else n. */
    ofLot?(lot: number): number;
  };
  /** How people shorten names of streets. */
  readonly shortened: readonly (readonly [RegExp, readonly string[]])[];
  /** Addresses with `{street}`, shortened as `{short}`, `{number}`, `{city}`, `{postcode}`. */
  readonly address: {
    /** The street and the number only. */
    readonly plain: readonly string[];
    readonly short: readonly string[];
    readonly letter: readonly string[];
    readonly official?: readonly string[];
  };
  /** A number in the words of an official address. */
  spelt?(number: string): string;
  /** The streets `{a}` and `{b}`. */
  readonly corner: readonly string[];
  /** A name as people type it whose keyboard lacks its letters. */
  inOtherLetters(text: string): string[];
}

/** A pattern with its parts chosen, and the parts of these. */
export function written(pattern: string, parts: NameParts, chance: Chance): string {
  return pattern.replace(/\{(\w+)\}/g, (_, sort: string) => {
    const list = parts[sort];
    if (list === undefined) throw new Error(`There are no parts "${sort}" for "${pattern}".`);
    return written(chance.pick(list.split(/\s*\|\s*/)), parts, chance);
  });
}

/** A postcode of the pattern. */
export function postcodeOf(pattern: string, chance: Chance): string {
  return pattern.replace(/[#@]/g, (sign) => (sign === '#' ? String(chance.whole(10)) : chance.pick([...'ABDEFGHJLN'])));
}

/** Without marks: "Calle Peñón" becomes "Calle Penon". */
export function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('Ł', 'L').replaceAll('œ', 'oe');
}
