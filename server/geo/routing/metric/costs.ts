import { SIGNAL } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';

/** Cost of a closed road: more than any path costs, and twice it fits in 32 bits. */
export const CLOSED_COST = 0x3fffffff;

/** Costs of driving, in tenths of a second. */
export interface Costs {
  /** Of whole arcs with their inner signals, without turns; `CLOSED` where closed. */
  readonly arc: Int32Array;
  /** Of pieces, by shape position. */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
}

/** Free-flow costs, as the importer computed them from the profile. */
export function freeFlowCosts(roads: Roads): Costs {
  const { pieceForward, pieceBackward } = roads.columns;
  const arc = new Int32Array(new SharedArrayBuffer(roads.arcs * 4));
  for (let segment = 0; segment < roads.segments; segment++)
    sumArcCosts(roads, segment, pieceForward, pieceBackward, arc);
  return { arc, forward: pieceForward, backward: pieceBackward };
}

/** Sums the piece costs of a segment into its two arcs. */
export function sumArcCosts(
  roads: Roads,
  segment: number,
  forward: Int32Array,
  backward: Int32Array,
  arc: Int32Array,
): void {
  arc[segment * 2] = sumPieces(roads, segment, forward);
  arc[segment * 2 + 1] = sumPieces(roads, segment, backward);
}

function sumPieces(roads: Roads, segment: number, pieces: Int32Array): number {
  const { segmentFirst, shape, nodeFlags } = roads.columns;
  const first = segmentFirst[segment]!;
  const last = segmentFirst[segment + 1]! - 1;
  if (pieces[first] === 0) return CLOSED_COST;
  let sum = 0;
  for (let i = first; i < last; i++) {
    sum += pieces[i]!;
    if (i > first && nodeFlags[shape[i]!]! & SIGNAL) sum += roads.facts.signal;
  }
  return Math.min(CLOSED_COST, sum);
}
