import type { Shape } from '../../shared/shapes.ts';

/** Thresholds of the events of an organisation or a vehicle. */
export interface EventSettings {
  /** km/h: slower is standing */
  standingSpeed: number;
  /** ms of standing that make a stop, and a parking */
  stopAfter: number;
  parkingAfter: number;
  /** ms without a record until the signal is lost */
  lostAfter: number;
  /** degrees between two points, above a speed in km/h, that make a turn */
  turnAngle: number;
  turnSpeed: number;
  /** ms of records without a fix until the equipment is taken to have failed */
  noFixAfter: number;
  /** km/h; 0 no limit */
  speedLimit: number;
  /** ms above the limit, or below it again, that count */
  speedPersistence: number;
  /** metres and ms beyond the border until a vehicle is in, or out */
  zoneMargin: number;
  zonePersistence: number;
  /** ms for which an input must hold */
  sensorDebounce: number;
  /** ms after the ignition within which the driver's key is to come */
  driverGrace: number;
  /** share of the tank, litres, and ms: what makes a fill or a drain */
  fuelShare: number;
  fuelLitres: number;
  fuelWithin: number;
  /** metres and ms that make an arrival at the place of a request */
  requestRadius: number;
  requestPersistence: number;
  /** metres to either side of a planned route */
  corridor: number;
  /** ms of a stop on the route that is too long */
  longStopAfter: number;
}

/** Why each default is what it is: `spec/telemetry.md` 4. */
export const DEFAULT_SETTINGS: EventSettings = {
  standingSpeed: 3,
  stopAfter: 3 * 60_000,
  parkingAfter: 15 * 60_000,
  lostAfter: 10 * 60_000,
  turnAngle: 30,
  turnSpeed: 10,
  noFixAfter: 10 * 60_000,
  speedLimit: 0,
  speedPersistence: 5_000,
  zoneMargin: 20,
  zonePersistence: 10_000,
  sensorDebounce: 2_000,
  driverGrace: 60_000,
  fuelShare: 0.08,
  fuelLitres: 10,
  fuelWithin: 5 * 60_000,
  requestRadius: 100,
  requestPersistence: 30_000,
  corridor: 100,
  longStopAfter: 10 * 60_000,
};

/** A span of time; null is without end. Something that is edited becomes a new version, so that history is not rewritten. */
export interface Validity {
  readonly validFrom: number;
  readonly validTill: number | null;
}

export interface Zone extends Validity {
  readonly id: number;
  readonly name: string;
  readonly shape: Shape;
  /** km/h; 0 none */
  readonly speedLimit: number;
}

export type SensorInput = { readonly kind: 'input' | 'adc'; readonly index: number } | { readonly kind: 'param'; readonly name: string };

export interface Sensor extends Validity {
  readonly id: number;
  readonly name: string;
  readonly type: 'digital' | 'ignition' | 'analog' | 'fuel' | 'driver-key' | 'failure';
  readonly input: SensorInput;
  /** Raw value to real one, in the order of raw values; empty: the raw value is real. */
  readonly calibration: readonly (readonly [raw: number, real: number])[];
  /** Analog: the event lasts while the value is beyond these. */
  readonly low: number | null;
  readonly high: number | null;
  readonly hysteresis: number;
}

export interface ControlPoint {
  readonly id: number;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  /** metres */
  readonly radius: number;
}

/** A planned route that a vehicle is to drive within its validity. */
export interface PlannedRoute extends Validity {
  readonly id: number;
  readonly name: string;
  readonly line: readonly (readonly [lon: number, lat: number])[];
  readonly points: readonly ControlPoint[];
}

/** A request that the vehicle serves within its validity. */
export interface RequestPlace extends Validity {
  readonly id: number;
  readonly title: string;
  readonly lat: number;
  readonly lon: number;
}

/** What surrounds one vehicle: each list with all its versions, in the order of their ids. */
export interface World {
  readonly settings: EventSettings;
  readonly tankLitres: number;
  readonly zones: readonly Zone[];
  readonly sensors: readonly Sensor[];
  readonly routes: readonly PlannedRoute[];
  readonly requests: readonly RequestPlace[];
}

export const EMPTY_WORLD: World = { settings: DEFAULT_SETTINGS, tankLitres: 0, zones: [], sensors: [], routes: [], requests: [] };

/** Whether something holds at a time. */
export function holds({ validFrom, validTill }: Validity, time: number): boolean {
  return time >= validFrom && (validTill === null || time < validTill);
}

/** The real value of a sensor in a point; undefined when the point does not carry it. */
export function readSensor(sensor: Sensor, point: { inputs: number; adc: readonly number[]; params: Readonly<Record<string, number | string | boolean>> }): number | undefined {
  const raw = rawOf(sensor.input, point);
  if (raw === undefined || !Number.isFinite(raw)) return undefined;
  return calibrated(sensor.calibration, raw);
}

function rawOf(input: SensorInput, point: { inputs: number; adc: readonly number[]; params: Readonly<Record<string, number | string | boolean>> }): number | undefined {
  switch (input.kind) {
    case 'input':
      return (point.inputs >>> input.index) & 1;
    case 'adc':
      return point.adc[input.index];
    case 'param': {
      const value = point.params[input.name];
      return value === undefined ? undefined : Number(value);
    }
  }
}

/** Piecewise linear; beyond the table its nearest end holds. */
export function calibrated(table: Sensor['calibration'], raw: number): number {
  if (table.length === 0) return raw;
  const [first, last] = [table[0]!, table.at(-1)!];
  if (raw <= first[0]) return first[1];
  if (raw >= last[0]) return last[1];
  const after = table.findIndex(([at]) => at >= raw);
  const [lowRaw, low] = table[after - 1]!;
  const [highRaw, high] = table[after]!;
  return low + ((high - low) * (raw - lowRaw)) / (highRaw - lowRaw);
}
