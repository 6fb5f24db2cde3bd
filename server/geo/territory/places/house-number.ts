import { fold } from '../../../../shared/text/fold.ts';

/** A house number in comparable form: "12 A" and "12а" are equal, "12-16" stands for 12, 14 and 16. */
export interface HouseNumber {
  /** Without spaces and capitals. */
  key: string;
  low: number;
  high: number;
}

/** Letters on a door. */
export const LONGEST_NUMBER = 24;
/** Letters of a number as it is typed: "10, корпус 12, строение 11, литера А". */
const LONGEST_TYPED = 48;
/** More houses than one number covers: "5-101" is a flat. */
const LONGEST_RANGE = 60;

/** Undefined without digits, or with as many as a telephone number. */
export function parseHouseNumber(text: string): HouseNumber | undefined {
  const key = fold(text.slice(0, LONGEST_TYPED).replace('½', ' 1/2'))
    .replace(/(?<=\d) +1[/\u2044]2(?!\d)/, 'half')
    .replace(/korpus|korp|kor\b|\bk\.?(?=\s?\d)/g, 'k')
    .replace(/stroenie|str\.?(?=\s?\d)/g, 's')
    .replace(/litera?|lit\.?(?=\s?[a-z](?![a-z]))/g, 'l')
    .replace(/[\s.,#]+/g, '');
  const [, first, , last] = /^\D{0,4}(\d{1,6})(?!\d)([^\d-]*(?:-(\d{1,6})(?!\d))?)/.exec(key) ?? [];
  if (first === undefined) return undefined;
  const low = Number(first),
    high = last === undefined ? low : Number(last);
  // "5-1" is door 1 of house 5, "12-16" are three houses.
  return { key, low, high: high > low && high - low <= LONGEST_RANGE ? high : low };
}

/** "17ak3s1": the digits, a letter, a part after a slash, the block (корпус) and the building (строение). */
const DETAILS = /^(\d+)(?:l?([a-z]))?(?:[/-](\d+[a-z]?|[a-z]))?(?:k(\d+|[a-z]))?(?:s(\d+))?(?:l([a-z]))?$/;

/**
 * How well a known number of the same digits answers one that is asked for: 1 the very same, less where one has
 * a letter or a block that the other lacks, least where these differ.
 */
export function numberLikeness(asked: string, known: string): number {
  if (asked === known) return 1;
  const [one, other] = [DETAILS.exec(asked), DETAILS.exec(known)];
  if (one?.[1] === undefined || one[1] !== other?.[1]) return CONFLICT;
  const [a, b] = [details(one), details(other)];
  if (a.join() === b.join()) return SAME_BLOCK;
  if (a.some((part, i) => part !== '' && b[i] !== '' && part !== b[i])) return CONFLICT;
  const lacking = (some: string[], others: string[]): number =>
    some.filter((part, i) => part !== '' && others[i] === '').length;
  const [lacks, has] = [lacking(a, b), lacking(b, a)];
  return lacks > 0 && has > 0 ? CONFLICT : (lacks > 0 ? LESS : MORE) - EACH * (lacks + has - 1);
}

/** From here on a number is the one that is asked for, perhaps in another spelling. */
export const SAME_NUMBER = 0.98;
/** "10/2" for "10k2", and "10la" for "10a". */
const SAME_BLOCK = SAME_NUMBER;
const LESS = 0.95;
const MORE = 0.94;
const CONFLICT = 0.9;
/** Of each further part: "23a" answers "23a/107" before "23" does. */
const EACH = 0.005;

function details([, , letter = '', slash = '', block = '', building = '', liter = '']: RegExpExecArray): string[] {
  // "15/b" is "15b".
  const sign = letter || liter || (/^[a-z]$/.test(slash) ? slash : '');
  const other = sign === slash ? '' : slash;
  return [sign, block || other, building, block === '' ? '' : other];
}
