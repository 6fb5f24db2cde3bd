/** Degrees. */
export interface Point {
  lon: number;
  lat: number;
}

type Bounds = readonly [west: number, south: number, east: number, north: number];

const LONGEST = 80;
const DECIMAL = String.raw`([+-]?\d{1,3}(?:[.,]\d{1,12})?)`;
const PLAIN = new RegExp(String.raw`^\(?\s*${DECIMAL}\s*°?\s*(?:[;,/]\s*|\s+)${DECIMAL}\s*°?\s*\)?$`);
const HEMISPHERE = '([NSEWСЮВЗ])';
/** 35°53′55″, 35 53 55.2, 35.898, 35°53.9': degrees, and minutes and seconds where they are given. */
const ANGLE = String.raw`([+-]?\d{1,3}(?:[.,]\d{1,12})?)\s*°?\s*(?:(\d{1,2}(?:[.,]\d{1,10})?)\s*['′’]?\s*(?:(\d{1,2}(?:[.,]\d{1,8})?)\s*(?:["″”]|'')?)?)?`;
const ANGLES = new RegExp(String.raw`^${ANGLE}\s*[;,]?\s*${ANGLE}$`);
const LETTERS_BEFORE = new RegExp(String.raw`^${HEMISPHERE}\s*${ANGLE}\s*[;,]?\s*${HEMISPHERE}\s*${ANGLE}$`);
const LETTERS_AFTER = new RegExp(String.raw`^${ANGLE}\s*${HEMISPHERE}\s*[;,]?\s*${ANGLE}\s*${HEMISPHERE}$`);
const AXIS: Readonly<Record<string, { axis: 'lat' | 'lon'; sign: 1 | -1 }>> = {
  N: { axis: 'lat', sign: 1 }, S: { axis: 'lat', sign: -1 }, E: { axis: 'lon', sign: 1 }, W: { axis: 'lon', sign: -1 },
  С: { axis: 'lat', sign: 1 }, Ю: { axis: 'lat', sign: -1 }, В: { axis: 'lon', sign: 1 }, З: { axis: 'lon', sign: -1 },
};

/**
 * The point that a text names, if it is a pair of coordinates: decimal degrees or degrees, minutes and seconds. Latitude comes first,
 * unless letters (N, E; С, В), the range, or the territory's own bounds show that it is the other way round.
 */
export function parseCoordinates(text: string, bounds: Bounds | undefined): Point | undefined {
  const asked = text.trim();
  if (asked.length > LONGEST || !/\d/.test(asked)) return undefined;
  return decimal(asked, bounds) ?? sexagesimal(asked, bounds);
}

function decimal(text: string, bounds: Bounds | undefined): Point | undefined {
  const [, first, second] = PLAIN.exec(text) ?? [];
  // "12 14" and "12/14" are numbers of houses; "12, 14" can only be a pair.
  if (first === undefined || second === undefined || (!/[.,]\d/.test(first) && !/[.,]\d/.test(second) && !/[;,]/.test(text))) return undefined;
  if (/,\d/.test(first) !== /,\d/.test(second) && !/[.]\d/.test(first + second)) return undefined;
  return ordered(number(first), number(second), bounds);
}

function sexagesimal(text: string, bounds: Bounds | undefined): Point | undefined {
  const asked = text.toUpperCase();
  const before = LETTERS_BEFORE.exec(asked);
  if (before) return lettered(before[1]!, angle(before[2], before[3], before[4]), before[5]!, angle(before[6], before[7], before[8]));
  const after = LETTERS_AFTER.exec(asked);
  if (after) return lettered(after[4]!, angle(after[1], after[2], after[3]), after[8]!, angle(after[5], after[6], after[7]));
  const plain = /[°'′]/.test(asked) ? ANGLES.exec(asked) : null;
  const first = plain && angle(plain[1], plain[2], plain[3]), second = plain && angle(plain[4], plain[5], plain[6]);
  return typeof first === 'number' && typeof second === 'number' ? ordered(first, second, bounds) : undefined;
}

function lettered(letter: string, value: number | undefined, otherLetter: string, otherValue: number | undefined): Point | undefined {
  const one = AXIS[letter]!, other = AXIS[otherLetter]!;
  if (value === undefined || otherValue === undefined || one.axis === other.axis) return undefined;
  const [lat, lon] = one.axis === 'lat' ? [value * one.sign, otherValue * other.sign] : [otherValue * other.sign, value * one.sign];
  return onGlobe(lon, lat) ? { lon, lat } : undefined;
}

function ordered(first: number, second: number, bounds: Bounds | undefined): Point | undefined {
  const usual = onGlobe(second, first) ? { lat: first, lon: second } : undefined;
  const swapped = onGlobe(first, second) ? { lat: second, lon: first } : undefined;
  if (usual && swapped && bounds && !within(usual, bounds) && within(swapped, bounds)) return swapped;
  return usual ?? swapped;
}

function angle(degrees = '', minutes: string | undefined, seconds: string | undefined): number | undefined {
  const [d, m, s] = [number(degrees), number(minutes ?? '0'), number(seconds ?? '0')];
  if (m >= 60 || s >= 60) return undefined;
  return (degrees.startsWith('-') ? -1 : 1) * (Math.abs(d) + m / 60 + s / 3600);
}

function number(text: string): number {
  return Number(text.replace(',', '.'));
}

function onGlobe(lon: number, lat: number): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

function within({ lon, lat }: Point, [west, south, east, north]: Bounds): boolean {
  return lon >= west && lon <= east && lat >= south && lat <= north;
}
