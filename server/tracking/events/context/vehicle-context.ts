import type { ReadBy } from '../../../../shared/fleet/sensors.ts';
import { DEFAULT_EVENT_SETTINGS as DEFAULT_SETTINGS } from '../../../../shared/events/event-settings.ts';
import type { EventSettings } from '../../../../shared/records/index.ts';
import type { Shape } from '../../../../shared/geo/shapes.ts';

export { DEFAULT_SETTINGS };

/** A period; null: without end. An edit makes a new version, so that history is not rewritten. */
export interface Validity {
  readonly validFrom: number;
  readonly validUntil: number | null;
}

export interface Zone extends Validity {
  readonly id: number;
  readonly name: string;
  readonly shape: Shape;
  /** km/h, or 0 */
  readonly speedLimit: number;
}

export interface ContextSensor extends Validity, ReadBy {
  readonly id: number;
  readonly name: string;
  readonly type: 'digital' | 'ignition' | 'analog' | 'fuel' | 'driver-key' | 'failure';
  /** Analog: the event lasts while the value is beyond these. */
  readonly low: number | null;
  readonly high: number | null;
  readonly hysteresis: number;
  /** ms for which an input must hold; null: the default threshold */
  readonly debounce?: number | null;
}

export interface ContextControlPoint {
  readonly id: number;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  /** metres */
  readonly radius: number;
  /** Planned arrival, epoch ms; null or missing: no plan. */
  readonly planned?: number | null;
}

/** A planned route that a vehicle is to drive within its validity. */
export interface ContextRoute extends Validity {
  readonly id: number;
  readonly name: string;
  readonly line: readonly (readonly [lon: number, lat: number])[];
  readonly points: readonly ContextControlPoint[];
  /** metres to either side; null: the default threshold */
  readonly corridor?: number | null;
}

/** A task that the vehicle serves within its validity. */
export interface RequestPlace extends Validity {
  readonly id: number;
  readonly title: string;
  readonly lat: number;
  readonly lon: number;
}

/** A road that is closed or slowed within its validity. */
export interface Closed extends Validity {
  readonly id: number;
  readonly shape: Shape;
}

/** The keys of the vehicle's drivers: assigned and not dismissed. */
export interface Crew extends Validity {
  readonly id: number;
  readonly keys: readonly string[];
}

/** The speed limits of the roads of a territory. */
export interface SignedRoads extends Validity {
  readonly id: number;
  /** For `RoadLimits.from`; shared, so that threads need no copy. */
  readonly bytes: ArrayBufferLike;
}

/** The thresholds and the tank of a vehicle within a period. */
export interface Measures extends Validity {
  readonly settings: EventSettings;
  /** Thresholds that the vehicle overrides, in any organization. */
  readonly own?: Partial<EventSettings>;
  readonly tankLitres: number;
}

/** The context of one vehicle: each list with all its versions, ordered by id. */
export interface VehicleContext {
  readonly settings: EventSettings;
  readonly tankLitres: number;
  /** Other thresholds within their periods; the ones above apply elsewhere. */
  readonly measures?: readonly Measures[];
  readonly zones: readonly Zone[];
  readonly sensors: readonly ContextSensor[];
  readonly routes: readonly ContextRoute[];
  readonly requests: readonly RequestPlace[];
  readonly closures?: readonly Closed[];
  /** One version is valid at a time. */
  readonly roads?: readonly SignedRoads[];
  /** One version is valid at a time. */
  readonly crews?: readonly Crew[];
}

export const EMPTY_CONTEXT: VehicleContext = {
  settings: DEFAULT_SETTINGS,
  tankLitres: 0,
  zones: [],
  sensors: [],
  routes: [],
  requests: [],
  closures: [],
  roads: [],
  crews: [],
};

/** Whether a version is valid at a time. */
export function isValidAt({ validFrom, validUntil }: Validity, time: number): boolean {
  return time >= validFrom && (validUntil === null || time < validUntil);
}

export type { EventSettings } from '../../../../shared/records/index.ts';
export { readSensor } from '../../../../shared/fleet/sensors.ts';

const LOOKUPS = new WeakMap<VehicleContext, (time: number) => VehicleContext>();

