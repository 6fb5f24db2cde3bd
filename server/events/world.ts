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
  /** ms for which an input must hold; null: as the settings say */
  readonly debounce?: number | null;
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
  /** metres to either side; null: as the settings say */
  readonly corridor?: number | null;
}

/** A request that the vehicle serves within its validity. */
export interface RequestPlace extends Validity {
  readonly id: number;
  readonly title: string;
  readonly lat: number;
  readonly lon: number;
}

/** A road that is closed, or driven more slowly, within its validity. */
export interface Closed extends Validity {
  readonly id: number;
  readonly shape: Shape;
}

/** The thresholds and the tank of a vehicle within a span of time. */
export interface Measures extends Validity {
  readonly settings: EventSettings;
  readonly tankLitres: number;
}

/** What surrounds one vehicle: each list with all its versions, in the order of their ids. */
export interface World {
  readonly settings: EventSettings;
  readonly tankLitres: number;
  /** Where thresholds were others: those hold within their spans, and the ones above everywhere else. */
  readonly measures?: readonly Measures[];
  readonly zones: readonly Zone[];
  readonly sensors: readonly Sensor[];
  readonly routes: readonly PlannedRoute[];
  readonly requests: readonly RequestPlace[];
  readonly closures?: readonly Closed[];
}

export const EMPTY_WORLD: World = { settings: DEFAULT_SETTINGS, tankLitres: 0, zones: [], sensors: [], routes: [], requests: [], closures: [] };

/** Whether something holds at a time. */
export function holds({ validFrom, validTill }: Validity, time: number): boolean {
  return time >= validFrom && (validTill === null || time < validTill);
}

export { readSensor } from '../../shared/sensors.ts';

const LOOKUPS = new WeakMap<World, (time: number) => World>();

/**
 * The world as it is at a time: of everything the version that holds then. Between two changes of the world it is the same object, so that what a
 * detector works out about it can be kept with it.
 */
export function worldAt(world: World, time: number): World {
  let lookup = LOOKUPS.get(world);
  if (!lookup) LOOKUPS.set(world, (lookup = lookupIn(world)));
  return lookup(time);
}

function lookupIn(world: World): (time: number) => World {
  const lists = [world.measures ?? [], world.zones, world.sensors, world.routes, world.requests, world.closures ?? []];
  const bounds = [...new Set(lists.flatMap((list) => list.flatMap(({ validFrom, validTill }) => (validTill === null ? [validFrom] : [validFrom, validTill]))))].sort((a, b) => a - b);
  let now: World | undefined;
  let [from, till] = [Infinity, -Infinity];
  return (time) => {
    if (now && time >= from && time < till) return now;
    let next = 0;
    for (let high = bounds.length; next < high; ) {
      const middle = (next + high) >> 1;
      if (bounds[middle]! > time) high = middle;
      else next = middle + 1;
    }
    from = bounds[next - 1] ?? -Infinity;
    till = bounds[next] ?? Infinity;
    const { measures, zones, sensors, routes, requests, closures } = world;
    const current = <T extends Validity>(list: readonly T[]): readonly T[] => list.filter((one) => holds(one, time));
    const measured = measures?.find((one) => holds(one, time));
    return (now = {
      settings: measured?.settings ?? world.settings, tankLitres: measured?.tankLitres ?? world.tankLitres,
      zones: current(zones), sensors: current(sensors), routes: current(routes), requests: current(requests), closures: current(closures ?? []),
    });
  };
}

/** The earliest time at which two lists of versions say different things; undefined: they say the same. */
export function differsFrom<T extends Validity & { readonly id: number }>(before: readonly T[], after: readonly T[]): number | undefined {
  const keyOf = ({ id, validFrom }: T) => `${id}|${validFrom}`;
  const plain = (one: T) => JSON.stringify({ ...one, validTill: 0 });
  const [old, now] = [new Map(before.map((one) => [keyOf(one), one])), new Map(after.map((one) => [keyOf(one), one]))];
  let earliest = Infinity;
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [a, b] = [old.get(key), now.get(key)];
    if (!a || !b || plain(a) !== plain(b)) earliest = Math.min(earliest, (a ?? b)!.validFrom);
    else if (a.validTill !== b.validTill) earliest = Math.min(earliest, a.validTill ?? Infinity, b.validTill ?? Infinity);
  }
  return earliest === Infinity ? undefined : earliest;
}
