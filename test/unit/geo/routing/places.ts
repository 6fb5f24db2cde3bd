import type { Coordinate } from '../../../../server/geo/routing/types.ts';
import { encodeHint } from '../../../../server/geo/routing/snapping/hints.ts';
import type { RoadPoint } from '../../../../server/geo/routing/snapping/snapper.ts';
import type { Roads } from '../../../../server/geo/territory/roads/index.ts';

export function placeAt(roads: Roads, segment: number, piece: number, along: number): RoadPoint {
  const ratio = Math.fround(along);
  const [lat, lon] = roads.along(piece, ratio).map(Math.round) as [number, number];
  return { segment, piece, ratio, lat, lon, distance: 0 };
}

/** Anywhere on a road, often just at a vertex of it or at a junction. */
export function anyPlace(roads: Roads, random: () => number): RoadPoint {
  const segment = Math.floor(random() * roads.segments);
  const piece = roads.columns.segmentFirst[segment]! + Math.floor(random() * roads.pieces(segment));
  return placeAt(roads, segment, piece, random() < 0.2 ? 0 : random() < 0.2 ? 1 : random());
}

/** Somewhere on a straight piece of road. */
export function placeOn(roads: Roads, piece: number, random: () => number): RoadPoint {
  return placeAt(roads, roads.segmentOf(piece), piece, random());
}

/**
 * A place as one asks for it. By its hint, since a point in a small part of the town would be moved to the
 * large one, and roads may lie on each other.
 */
export function pointOf(place: RoadPoint, roads: Roads): Coordinate & { hint: string } {
  return { lat: place.lat / 1e6, lon: place.lon / 1e6, hint: encodeHint(place, roads) };
}
