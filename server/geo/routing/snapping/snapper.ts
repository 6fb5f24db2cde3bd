import {
  FANOUT,
  METRES,
  MICRO,
  RADIANS,
  SMALL,
  STARTABLE,
  latitudeOf,
  lonDifference,
  mercator,
} from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import type { Heading } from '../types.ts';
import { allowsHeading } from './heading.ts';
import { Heap } from '../graph/heap.ts';

/** A point on a road. */
export interface RoadPoint {
  segment: number;
  /** Shape position at which the straight piece begins. */
  piece: number;
  /** 0 to 1 along the piece. */
  ratio: number;
  /** whole micro-degrees */
  lat: number;
  lon: number;
  /** metres from the queried point */
  distance: number;
  /** The vehicle passes in this direction. */
  heading?: Heading;
}

export interface SnapFilter {
  /** Only roads that can be driven in this direction. */
  heading?: Heading | undefined;
  /** Maximum distance, metres. */
  within?: number | undefined;
  accepts?: (segment: number) => boolean;
}

/** Metres: points no further apart than this touch, because coordinates are rounded to a micro-degree. */
export const TOUCH_TOLERANCE = 0.25;

/** Finds the nearest roads by a best-first walk of the packed R-tree (Hjaltason and Samet, 1999). */
export class Snapper {
  readonly #roads: Roads;
  readonly #heap = new Heap();
  readonly #boxCount: number;

  constructor(roads: Roads) {
    this.#roads = roads;
    this.#boxCount = roads.columns.indexBoxes.length / 4;
  }

  /** Points on different roads, nearest first. Coordinates in whole micro-degrees. */
  nearest(
    lat: number,
    lon: number,
    count = 1,
    { heading, within, accepts = () => true }: SnapFilter = {},
  ): RoadPoint[] {
    const { segmentFlags } = this.#roads.columns;
    const found: RoadPoint[] = [];
    this.#walk(
      lat,
      lon,
      (item) => this.#foot(lat, lon, item).distance,
      (item) => {
        const segment = this.#roads.columns.indexSegments[item]!;
        if (
          !(segmentFlags[segment]! & STARTABLE) ||
          !accepts(segment) ||
          found.some((place) => place.segment === segment)
        )
          return false;
        if (heading && !allowsHeading(segment, this.#roads.columns.indexPieces[item]!, heading, this.#roads))
          return false;
        found.push(this.#foot(lat, lon, item));
        return found.length === count;
      },
      within,
    );
    return found;
  }

  /** The nearest point, and, if it is in a small component, the nearest in a big one (README rule 2). */
  candidates(
    lat: number,
    lon: number,
    heading?: Heading,
    within?: number,
  ): { any: RoadPoint; big: RoadPoint | undefined } | undefined {
    const { segmentFlags } = this.#roads.columns;
    const [any] = this.nearest(lat, lon, 1, { heading, within });
    if (!any) return undefined;
    if (!(segmentFlags[any.segment]! & SMALL)) return { any, big: any };
    const [big] = this.nearest(lat, lon, 1, {
      heading,
      within,
      accepts: (segment) => !(segmentFlags[segment]! & SMALL),
    });
    return { any, big };
  }

  /** Whether any road, including those where no trip may start, is within so many metres. */
  isRoadWithin(lat: number, lon: number, metres = Infinity): boolean {
    if (metres === Infinity) return this.#boxCount > 0;
    let found = false;
    this.#walk(
      lat,
      lon,
      (item) => this.#foot(lat, lon, item).distance,
      () => (found = true),
      metres,
    );
    return found;
  }

  /** Nearest node of any road, shape points included. */
  nearestNode(lat: number, lon: number): number | undefined {
    const { shape, indexPieces } = this.#roads.columns;
    let nearest: number | undefined;
    this.#walk(
      lat,
      lon,
      (item) => this.#endDistance(lat, lon, item),
      (item) => {
        const a = shape[indexPieces[item]!]!;
        const b = shape[indexPieces[item]! + 1]!;
        nearest = this.#nodeDistance(lat, lon, a) <= this.#nodeDistance(lat, lon, b) ? a : b;
        return true;
      },
    );
    return nearest;
  }

  /** Segments with a piece whose box intersects the given one (micro-degrees), at most `limit`. */
  within(south: number, west: number, north: number, east: number, limit: number): number[] {
    const found = new Set<number>();
    this.#touching(
      south,
      west,
      north,
      east,
      (item) => found.add(this.#roads.columns.indexSegments[item]!).size < limit,
    );
    return [...found];
  }

