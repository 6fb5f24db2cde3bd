import { fold } from '../../../shared/text/fold.ts';

/** A house number in comparable form: "12 A" and "12а" are equal, "12-16" stands for 12, 14 and 16. */
export interface HouseNumber {
  /** Without spaces and capitals. */
  key: string;
  low: number;
  high: number;
}

/** Letters on a door. */
export const LONGEST_NUMBER = 24;
/** More houses than one number covers: "5-101" is a flat. */
const LONGEST_RANGE = 60;

/** Undefined without digits, or with as many as a telephone number. */
export function parseHouseNumber(text: string): HouseNumber | undefined {
  const key = fold(text.slice(0, LONGEST_NUMBER))
    .replace(/korpus|korp|\bk\.?(?=\s?\d)/g, 'k')
    .replace(/stroenie|str\.?(?=\s?\d)/g, 's')
    .replace(/litera|liter|lit\.?(?=\s?[a-z](?![a-z]))/g, 'l')
    .replace(/[\s.,#]+/g, '');
  const [, first, , last] = /^\D{0,4}(\d{1,6})(?!\d)([^\d-]*(?:-(\d{1,6})(?!\d))?)/.exec(key) ?? [];
  if (first === undefined) return undefined;
  const low = Number(first),
    high = last === undefined ? low : Number(last);
  // "5-1" is door 1 of house 5, "12-16" are three houses.
  return { key, low, high: high > low && high - low <= LONGEST_RANGE ? high : low };
}
