import { rawValue, readSensor, type ReadBy } from '../../../../shared/fleet/sensors.ts';
import { simplified } from './simplify.ts';
import { trackText, type TrackFormat } from './track-formats.ts';
import type { TrackFile } from '../tracks/track-file.ts';
import { presentPoint, readingsOf, type StoredPoint, type TrackEntry } from '../tracks/stored-point.ts';

/** A sensor as configured from `validFrom` to `validUntil`. */
export type SensorOverTime = ReadBy & { readonly validFrom: number; readonly validUntil: number | null };

/** A request to the thread; times in epoch ms, both ends inclusive. */
export type TrackQuery =
  /** `simplify` in metres */
  | {
      readonly kind: 'track';
      readonly vehicle: number;
      readonly from: number;
      readonly until: number;
      readonly simplify?: number | undefined;
    }
  /** The same as text of a format; `name` is the track's title. */
  | {
      readonly kind: 'file';
      readonly vehicle: number;
      readonly from: number;
      readonly until: number;
      readonly format: TrackFormat;
      readonly name: string;
    }
  /** `every`: at most one value in so many ms */
  | {
      readonly kind: 'values';
      readonly vehicle: number;
      readonly from: number;
      readonly until: number;
      readonly sensor: readonly SensorOverTime[];
      readonly every?: number | undefined;
    }
  /** The latest value of each sensor. */
  | {
      readonly kind: 'current';
      readonly vehicle: number;
      readonly sensors: readonly { readonly id: number; readonly versions: readonly SensorOverTime[] }[];
    }
  | { readonly kind: 'expired'; readonly vehicles: readonly { readonly id: number; readonly before: number }[] };

/** The last value of a sensor. */
export interface CurrentValue {
  readonly id: number;
  /** Time of the record, epoch ms. */
  readonly time: number;
  readonly raw: number;
  readonly value: number;
}

/** Records searched for the latest values: an hour and more of a tracker that sends one a second. */
const MAX_LOOKED_AT = 5_000;

/** The answer as pieces of JSON, or of another format, each some tens of kilobytes. */
export function* answerTrack(file: TrackFile, question: TrackQuery): Generator<string> {
  switch (question.kind) {
    case 'track':
      return yield* jsonArray(
        question.simplify === undefined
          ? wholeTrack(file, question)
          : simplifiedTrack(file, question, question.simplify),
      );
    case 'file':
      return yield* trackText(question.format, question.name, () => wholeTrack(file, { ...question, kind: 'track' }));
    case 'values':
      return yield* jsonArray(valuesOf(file, question));
    case 'current':
      return yield* jsonArray([currentValues(file, question)]);
    case 'expired':
      return yield* jsonArray(expired(file, question));
  }
}

function* wholeTrack(
  file: TrackFile,
  { vehicle, from, until }: TrackQuery & { kind: 'track' },
): Generator<TrackEntry[]> {
  for (const page of file.pages(vehicle, from, until)) yield page.map(presentPoint);
}

function* simplifiedTrack(
  file: TrackFile,
  { vehicle, from, until }: TrackQuery & { kind: 'track' },
  tolerance: number,
): Generator<object[]> {
  // The part of a point kept until its fate is known: the smaller it is, the longer the track may be.
  const points: (Omit<StoredPoint, 'extra'> & { readonly marked: boolean })[] = [];
  for (const page of file.pages(vehicle, from, until))
    for (const { extra: _extra, ...point } of page) points.push({ ...point, marked: point.marks !== 0 });
  const stays = simplified(points, tolerance);
  for (let at = 0; at < points.length; at += 2000) {
    const kept: object[] = [];
    for (let index = at; index < Math.min(at + 2000, points.length); index++)
      if (stays[index]) kept.push(presentPoint(points[index]!));
    if (kept.length > 0) yield kept;
  }
}

function* valuesOf(
  file: TrackFile,
  { vehicle, from, until, sensor, every = 0 }: TrackQuery & { kind: 'values' },
): Generator<object[]> {
  let version = 0;
  let next = -Infinity;
  for (const page of file.pages(vehicle, from, until)) {
    const values: object[] = [];
    for (const point of page) {
      if (point.time < next) continue;
      while (version < sensor.length && (sensor[version]!.validUntil ?? Infinity) <= point.time) version++;
      const then = sensor[version];
      if (!then || point.time < then.validFrom) continue;
      const readings = readingsOf(point);
      const value = readSensor(then, readings);
      if (value === undefined) continue;
      values.push({ time: point.time, raw: rawValue(then.input, readings), value: withoutNoise(value) });
      next = point.time + every;
    }
    if (values.length > 0) yield values;
  }
}

/** Newest record first, until every sensor has a value: most are in the very first. */
function currentValues(file: TrackFile, { vehicle, sensors }: TrackQuery & { kind: 'current' }): CurrentValue[] {
  const found = new Map<number, CurrentValue>();
  for (const point of sensors.length > 0 ? file.newest(vehicle, MAX_LOOKED_AT) : []) {
    const readings = readingsOf(point);
    for (const { id, versions } of sensors) {
      if (found.has(id)) continue;
      const then = versions.find(
        ({ validFrom, validUntil }) => point.time >= validFrom && (validUntil === null || point.time < validUntil),
      );
      const value = then && readSensor(then, readings);
      if (value !== undefined)
        found.set(id, { id, time: point.time, raw: rawValue(then!.input, readings)!, value: withoutNoise(value) });
    }
    if (found.size === sensors.length) break;
  }
  return [...found.values()];
}

/** Calibration yields 68.55999999999999; no sensor has twelve significant digits. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(12));
}

function* expired(file: TrackFile, { vehicles }: TrackQuery & { kind: 'expired' }): Generator<object[]> {
  for (const { id, before } of vehicles) yield [{ vehicleId: id, ...file.olderThan(id, before) }];
}

function* jsonArray(pages: Iterable<readonly object[]>): Generator<string> {
  let separator = '[';
  for (const page of pages) {
    yield separator + JSON.stringify(page).slice(1, -1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
