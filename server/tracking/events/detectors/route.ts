import { airDistance } from '../../../../shared/geo/geometry.ts';
import { depthOf, distanceTo, type LonLat, type Shape } from '../../../../shared/geo/shapes.ts';
import type { Detector, Interval, Point, ReportInterval } from './detector.ts';
import type { ContextRoute, VehicleContext } from '../context/vehicle-context.ts';

interface Following {
  /** Type 16, lasting while the vehicle follows the route. */
  joined: Interval | null;
  /** Type 24: off a route that the vehicle had joined. */
  off: Interval | null;
  /** First point outside the corridor, or inside it again. */
  crossing: { time: number; lat: number; lon: number } | null;
  /** Standing within the corridor, away from control points. */
  standing: { time: number; lat: number; lon: number } | null;
  /** Type 25. */
  longStop: Interval | null;
}

type Routes = Readonly<Record<string, Following>>;

const APART: Following = { joined: null, off: null, crossing: null, standing: null, longStop: null };
/** Time outside (ms) until it counts: one fix is easily 100 m wrong between houses. */
const PERSISTENCE = 10_000;
/** Metres from the end of a route within which leaving means finishing. */
const FINISH = 300;

/**
 * Types 16, 17, 24 and 25. Inside the corridor the vehicle has joined the route (16). It leaves it (17) near
 * its end, or when the route's time is over; elsewhere it is off the route (24) until it is back. A stop of
 * ten minutes inside the corridor, away from control points, is long (25).
 */
export const plannedRoute: Detector<Routes> = {
  name: 'route',
  start: {},
  lasting: (state) =>
    Object.values(state).flatMap(({ joined, off, longStop }) =>
      [joined, off, longStop].filter((interval) => interval !== null),
    ),
  step(state, point, _previous, context, report) {
    if (!point.fixed) return state;
    const next: Record<string, Following> = {};
    for (const planned of context.routes) {
      const after = followed(state[planned.id] ?? APART, planned, point, context, report);
      if (after !== APART) next[planned.id] = after;
    }
    // Its time is over, or other vehicles drive it now.
    for (const [id, before] of Object.entries(state))
      if (!context.routes.some((planned) => String(planned.id) === id))
        finished(before, undefined, point.time, point, report);
    return Object.keys(next).length === 0 && Object.keys(state).length === 0 ? state : next;
  },
};

function followed(
  before: Following,
  planned: ContextRoute,
  point: Point,
  context: VehicleContext,
  report: ReportInterval,
): Following {
  const within = distanceTo(planned.line, [point.lon, point.lat]) <= (planned.corridor ?? context.settings.corridor);
  const moved = within
    ? inside(before, planned, point, report)
    : onDetour(planned, point, context)
      ? excused(before, point, report)
      : outside(before, planned, point, report);
  return longStop(moved, planned, within, point, context, report);
}

/** Metres around a closure within which a vehicle counts as driving around it. */
const DETOUR = 2_000;
const CLOSED = new WeakMap<VehicleContext, Map<ContextRoute, readonly Shape[]>>();

/** A closed or slowed road on the route excuses leaving it, near that road and during the closure. */
function onDetour(planned: ContextRoute, { lon, lat }: Point, context: VehicleContext): boolean {
  return closedOn(planned, context).some((shape) => depthOf(shape, [lon, lat]) <= DETOUR);
}

/** The closures on a route, computed once for each context. */
function closedOn(planned: ContextRoute, context: VehicleContext): readonly Shape[] {
  let known = CLOSED.get(context);
  if (!known) CLOSED.set(context, (known = new Map()));
  let shapes = known.get(planned);
  if (!shapes) {
    const corridor = planned.corridor ?? context.settings.corridor;
    shapes = (context.closures ?? [])
      .map(({ shape }) => shape)
      .filter((shape) => touches(planned.line, shape, corridor));
    known.set(planned, shapes);
  }
  return shapes;
}

/**
 * Whether a line passes within some metres of a shape. Tests its corners, the shape's corners, and points
 * between them without gaps wider than the corridor.
 */
