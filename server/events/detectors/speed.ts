import { depthOf } from '../../../shared/shapes.ts';
import type { Detector, Interval, Point } from '../detector.ts';
import type { World } from '../world.ts';
import { ZoneGrid } from '../zone-grid.ts';

interface Speeding {
  /** The first point above the limit, until it has lasted. */
  above: { time: number; lat: number; lon: number; limit: number; top: number } | null;
  open: Interval | null;
  /** The first point at or below the limit again. */
  below: number | null;
}

/** Type 5: above the limit for some seconds; keeps the greatest speed, and ends when the limit is kept again for as long. */
export const speed: Detector<Speeding> = {
  name: 'speed',
  start: { above: null, open: null, below: null },
  lasting: ({ open }) => (open ? [open] : []),
  step(state, point, _previous, world, report) {
    if (!point.fixed) return state;
    const limit = limitAt(point, world);
    const { speedPersistence } = world.settings;
    const tooFast = limit > 0 && point.speed > limit;
    if (state.open) {
      if (tooFast) {
        const top = Math.round(point.speed);
        if (top <= (state.open.data['top'] as number)) return { ...state, below: null };
        const open = { ...state.open, info: `${top} km/h, limit ${state.open.data['limit']}`, data: { ...state.open.data, top } };
        report(open);
        return { above: null, open, below: null };
      }
      const below = state.below ?? point.time;
      if (point.time - below < speedPersistence) return { ...state, below };
      report({ ...state.open, till: below });
      return { above: null, open: null, below: null };
    }
    if (!tooFast) return state.above ? { above: null, open: null, below: null } : state;
    const above = state.above
      ? { ...state.above, top: Math.max(state.above.top, point.speed) }
      : { time: point.time, lat: point.lat, lon: point.lon, limit, top: point.speed };
    if (point.time - above.time < speedPersistence) return { above, open: null, below: null };
    const top = Math.round(above.top);
    const open: Interval = { type: 5, subject: '', from: above.time, till: null, lat: above.lat, lon: above.lon, info: `${top} km/h, limit ${above.limit}`, data: { top, limit: above.limit } };
    report(open);
    return { above: null, open, below: null };
  },
};

/** The limit of the zone, the lowest where zones overlap; else of the road, where the record carries it; else of the vehicle. */
function limitAt(point: Point, world: World): number {
  let zoneLimit = 0;
  for (const zone of ZoneGrid.of(world.zones).near(point)) {
    if (zone.speedLimit <= 0 || (zoneLimit > 0 && zone.speedLimit >= zoneLimit)) continue;
    if (depthOf(zone.shape, [point.lon, point.lat]) < 0) zoneLimit = zone.speedLimit;
  }
  if (zoneLimit > 0) return zoneLimit;
  const road = Number(point.params['road_limit'] ?? 0);
  return road > 0 ? road : world.settings.speedLimit;
}
