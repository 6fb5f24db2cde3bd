import { airDistance, bearing } from '../../../shared/geo/geometry.ts';
import type { RoadLimits } from '../../../shared/roads/road-limits.ts';
import type { Chance } from '../chance.ts';
import type { GroundPosition } from './position.ts';

/** A route to drive, with the limits of its roads. */
export interface PlannedTrip {
  readonly points: readonly GroundPosition[];
  /** metres from the start to each point */
  readonly along: Float64Array;
  /** m/s on the piece that begins at each point */
  readonly pace: Float32Array;
  /** m/s: the highest speed at each point that still allows for all points after it */
  readonly pass: Float32Array;
  /** Seconds to wait at a point: traffic lights, or a turn across the traffic. */
  readonly waits: ReadonlyMap<number, number>;
}

/** The progress of a vehicle on its trip. */
export interface TripProgress {
  /** metres */
  readonly along: number;
  /** m/s */
  readonly speed: number;
  /** remaining seconds of standing */
  readonly standing: number;
  /** Index in `points` of the last waiting point, so that the vehicle waits there once. */
  readonly waitedAt: number;
}
export const AT_START: TripProgress = { along: 0, speed: 0, standing: 0, waitedAt: -1 };

/** A part of the route between two instructions: its start in the geometry, metres, seconds. */
export interface RouteLeg {
  readonly position: number;
  readonly distance: number;
  readonly time: number;
}

/** m/s² */
const SPEEDING_UP = 1.8;
const BRAKING = 2.4;
/** The router's times include turns; between turns a driver is a little faster. */
const BETWEEN_TURNS = 1.15;
const SLOWEST = 3;
const FASTEST = 36;

/** Share of the limit: a driver stays a little below it. */
const WITHIN_LIMIT = 0.97;

/**
 * How often a driver waits at a turn, the most seconds of waiting, and the share of trips that ignore the
 * limits.
 */
export interface DrivingStyle {
  readonly waits: number;
  readonly longest: number;
  readonly speeds: number;
}
export const AT_LEISURE: DrivingStyle = { waits: 0.2, longest: 18, speeds: 0.02 };
/** On the way to a task, others give way. */
export const RESPONDING: DrivingStyle = { waits: 0.06, longest: 5, speeds: 0.08 };

/** The known speed limits. */
export type SpeedLimitsAt = Pick<RoadLimits, 'at'>;

/**
 * A trip along a route of the router: its times give the pace, bends slow it down, and some turns need
 * waiting. The router assumes more than the limit where that is low, so most trips are held to `limits`.
 */
export function planTrip(
  geometry: readonly GroundPosition[],
  legs: readonly RouteLeg[],
  chance: Chance,
  manner: DrivingStyle = AT_LEISURE,
  limits?: SpeedLimitsAt,
): PlannedTrip {
  const points = geometry.length > 1 ? geometry : [...geometry, ...geometry];
  const along = new Float64Array(points.length);
  for (let i = 1; i < points.length; i++) along[i] = along[i - 1]! + airDistance(points[i - 1]!, points[i]!);
  const pace = new Float32Array(points.length).fill(9);
  legs.forEach((leg, l) => {
    if (leg.time <= 0 || leg.distance <= 0) return;
    const end = l + 1 < legs.length ? legs[l + 1]!.position : points.length;
    pace.fill(Math.min(FASTEST, Math.max(SLOWEST, (leg.distance / leg.time) * BETWEEN_TURNS)), leg.position, end);
  });
  if (limits && !chance.happens(manner.speeds)) {
    for (let i = 0; i + 1 < points.length; i++)
      pace[i] = Math.min(pace[i]!, allowedBetween(points[i]!, points[i + 1]!, limits));
  }
  const waits = new Map<number, number>();
  for (const { position } of legs)
    if (position > 0 && position < points.length - 1 && chance.happens(manner.waits))
      waits.set(position, chance.between(2, manner.longest));

  // Backwards from the stop at the end: the speed from which the vehicle can still brake.
  const pass = new Float32Array(points.length);
  for (let i = points.length - 2; i >= 0; i--) {
    const reachable = Math.sqrt(pass[i + 1]! ** 2 + 2 * BRAKING * (along[i + 1]! - along[i]!));
    const bend = i === 0 ? Infinity : bendSpeed(turnAt(points[i - 1]!, points[i]!, points[i + 1]!));
    pass[i] = waits.has(i) ? 0 : Math.min(reachable, bend, pace[i]!);
  }
  return { points, along, pace, pass, waits };
}

