import { CLOSURE_REACH } from '../../../../shared/roads/closure-reach.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import type { Affected } from './affected-pieces.ts';
import { copyThrottled } from '../metric/throttle.ts';
import type { Closure } from '../types.ts';
import { CLOSED_COST, sumArcCosts } from '../metric/costs.ts';
import type { Costs } from '../metric/costs.ts';
import { boxAround, crossing, endsOf, toMicroPosition, type MicroPosition } from './piece-geometry.ts';
import { microLength, piecesUnderLine } from './pieces-under-line.ts';
import { TOUCH_TOLERANCE } from '../snapping/snapper.ts';
import type { Snapper } from '../snapping/snapper.ts';

/**
 * Least share of the speed on a slowed road (README rule 11): more would be as good as closed, and costs
 * would overflow.
 */
const SLOWEST = 0.001;

/** Pieces of road that closures lie on. */
export function affectedPieces(closures: readonly Closure[], roads: Roads, snapper: Snapper): Affected[] {
  return closures.flatMap(({ id, geometry, factor }) =>
    piecesUnderGeometry(geometry, roads, snapper).map((piece) => ({ piece, id, factor })),
  );
}

/** Pieces or segments between two calls of `throttle`. */
const THROTTLE_INTERVAL = 1024;

/**
 * Costs under closures; on a piece under several, the slowest counts. Writes over `into` and calls `throttle`
 * regularly.
 */
export function closureCosts(
  affected: readonly Affected[],
  roads: Roads,
  freeFlow: Costs,
  into?: Costs,
  throttle?: () => void,
): Costs {
  const forward = copied(freeFlow.forward, into?.forward, throttle);
  const backward = copied(freeFlow.backward, into?.backward, throttle);
  const arc = copied(freeFlow.arc, into?.arc, throttle);
  const segments = new Set<number>();
  for (const [i, { piece, factor }] of affected.entries()) {
    if (i % THROTTLE_INTERVAL === 0) throttle?.();
    segments.add(roads.segmentOf(piece));
    for (const [costs, baseline] of [
      [forward, freeFlow.forward],
      [backward, freeFlow.backward],
    ] as const) {
      if (baseline[piece] === 0) continue;
      costs[piece] = Math.max(costs[piece]!, pieceCostUnder(factor, baseline[piece]!));
    }
  }
  let done = 0;
  for (const segment of segments) {
    if (done++ % THROTTLE_INTERVAL === 0) throttle?.();
    sumArcCosts(roads, segment, forward, backward, arc);
  }
  return { forward, backward, arc };
}

/** Cost of a piece under one closure: at most a thousand times its baseline unless closed. */
export function pieceCostUnder(factor: number, baseline: number): number {
  return factor <= 0 ? CLOSED_COST : Math.min(CLOSED_COST, Math.round(baseline / Math.max(SLOWEST, factor)));
}

/** Shape positions of the pieces that a geometry closes (README rule 10). */
export function piecesUnderGeometry(geometry: Closure['geometry'], roads: Roads, snapper: Snapper): number[] {
  switch (geometry.type) {
    case 'Point':
      return piecesAt(toMicroPosition(geometry.coordinates), snapper);
    case 'LineString': {
      const line = geometry.coordinates.map(toMicroPosition);
      return microLength(line) < MIN_LINE ? piecesAt(line[0]!, snapper) : piecesUnderLine(line, roads, snapper);
    }
    case 'Polygon': {
      const rings = geometry.coordinates.map((ring) => ring.map(toMicroPosition));
      const touches = areaOf(rings);
      return snapper.piecesWithin(...boxAround(rings.flat(), 0)).filter((piece) => touches(...endsOf(piece, roads)));
    }
  }
}

/** Metres: a shorter line has no direction and counts as a point. */
const MIN_LINE = 1;

function piecesAt([lon, lat]: MicroPosition, snapper: Snapper): number[] {
  const [place] = snapper.nearest(lat, lon);
  if (!place || place.distance > CLOSURE_REACH.Point) return [];
  return [...new Set(snapper.around(lat, lon, place.distance + TOUCH_TOLERANCE).map(({ piece }) => piece))];
}

/**
 * Returns a test for whether a straight line touches an area. Even-odd rule over all rings: a hole is
 * outside. Sides are indexed by bands of latitude.
 */
function areaOf(rings: readonly (readonly MicroPosition[])[]): (from: MicroPosition, to: MicroPosition) => boolean {
  const sides = rings.flatMap((ring) => ring.map((spot, i) => [spot, ring[(i || ring.length) - 1]!] as const));
  const lats = sides.map(([[, lat]]) => lat);
  const south = Math.min(...lats);
  const height = (Math.max(...lats) - south) / sides.length + 1;
  const band = (lat: number): number => Math.floor((lat - south) / height);
  const gathered = Array.from({ length: sides.length + 1 }, (): number[] => []);
  for (const [[lonA, latA], [lonB, latB]] of sides) {
    for (let i = band(Math.min(latA, latB)); i <= band(Math.max(latA, latB)); i++)
      gathered[i]!.push(lonA, latA, lonB, latB);
  }
  const bands = gathered.map((numbers) => Float64Array.from(numbers));
  const isInside = ([lon, lat]: MicroPosition): boolean => {
    const near = bands[band(lat)];
    if (!near) return false;
    let odd = false;
    for (let i = 0; i < near.length; i += 4) {
      const latA = near[i + 1]!;
      const latB = near[i + 3]!;
      if (latA > lat !== latB > lat && lon < ((near[i + 2]! - near[i]!) * (lat - latA)) / (latB - latA) + near[i]!)
        odd = !odd;
    }
    return odd;
  };
  const isCrossed = (from: MicroPosition, to: MicroPosition, near: Float64Array): boolean => {
    const [west, east] = from[0] < to[0] ? [from[0], to[0]] : [to[0], from[0]];
    for (let i = 0; i < near.length; i += 4) {
      const lonA = near[i]!;
      const lonB = near[i + 2]!;
      if ((lonA < west && lonB < west) || (lonA > east && lonB > east)) continue;
      if (crossing(from, to, [lonA, near[i + 1]!], [lonB, near[i + 3]!])) return true;
    }
    return false;
  };
  return (from, to) => {
    if (isInside(from) || isInside(to)) return true;
    const last = Math.min(bands.length - 1, band(Math.max(from[1], to[1])));
    for (let i = Math.max(0, band(Math.min(from[1], to[1]))); i <= last; i++)
      if (isCrossed(from, to, bands[i]!)) return true;
    return false;
  };
}

function copied(values: Int32Array, into: Int32Array | undefined, throttle: (() => void) | undefined): Int32Array {
  const copy = into ?? new Int32Array(new SharedArrayBuffer(values.byteLength));
  copyThrottled(copy, values, throttle);
  return copy;
}
