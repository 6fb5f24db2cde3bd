/** Degrees. */
export interface Point {
  lon: number;
  lat: number;
}

type Bounds = readonly [west: number, south: number, east: number, north: number];

const LONGEST = 80;
const DECIMAL = String.raw`([+-]?\d{1,3}(?:[.,]\d{1,12})?)`;
const PLAIN = new RegExp(String.raw`^\(?\s*${DECIMAL}\s*°?\s*(?:[;,/]\s*|\s+)${DECIMAL}\s*°?\s*\)?$`);
const HEMISPHERE = '[NSEWnsewСЮВЗсювз]';
/** 35°53′55″N, 35 53 55.2 N, N35.898, 35°53.9'N: degrees, and minutes and seconds where they are given. */
const ANGLE = String.raw`(${HEMISPHERE})?\s*([+-]?\d{1,3}(?:[.,]\d{1,12})?)\s*°?\s*(?:(\d{1,2}(?:[.,]\d{1,10})?)\s*['′’]?\s*(?:(\d{1,2}(?:[.,]\d{1,8})?)\s*(?:["″”]|'')?)?)?\s*(${HEMISPHERE})?`;
const ANGLES = new RegExp(`^${ANGLE}\\s*[;,]?\\s*${ANGLE}$`);
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
  // "12 14" is two numbers, "12, 14" may be a pair, "12.1 14.2" is one.
  if (first === undefined || second === undefined || (!/[.,]\d/.test(first) && !/[.,]\d/.test(second) && !/[;,/]/.test(text))) return undefined;
  if (/,\d/.test(first) !== /,\d/.test(second) && !/[.]\d/.test(first + second)) return undefined;
  return ordered(number(first), number(second), bounds);
}

function sexagesimal(text: string, bounds: Bounds | undefined): Point | undefined {
  const found = ANGLES.exec(text);
  if (!found || !/[°'′]|[NSEWСЮВЗ]/i.test(text)) return undefined;
  const [, before1, degrees1, minutes1, seconds1, after1, before2, degrees2, minutes2, seconds2, after2] = found;
  const letter1 = (before1 ?? after1)?.toUpperCase(), letter2 = (before2 ?? after2)?.toUpperCase();
  const value1 = angle(degrees1!, minutes1, seconds1), value2 = angle(degrees2!, minutes2, seconds2);
  if (value1 === undefined || value2 === undefined) return undefined;
  if (letter1 === undefined && letter2 === undefined) return ordered(value1, value2, bounds);
  if (letter1 === undefined || letter2 === undefined) return undefined;
  const one = AXIS[letter1]!, two = AXIS[letter2]!;
  if (one.axis === two.axis) return undefined;
  const lat = one.axis === 'lat' ? value1 * one.sign : value2 * two.sign;
  const lon = one.axis === 'lon' ? value1 * one.sign : value2 * two.sign;
  return onGlobe(lon, lat) ? { lon, lat } : undefined;
}

function ordered(first: number, second: number, bounds: Bounds | undefined): Point | undefined {
  const usual = onGlobe(second, first) ? { lat: first, lon: second } : undefined;
  const swapped = onGlobe(first, second) ? { lat: second, lon: first } : undefined;
  if (usual && swapped && bounds && !within(usual, bounds) && within(swapped, bounds)) return swapped;
  return usual ?? swapped;
}

function angle(degrees: string, minutes: string | undefined, seconds: string | undefined): number | undefined {
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
