import { geometryFault } from '../../../shared/geo/geojson.ts';
import type { RoadClosure } from '../../../shared/records/index.ts';

/** Whether a closure is in force: from `from` up to, not including, its end. */
export function isInForce({ isDeleted, from, until }: RoadClosure, now: number): boolean {
  return !isDeleted && (from === null || from <= now) && (until === null || now < until);
}

/**
 * Whether this station understands the geometry. A closure from another station was checked by that station's
 * rules; it must not break all others.
 */
export function isSupported({ geometry }: RoadClosure): boolean {
  return geometryFault(geometry) === undefined && ['Point', 'LineString', 'Polygon'].includes(geometry.type);
}

/** The next instant at which a closure begins or ends, or undefined. */
export function nextChange(closures: Iterable<RoadClosure>, now: number): number | undefined {
  let next = Infinity;
  for (const { isDeleted, from, until } of closures) {
    if (isDeleted) continue;
    for (const instant of [from, until]) if (instant !== null && instant > now) next = Math.min(next, instant);
  }
  return next === Infinity ? undefined : next;
}
