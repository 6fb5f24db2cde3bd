import { SIGNAL } from '../territory/roads/index.ts';
import type { Roads } from '../territory/roads/index.ts';
import { CLOSED } from './metric.ts';
import type { Costs } from './metric.ts';
import type { Place } from './snap.ts';

/** A vehicle at a place, in one direction. */
export interface Passage {
  readonly arc: number;
  /** Shape positions along the arc from its beginning, with the fraction inside a piece. */
  readonly at: number;
  /** Cost from the beginning of the arc to here, arriving; a signal that stands just here is not in it. */
  readonly cost: number;
}

/** The junction at which the place is, exactly; -1 when it is between junctions. */
export function junctionOf(roads: Roads, place: Place): number {
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
    if (node < 0) return this.#inside(place, 0);
    const found: Passage[] = [];
    for (const arc of this.#arcsAt(node)) {
      if (this.#costs.arc[arc] !== CLOSED) found.push({ arc, at: this.#pieces(arc), cost: this.#costs.arc[arc]! });
    }
    return found;
  }

  /** Setting out: free in direction, and past a signal that stands at the place. */
  leaving(place: Place): Passage[] {
    const node = junctionOf(this.#roads, place);
    if (node < 0) return this.#inside(place, this.#signalHere(place));
    const found: Passage[] = [];
    for (const arc of this.#arcsAt(node)) {
      if (this.#roads.isOpen(arc ^ 1)) found.push({ arc: arc ^ 1, at: 0, cost: 0 });
    }
    return found;
  }

  /** Whether a trip that stands at `from` comes to `to` by just driving on. */
  static ahead(from: Passage, to: Passage): boolean {
    return from.arc === to.arc && from.at <= to.at;
  }

  #inside(place: Place, more: number): Passage[] {
    const found: Passage[] = [];
    const { segmentFirst } = this.#roads.columns;
    const offset = place.piece - segmentFirst[place.segment]!;
    for (const arc of [place.segment * 2, place.segment * 2 + 1]) {
      if (!this.#roads.isOpen(arc)) continue;
      const pieces = this.#pieces(arc);
      const at = arc & 1 ? pieces - offset - place.ratio : offset + place.ratio;
      found.push({ arc, at, cost: Math.min(CLOSED, this.costUpTo(arc, at) + more) });
    }
    return found;
  }

  /** Cost from the beginning of an arc to a position on it. */
  costUpTo(arc: number, at: number): number {
    const whole = Math.floor(at);
    let cost = 0;
    for (let k = 0; k < whole; k++) {
      cost += this.#piece(arc, k);
      if (k > 0 && this.#isSignal(arc, k)) cost += this.#roads.facts.signal;
    }
    if (at > whole) {
      cost += Math.round(this.#piece(arc, whole) * (at - whole));
      if (whole > 0 && this.#isSignal(arc, whole)) cost += this.#roads.facts.signal;
    }
    return Math.min(CLOSED, cost);
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
