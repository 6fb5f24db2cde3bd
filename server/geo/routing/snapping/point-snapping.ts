import { Refusal } from '../../../../shared/refusal.ts';
import { STARTABLE, type Roads } from '../../territory/roads/reading.ts';
import type { Coordinate, Heading, OffMapPoint, QueryOptions, SnappedPoint, Waypoint } from '../types.ts';
import { allowsHeading } from './heading.ts';
import { decodeHint, encodeHint } from './hints.ts';
import type { RoadPoint, Snapper } from './snapper.ts';

interface SnapCandidates {
  readonly any: RoadPoint;
  readonly big: RoadPoint | undefined;
}

/** Snapped points of a query: `all` has undefined for a point without a road, `places` omits it. */
export interface SnapResult {
  readonly all: readonly (RoadPoint | undefined)[];
  readonly places: readonly RoadPoint[];
  readonly offMap: OffMapPoint | undefined;
}

/** Snaps the points of a query, using its hint, heading and radius for each. */
export class PointSnapping {
  readonly #roads: Roads;
  readonly #snapper: Snapper;

  constructor(roads: Roads, snapper: Snapper) {
    this.#roads = roads;
    this.#snapper = snapper;
  }

  /** Snaps points to roads (README rules 1 to 3). */
  snapAll(points: readonly Waypoint[], { checksum, snapLimit = Infinity }: QueryOptions): SnapResult {
    const { segmentComponent } = this.#roads.columns;
    const candidates = points.map((point) => this.#candidates(point, checksum, snapLimit));
    const found = candidates.filter((candidate) => candidate !== undefined);
    const component = found[0] && segmentComponent[found[0].any.segment];
    const inOneComponent = found.every(({ any }) => segmentComponent[any.segment] === component);
    const choose = ({ any, big }: SnapCandidates): RoadPoint => (inOneComponent ? any : (big ?? any));
    const places = found.map(choose);
    if (found.length === points.length) return { all: places, places, offMap: undefined };
    const offMap = snapLimit < Infinity ? { point: candidates.indexOf(undefined), limit: snapLimit } : undefined;
    return { all: candidates.map((candidate) => candidate && choose(candidate)), places, offMap };
  }

  #candidates(point: Waypoint, checksum: number | undefined, limit: number): SnapCandidates | undefined {
    const { heading, hint } = point;
    const within = Math.min(limit, point.radius ?? Infinity);
    const hinted = checksum === undefined || checksum === this.#roads.checksum;
    const known = hinted && hint !== undefined ? decodeHint(hint, this.#roads) : undefined;
    const isGood =
      known &&
      this.#roads.columns.segmentFlags[known.segment]! & STARTABLE &&
      (!heading || allowsHeading(known.segment, known.piece, heading, this.#roads));
    const found = isGood
      ? { any: known, big: known }
      : this.#snapper.candidates(...toMicroDegrees(point), heading, within);
    if (!found || !heading) return found;
    return { any: { ...found.any, heading }, big: found.big && { ...found.big, heading } };
  }

  /** The answer about a snapped point. */
  snapped(place: RoadPoint): SnappedPoint {
    return {
      lat: place.lat / 1e6,
      lon: place.lon / 1e6,
      name: this.#roads.name(place.segment),
      distance: place.distance,
      hint: encodeHint(place, this.#roads),
    };
  }

  /** The nearest roads, at most `count`. `within`: maximum metres. */
  nearest(point: Coordinate, count = 1, heading?: Heading, within?: number): SnappedPoint[] {
    return this.#snapper
      .nearest(...toMicroDegrees(point), count, { heading, within })
      .map((place) => this.snapped(place));
  }
}

/** Micro-degrees of a point; refuses coordinates that are out of range. */
export function toMicroDegrees({ lat, lon }: Coordinate): [lat: number, lon: number] {
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) throw new Refusal('routing.offTheGlobe', { lat, lon });
  return [micro(lat), micro(lon)];
}

/** Truncates towards zero; the small addition keeps 1.000899 from becoming 1.000898. */
export function micro(degrees: number): number {
  return Math.trunc(degrees * 1e6 + Math.sign(degrees) * 1e-4);
}
