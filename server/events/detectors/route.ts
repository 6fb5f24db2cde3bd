import { airDistance } from '../../../shared/geometry.ts';
import { distanceTo, type LonLat } from '../../../shared/shapes.ts';
import type { Detector, Interval, Point, Report } from '../detector.ts';
import { holds, type PlannedRoute, type World } from '../world.ts';

interface Following {
  /** Type 16, lasting while the vehicle follows the route. */
  joined: Interval | null;
  /** Type 24: off the route that it had joined. */
  off: Interval | null;
  /** First point outside of the corridor, or inside of it again. */
  crossing: { time: number; lat: number; lon: number } | null;
  /** Standing within the corridor, away from control points. */
  standing: { time: number; lat: number; lon: number } | null;
  /** Type 25. */
  longStop: Interval | null;
}

type Routes = Readonly<Record<string, Following>>;

const APART: Following = { joined: null, off: null, crossing: null, standing: null, longStop: null };
/** Points in a row (by time, ms) outside before it counts: one fix is easily 100 m wrong between houses. */
const PERSISTENCE = 10_000;
/** Metres from the end of a route within which leaving it is finishing it. */
const FINISH = 300;

/**
 * Types 16, 17, 24 and 25. Within the corridor the vehicle has joined the route (16). It leaves it (17) near its end, or when the route's time is
 * over; anywhere else it is off the route (24) until it is back. A stop of ten minutes within the corridor, not at a control point, is a long one (25).
 */
export const route: Detector<Routes> = {
  name: 'route',
  start: {},
  lasting: (state) => Object.values(state).flatMap(({ joined, off, longStop }) => [joined, off, longStop].filter((interval) => interval !== null)),
  step(state, point, _previous, world, report) {
    if (!point.fixed) return state;
    const next: Record<string, Following> = {};
    for (const planned of world.routes) {
      const before = state[planned.id];
      if (!before && !holds(planned, point.time)) continue;
      const after = holds(planned, point.time) ? followed(before ?? APART, planned, point, world, report) : finished(before!, planned, point.time, point, report);
      if (after !== APART) next[planned.id] = after;
    }
    for (const [id, before] of Object.entries(state)) if (!world.routes.some((planned) => String(planned.id) === id)) finished(before, undefined, point.time, point, report);
    return Object.keys(next).length === 0 && Object.keys(state).length === 0 ? state : next;
  },
};

function followed(before: Following, planned: PlannedRoute, point: Point, world: World, report: Report): Following {
  const within = distanceTo(planned.line, [point.lon, point.lat]) <= world.settings.corridor;
  const moved = within ? inside(before, planned, point, report) : outside(before, planned, point, report);
  return longStop(moved, planned, within, point, world, report);
}

function inside(state: Following, planned: PlannedRoute, point: Point, report: Report): Following {
  if (state.joined && !state.off) return state.crossing ? { ...state, crossing: null } : state;
  const crossing = state.crossing ?? { time: point.time, lat: point.lat, lon: point.lon };
  if (point.time - crossing.time < PERSISTENCE) return { ...state, crossing };
  if (state.off) {
    report({ ...state.off, till: crossing.time });
    return { ...state, off: null, crossing: null };
  }
  const joined: Interval = { type: 16, subject: `route:${planned.id}`, from: crossing.time, till: null, lat: crossing.lat, lon: crossing.lon, info: planned.name, data: { routeId: planned.id } };
  report(joined);
  return { ...state, joined, crossing: null };
}

function outside(state: Following, planned: PlannedRoute, point: Point, report: Report): Following {
  if (!state.joined) return state.crossing ? { ...state, crossing: null } : state;
  if (state.off) return state.crossing ? { ...state, crossing: null } : state;
  const crossing = state.crossing ?? { time: point.time, lat: point.lat, lon: point.lon };
  if (point.time - crossing.time < PERSISTENCE) return { ...state, crossing };
  const end = planned.line.at(-1)! as LonLat;
  if (airDistance({ lon: end[0], lat: end[1] }, crossing) <= FINISH) return finished(state, planned, crossing.time, crossing, report);
  const off: Interval = { type: 24, subject: `route:${planned.id}`, from: crossing.time, till: null, lat: crossing.lat, lon: crossing.lon, info: planned.name, data: { routeId: planned.id } };
  report(off);
  return { ...state, off, crossing: null };
}

function finished(state: Following, planned: PlannedRoute | undefined, time: number, place: { lat: number; lon: number }, report: Report): Following {
  if (state.longStop) report({ ...state.longStop, till: time });
  if (state.off) report({ ...state.off, till: time });
  if (state.joined) {
    report({ ...state.joined, till: time });
    report({ ...state.joined, type: 17, from: time, till: time, lat: place.lat, lon: place.lon, info: planned?.name ?? state.joined.info });
  }
  return APART;
}

function longStop(state: Following, planned: PlannedRoute, within: boolean, point: Point, { settings }: World, report: Report): Following {
  if (state === APART) return state;
  const atControlPoint = planned.points.some((control) => airDistance(point, control) <= control.radius);
  const stands = within && state.joined !== null && point.speed < settings.standingSpeed && !atControlPoint;
  if (!stands) {
    if (state.longStop) report({ ...state.longStop, till: point.time });
    return state.standing || state.longStop ? { ...state, standing: null, longStop: null } : state;
  }
  const standing = state.standing ?? { time: point.time, lat: point.lat, lon: point.lon };
  if (state.longStop || point.time - standing.time < settings.longStopAfter) return { ...state, standing };
  const open: Interval = { type: 25, subject: `route:${planned.id}`, from: standing.time, till: null, lat: standing.lat, lon: standing.lon, info: planned.name, data: { routeId: planned.id } };
  report(open);
  return { ...state, standing, longStop: open };
}
