import { airDistance } from '../../../../shared/geo/geometry.ts';
import { nearestOnSegment } from '../../../../shared/geo/shapes.ts';
import type { Detector, Interval, Point } from './detector.ts';
import type { ContextControlPoint } from '../context/vehicle-context.ts';

interface Near {
  /** First point within reach, until the stay is long enough. */
  since: number;
  lat: number;
  lon: number;
  open: Interval | null;
}

type Arrivals = Readonly<Record<string, Near>>;

/** Type 14: at the place of a task that the vehicle serves, for half a minute. */
export const arrivals: Detector<Arrivals> = {
  name: 'arrivals',
  start: {},
  lasting: (state) => Object.values(state).flatMap(({ open }) => (open ? [open] : [])),
  step(state, point, _previous, { requests, settings }, report) {
    if (!point.fixed) return state;
    const next: Record<string, Near> = {};
    for (const request of requests) {
      const before = state[request.id];
      if (airDistance(point, request) > settings.requestRadius) {
        if (before?.open) report({ ...before.open, until: point.time });
        continue;
      }
      const since = before ?? { since: point.time, lat: point.lat, lon: point.lon, open: null };
      if (since.open || point.time - since.since < settings.requestPersistence) {
        next[request.id] = since;
        continue;
      }
      const open: Interval = {
        type: 14,
        subject: `request:${request.id}`,
        from: since.since,
        until: null,
        lat: since.lat,
        lon: since.lon,
        info: request.title,
        data: { newsId: request.id },
      };
      report(open);
      next[request.id] = { ...since, open };
    }
    // A task that leaves the vehicle ends its visit.
    for (const [id, { open }] of Object.entries(state))
      if (open && !requests.some((request) => String(request.id) === id)) report({ ...open, until: point.time });
    return Object.keys(next).length === 0 && Object.keys(state).length === 0 ? state : next;
  },
};

type Passing = Readonly<Record<string, Interval>>;

/** Beyond this time (ms) between two points, the straight line says nothing about the way driven. */
const TOGETHER = 120_000;

/**
 * Type 13: the way between two points passes a control point of the planned route; lasts while the vehicle is
 * inside. With a plan, `data` holds it and the delay.
 */
export const controlPoints: Detector<Passing> = {
  name: 'control-points',
  start: {},
  lasting: (state) => Object.values(state),
  step(state, point, previous, { routes }, report) {
    if (!point.fixed) return state;
    const next: Record<string, Interval> = {};
    for (const route of routes) {
      for (const control of route.points) {
        const subject = subjectOf(route, control);
        const inside = airDistance(point, control) <= control.radius;
        const open = state[subject];
        if (inside) {
          next[subject] = open ?? {
            type: 13,
            subject,
            from: point.time,
            until: null,
            lat: control.lat,
            lon: control.lon,
            info: control.name,
            data: dataOf(route.id, control, point.time),
          };
          if (!open) report(next[subject]);
        } else if (open) report({ ...open, until: point.time });
        else passBy(subject, route.id, control, previous, point, report);
      }
    }
    // A control point ends when its route is removed.
    for (const [subject, open] of Object.entries(state)) {
      if (!routes.some((route) => route.points.some((control) => subjectOf(route, control) === subject)))
        report({ ...open, until: point.time });
    }
    return Object.keys(next).length === 0 && Object.keys(state).length === 0 ? state : next;
  },
};

/** `late` in seconds against the plan; negative: too early. */
function dataOf(routeId: number, { id, planned = null }: ContextControlPoint, time: number): Interval['data'] {
  return {
    routeId,
    controlPointId: id,
    ...(planned !== null && { planned, late: Math.round((time - planned) / 1000) }),
  };
}

/** Control points are numbered within their route. */
function subjectOf(route: { id: number }, control: { id: number }): string {
  return `control:${route.id}.${control.id}`;
}

function passBy(
  subject: string,
  routeId: number,
  control: ContextControlPoint,
  previous: Point | null,
  point: Point,
  report: (interval: Interval) => void,
): void {
  if (!previous || point.time - previous.time > TOGETHER || airDistance(previous, control) <= control.radius) return;
  const { distance, along } = nearestOnSegment(
    [control.lon, control.lat],
    [previous.lon, previous.lat],
    [point.lon, point.lat],
  );
  if (distance > control.radius) return;
  const time = Math.round(previous.time + along * (point.time - previous.time));
  report({
    type: 13,
    subject,
    from: time,
    until: time,
    lat: control.lat,
    lon: control.lon,
    info: control.name,
    data: dataOf(routeId, control, time),
  });
}
