import type { Bounds } from '../../../../shared/geo/bounds.ts';
import { parseGridReference } from './grid-references.ts';
import { pointOfLink } from './links.ts';
import { parsePlusCode } from './plus-code.ts';
import { parseDataPoint, withoutLeadingWords } from './points.ts';

/** Degrees. */
export interface LonLatPoint {
  lon: number;
  lat: number;
}

const LONGEST = 80;
const DECIMAL = String.raw`([+-]?\d{1,3}(?:[.,]\d{1,12})?)`;
const PLAIN = new RegExp(String.raw`^\(?\s*${DECIMAL}\s*°?\s*(?:[;,/]\s*|\s+)${DECIMAL}\s*°?\s*\)?$`);
const HEMISPHERE = '([NSEWСЮВЗ])';
/**
 * 35°53′55″, 35 53 55.2, 35.898, 35°53.9', 35-53-55, 35d53m55s: degrees, and minutes and seconds where they
 * are given.
 */
const ANGLE = String.raw`([+-]?\d{1,3}(?:[.,]\d{1,12})?)\s*[°D-]?\s*(?:(\d{1,2}(?:[.,]\d{1,10})?)(?![\d°])\s*['M-]?\s*(?:(\d{1,2}(?:[.,]\d{1,8})?)(?![\d°])\s*(?:["S]|'')?)?)?`;
const ANGLES = new RegExp(String.raw`^${ANGLE}\s*[;,]?\s*${ANGLE}$`);
const LETTERS_BEFORE = new RegExp(String.raw`^${HEMISPHERE}\s*${ANGLE}\s*[;,]?\s*${HEMISPHERE}\s*${ANGLE}$`);
const LETTERS_AFTER = new RegExp(String.raw`^${ANGLE}\s*${HEMISPHERE}\s*[;,]?\s*${ANGLE}\s*${HEMISPHERE}$`);
/**
 * 35 53 55.2 14 30 43: nothing else is written in six numbers; of four, minutes with a point tell it from
 * numbers of houses.
 */
const NUMBERS = [
  /^([+-]?\d{1,3}) (\d{1,2}) (\d{1,2}(?:[.,]\d{1,8})?)[;,]? ([+-]?\d{1,3}) (\d{1,2}) (\d{1,2}(?:[.,]\d{1,8})?)$/,
  /^([+-]?\d{1,3}) (\d{1,2}[.,]\d{1,8})()[;,]? ([+-]?\d{1,3}) (\d{1,2}[.,]\d{1,8})()$/,
];
/** 355355N0143043E and 3553N01430E, as pilots write them. */
const RUN_TOGETHER = /^(\d{2})(\d{2})(\d{2}(?:\.\d{1,4})?)?([NS])[ ,]?(\d{3})(\d{2})(\d{2}(?:\.\d{1,4})?)?([EW])$/;
/** ISO 6709, the signs between. */
const SIGNED = /^([+-]\d{1,2}\.\d{1,12})([+-]\d{1,3}\.\d{1,12})\/?$/;
const LABELLED = new RegExp(
  `^(LAT|LON) ?[:=]?([^A-ZА-Я]*)${HEMISPHERE}?[ ;,&]*(LAT|LON) ?[:=]?([^A-ZА-Я]*)${HEMISPHERE}?$`,
);
const ONE_ANGLE = new RegExp(`^${ANGLE}$`);
const AXIS: Readonly<Record<string, { axis: 'lat' | 'lon'; sign: 1 | -1 }>> = {
  N: { axis: 'lat', sign: 1 },
  S: { axis: 'lat', sign: -1 },
  E: { axis: 'lon', sign: 1 },
  W: { axis: 'lon', sign: -1 },
  С: { axis: 'lat', sign: 1 },
  Ю: { axis: 'lat', sign: -1 },
  В: { axis: 'lon', sign: 1 },
  З: { axis: 'lon', sign: -1 },
};
/**
 * A grid's letters may be anything else far away from the territory, and a point there is of no use. Degrees.
 */
