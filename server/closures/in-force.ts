import { geometryFault } from '../../shared/geo/geojson.ts';
import type { RoadClosure } from '../../shared/records/index.ts';

/** Whether a closure counts now: from `from` on, up to `till`, not including it. */
export function isInForce({ withdrawn, from, till }: RoadClosure, now: number): boolean {
  return !withdrawn && (from === null || from <= now) && (till === null || now < till);
}

/**
 * What came from another station was checked there, by its rules; a geometry that this one does not
 * understand must not keep the router from all others.
 */
export function isSupported({ geometry }: RoadClosure): boolean {
  return geometryFault(geometry) === undefined && ['Point', 'LineString', 'Polygon'].includes(geometry.type);
}

/** The next instant at which a closure begins or ends; undefined: none will. */
export function nextChange(closures: Iterable<RoadClosure>, now: number): number | undefined {
  let next = Infinity;
  for (const { withdrawn, from, till } of closures) {
    if (withdrawn) continue;
    for (const instant of [from, till]) if (instant !== null && instant > now) next = Math.min(next, instant);
  }
  return next === Infinity ? undefined : next;
}
