import { metresBetween } from '../../territory/roads/index.ts';
import type { Roads } from '../../territory/roads/index.ts';
import type { RouteNote } from '../types.ts';
import type { RoadPoint } from '../snapping/snapper.ts';

/** More tell a driver nothing. */
const MOST = 10;

/**
 * Posted limits that a drive of so many metres may have gone around because they cannot be read: those that
 * would be no further than it by air, between any two of its points that follow each other. The ones that are
 * least out of the way come first.
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

interface Spot {
  readonly lat: number;
  readonly lon: number;
}

function airBetween(from: Spot, to: Spot): number {
  return metresBetween(from.lat, from.lon, to.lat, to.lon);
}
