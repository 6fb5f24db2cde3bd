import { SIGNAL } from '../../territory/roads/index.ts';
import type { Roads } from '../../territory/roads/index.ts';

/** More than any way costs; a road that is closed. Twice it still fits in 32 bits. */
export const CLOSED = 0x3fffffff;

/** What driving costs now, in tenths of a second. */
export interface Costs {
  /** Of a whole arc, signals inside included, turns not; `CLOSED` where nobody drives. */
  readonly arc: Int32Array;
  /** Of the pieces, by shape position. */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
}

/** The costs as the importer found them. */
export function freeFlowCosts(roads: Roads): Costs {
  const { pieceForward, pieceBackward } = roads.columns;
  const arc = new Int32Array(new SharedArrayBuffer(roads.arcs * 4));
  for (let segment = 0; segment < roads.segments; segment++)
    sumArcCosts(roads, segment, pieceForward, pieceBackward, arc);
  return { arc, forward: pieceForward, backward: pieceBackward };
}

/** Sums the costs of the pieces of one segment up into its two arcs. */
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
  if (pieces[first] === 0) return CLOSED;
  let sum = 0;
  for (let i = first; i < last; i++) {
    sum += pieces[i]!;
    if (i > first && nodeFlags[shape[i]!]! & SIGNAL) sum += roads.facts.signal;
  }
  return Math.min(CLOSED, sum);
}
