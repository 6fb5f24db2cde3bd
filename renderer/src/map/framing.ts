import type { Bounds } from '../../../shared/geo/bounds.ts';

export type LatLon = readonly [lat: number, lon: number];

/**
 * The places that a view of everything must contain: the vehicles on the territory, or the whole territory if
 * there are fewer than two. A vehicle with a wrong position off Africa must not move the map.
 */
export function placesToFrame([west, south, east, north]: Bounds, vehicles: readonly LatLon[]): readonly LatLon[] {
  const inside = vehicles.filter(([lat, lon]) => lat >= south && lat <= north && lon >= west && lon <= east);
  return inside.length > 1
    ? inside
    : [
        [south, west],
        [north, east],
      ];
}
