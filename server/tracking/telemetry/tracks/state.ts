import { airDistance } from '../../../../shared/geo/geometry.ts';
import { unknownState, type LastState } from '../../../../shared/fleet/last-state.ts';
import type { IncomingFix } from './incoming-fixes.ts';
import { isReachable, speedBetween } from '../../../../shared/geo/plausible-speed.ts';
import type { Mark } from './plausible.ts';
import type { StoredPoint } from './stored-point.ts';

/** Slower than this (km/h) counts as standing. */
export const STANDING_SPEED = 3;

/** A plausible point of a track. */
export interface TrackPoint {
  time: number;
  lat: number;
  lon: number;
  speed: number;
  /** null: no ignition is connected. */
  engineOn: boolean | null;
}

/**
 * A point of a track without marks except perhaps `jump`: whether it is accepted depends on the accepted
 * point before it.
 */
export interface CandidatePoint extends TrackPoint {
  readonly believed: boolean;
  /** The device sent no speed. */
  readonly speedDerived: boolean;
}

/** Sums over a track. */
export type Sums = Pick<LastState, 'odometer' | 'engineStop' | 'engineMove'>;

/** The changes after a late point. */
export interface Refolded {
  /** The difference of the sums. */
  readonly sums: Sums;
  /** Points that changed between plausible and not, or got another derived speed. */
  readonly changed: readonly CandidatePoint[];
  /** Believed points in order, from the new one to the first later one after which nothing changed. */
  readonly chain: readonly TrackPoint[];
  /** The last plausible point of the track, if it or its speed may have changed; undefined: unchanged. */
  readonly last: TrackPoint | undefined;
}

/** In a longer gap (ms) the state of the engine is unknown. */
const ENGINE_GAP = 10 * 60_000;

/**
 * The state after the newest plausible point. States and sums are functions of the track: a point is plausible
 * if it can be reached from the plausible one before it. Sums go over the plausible points ordered by time,
 * whatever the order of arrival.
 */
export function advance(known: LastState, point: StoredPoint, before: TrackPoint | undefined, now: number): LastState {
  const { odometer, engineStop, engineMove } = before ? legBetween(before, trackPoint(point)) : NO_LEG;
  return stateAt(known, point, plus(known, { odometer, engineStop, engineMove }), now);
}

/** The state of a vehicle whose last plausible point is `point`. */
export function stateAt(known: LastState, point: StoredPoint, sums: Sums, now: number): LastState {
  const stopped = point.speed < STANDING_SPEED;
  // Field by field, because it runs for every record: spreading costs several times as much.
  return {
    id: known.id,
    time: point.time,
    storedAt: Math.max(now, known.storedAt), // never decreases, so that later states are recognized as later
    lat: point.lat,
    lon: point.lon,
    speed: point.speed,
    direction: point.direction % 360,
    height: point.height,
    gpsCount: point.gpsCount ?? 0,
    glonassCount: point.glonassCount ?? 0,
    odometer: sums.odometer,
    engineStop: sums.engineStop,
    engineMove: sums.engineMove,
    engineOn: point.engine === null ? null : point.engine === 1,
    stopped,
    stoppedSince: stopped && known.stopped && known.time > 0 ? known.stoppedSince : stopped ? point.time : 0,
    unitStatus: known.unitStatus,
    unitStatusSince: known.unitStatusSince,
  };
}

/**
 * The changes made by inserting a point.
 * @param later the points after it, in order; read only as far as needed
 */
export function refold(before: TrackPoint | undefined, point: TrackPoint, later: Iterable<CandidatePoint>): Refolded {
  let sums = before ? minus(legBetween(before, point), NO_LEG) : NO_LEG;
  const changed: CandidatePoint[] = [];
  let [was, is] = [before, point];
  const chain = [point];
  for (const candidate of later) {
    const believed = isReachable(is, candidate);
    const speed = candidate.speedDerived ? (believed ? speedBetween(is, candidate) : 0) : candidate.speed;
    const now = { ...candidate, believed, speed };
    const isOther = believed !== candidate.believed || speed !== candidate.speed;
    if (isOther) changed.push(now);
    if (candidate.believed) {
      if (was) sums = minus(sums, legBetween(was, candidate));
      was = candidate;
    }
    if (believed) {
      sums = plus(sums, legBetween(is, now));
      chain.push(now);
      is = now;
      if (!isOther) return { sums, changed, chain, last: undefined };
    }
  }
  return { sums, changed, chain, last: is };
}

/** The way between two consecutive points; `odometer` is its length in km. */
export interface TrackLeg extends Sums {
  readonly moving: boolean;
}

const NO_LEG: TrackLeg = { odometer: 0, moving: false, engineStop: 0, engineMove: 0 };

/**
 * A standing vehicle's position wanders by metres, which is no driving. Without an ignition the engine runs
 * while the vehicle moves. Lengths are whole millimetres and times whole milliseconds, so that sums do not
 * depend on the order of addition.
 */
export function legBetween(a: TrackPoint, b: TrackPoint): TrackLeg {
  const moving = a.speed >= STANDING_SPEED || b.speed >= STANDING_SPEED;
  const running = (a.engineOn ?? moving) && b.time - a.time <= ENGINE_GAP ? (b.time - a.time) / 1000 : 0;
  const odometer = moving ? millionths(airDistance(a, b) / 1000) : 0;
  return { moving, odometer, engineStop: moving ? 0 : running, engineMove: moving ? running : 0 };
}

export function plus(a: Sums, b: Sums): Sums {
  return {
    odometer: millionths(a.odometer + b.odometer),
    engineStop: thousandths(a.engineStop + b.engineStop),
    engineMove: thousandths(a.engineMove + b.engineMove),
  };
}

function minus(a: Sums, b: Sums): Sums {
  return {
    odometer: millionths(a.odometer - b.odometer),
    engineStop: thousandths(a.engineStop - b.engineStop),
    engineMove: thousandths(a.engineMove - b.engineMove),
  };
}

function millionths(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function thousandths(value: number): number {
  return Math.round(value * 1e3) / 1e3;
}

export function trackPoint({
  time,
  lat,
  lon,
  speed,
  engine,
}: Pick<StoredPoint, 'time' | 'lat' | 'lon' | 'speed' | 'engine'>): TrackPoint {
  return { time, lat, lon, speed, engineOn: engine === null ? null : engine === 1 };
}

/**
 * The state with the crew's status from a record. Devices repeat the status in every record; only a change
 * counts, so that a repetition does not undo a dispatcher's entry. The status needs no fix, but a valid
 * clock.
 */
export function withCrewStatus(
  state: LastState | undefined,
  { vehicle, crewStatus: said, time }: IncomingFix,
  marks: readonly Mark[],
): LastState {
  const known = state ?? unknownState(vehicle);
  if (said === undefined || marks.includes('future') || time < known.unitStatusSince) return known;
  if (said === known.unitStatus && known.unitStatusSince > 0) return known;
  return { ...known, unitStatus: said, unitStatusSince: time };
}