/** The m/s of a driver who keeps the limit of the road between two points. */
function allowedBetween(a: GroundPosition, b: GroundPosition, limits: SpeedLimitsAt): number {
  const limit = limits.at({ lat: (a.lat + b.lat) / 2, lon: (a.lon + b.lon) / 2 }, bearing(a, b));
  return limit > 0 ? (limit / 3.6) * WITHIN_LIMIT : Infinity;
}

/** m/s around a bend of so many degrees. */
function bendSpeed(degrees: number): number {
  if (degrees < 12) return Infinity;
  return Math.max(1.8, 15 - degrees * 0.125);
}

function turnAt(a: GroundPosition, b: GroundPosition, c: GroundPosition): number {
  return Math.abs(((bearing(b, c) - bearing(a, b) + 540) % 360) - 180);
}

/** Drives on for some seconds. */
export function driveOn(trip: PlannedTrip, motion: TripProgress, seconds: number): TripProgress {
  let { along, speed, standing, waitedAt } = motion;
  let next = pointAfter(trip, along);
  const last = trip.points.length - 1;
  for (let left = seconds; left > 0;) {
    if (standing > 0) {
      const stood = Math.min(left, standing);
      standing -= stood;
      left -= stood;
      continue;
    }
    if (along >= trip.along[last]!) return { along: trip.along[last]!, speed: 0, standing: 0, waitedAt };
    const step = Math.min(left, 0.5);
    const stopsHere = trip.waits.has(next) && waitedAt !== next;
    const target = next === last || stopsHere ? 0 : trip.pass[next]!;
    const ahead = trip.along[next]! - along;
    // The highest speed from which, after this step, braking to the target is still possible.
    const lag = BRAKING * step;
    const allowed = Math.min(trip.pace[next - 1]!, Math.sqrt(lag ** 2 + target ** 2 + 2 * BRAKING * ahead) - lag);
    // Vehicles do not creep up to the line: the last metre is driven at walking pace.
    speed = Math.max(1, Math.min(speed + SPEEDING_UP * step, allowed));
    along += speed * step;
    left -= step;
    while (next <= last && along >= trip.along[next]!) {
      if (trip.waits.has(next) && waitedAt !== next) {
        along = trip.along[next]!;
        speed = 0;
        standing = trip.waits.get(next)!;
        waitedAt = next;
        next++;
        break;
      }
      next++;
    }
    if (next > last) return { along: trip.along[last]!, speed: 0, standing: 0, waitedAt };
  }
  return { along, speed: standing > 0 ? 0 : speed, standing, waitedAt };
}

export const hasReachedEnd = (trip: PlannedTrip, motion: TripProgress): boolean =>
  motion.along >= trip.along[trip.points.length - 1]!;

/** The vehicle's position, and its course in degrees. */
export function whereOn(trip: PlannedTrip, { along }: TripProgress): { position: GroundPosition; course: number } {
  const next = Math.min(pointAfter(trip, along), trip.points.length - 1);
  const a = trip.points[next - 1]!;
  const b = trip.points[next]!;
  const length = trip.along[next]! - trip.along[next - 1]!;
  const share = length === 0 ? 1 : Math.min(1, (along - trip.along[next - 1]!) / length);
  return {
    position: { lat: a.lat + (b.lat - a.lat) * share, lon: a.lon + (b.lon - a.lon) * share },
    course: bearing(a, b),
  };
}

/** The first point that lies farther along, from 1 to one beyond the last. */
function pointAfter(trip: PlannedTrip, along: number): number {
  let low = 1;
  let high = trip.points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (trip.along[middle]! > along) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The same trip, started from a point beside its start. */
export function startedFrom(trip: PlannedTrip, from: GroundPosition): PlannedTrip {
  const gap = airDistance(from, trip.points[0]!);
  if (gap < 4) return trip;
  const shifted = (list: Float32Array, first: number): Float32Array => Float32Array.from([first, ...list]);
  return {
    points: [from, ...trip.points],
    along: Float64Array.from([0, ...trip.along.map((metres) => metres + gap)]),
    pace: shifted(trip.pace, 5),
    pass: shifted(trip.pass.with(0, Math.min(5, trip.pass[0]!)), 5),
    waits: new Map([...trip.waits].map(([point, seconds]) => [point + 1, seconds])),
  };
}