function touches(line: ContextRoute['line'], shape: Shape, within: number): boolean {
  const corners =
    shape.kind === 'circle' ? [shape.center] : shape.kind === 'corridor' ? shape.line : shape.rings.flat();
  if (corners.some((corner) => distanceTo(line, corner) <= within)) return true;
  return line.some((from, i) => {
    const to = line[i + 1];
    if (!to) return depthOf(shape, from) <= within;
    const length = airDistance({ lon: from[0], lat: from[1] }, { lon: to[0], lat: to[1] });
    // Farther away than the segment is long: nothing on it can be near.
    if (depthOf(shape, from) > length + within) return false;
    const steps = Math.max(1, Math.ceil(length / Math.max(10, within)));
    for (let step = 0; step <= steps; step++) {
      const along = step / steps;
      if (depthOf(shape, [from[0] + along * (to[0] - from[0]), from[1] + along * (to[1] - from[1])]) <= within)
        return true;
    }
    return false;
  });
}

/** Off the corridor with an excuse: neither on the route nor off it. */
function excused(state: Following, point: Point, report: ReportInterval): Following {
  if (state.off) report({ ...state.off, until: point.time });
  return state.off || state.crossing ? { ...state, off: null, crossing: null } : state;
}

/** Begins where the vehicle crossed the edge of the route. */
function intervalFrom(
  type: 16 | 24,
  planned: ContextRoute,
  { time, lat, lon }: Pick<Point, 'time' | 'lat' | 'lon'>,
): Interval {
  return {
    type,
    subject: `route:${planned.id}`,
    from: time,
    until: null,
    lat,
    lon,
    info: planned.name,
    data: { routeId: planned.id },
  };
}

function inside(state: Following, planned: ContextRoute, point: Point, report: ReportInterval): Following {
  if (state.joined && !state.off) return state.crossing ? { ...state, crossing: null } : state;
  const crossing = state.crossing ?? { time: point.time, lat: point.lat, lon: point.lon };
  if (point.time - crossing.time < PERSISTENCE) return { ...state, crossing };
  if (state.off) {
    report({ ...state.off, until: crossing.time });
    return { ...state, off: null, crossing: null };
  }
  const joined = intervalFrom(16, planned, crossing);
  report(joined);
  return { ...state, joined, crossing: null };
}

function outside(state: Following, planned: ContextRoute, point: Point, report: ReportInterval): Following {
  if (!state.joined) return state.crossing ? { ...state, crossing: null } : state;
  if (state.off) return state.crossing ? { ...state, crossing: null } : state;
  const crossing = state.crossing ?? { time: point.time, lat: point.lat, lon: point.lon };
  if (point.time - crossing.time < PERSISTENCE) return { ...state, crossing };
  const end = planned.line.at(-1)! as LonLat;
  if (airDistance({ lon: end[0], lat: end[1] }, crossing) <= FINISH)
    return finished(state, planned, crossing.time, crossing, report);
  const off = intervalFrom(24, planned, crossing);
  report(off);
  return { ...state, off, crossing: null };
}

function finished(
  state: Following,
  planned: ContextRoute | undefined,
  time: number,
  place: { lat: number; lon: number },
  report: ReportInterval,
): Following {
  if (state.longStop) report({ ...state.longStop, until: time });
  if (state.off) report({ ...state.off, until: time });
  if (state.joined) {
    report({ ...state.joined, until: time });
    report({
      ...state.joined,
      type: 17,
      from: time,
      until: time,
      lat: place.lat,
      lon: place.lon,
      info: planned?.name ?? state.joined.info,
    });
  }
  return APART;
}

function longStop(
  state: Following,
  planned: ContextRoute,
  within: boolean,
  point: Point,
  { settings }: VehicleContext,
  report: ReportInterval,
): Following {
  if (state === APART) return state;
  const atControlPoint = planned.points.some((control) => airDistance(point, control) <= control.radius);
  const stands = within && state.joined !== null && point.speed < settings.standingSpeed && !atControlPoint;
  if (!stands) {
    if (state.longStop) report({ ...state.longStop, until: point.time });
    return state.standing || state.longStop ? { ...state, standing: null, longStop: null } : state;
  }
  const standing = state.standing ?? { time: point.time, lat: point.lat, lon: point.lon };
  if (state.longStop || point.time - standing.time < settings.longStopAfter) return { ...state, standing };
  const open: Interval = {
    type: 25,
    subject: `route:${planned.id}`,
    from: standing.time,
    until: null,
    lat: standing.lat,
    lon: standing.lon,
    info: planned.name,
    data: { routeId: planned.id },
  };
  report(open);
  return { ...state, standing, longStop: open };
}
