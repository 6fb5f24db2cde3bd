import { airDistance, bearing } from '../../../../shared/geo/geometry.ts';
import { RoadLimits } from '../../../../shared/roads/road-limits.ts';
import { depthOf } from '../../../../shared/geo/shapes.ts';
import type { Detector, Interval, Point } from './detector.ts';
import type { VehicleContext } from '../context/vehicle-context.ts';
import { ZoneGrid } from './zone-grid.ts';

interface Speeding {
  /** The first point above the limit, until it has lasted long enough. */
  above: { time: number; lat: number; lon: number; limit: number; top: number } | null;
  open: Interval | null;
  /** The first point at or below the limit again. */
  below: number | null;
}

/**
 * Type 5: above the limit for some seconds; keeps the highest speed, and ends after as long within the limit.
 */
export const speed: Detector<Speeding> = {
  name: 'speed',
  start: { above: null, open: null, below: null },
  lasting: ({ open }) => (open ? [open] : []),
  step(state, point, previous, context, report) {
    if (!point.fixed) return state;
    const limit = limitAt(point, previous, context);
    const { speedPersistence } = context.settings;
    const tooFast = limit > 0 && point.speed > limit;
    if (state.open) {
      if (tooFast) {
        const top = Math.round(point.speed);
        if (top <= (state.open.data['top'] as number)) return { ...state, below: null };
        const open = {
          ...state.open,
          info: `${top} km/h, limit ${state.open.data['limit']}`,
          data: { ...state.open.data, top },
        };
        report(open);
        return { above: null, open, below: null };
      }
      const below = state.below ?? point.time;
      if (point.time - below < speedPersistence) return { ...state, below };
      report({ ...state.open, until: below });
      return { above: null, open: null, below: null };
    }
    if (!tooFast) return state.above ? { above: null, open: null, below: null } : state;
    const above = state.above
      ? { ...state.above, top: Math.max(state.above.top, point.speed) }
      : { time: point.time, lat: point.lat, lon: point.lon, limit, top: point.speed };
    if (point.time - above.time < speedPersistence) return { above, open: null, below: null };
    const top = Math.round(above.top);
    const open: Interval = {
      type: 5,
      subject: '',
      from: above.time,
      until: null,
      lat: above.lat,
      lon: above.lon,
      info: `${top} km/h, limit ${above.limit}`,
      data: { top, limit: above.limit },
    };
    report(open);
    return { above: null, open, below: null };
  },
};

/**
 * The limit of the zone, the lowest where zones overlap; else of the road, by the record or else the
 * territory; else of the vehicle.
 */
function limitAt(point: Point, previous: Point | null, context: VehicleContext): number {
  let zoneLimit = 0;
  for (const zone of ZoneGrid.of(context.zones).near(point)) {
    if (zone.speedLimit <= 0 || (zoneLimit > 0 && zone.speedLimit >= zoneLimit)) continue;
    if (depthOf(zone.shape, [point.lon, point.lat]) < 0) zoneLimit = zone.speedLimit;
  }
  if (zoneLimit > 0) return zoneLimit;
  const recorded = Number(point.params['road_limit'] ?? 0);
  return (recorded > 0 ? recorded : limitOfRoad(point, previous, context)) || context.settings.speedLimit;
}

/** km/h; 0: unknown. */
function limitOfRoad(point: Point, previous: Point | null, { roads, settings }: VehicleContext): number {
  if (!roads?.[0]) return 0;
  const limits = RoadLimits.from(roads[0].bytes);
  // A speed within the lowest road limit and the vehicle's limit is allowed on every road.
  if (point.speed <= limits.lowest && (settings.speedLimit === 0 || point.speed <= settings.speedLimit)) return 0;
  return limits.at(point, courseOf(point, previous));
}

/** Metres from the point before; a shorter way gives no course. */
const MOVED = 10;

/**
 * A device without a course sends 0, like one that drives due north; then the way from the point before gives
 * the course.
 */
function courseOf(point: Point, previous: Point | null): number | null {
  if (point.direction !== 0) return point.direction;
  return previous && airDistance(previous, point) >= MOVED ? bearing(previous, point) : null;
}
