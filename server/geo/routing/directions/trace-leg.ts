import { metresBetweenMicro } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import type { TripLeg } from '../search/find-trip.ts';
import type { SnappedPositions } from '../snapping/snapped-positions.ts';
import type { RoadPoint } from '../snapping/snapper.ts';

/** The end of one arc and the beginning of the next. */
export interface Crossing {
  readonly vertex: number;
  readonly from: number;
  readonly onto: number;
}

/** A leg with everything that happens on it. */
export interface TracedLeg {
  /** Micro-degrees of the vertices: at least two. */
  readonly lat: number[];
  readonly lon: number[];
  /** Metres and tenths of a second of the straight piece that begins at each vertex but the last. */
  readonly metres: number[];
  readonly tenths: number[];
  /** Tenths of a second from the start to each vertex, with the turn there. */
  readonly elapsed: number[];
  readonly crossings: Crossing[];
  /** The arcs that it begins and ends on. */
  readonly first: number;
  readonly last: number;
  /** Tenths of a second, all turns and signals included. */
  readonly time: number;
}

/** Traces one leg, which several searched legs may make up; `places` are their ends, one more than `legs`. */
export function traceLeg(
  legs: readonly TripLeg[],
  places: readonly RoadPoint[],
  roads: Roads,
  positions: SnappedPositions,
): TracedLeg {
  const { segmentFirst, shape, nodeLat, nodeLon } = roads.columns;
  const lat = [places[0]!.lat];
  const lon = [places[0]!.lon];
  const metres: number[] = [];
  const tenths: number[] = [];
  const elapsed = [0];
  const crossings: Crossing[] = [];
  let now = 0;
  let first = -1;
  let last = -1;
  const goTo = (toLat: number, toLon: number, cost: number): void => {
    metres.push(metresBetweenMicro(lon.at(-1)!, lat.at(-1)!, toLon, toLat));
    tenths.push(cost);
    lat.push(toLat);
    lon.push(toLon);
    now += cost;
    elapsed.push(now);
  };
  for (const [i, leg] of legs.entries()) {
    const to = places[i + 1]!;
    now += leg.from.delay;
    for (const [a, arc] of leg.arcs.entries()) {
      const isFinal = a === leg.arcs.length - 1;
      const at = a === 0 ? leg.from.at : 0;
      const pieces = roads.pieces(arc >> 1);
      const end = isFinal ? leg.to.at : pieces;
      // A leg may start at the end of an arc, and end at the beginning of one.
      if (at < end) {
        // Time that passes at the very start belongs to the first piece.
        if (lat.length > 1) elapsed[elapsed.length - 1] = now;
        if (last >= 0 && last !== arc) crossings.push({ vertex: lat.length - 1, from: last, onto: arc });
        if (first < 0) first = arc;
        last = arc;
        let cost = 0;
        for (let k = Math.floor(at); k < end; k++) {
          const after = positions.costAfterPiece(arc, k, at, end, cost);
          const position = segmentFirst[arc >> 1]! + (arc & 1 ? pieces - k - 1 : k + 1);
          const node = shape[position]!;
          if (isFinal && k + 1 >= end) goTo(to.lat, to.lon, after - cost);
          else goTo(nodeLat[node]!, nodeLon[node]!, after - cost);
          cost = after;
        }
      }
      if (!isFinal) now += roads.turnBetween(arc, leg.arcs[a + 1]!);
    }
  }
  if (lat.length === 1) goTo(lat[0]!, lon[0]!, 0);
  elapsed[elapsed.length - 1] = now;
  const standing = legs[0]!.from.arc;
  return {
    lat,
    lon,
    metres,
    tenths,
    elapsed,
    crossings,
    first: first < 0 ? standing : first,
    last: last < 0 ? standing : last,
    time: now,
  };
}
