import { depthOf, type LonLat, type Shape } from '../../../../shared/geo/shapes.ts';
import type { Detector, Interval, Point, ReportInterval } from './detector.ts';
import type { VehicleContext, Zone } from '../context/vehicle-context.ts';
import { ZoneGrid } from './zone-grid.ts';

interface Presence {
  /** Entered, and not yet left. */
  open: Interval | null;
  /** The first point on the other side of the border, until it is deep or old enough. */
  crossing: { time: number; lat: number; lon: number } | null;
}

type Zones = Readonly<Record<string, Presence>>;

/** Beyond this time (ms) between two points, the straight line says nothing about the way driven. */
const TOGETHER = 120_000;
/** Metres between the samples of a segment that may cross a zone. */
const SAMPLE = 20;
const MAX_SAMPLES = 200;

/**
 * Types 6 and 7: entered and left a zone. 6 lasts for the visit, 7 is the moment of leaving. A border counts
 * as crossed 20 m or 10 s beyond it; a zone crossed between two points was visited. An edited zone is a new
 * version from then on; earlier events stay.
 */
export const zones: Detector<Zones> = {
  name: 'zones',
  start: {},
  lasting: (state) => Object.values(state).flatMap(({ open }) => (open ? [open] : [])),
  step(state, point, previous, context, report) {
    if (!point.fixed) return state;
    let now = state;
    for (const zone of zonesToAsk(now, point, previous, context)) {
      const before = now[zone.id];
      const after = visit(before, zone, point, previous, context, report);
      if (after !== before) now = set(now, zone.id, after);
    }
    // A deleted zone is left at that moment.
    for (const [id, presence] of Object.entries(now)) {
      if (context.zones.some((zone) => String(zone.id) === id)) continue;
      if (presence.open) leave(presence.open, point.time, point, report);
      now = set(now, Number(id), undefined);
    }
    return now;
  },
};

/** The zones near the way from the point before, and those with a state: others cannot change. */
function zonesToAsk(
  state: Zones,
  point: Point,
  previous: Point | null,
  { zones: all }: VehicleContext,
): Iterable<Zone> {
  const near = ZoneGrid.of(all).near(point, previous && point.time - previous.time <= TOGETHER ? previous : point);
  if (Object.keys(state).length === 0) return near;
  return new Set([...near, ...all.filter(({ id }) => state[id] !== undefined)]);
}

function visit(
  presence: Presence | undefined,
  zone: Zone,
  point: Point,
  previous: Point | null,
  { settings }: VehicleContext,
  report: ReportInterval,
): Presence | undefined {
  const depth = depthOf(zone.shape, [point.lon, point.lat]);
  const open = presence?.open ?? null;
  const beyond = open ? depth > 0 : depth < 0;
  if (!beyond) {
    if (!open && previous && point.time - previous.time <= TOGETHER)
      driveThrough(zone, previous, point, settings.zoneMargin, report);
    return open ? (presence!.crossing ? { open, crossing: null } : presence) : undefined;
  }
  const crossing = presence?.crossing ?? { time: point.time, lat: point.lat, lon: point.lon };
  if (Math.abs(depth) < settings.zoneMargin && point.time - crossing.time < settings.zonePersistence)
    return presence?.crossing ? presence : { open, crossing };
  if (open) {
    leave(open, crossing.time, crossing, report);
    return undefined;
  }
  const entered: Interval = {
    type: 6,
    subject: `zone:${zone.id}`,
    from: crossing.time,
    until: null,
    lat: crossing.lat,
    lon: crossing.lon,
    info: zone.name,
    data: { zoneId: zone.id },
  };
  report(entered);
  return { open: entered, crossing: null };
}

function leave(visitOpen: Interval, time: number, place: { lat: number; lon: number }, report: ReportInterval): void {
  report({ ...visitOpen, until: time });
  report({ ...visitOpen, type: 7, from: time, until: time, lat: place.lat, lon: place.lon });
}

/**
 * Both ends are outside: did the way between them cross the zone? Only if deep enough, else it was an error
 * of the fix.
 */
function driveThrough(zone: Zone, from: Point, to: Point, margin: number, report: ReportInterval): void {
  if (depthOf(zone.shape, [from.lon, from.lat]) <= 0) return;
  const inside = samplesInside(zone.shape, from, to);
  if (!inside || inside.deepest > -margin) return;
  const at = (along: number) => ({
    time: Math.round(from.time + along * (to.time - from.time)),
    lat: from.lat + along * (to.lat - from.lat),
    lon: from.lon + along * (to.lon - from.lon),
  });
  const [enter, exit] = [at(inside.first), at(inside.last)];
  const visited: Interval = {
    type: 6,
    subject: `zone:${zone.id}`,
    from: enter.time,
    until: null,
    lat: enter.lat,
    lon: enter.lon,
    info: zone.name,
    data: { zoneId: zone.id },
  };
  leave(visited, exit.time, exit, report);
}

function samplesInside(
  shape: Shape,
  from: Point,
  to: Point,
): { first: number; last: number; deepest: number } | undefined {
  const length = Math.hypot(
    (to.lat - from.lat) * 111_195,
    (to.lon - from.lon) * 111_195 * Math.cos((from.lat * Math.PI) / 180),
  );
  // The distance at one end excludes most zones.
  if (depthOf(shape, [from.lon, from.lat]) > length) return undefined;
  const count = Math.min(MAX_SAMPLES, Math.ceil(length / SAMPLE));
  let found: { first: number; last: number; deepest: number } | undefined;
  for (let i = 1; i < count; i++) {
    const along = i / count;
    const place: LonLat = [from.lon + along * (to.lon - from.lon), from.lat + along * (to.lat - from.lat)];
    const depth = depthOf(shape, place);
    if (depth < 0) found = { first: found?.first ?? along, last: along, deepest: Math.min(found?.deepest ?? 0, depth) };
  }
  return found;
}

function set(state: Zones, id: number, presence: Presence | undefined): Zones {
  const { [id]: _gone, ...rest } = state;
  return presence ? { ...rest, [id]: presence } : rest;
}