/**
 * The context at a time: the valid version of everything. Between two changes it is the same object, so that
 * detectors can cache what they derive from it.
 */
export function contextAt(context: VehicleContext, time: number): VehicleContext {
  let lookup = LOOKUPS.get(context);
  if (!lookup) LOOKUPS.set(context, (lookup = lookupIn(context)));
  return lookup(time);
}

function lookupIn(context: VehicleContext): (time: number) => VehicleContext {
  const { measures = [], zones, sensors, routes, requests, closures = [], roads = [], crews = [] } = context;
  let now: VehicleContext | undefined;
  let [from, until] = [Infinity, -Infinity];
  return (time) => {
    if (now && time >= from && time < until) return now;
    [from, until] = [-Infinity, Infinity];
    const at = <T extends Validity>(versions: readonly T[]): readonly T[] => {
      const part = Timeline.of(versions).at(time);
      [from, until] = [Math.max(from, part.from), Math.min(until, part.until)];
      return part.list;
    };
    const [measured] = at(measures);
    return (now = {
      settings: measured?.settings ?? context.settings,
      tankLitres: measured?.tankLitres ?? context.tankLitres,
      zones: at(zones),
      sensors: at(sensors),
      routes: at(routes),
      requests: at(requests),
      closures: at(closures),
      roads: at(roads),
      crews: at(crews),
    });
  };
}

interface ValidityPart<T> {
  readonly from: number;
  readonly until: number;
  readonly list: readonly T[];
}

/** The valid versions of a list by time. Vehicles that share a list share this cache. */
class Timeline<T extends Validity> {
  static readonly #known = new WeakMap<readonly Validity[], Timeline<Validity>>();
  /** Past times cached: late records need few different ones. */
  static readonly #most = 16;
  readonly #versions: readonly T[];
  readonly #bounds: readonly number[];
  readonly #parts = new Map<number, ValidityPart<T>>();

  private constructor(versions: readonly T[]) {
    this.#versions = versions;
    this.#bounds = [
      ...new Set(
        versions.flatMap(({ validFrom, validUntil }) => (validUntil === null ? [validFrom] : [validFrom, validUntil])),
      ),
    ].sort((a, b) => a - b);
  }

  static of<T extends Validity>(versions: readonly T[]): Timeline<T> {
    let timeline = Timeline.#known.get(versions) as Timeline<T> | undefined;
    if (!timeline) Timeline.#known.set(versions, (timeline = new Timeline(versions)) as unknown as Timeline<Validity>);
    return timeline;
  }

  at(time: number): ValidityPart<T> {
    let next = 0;
    for (let high = this.#bounds.length; next < high;) {
      const middle = (next + high) >> 1;
      if (this.#bounds[middle]! > time) high = middle;
      else next = middle + 1;
    }
    let part = this.#parts.get(next);
    if (!part) {
      part = {
        from: this.#bounds[next - 1] ?? -Infinity,
        until: this.#bounds[next] ?? Infinity,
        list: this.#versions.filter((version) => isValidAt(version, time)),
      };
      if (this.#parts.size >= Timeline.#most) this.#parts.clear();
      this.#parts.set(next, part);
    }
    return part;
  }
}

/** The earliest time at which two lists of versions differ; undefined: never. */
export function differsFrom<T extends Validity & { readonly id: number }>(
  before: readonly T[],
  after: readonly T[],
): number | undefined {
  const keyOf = ({ id, validFrom }: T) => `${id}|${validFrom}`;
  const plain = (one: T) => JSON.stringify({ ...one, validUntil: 0 });
  const [old, now] = [new Map(before.map((one) => [keyOf(one), one])), new Map(after.map((one) => [keyOf(one), one]))];
  let earliest = Infinity;
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [a, b] = [old.get(key), now.get(key)];
    if (!a || !b || plain(a) !== plain(b)) earliest = Math.min(earliest, (a ?? b)!.validFrom);
    else if (a.validUntil !== b.validUntil)
      earliest = Math.min(earliest, a.validUntil ?? Infinity, b.validUntil ?? Infinity);
  }
  return earliest === Infinity ? undefined : earliest;
}
