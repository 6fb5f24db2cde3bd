import { ROUNDABOUT, lonDifference } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';

export type DrivingSide = 'left' | 'right';

/** A piece of roundabout: its place, and the driving side that its direction implies. */
interface Ring {
  readonly lat: number;
  readonly lon: number;
  readonly side: DrivingSide;
}

/** How many of the nearest pieces of roundabout decide. */
const DECIDING = 7;

/**
 * Tells on which side of the road one drives near a point, from the direction of the nearest roundabouts: the
 * roads keep no borders. Right where there is no roundabout.
 */
export class DrivingSides {
  readonly #roads: Roads;
  #rings: Ring[] | undefined;

  constructor(roads: Roads) {
    this.#roads = roads;
  }

  /** Micro-degrees. */
  at(lat: number, lon: number): DrivingSide {
    const shrink = Math.cos((lat / 1e6) * (Math.PI / 180));
    const nearest = (this.#rings ??= this.#all())
      .map((ring) => ({ ring, off: Math.hypot(ring.lat - lat, lonDifference(lon, ring.lon) * shrink) }))
      .sort((one, other) => one.off - other.off)
      .slice(0, DECIDING);
    const left = nearest.filter(({ ring }) => ring.side === 'left').length;
    return left * 2 > nearest.length ? 'left' : 'right';
  }

  #all(): Ring[] {
    const { segmentFlags, segmentFirst, shape, nodeLat, nodeLon } = this.#roads.columns;
    const rings: Ring[] = [];
    for (let segment = 0; segment < this.#roads.segments; segment++) {
      if ((segmentFlags[segment]! & ROUNDABOUT) === 0) continue;
      const first = segmentFirst[segment]!;
      const last = segmentFirst[segment + 1]! - 1;
      // Twice the area between the line and its chord, positive when it bends to the left.
      let area = 0;
      const [lat, lon] = [nodeLat[shape[first]!]!, nodeLon[shape[first]!]!];
      for (let i = first + 1; i < last; i++) {
        const [a, b] = [shape[i]!, shape[i + 1]!];
        area +=
          lonDifference(lon, nodeLon[a]!) * (nodeLat[b]! - lat) - lonDifference(lon, nodeLon[b]!) * (nodeLat[a]! - lat);
      }
      if (area === 0) continue; // a single straight piece
      const isForward = this.#roads.isOpen(segment * 2);
      rings.push({ lat, lon, side: area > 0 === isForward ? 'right' : 'left' });
    }
    return rings;
  }
}