const AROUND = 2;
/** In a territory that is no larger each short plus code means one point. Degrees. */
const ONE_OF_A_CODE = 1;

/**
 * The point that a text names, if it is a pair of coordinates: decimal degrees, degrees with minutes and
 * seconds, the UTM and military grids, a plus code, a link to a map, or a point as WKT, GeoJSON or NMEA. Words like
 * "GPS:" may stand before it. Latitude comes first, unless letters
 * (N, E; С, В), words, the range, or the territory's own bounds show that it is the other way round. A short
 * plus code is looked for around what `about` gives for the text behind it, else in the territory, if that is
 * not so large that it has several.
 */
export function parseCoordinates(
  text: string,
  bounds: Bounds | undefined,
  about: (town: string) => LonLatPoint | undefined = () => undefined,
): LonLatPoint | undefined {
  const whole = text.trim();
  if (!/\d/.test(whole)) return undefined;
  const typed = withoutLeadingWords(whole);
  const linked = pointOfLink(whole) ?? parseDataPoint(whole);
  if (linked) return onGlobe(linked.lon, linked.lat) ? linked : undefined;
  if (typed.length > LONGEST) return undefined;
  const asked = plain(typed);
  return (
    decimal(asked, bounds) ??
    sexagesimal(asked, bounds) ??
    within(
      parseGridReference(asked) ?? parsePlusCode(typed, (town) => about(town) ?? middleOfSmall(bounds)),
      bounds,
      AROUND,
    )
  );
}

function middleOfSmall(bounds: Bounds | undefined): LonLatPoint | undefined {
  if (!bounds) return undefined;
  const [west, south, east, north] = bounds;
  return east - west < ONE_OF_A_CODE && north - south < ONE_OF_A_CODE
    ? { lon: (west + east) / 2, lat: (south + north) / 2 }
    : undefined;
}

/**
 * In capitals, with one sign for each thing that there are many signs and words for; a run of spaces is one,
 * for the patterns below try each of them.
 */
