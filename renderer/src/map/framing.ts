import type { Bounds } from '../lib/api/types.ts';

export type LatLon = readonly [lat: number, lon: number];

/**
 * What a picture of everything has to hold: the vehicles that are on the territory, and the whole of the
 * territory while fewer than two are. One whose receiver says that it is off the coast of Africa must not
 * take the map with it.
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
