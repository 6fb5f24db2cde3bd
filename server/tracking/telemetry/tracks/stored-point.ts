import type { Readings } from '../../../../shared/fleet/sensors.ts';
import type { IncomingFix } from './incoming-fixes.ts';
import type { StoredPoint } from '../months/point-row.ts';
import { bitsToMarks, hasPosition, isPlaced, UNPLACED, type Mark } from './plausible.ts';

export { POINT_COLUMNS, type StoredPoint } from '../months/point-row.ts';

/** A point of a track as returned to readers. */
export interface TrackEntry {
  time: number;
  lat: number;
  lon: number;
  speed: number;
  direction: number;
  height: number;
  marks: Mark[];
}

/**
 * A point with everything that the device sent; `speed` is null if it sent none, `fixed` false if the
 * position is not its own or implausible.
 */
export interface RecordedPoint {
  time: number;
  lat: number;
  lon: number;
  speed: number | null;
  direction: number;
  fixed: boolean;
  inputs: number;
  adc: readonly number[];
  params: Readonly<Record<string, number | string | boolean>>;
}

/** The stored fields of a recorded point. */
export type RecordedRow = Pick<
  StoredPoint,
  'time' | 'lat' | 'lon' | 'speed' | 'speedDerived' | 'direction' | 'marks' | 'inputs' | 'extra'
>;

export const RECORDED_COLUMNS = 'time, lat, lon, speed, speedDerived, direction, marks, inputs, extra';

/** Whether a repeated record equals the stored one. */
export function sameContent(stored: StoredPoint, fix: IncomingFix): boolean {
  const hadPlace = (stored.marks & UNPLACED) === 0;
  const samePlace = hadPlace === isPlaced(fix) && (!hadPlace || (stored.lat === fix.lat && stored.lon === fix.lon));
  return (
    samePlace &&
    (fix.speed === undefined ? stored.speedDerived === 1 : stored.speedDerived === 0 && stored.speed === fix.speed) &&
    stored.direction === fix.direction &&
    stored.height === fix.height &&
    stored.gpsCount === (fix.gpsCount ?? null) &&
    stored.glonassCount === (fix.glonassCount ?? null) &&
    stored.inputs === fix.inputs &&
    stored.extra === fix.extra
  );
}

/** Further values of the device: parameters sorted by name, so that their order does not matter. */
export function orderedReadings({
  inputs = 0,
  adc = NOTHING_MORE.adc,
  params = NOTHING_MORE.params,
}: { readonly [K in keyof Readings]?: Readings[K] | undefined }): Readings {
  return { inputs, adc, params: inOrder(params) };
}

/** Already sorted parameters are not copied. */
function inOrder(params: Readings['params']): Readings['params'] {
  let last = '';
  for (const name in params) {
    if (name < last) return sorted(params);
    last = name;
  }
  return params;
}

function sorted(params: Readings['params']): Readings['params'] {
  const names = Object.keys(params).sort();
  if (names.includes('__proto__')) return Object.fromEntries(names.map((name) => [name, params[name]!]));
  const ordered: Record<string, number | string | boolean> = {};
  for (const name of names) ordered[name] = params[name]!;
  return ordered;
}

/**
 * The same in stored form.
 * @param readings sorted
 */
export function extraOf({ adc, params }: Readings): string {
  if (adc.length === 0) for (const _name in params) return JSON.stringify({ adc, params });
  return adc.length === 0 ? '' : JSON.stringify({ adc, params });
}

export function recordedPoint(point: RecordedRow): RecordedPoint {
  const { time, lat, lon, speed, speedDerived, direction, marks } = point;
  const { inputs, adc, params } = readingsOf(point);
  return {
    time,
    lat,
    lon,
    speed: speedDerived ? null : speed,
    direction,
    fixed: hasPosition(marks),
    inputs,
    adc,
    params,
  };
}

/** Further values of the device. */
export function readingsOf({ inputs, extra }: Pick<StoredPoint, 'inputs' | 'extra'>): Readings {
  return extra === ''
    ? { inputs, ...NOTHING_MORE }
    : { inputs, ...(JSON.parse(extra) as Pick<Readings, 'adc' | 'params'>) };
}

const NOTHING_MORE: Pick<Readings, 'adc' | 'params'> = { adc: [], params: {} };

export function presentPoint(
  point: Pick<StoredPoint, 'time' | 'lat' | 'lon' | 'speed' | 'direction' | 'height' | 'marks'>,
): TrackEntry {
  const { time, lat, lon, speed, direction, height, marks } = point;
  return { time, lat, lon, speed, direction, height, marks: bitsToMarks(marks) };
}
