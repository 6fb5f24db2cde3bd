import type { Roads } from '../../territory/roads/reading.ts';
import { closuresOn, type AffectedPieces } from './affected-pieces.ts';
import { pieceCostUnder } from './closures.ts';
import type { TripLeg, Trip } from '../search/find-trip.ts';
import { CLOSED_COST } from '../metric/costs.ts';
import type { Costs } from '../metric/costs.ts';

/**
 * Finds the closures that a route names (README rule 12). It does not say which of several on the trip
 * without closures would have sufficed: that takes a customization without each.
 */
export class ClosuresOnRoute {
  readonly #roads: Roads;
  readonly #baseline: Costs;
  readonly #affected: AffectedPieces;

  constructor(affected: AffectedPieces, roads: Roads, baseline: Costs) {
    this.#affected = affected;
    this.#roads = roads;
    this.#baseline = baseline;
  }

  get isEmpty(): boolean {
    return this.#affected.pieces.length === 0;
  }

  /** `driven` is the trip under the closures, `baseline` the fastest one without. Ids, ascending. */
  of(driven: Trip, baseline: Trip | undefined): number[] {
    if (this.isEmpty) return [];
    const ids = new Set<number>();
    for (const { legs } of baseline ? [driven, baseline] : [driven]) {
      for (const leg of legs)
        for (const piece of piecesOnLeg(leg, this.#roads)) for (const id of this.#slowing(piece)) ids.add(id);
    }
    return [...ids].sort((a, b) => a - b);
  }

  /** Closures that make a piece slower. A slowing closure on a closed piece has no effect. */
  #slowing({ position, isBackward }: DrivenPiece): readonly number[] {
    const on = [...closuresOn(position, this.#affected)];
    // True for most of the thousands of pieces of a trip.
    if (on.length === 0) return NONE;
    const baseline = (isBackward ? this.#baseline.backward : this.#baseline.forward)[position]!;
    const costs = on.map(({ id, factor }) => ({ id, cost: pieceCostUnder(factor, baseline) }));
    const isClosed = costs.some(({ cost }) => cost === CLOSED_COST);
    return costs.filter(({ cost }) => (isClosed ? cost === CLOSED_COST : cost > baseline)).map(({ id }) => id);
  }
}

const NONE: readonly number[] = [];

interface DrivenPiece {
  /** Shape position. */
  readonly position: number;
  readonly isBackward: boolean;
}

/** The pieces that a leg drives, wholly or partly. */
function* piecesOnLeg({ from, to, arcs }: TripLeg, roads: Roads): Generator<DrivenPiece> {
  const { segmentFirst } = roads.columns;
  for (let i = 0; i < arcs.length; i++) {
    const arc = arcs[i]!;
    const first = segmentFirst[arc >> 1]!;
    const pieces = segmentFirst[(arc >> 1) + 1]! - first - 1;
    const start = i === 0 ? from.at : 0;
    const end = i === arcs.length - 1 ? to.at : pieces;
    const isBackward = (arc & 1) === 1;
    for (let k = Math.floor(start); k < end; k++)
      yield { position: isBackward ? first + pieces - 1 - k : first + k, isBackward };
  }
}