  /** Shape positions of the pieces whose box intersects the given one. */
  piecesWithin(south: number, west: number, north: number, east: number): number[] {
    const found: number[] = [];
    this.#touching(south, west, north, east, (item) => {
      found.push(this.#roads.columns.indexPieces[item]!);
      return true;
    });
    return found;
  }

  /**
   * Points within so many metres on roads where trips may start, unordered: the nearest of each road, and
   * those where the road passes by again, bends or ends.
   */
  around(lat: number, lon: number, metres: number): RoadPoint[] {
    const { segmentFlags, indexSegments } = this.#roads.columns;
    const up = metres / METRES;
    const across = up / Math.max(0.01, Math.cos(lat * MICRO * RADIANS));
    const nearest = new Map<number, RoadPoint>();
    const beside: RoadPoint[] = [];
    const corners = new Map<number, RoadPoint[]>();
    this.#touching(lat - up, lon - across, lat + up, lon + across, (item) => {
      const segment = indexSegments[item]!;
      if (!(segmentFlags[segment]! & STARTABLE)) return true;
      const place = this.#foot(lat, lon, item);
      if (place.distance > metres) return true;
      if (place.distance < (nearest.get(segment)?.distance ?? Infinity)) nearest.set(segment, place);
      if (place.ratio > 0 && place.ratio < 1) beside.push(place);
      else corners.set(place.piece + place.ratio, [...(corners.get(place.piece + place.ratio) ?? []), place]);
      return true;
    });
    for (const places of corners.values()) beside.push(...this.#nearestCorners(places));
    return [...nearest.values(), ...beside.filter((place) => !isAt(nearest.get(place.segment)!, place))];
  }

  /** Of places at one corner, one where no piece beside it is nearer: at an end of its segment, or outside a bend. */
  #nearestCorners(places: readonly RoadPoint[]): readonly RoadPoint[] {
    const [place] = places;
    const first = this.#roads.columns.segmentFirst[place!.segment]!;
    const corner = place!.piece + place!.ratio;
    const isEnd = corner === first || corner === first + this.#roads.pieces(place!.segment);
    return isEnd || places.length > 1 ? [place!] : [];
  }

  /** Visits the pieces whose box intersects the given one until `visit` returns false. */
  #touching(south: number, west: number, north: number, east: number, visit: (item: number) => boolean): void {
    const { indexBoxes, indexLevels, indexPieces, shape, nodeLat, nodeLon } = this.#roads.columns;
    const boxes = this.#boxCount === 0 ? [] : [{ box: this.#boxCount - 1, level: indexLevels.length - 2 }];
    while (boxes.length > 0) {
      const { box, level } = boxes.pop()!;
      if (
        indexBoxes[box * 4]! > north ||
        indexBoxes[box * 4 + 1]! > east ||
        indexBoxes[box * 4 + 2]! < south ||
        indexBoxes[box * 4 + 3]! < west
      )
        continue;
      const first = (box - indexLevels[level]!) * FANOUT;
      if (level > 0) {
        const start = indexLevels[level - 1]!;
        for (let child = start + first; child < Math.min(start + first + FANOUT, indexLevels[level]!); child++)
          boxes.push({ box: child, level: level - 1 });
        continue;
      }
      for (let item = first; item < Math.min(first + FANOUT, indexPieces.length); item++) {
        const a = shape[indexPieces[item]!]!;
        const b = shape[indexPieces[item]! + 1]!;
        if (Math.min(nodeLat[a]!, nodeLat[b]!) > north || Math.max(nodeLat[a]!, nodeLat[b]!) < south) continue;
        if (Math.min(nodeLon[a]!, nodeLon[b]!) > east || Math.max(nodeLon[a]!, nodeLon[b]!) < west) continue;
        if (!visit(item)) return;
      }
    }
  }

  /**
   * Visits pieces `within` so many metres in the order of `distance` until `visit` returns true. `distance`
   * must not be less than the distance to the piece's box.
   */
  #walk(
    lat: number,
    lon: number,
    distance: (item: number) => number,
    visit: (item: number) => boolean,
    within = Infinity,
  ): void {
    const { indexLevels, indexPieces, indexBoxes, shape, nodeLat, nodeLon } = this.#roads.columns;
    const boxes = this.#boxCount;
    if (boxes === 0) return;
    const pieces = boxes + indexPieces.length;
    const heap = this.#heap;
    heap.clear();
    heap.push(0, boxes - 1);
    // Numbers below `boxes` are boxes; below `pieces`, pieces keyed by the distance to their box; the others,
    // pieces keyed by their exact distance, which is computed for few.
    while (heap.size > 0 && heap.minKey <= within) {
      const next = heap.pop();
      if (next >= pieces) {
        if (visit(next - pieces)) return;
        continue;
      }
      if (next >= boxes) {
        heap.push(distance(next - boxes), next - boxes + pieces);
        continue;
      }
      let level = 0;
      while (next >= indexLevels[level + 1]!) level++;
      const first = (next - indexLevels[level]!) * FANOUT;
      if (level === 0) {
        for (let item = first, end = Math.min(first + FANOUT, indexPieces.length); item < end; item++) {
          const a = shape[indexPieces[item]!]!;
          const b = shape[indexPieces[item]! + 1]!;
          const [south, north] = nodeLat[a]! < nodeLat[b]! ? [nodeLat[a]!, nodeLat[b]!] : [nodeLat[b]!, nodeLat[a]!];
          const [west, east] = nodeLon[a]! < nodeLon[b]! ? [nodeLon[a]!, nodeLon[b]!] : [nodeLon[b]!, nodeLon[a]!];
          // The foot point is rounded to micro-degrees, and equals the query point when one off.
          heap.push(this.#boxDistance(lat, lon, south - 1, west - 1, north + 1, east + 1), boxes + item);
        }
      } else {
        const start = indexLevels[level - 1]!;
        for (let box = start + first, end = Math.min(box + FANOUT, indexLevels[level]!); box < end; box++) {
          heap.push(
            this.#boxDistance(
              lat,
              lon,
              indexBoxes[box * 4]!,
              indexBoxes[box * 4 + 1]!,
              indexBoxes[box * 4 + 2]!,
              indexBoxes[box * 4 + 3]!,
            ),
            box,
          );
        }
      }
    }
  }

  /** A lower bound of the distance to anything in the box. */
  #boxDistance(lat: number, lon: number, south: number, west: number, north: number, east: number): number {
    const up = lat < south ? south - lat : lat > north ? lat - north : 0;
    let across = 0;
    // A piece over the 180th meridian has a box around the other side of the globe.
    if ((lon < west || lon > east) && east - west <= 180e6)
      across = Math.min(Math.abs(lonDifference(lon, west)), Math.abs(lonDifference(lon, east)));
    // Distances use the mean latitude of both ends; no point in the box gives one further from the equator.
    if (across > 0) across *= Math.cos((Math.max(Math.abs(lat + south), Math.abs(lat + north)) / 2) * MICRO * RADIANS);
    return Math.sqrt(up * up + across * across) * METRES * (1 - 1e-9);
  }

  #nodeDistance(lat: number, lon: number, node: number): number {
    const { nodeLat, nodeLon } = this.#roads.columns;
    return flatDistance(lat, lon, nodeLat[node]!, nodeLon[node]!);
  }

  #endDistance(lat: number, lon: number, item: number): number {
    const { shape, indexPieces } = this.#roads.columns;
    const piece = indexPieces[item]!;
    return Math.min(this.#nodeDistance(lat, lon, shape[piece]!), this.#nodeDistance(lat, lon, shape[piece + 1]!));
  }

  /** Perpendicular foot in the Mercator plane, clamped to the ends of the piece. */
  #foot(lat: number, lon: number, item: number): RoadPoint {
    const { shape, nodeLat, nodeLon, indexPieces, indexSegments } = this.#roads.columns;
    const piece = indexPieces[item]!;
    const a = shape[piece]!;
    const b = shape[piece + 1]!;
    const yA = mercator(nodeLat[a]!);
    const dy = mercator(nodeLat[b]!) - yA;
    const dx = lonDifference(nodeLon[a]!, nodeLon[b]!) * MICRO;
    const length = dx * dx + dy * dy;
    const along =
      length === 0 ? 0 : (lonDifference(nodeLon[a]!, lon) * MICRO * dx + (mercator(lat) - yA) * dy) / length;
    // Single precision, as in hints.
    const ratio = along <= 0 ? 0 : along >= 1 ? 1 : Math.fround(along);
    let footLat = ratio === 0 ? nodeLat[a]! : ratio === 1 ? nodeLat[b]! : Math.round(latitudeOf(yA + ratio * dy));
    let footLon =
      ratio === 0 ? nodeLon[a]! : ratio === 1 ? nodeLon[b]! : Math.round(nodeLon[a]! + (ratio * dx) / MICRO);
    if (footLon > 180e6) footLon -= 360e6;
    else if (footLon < -180e6) footLon += 360e6;
    // One micro-degree off is rounding: a point taken from a road must stay on it (README rule 1).
    if (Math.abs(footLat - lat) === 1) footLat = lat;
    if (Math.abs(footLon - lon) === 1) footLon = lon;
    return {
      segment: indexSegments[item]!,
      piece,
      ratio,
      lat: footLat,
      lon: footLon,
      distance: flatDistance(lat, lon, footLat, footLon),
    };
  }
}

/** Whether both are the same place of a segment: a corner belongs to two pieces. */
function isAt(one: RoadPoint, other: RoadPoint): boolean {
  return one.piece + one.ratio === other.piece + other.ratio;
}

/** Metres on the sphere, equirectangular at the mean latitude: the measure of nearness. */
export function flatDistance(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const up = lat2 - lat1;
  const across = lonDifference(lon1, lon2) * Math.cos(((lat1 + lat2) / 2) * MICRO * RADIANS);
  return Math.sqrt(up * up + across * across) * METRES;
}