function plain(text: string): string {
  return text
    .toUpperCase()
    .replace(/\s+/g, ' ')
    .replace(/[−–]/g, '-')
    .replace(/[º˚∘]|(?<=\d) ?(?:DEGREES?|DEG|ГРАДУС(?:ОВ|А)?|ГРАД)\.?(?![A-ZА-Я])/g, '°')
    .replace(/[′’‘`´ʹ]|(?<=\d) ?(?:MIN(?:UTES?)?|МИН(?:УТ[АЫУ]?)?)\.?(?![A-ZА-Я])/g, "'")
    .replace(/[″”“]|(?<=\d) ?(?:SEC(?:ONDS?)?|СЕК(?:УНД[АЫУ]?)?)\.?(?![A-ZА-Я])/g, '"')
    .replace(/(?<![A-ZА-Я])(?:LATITUDE|LAT|ШИРОТА|ШИР)(?![A-ZА-Я])\.?/g, 'LAT')
    .replace(/(?<![A-ZА-Я])(?:LONGITUDE|LONG|LNG|LON|ДОЛГОТА|ДОЛГ)(?![A-ZА-Я])\.?/g, 'LON')
    .replace(/([СЮ])\. ?Ш\.?|([ВЗ])\. ?Д\.?/g, '$1$2')
    .replace(/([NSEW])(?:ORTH|OUTH|AST|EST)(?![A-Z])/g, '$1')
    .trim();
}

function decimal(text: string, bounds: Bounds | undefined): LonLatPoint | undefined {
  const [, north, east] = SIGNED.exec(text) ?? [];
  if (north !== undefined) return ordered(number(north), number(east!), undefined);
  const [, first, second] = PLAIN.exec(text) ?? [];
  // "12 14" and "12/14" are numbers of houses; "12, 14" can only be a pair.
  if (
    first === undefined ||
    second === undefined ||
    (!/[.,]\d/.test(first) && !/[.,]\d/.test(second) && !/[;,]/.test(text))
  )
    return undefined;
  if (/,\d/.test(first) !== /,\d/.test(second) && !/[.]\d/.test(first + second)) return undefined;
  return ordered(number(first), number(second), bounds);
}

function sexagesimal(asked: string, bounds: Bounds | undefined): LonLatPoint | undefined {
  const match = RUN_TOGETHER.exec(asked);
  if (match)
    return lettered(match[4]!, angle(match[1], match[2], match[3]), match[8]!, angle(match[5], match[6], match[7]));
  const before = LETTERS_BEFORE.exec(asked);
  if (before)
    return lettered(
      before[1]!,
      angle(before[2], before[3], before[4]),
      before[5]!,
      angle(before[6], before[7], before[8]),
    );
  const after = LETTERS_AFTER.exec(asked);
  if (after)
    return lettered(after[4]!, angle(after[1], after[2], after[3]), after[8]!, angle(after[5], after[6], after[7]));
  const labelled = LABELLED.exec(asked);
  if (labelled && labelled[1] !== labelled[4])
    return lettered(
      labelled[3] || (labelled[1] === 'LAT' ? 'N' : 'E'),
      oneAngle(labelled[2]!),
      labelled[6] || (labelled[4] === 'LAT' ? 'N' : 'E'),
      oneAngle(labelled[5]!),
    );
  if (/[°']/.test(asked)) return pair(ANGLES.exec(asked), bounds);
  return within(pair(NUMBERS[0]!.exec(asked) ?? NUMBERS[1]!.exec(asked), bounds), bounds, AROUND);
}

function pair(numbers: RegExpExecArray | null, bounds: Bounds | undefined): LonLatPoint | undefined {
  const first = numbers && angle(numbers[1], numbers[2], numbers[3] || undefined),
    second = numbers && angle(numbers[4], numbers[5], numbers[6] || undefined);
  return typeof first === 'number' && typeof second === 'number' ? ordered(first, second, bounds) : undefined;
}

function oneAngle(text: string): number | undefined {
  const found = ONE_ANGLE.exec(text.replace(/^ |[ ;,&]+$/g, ''));
  return found ? angle(found[1], found[2], found[3]) : undefined;
}

function lettered(
  letter: string,
  value: number | undefined,
  otherLetter: string,
  otherValue: number | undefined,
): LonLatPoint | undefined {
  const one = AXIS[letter]!,
    other = AXIS[otherLetter]!;
  if (value === undefined || otherValue === undefined || one.axis === other.axis) return undefined;
  const [lat, lon] =
    one.axis === 'lat' ? [value * one.sign, otherValue * other.sign] : [otherValue * other.sign, value * one.sign];
  return onGlobe(lon, lat) ? { lon, lat } : undefined;
}

function ordered(first: number, second: number, bounds: Bounds | undefined): LonLatPoint | undefined {
  const latitudeFirst = onGlobe(second, first) ? { lat: first, lon: second } : undefined;
  const swapped = onGlobe(first, second) ? { lat: second, lon: first } : undefined;
  if (latitudeFirst && swapped && bounds && !within(latitudeFirst, bounds) && within(swapped, bounds)) return swapped;
  return latitudeFirst ?? swapped;
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

/**
 * The point, if it lies within the bounds or no further from them than so many degrees. Without bounds
 * everything does.
 */
function within(point: LonLatPoint | undefined, bounds: Bounds | undefined, margin = 0): LonLatPoint | undefined {
  if (!point || !bounds) return point;
  const [west, south, east, north] = bounds;
  return point.lon >= west - margin &&
    point.lon <= east + margin &&
    point.lat >= south - margin &&
    point.lat <= north + margin
    ? point
    : undefined;
}
