import type { ReadBy } from '../../shared/sensors.ts';
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

export interface Sensor extends Validity, ReadBy {
  readonly id: number;
  readonly name: string;
  readonly type: 'digital' | 'ignition' | 'analog' | 'fuel' | 'driver-key' | 'failure';
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

export { readSensor } from '../../shared/sensors.ts';
