import { FUTURE, UNPLACED } from '../tracks/plausible.ts';
import { crewStatusOf, type IncomingFix } from '../tracks/incoming-fixes.ts';
import { areValidReadings } from '../records/valid-record.ts';
import type { StoredPoint } from '../tracks/stored-point.ts';

/** A point of another station: the device's data, and the facts that only that station could know at the arrival. */
export interface PeerPoint {
  readonly fix: IncomingFix;
  readonly storedAt: number;
  /** The clock of the device was ahead. */
  readonly isAhead: boolean;
}

const COLUMNS = 12;
const BREAK = '\n';
const LATEST = Number.MAX_SAFE_INTEGER - 1;

/**
 * Points on their way between stations: twelve columns of numbers, NaN for missing ones, then a line of
 * readings for each. Column by column they compress to half the size of row by row.
 */
export function packPoints(points: readonly StoredPoint[]): Uint8Array<ArrayBuffer> {
  const count = points.length;
  const numbers = new Float64Array(count * COLUMNS);
  points.forEach((point, at) => {
    const isPlaced = (point.marks & UNPLACED) === 0;
    const values = [
      point.time,
      point.storedAt,
      isPlaced ? point.lat : NaN,
      isPlaced ? point.lon : NaN,
      point.speedDerived === 1 ? NaN : point.speed,
      point.direction,
      point.height,
      point.gpsCount ?? NaN,
      point.glonassCount ?? NaN,
      point.inputs,
      point.engine ?? NaN,
      (point.marks & FUTURE) === 0 ? 0 : 1,
    ];
    values.forEach((value, column) => (numbers[column * count + at] = value));
  });
  const texts = Buffer.from(points.map(({ extra }) => extra).join(BREAK), 'utf8');
  const bytes = new Uint8Array(numbers.byteLength + texts.length);
  bytes.set(new Uint8Array(numbers.buffer));
  bytes.set(texts, numbers.byteLength);
  return bytes;
}

/** Reads packed points one by one. */
export class PackedPoints {
  readonly #count: number;
  readonly #numbers: Float64Array;
  readonly #texts: readonly string[];

  private constructor(count: number, numbers: Float64Array, texts: readonly string[]) {
    this.#count = count;
    this.#numbers = numbers;
    this.#texts = texts;
  }

  /** undefined: the bytes are not so many points. */
  static open(bytes: Uint8Array, count: number): PackedPoints | undefined {
    const length = count * COLUMNS * 8;
    if (bytes.length < length) return undefined;
    const texts = Buffer.from(bytes.subarray(length)).toString('utf8').split(BREAK);
    if (texts.length !== Math.max(1, count)) return undefined;
    return new PackedPoints(count, new Float64Array(bytes.slice(0, length).buffer), texts);
  }

  /** undefined: no station stores such a point. */
  at(vehicle: number, index: number): PeerPoint | undefined {
    const value = (column: number) => this.#numbers[column * this.#count + index]!;
    const [time, storedAt, lat, lon, speed] = [value(0), value(1), value(2), value(3), known(value(4))];
    const [direction, height, gpsCount, glonassCount] = [value(5), value(6), known(value(7)), known(value(8))];
    const [inputs, engine, ahead] = [value(9), known(value(10)), value(11)];
    const extra = this.#texts[index]!;
    const isUnplaced = Number.isNaN(lat) && Number.isNaN(lon);
    const isValid =
      isCount(time, LATEST) &&
      isCount(storedAt, LATEST) &&
      (isUnplaced || (Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) &&
      (speed === undefined || (speed >= 0 && Number.isFinite(speed))) &&
      Number.isFinite(direction) &&
      Number.isFinite(height) &&
      (gpsCount === undefined || isCount(gpsCount, 1000)) &&
      (glonassCount === undefined || isCount(glonassCount, 1000)) &&
      isCount(inputs, 0xffff_ffff) &&
      (engine === undefined || isCount(engine, 1)) &&
      isCount(ahead, 1);
    const params = isValid ? paramsOf(extra) : undefined;
    if (!params) return undefined;
    return {
      fix: {
        vehicle,
        time,
        lat,
        lon,
        speed,
        direction,
        height,
        gpsCount,
        glonassCount,
        inputs,
        engineOn: engine === undefined ? null : engine === 1,
        crewStatus: crewStatusOf({ params }),
        extra,
      },
      storedAt,
      isAhead: ahead === 1,
    };
  }
}

type Params = Readonly<Record<string, number | string | boolean>>;
const NO_PARAMS: Params = {};

/** undefined: the readings are not those of a record. */
function paramsOf(extra: string): Params | undefined {
  if (extra === '') return NO_PARAMS;
  try {
    const readings: unknown = JSON.parse(extra);
    return areValidReadings(readings) ? readings.params : undefined;
  } catch {
    return undefined;
  }
}

function isCount(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most;
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
