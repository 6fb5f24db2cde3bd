import { CLOSURE_REACH } from '../../../../../shared/roads/closure-reach.ts';
import type { RoadClosure } from '../../../../../shared/records/index.ts';
import { depthOf, distanceTo, type LonLat } from '../../../../../shared/geo/shapes.ts';

interface ClosureSpot {
  readonly lat: number;
  readonly lon: number;
}
type ClosureOnMap = Pick<RoadClosure, 'geometry' | 'factor'>;

/** Metres from a place to where a closure was drawn to hold; 0 within it. */
export function metresToClosure({ geometry }: ClosureOnMap, { lat, lon }: ClosureSpot): number {
  const at: LonLat = [lon, lat];
  return Math.max(0, distanceToDrawn(geometry, at) - CLOSURE_REACH[geometry.type]);
}

function distanceToDrawn(geometry: RoadClosure['geometry'], at: LonLat): number {
  switch (geometry.type) {
    case 'Point':
      return distanceTo([lonLat(geometry.coordinates)], at);
    case 'LineString':
      return distanceTo(geometry.coordinates.map(lonLat), at);
    case 'Polygon':
      return depthOf({ kind: 'polygon', rings: geometry.coordinates.map((ring) => ring.map(lonLat)) }, at);
  }
}
const lonLat = ([lon, lat]: readonly number[]): LonLat => [lon!, lat!];

/**
 * Of those closures that close, and not only slow, the ones in which a place on a road lies, as they were
 * drawn.
 */
export function closuresAt<C extends ClosureOnMap>(closures: readonly C[], place: ClosureSpot): readonly C[] {
  return closures.filter((closure) => closure.factor === 0 && metresToClosure(closure, place) === 0);
}

/**
 * The closures that a route names, by id: for each stop those that it lies in, and the others, which changed
 * the route. A stop beside the end of a closure that is not named is known to be open.
 */
export function closuresOfWay(
  named: readonly number[],
  closures: readonly (ClosureOnMap & { readonly id: number })[],
  stops: readonly ClosureSpot[],
): { readonly at: readonly (readonly number[])[]; readonly others: readonly number[] } {
  const able = closures.filter(({ id }) => named.includes(id));
  const at = stops.map((stop) => closuresAt(able, stop).map(({ id }) => id));
  return { at, others: named.filter((id) => !at.some((ids) => ids.includes(id))) };
}

/** Of those that close, the ones within `reach` metres of any of the places, the nearest first. */
export function closuresNear<C extends ClosureOnMap>(
  closures: readonly C[],
  places: readonly ClosureSpot[],
  reach: number,
): readonly C[] {
  return closures
    .filter(({ factor }) => factor === 0)
    .map((closure) => ({ closure, metres: Math.min(...places.map((place) => metresToClosure(closure, place))) }))
    .filter(({ metres }) => metres <= reach)
    .sort((one, other) => one.metres - other.metres)
    .map(({ closure }) => closure);
}
