import { SIGNAL } from '../territory/roads/index.ts';
import type { Roads } from '../territory/roads/index.ts';
import { CLOSED } from './metric.ts';
import { courseAt, isWithin } from './heading.ts';
import type { Costs } from './metric.ts';
import type { Place } from './snap.ts';

/** A vehicle at a place, in one direction. */
export interface Passage {
  readonly arc: number;
  /** Shape positions along the arc from its beginning, with the fraction inside a piece. */
  readonly at: number;
  /** Cost from the beginning of the arc to here, arriving; a signal that stands just here is not in it. */
  readonly cost: number;
  /** Cost of the signal that stands just here, for a trip that passes on; none for one that sets out. */
  readonly delay: number;
}

/** The junction at which the place is, exactly; -1 when it is between junctions. */
function junctionOf(roads: Roads, place: Place): number {
  const { segmentFirst, shape } = roads.columns;
  if (place.ratio === 0 && place.piece === segmentFirst[place.segment]!) return shape[place.piece]!;
  if (place.ratio === 1 && place.piece === segmentFirst[place.segment + 1]! - 2) return shape[place.piece + 1]!;
  return -1;
}

/** Whether two places are one and the same spot of the network. */
export function samePlace(roads: Roads, a: Place, b: Place): boolean {
  const junction = junctionOf(roads, a);
  if (junction >= 0) return junction === junctionOf(roads, b);
  return a.segment === b.segment && a.piece + a.ratio === b.piece + b.ratio;
}

/** All ways of standing at a place. At a junction these are the arrivals over every road, so that a trip may pass it in any direction. */
export class Passages {
  readonly #roads: Roads;
  readonly #costs: Costs;
  readonly #arcsAt: (node: number) => Iterable<number>;

  /** `arcsAt` gives the arcs that end at a node, closed ones too. */
  constructor(roads: Roads, costs: Costs, arcsAt: (node: number) => Iterable<number>) {
    this.#roads = roads;
    this.#costs = costs;
    this.#arcsAt = arcsAt;
  }

