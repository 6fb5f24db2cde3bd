import { airDistance } from '../../shared/geometry.ts';
import { unknownState, type LastState } from '../../shared/last-state.ts';
import type { Arrival } from './arrivals.ts';
import { speedBetween, type Mark } from './plausible.ts';

/** Slower than this (km/h) counts as standing. */
export const STANDING_SPEED = 3;

/** A believed point of a track. */
export interface TrackPoint {
  time: number;
  lat: number;
  lon: number;
  speed: number;
  /** null: no ignition is connected. */
  engineOn: boolean | null;
}

/** Neighbours of a point in its track, believed ones only. */
export interface Neighbours {
  before: TrackPoint | undefined;
  after: TrackPoint | undefined;
}

/** Longer than this (ms) without a record, nobody knows whether the engine ran. */
const SILENCE = 10 * 60_000;

/**
 * The state after one more record, whatever its time. A late record, or one that is not believed, does not move the vehicle; a late
 * one still counts in the odometer and the engine's hours, in its place: the sum over a track is the same in whatever order its points came.
 */
export function advance(state: LastState | undefined, fix: Arrival, marks: readonly Mark[], neighbours: Neighbours, now: number): LastState {
  const { vehicle, engineOn } = fix;
  const known = state ?? unknownState(vehicle);
  const { unitStatus, unitStatusSince } = crewStatus(known, fix, marks);
  if (marks.length > 0) return { ...known, unitStatus, unitStatusSince };
  const speed = speedOf(fix, neighbours.before);
  const { odometer, engineStop, engineMove } = added(known, { time: fix.time, lat: fix.lat, lon: fix.lon, speed, engineOn }, neighbours);
  if (state && fix.time <= state.time) return { ...known, unitStatus, unitStatusSince, odometer, engineStop, engineMove };
  const stopped = speed < STANDING_SPEED;
  // Field by field, since it is done for every record: to put it together from parts costs several times as much.
  return {
    id: vehicle,
    time: fix.time,
    storedAt: now,
    lat: fix.lat,
    lon: fix.lon,
    speed,
    direction: fix.direction % 360,
    height: fix.height,
    gpsCount: fix.gpsCount ?? 0,
    glonassCount: fix.glonassCount ?? 0,
    odometer,
    engineStop,
    engineMove,
    engineOn,
    stopped,
    stoppedSince: stopped && known.stopped && known.time > 0 ? known.stoppedSince : stopped ? fix.time : 0,
    unitStatus,
    unitStatusSince,
  };
}

export function speedOf(fix: Arrival, before: TrackPoint | undefined): number {
  if (fix.speed !== undefined) return fix.speed;
  return before ? speedBetween(before, fix) : 0;
}

/** The sums over a track after a point came in between its neighbours: its two legs instead of the one that was there. */
function added(known: LastState, point: TrackPoint, { before, after }: Neighbours): Pick<LastState, 'odometer' | 'engineStop' | 'engineMove'> {
  const come = leg(before, point);
  let { kilometres, engineStop, engineMove } = come;
  if (after) {
    const [gone, was] = [leg(point, after), leg(before, after)];
    kilometres += gone.kilometres - was.kilometres;
    engineStop += gone.engineStop - was.engineStop;
    engineMove += gone.engineMove - was.engineMove;
  }
  return { odometer: known.odometer + kilometres, engineStop: known.engineStop + engineStop, engineMove: known.engineMove + engineMove };
}

/** What lies between two points that follow each other. */
export interface Leg {
  readonly kilometres: number;
  readonly moving: boolean;
  /** seconds */
  readonly engineStop: number;
  readonly engineMove: number;
}

const NO_LEG: Leg = { kilometres: 0, moving: false, engineStop: 0, engineMove: 0 };

function leg(a: TrackPoint | undefined, b: TrackPoint | undefined): Leg {
  return a && b ? legBetween(a, b) : NO_LEG;
}

/** A standing vehicle's position wanders by metres with the satellites; that is no driving. Without an ignition the engine runs while the vehicle moves. */
export function legBetween(a: TrackPoint, b: TrackPoint): Leg {
  const moving = a.speed >= STANDING_SPEED || b.speed >= STANDING_SPEED;
  const running = (a.engineOn ?? moving) && b.time - a.time <= SILENCE ? (b.time - a.time) / 1000 : 0;
  return { moving, kilometres: moving ? airDistance(a, b) / 1000 : 0, engineStop: moving ? 0 : running, engineMove: moving ? running : 0 };
}

/**
 * Devices repeat the crew's status in every record; only a change of it is news, so that a repeated one does not undo what a
 * dispatcher has set since. The satellites do not matter for it, a broken clock does.
 */
function crewStatus(known: LastState, { crewStatus: said, time }: Arrival, marks: readonly Mark[]): Pick<LastState, 'unitStatus' | 'unitStatusSince'> {
  if (said === undefined || marks.includes('future') || time < known.unitStatusSince) return known;
  if (said === known.unitStatus && known.unitStatusSince > 0) return known;
  return { unitStatus: said, unitStatusSince: time };
}
