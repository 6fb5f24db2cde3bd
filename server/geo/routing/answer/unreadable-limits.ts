import { metresBetweenMicro } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import type { RouteNote } from '../types.ts';
import type { RoadPoint } from '../snapping/snapper.ts';

/** Maximum notes of a route. */
const MOST = 10;

/**
 * Unreadable limits that a route of so many metres may have avoided (README rule 15): those whose detour
 * through the air is no longer than the route. Least detour first.
 */
export function unreadableLimits(places: readonly RoadPoint[], metres: number, { facts }: Roads): RouteNote[] {
  const { doubts } = facts;
  if (!doubts) return [];
  const legs = places.slice(1).map((to, i) => ({ from: places[i]!, to, air: airBetween(places[i]!, to) }));
  const spare = metres - legs.reduce((sum, { air }) => sum + air, 0);
  return doubts
    .map((doubt) => ({
      doubt,
      detour: Math.min(...legs.map(({ from, to, air }) => airBetween(from, doubt) + airBetween(doubt, to) - air)),
    }))
    .filter(({ detour }) => detour <= spare + 1)
    .sort((one, other) => one.detour - other.detour)
    .slice(0, MOST)
    .map(({ doubt: { tag, name, lat, lon } }) => ({
      kind: 'unreadable-limit',
      tag,
      name,
      point: [lat / 1e6, lon / 1e6],
    }));
}

interface MicroPoint {
  readonly lat: number;
  readonly lon: number;
}

function airBetween(from: MicroPoint, to: MicroPoint): number {
  return metresBetweenMicro(from.lon, from.lat, to.lon, to.lat);
}