  arriving(place: Place): Passage[] {
    const node = junctionOf(this.#roads, place);
    if (node < 0) return this.#inside(place, this.#signalHere(place));
    const found: Passage[] = [];
    for (const arc of this.#arcsAt(node)) {
      if (this.#costs.arc[arc] !== CLOSED) found.push({ arc, at: this.#pieces(arc), cost: this.#costs.arc[arc]!, delay: 0 });
      // In a direction in which roads only begin here, one arrives where such a road is entered; likewise one leaves from where one ends.
      if (place.heading && this.#roads.isOpen(arc ^ 1)) found.push({ arc: arc ^ 1, at: 0, cost: 0, delay: 0 });
    }
    return this.#inDirection(found, place);
  }

  /** Setting out: free in direction, and not held up by a signal that stands at the place. */
  leaving(place: Place): Passage[] {
    const node = junctionOf(this.#roads, place);
    if (node < 0) return this.#inside(place, 0);
    const found: Passage[] = [];
    for (const arc of this.#arcsAt(node)) {
      if (this.#roads.isOpen(arc ^ 1)) found.push({ arc: arc ^ 1, at: 0, cost: 0, delay: 0 });
      if (place.heading && this.#roads.isOpen(arc)) found.push({ arc, at: this.#pieces(arc), cost: this.#costs.arc[arc]!, delay: 0 });
    }
    return this.#inDirection(found, place);
  }

  /** Cost of just driving on to a place ahead on the same arc; `CLOSED` when it is not ahead. */
  direct(from: Passage, to: Passage): number {
    if (from.arc !== to.arc || from.at > to.at) return CLOSED;
    return Math.min(CLOSED, from.delay + this.stretch(from.arc, from.at, to.at));
  }

  /**
   * Cost of driving from one position on an arc to another one ahead. A closure forbids to pass: the pieces at which a trip starts or ends
   * count as they are when free, so that a vehicle can leave a closed road and get to a scene on it.
   */
  stretch(arc: number, from: number, to: number): number {
    let cost = 0;
    for (let k = Math.floor(from); k < to; k++) cost = this.after(arc, k, from, to, cost);
    return cost;
  }

  /** On the stretch between two positions: the cost at the end of its `k`th piece, counted along the arc, or at `to` inside it, where it was `cost` at the beginning of the piece or at `from` inside it. */
  after(arc: number, k: number, from: number, to: number, cost: number): number {
    const entered = k > from && this.#isSignal(arc, k) ? cost + this.#roads.facts.signal : cost;
    const piece = this.#piece(arc, k);
    if (k >= from && k + 1 <= to) return Math.min(CLOSED, entered + piece);
    const part = piece >= CLOSED ? this.#freePiece(arc, k) : piece;
    return Math.min(CLOSED, entered + Math.round(part * Math.min(1, to - k)) - Math.round(part * Math.max(0, from - k)));
  }

  /** The position on an arc that is reached at `budget`, driving on from another one; a closed piece is entered or left, but not passed. */
  reach(arc: number, from: number, budget: number): number {
    const pieces = this.#pieces(arc);
    let left = budget;
    for (let k = Math.floor(from), enters = from - k; k < pieces; k++, enters = 0) {
      if (k > from && this.#isSignal(arc, k)) left -= this.#roads.facts.signal;
      const piece = this.#piece(arc, k);
      const cost = piece < CLOSED ? piece : this.#freePiece(arc, k);
      if (left <= cost * (1 - enters)) return k + enters + Math.max(0, left) / cost;
      if (piece >= CLOSED && enters === 0) return k + 1;
      left -= cost * (1 - enters);
    }
    return pieces;
  }

  /** Cost from where a passage stands to the end of its arc, driving on. */
  rest({ arc, at, delay }: Passage): number {
    return Math.min(CLOSED, delay + this.stretch(arc, at, this.#pieces(arc)));
  }

  #inside(place: Place, delay: number): Passage[] {
    const found: Passage[] = [];
    const { segmentFirst } = this.#roads.columns;
    const offset = place.piece - segmentFirst[place.segment]!;
    for (const arc of [place.segment * 2, place.segment * 2 + 1]) {
      if (!this.#roads.isOpen(arc)) continue;
      const pieces = this.#pieces(arc);
      const at = arc & 1 ? pieces - offset - place.ratio : offset + place.ratio;
      found.push({ arc, at, cost: this.stretch(arc, 0, at), delay });
    }
    return this.#inDirection(found, place);
  }

  #inDirection(passages: Passage[], { heading }: Place): Passage[] {
    return heading ? passages.filter(({ arc, at }) => isWithin(courseAt(arc, at, this.#roads), heading)) : passages;
  }

  #pieces(arc: number): number {
    const { segmentFirst } = this.#roads.columns;
    return segmentFirst[(arc >> 1) + 1]! - segmentFirst[arc >> 1]! - 1;
  }

  /** Cost of the `k`th piece in the direction of the arc. */
  #piece(arc: number, k: number): number {
    const { segmentFirst } = this.#roads.columns;
    return arc & 1 ? this.#costs.backward[segmentFirst[(arc >> 1) + 1]! - 2 - k]! : this.#costs.forward[segmentFirst[arc >> 1]! + k]!;
  }

  #freePiece(arc: number, k: number): number {
    const { segmentFirst, pieceForward, pieceBackward } = this.#roads.columns;
    return arc & 1 ? pieceBackward[segmentFirst[(arc >> 1) + 1]! - 2 - k]! : pieceForward[segmentFirst[arc >> 1]! + k]!;
  }

  #isSignal(arc: number, k: number): boolean {
    const { segmentFirst, shape, nodeFlags } = this.#roads.columns;
    const node = arc & 1 ? shape[segmentFirst[(arc >> 1) + 1]! - 1 - k]! : shape[segmentFirst[arc >> 1]! + k]!;
    return (nodeFlags[node]! & SIGNAL) !== 0;
  }

  #signalHere(place: Place): number {
    const { shape, nodeFlags } = this.#roads.columns;
    const node = place.ratio === 0 ? shape[place.piece]! : place.ratio === 1 ? shape[place.piece + 1]! : -1;
    return node >= 0 && nodeFlags[node]! & SIGNAL ? this.#roads.facts.signal : 0;
  }
}
