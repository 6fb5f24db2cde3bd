import { SIGNAL } from '../../../../server/geo/territory/roads/index.ts';
import type { Roads } from '../../../../server/geo/territory/roads/index.ts';
import type { Trip } from '../../../../server/geo/routing/search/find-trip.ts';
import { Heap } from '../../../../server/geo/routing/graph/heap.ts';
import { CLOSED_COST } from '../../../../server/geo/routing/metric/costs.ts';
import type { Costs } from '../../../../server/geo/routing/metric/costs.ts';
import type { RoadPoint } from '../../../../server/geo/routing/snapping/snapper.ts';

/**
 * Where on its way from one point to the next a trip is: on closed roads since it set out, on open ones, on
 * closed ones again.
 */
const [OUT, OPEN, IN] = [0, 1, 2];

/** Before a straight piece of road, in one direction, on the way from point `leg` to the next one. */
interface State {
  leg: number;
  arc: number;
  /** How many pieces of the arc lie behind. */
  k: number;
  phase: number;
}

/**
 * The oracle of trips under closures: Dijkstra over single straight pieces of road, one after the other, with
 * the phase that the trip is in; slow, and written without anything of what the product searches with but its
 * queue (`heap.ts`). It knows no headings.
 */
export class PlainTrips {
  readonly #roads: Roads;
  readonly #costs: Costs;
  readonly #usual: Costs;
  /** The shape positions of the pieces that touch a node at which segments end. */
  readonly #piecesAt = new Map<number, number[]>();

  constructor(roads: Roads, costs: Costs, usual: Costs) {
    this.#roads = roads;
    this.#costs = costs;
    this.#usual = usual;
    const { segmentFirst, shape } = roads.columns;
    for (let segment = 0; segment < roads.segments; segment++) {
      const [first, last] = [segmentFirst[segment]!, segmentFirst[segment + 1]! - 1];
      for (const [node, piece] of [
        [shape[first]!, first],
        [shape[last]!, last - 1],
      ] as const)
        this.#piecesAt.set(node, [...(this.#piecesAt.get(node) ?? []), piece]);
    }
  }

  /** Tenths of a second; undefined where there is no way. `mayTurnAt`: at these points it may turn back. */
  cost(places: readonly RoadPoint[], mayTurnAt: (point: number) => boolean = () => false): number | undefined {
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    const heap = new Heap();
    const labels = new Map<number, number>();
    const states: State[] = [];
    // Also where no road leads away.
    if (places.every((place) => this.#areSame(place, places[0]!))) return 0;
    let best: number | undefined;
    const reach = (state: State, label: number): void => {
      const key = this.#key(state);
      if (label >= (labels.get(key) ?? Infinity)) return;
      labels.set(key, label);
      heap.push(label, states.push(state) - 1);
    };
    /** Goes on from a point, or sets out from it afresh. */
    const begin = (leg: number, arc: number, at: number, label: number, isFresh: boolean): void => {
      if (leg === places.length - 1) {
        best = Math.min(best ?? Infinity, label);
        return;
      }
      if (!isFresh && mayTurnAt(leg)) setOut(leg, label);
      if (this.#areSame(places[leg]!, places[leg + 1]!)) return begin(leg + 1, arc, at, label, isFresh);
      const phase = this.#isClosed(places[leg]!) ? OUT : OPEN;
      const k = Math.floor(at);
      const waits = !isFresh && k > 0 && at === k && k < this.#roads.pieces(arc >> 1) ? this.#signal(arc, k) : 0;
      drive({ leg, arc, k, phase: phase! }, at - k, label + waits);
    };
    /** From inside a piece, or its beginning, to its end, and to where the leg ends on it. */
    const drive = ({ leg, arc, k, phase }: State, from: number, label: number): void => {
      const pieces = this.#roads.pieces(arc >> 1);
      if (k === pieces) {
        for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++)
          reach({ leg, arc: turnHead[turn]!, k: 0, phase }, label + turnCost[turn]!);
        return;
      }
      const piece = this.#pieceOf(arc, k);
      const isClosed = (arc & 1 ? this.#costs.backward : this.#costs.forward)[piece]! >= CLOSED_COST;
      if (phase === IN && !isClosed) return;
      const then = isClosed ? (phase === OUT ? OUT : IN) : OPEN;
      const cost = (
        arc & 1 ? (isClosed ? this.#usual : this.#costs).backward : (isClosed ? this.#usual : this.#costs).forward
      )[piece]!;
      const to = places[leg + 1]!;
      const ends = this.#positions(to).find((position) => position.arc === arc);
      const mayEnd = then !== IN || this.#isClosed(to);
      if (ends && mayEnd && ends.at > k + from && ends.at <= k + 1)
        begin(leg + 1, arc, ends.at, label + Math.round(cost * (ends.at - k)) - Math.round(cost * from), false);
      const end = label + cost - Math.round(cost * from);
      reach({ leg, arc, k: k + 1, phase: then! }, k + 1 < pieces ? end + this.#signal(arc, k + 1) : end);
    };
    const setOut = (leg: number, label: number): void => {
      const node = this.#junction(places[leg]!);
      if (node < 0) for (const { arc, at } of this.#positions(places[leg]!)) begin(leg, arc, at, label, true);
      else
        for (let arc = 0; arc < this.#roads.arcs; arc++)
          if (this.#roads.tail(arc) === node && this.#roads.isOpen(arc)) begin(leg, arc, 0, label, true);
    };
    setOut(0, 0);
    while (heap.size > 0) {
      const label = heap.minKey;
      const state = states[heap.pop()]!;
      if (best !== undefined && label >= best) break;
      if (labels.get(this.#key(state)) === label) drive(state, 0, label);
    }
    return best;
  }

  /**
   * Drives a trip that was found, piece by piece: fails where a turn or a closure does not allow it. Returns
   * what it costs.
   */
  follow({ legs }: Trip, places: readonly RoadPoint[], mayTurnAt: (point: number) => boolean = () => false): number {
    let total = 0;
    /**
     * A trip that sets out, at its start or where it may turn, does not wait for the signal at which it
     * stands.
     */
    let isFresh = true;
    legs.forEach(({ from, to, arcs }, leg) => {
      let phase = this.#isClosed(places[leg]!) ? OUT : OPEN;
      if (leg > 0 && mayTurnAt(leg)) isFresh = true;
      if (arcs.length === 0) return;
      let cost =
        !isFresh && from.at === Math.floor(from.at) && from.at > 0 && from.at < this.#roads.pieces(from.arc >> 1)
          ? this.#signal(from.arc, from.at)
          : 0;
      arcs.forEach((arc, i) => {
        if (i > 0) cost += this.#roads.turnBetween(arcs[i - 1]!, arc);
        const start = i === 0 ? from.at : 0;
        const end = i === arcs.length - 1 ? to.at : this.#roads.pieces(arc >> 1);
        for (let k = Math.floor(start); k < end; k++) {
          const piece = this.#pieceOf(arc, k);
          const now = (arc & 1 ? this.#costs.backward : this.#costs.forward)[piece]!;
          const isClosed = now >= CLOSED_COST;
          if (phase === IN && !isClosed)
            throw new Error(`Leg ${leg} drives over a closed road to open road, at arc ${arc}.`);
          phase = isClosed ? (phase === OUT ? OUT : IN) : OPEN;
          const driven = isClosed ? (arc & 1 ? this.#usual.backward : this.#usual.forward)[piece]! : now;
          cost +=
            Math.round(driven * Math.min(1, end - k)) -
            Math.round(driven * Math.max(0, start - k)) +
            (k > start ? this.#signal(arc, k) : 0);
        }
      });
      if (phase === IN && !this.#isClosed(places[leg + 1]!))
        throw new Error(`Leg ${leg} drives over a closed road to a place on open road.`);
      total += cost;
      isFresh = false;
    });
    return total;
  }

  #key({ leg, arc, k, phase }: State): number {
    const { segmentFirst, shape } = this.#roads.columns;
    return ((leg * shape.length + segmentFirst[arc >> 1]! + k) * 2 + (arc & 1)) * 3 + phase;
  }

  /**
   * A place is on closed road when closed pieces lead from it to two other nodes, or none but closed ones
   * touch it.
   */
  #isClosed(place: RoadPoint): boolean {
    const { segmentFirst, shape } = this.#roads.columns;
    const node = this.#junction(place);
    const touching = node >= 0 ? [...this.#piecesAt.get(node)!] : [place.piece];
    if (node < 0 && place.ratio === 0 && place.piece > segmentFirst[place.segment]!) touching.push(place.piece - 1);
    if (node < 0 && place.ratio === 1) touching.push(place.piece + 1);
    if (node < 0) touching.push(...this.#back(place.piece));
    const closed = touching.filter((piece) =>
      [this.#costs.forward[piece]!, this.#costs.backward[piece]!].every((cost) => cost === 0 || cost >= CLOSED_COST),
    );
    if (closed.length === touching.length) return true;
    const here = node >= 0 ? node : shape[place.piece + place.ratio]!;
    return new Set(closed.map((piece) => (shape[piece] === here ? shape[piece + 1] : shape[piece]))).size >= 2;
  }

  /** The arcs on which one arrives at a place, and where on them it is. */
  #positions(place: RoadPoint): { arc: number; at: number }[] {
    const node = this.#junction(place);
    const { segmentFirst } = this.#roads.columns;
    const pieces = this.#roads.pieces(place.segment);
    const at = place.piece - segmentFirst[place.segment]! + place.ratio;
    const all =
      node >= 0
        ? this.#arrivals(node)
        : [
            { arc: place.segment * 2, at },
            { arc: place.segment * 2 + 1, at: pieces - at },
          ];
    if (node < 0)
      for (const piece of this.#back(place.piece))
        all.push({ arc: this.#roads.segmentOf(piece) * 2, at: 1 - place.ratio });
    return all.filter(({ arc }) => this.#roads.isOpen(arc));
  }

  /** The piece on another way that leads back between the same two nodes, where this one is a one-way. */
  #back(piece: number): number[] {
    const { shape, pieceBackward } = this.#roads.columns;
    if (pieceBackward[piece]! > 0) return [];
    const touching = this.#piecesAt.get(shape[piece]!) ?? [];
    return touching.filter((other) => shape[other] === shape[piece + 1] && shape[other + 1] === shape[piece]);
  }

  #arrivals(node: number): { arc: number; at: number }[] {
    const { segmentFirst } = this.#roads.columns;
    return [...new Set(this.#piecesAt.get(node)!.map((piece) => this.#roads.segmentOf(piece)))]
      .flatMap((segment) => [segment * 2, segment * 2 + 1])
      .filter((arc) => this.#roads.head(arc) === node)
      .map((arc) => ({ arc, at: segmentFirst[(arc >> 1) + 1]! - segmentFirst[arc >> 1]! - 1 }));
  }

  #junction({ segment, piece, ratio }: RoadPoint): number {
    const { segmentFirst, shape } = this.#roads.columns;
    if (piece === segmentFirst[segment]! && ratio === 0) return shape[piece]!;
    return piece + 2 === segmentFirst[segment + 1]! && ratio === 1 ? shape[piece + 1]! : -1;
  }

  #areSame(a: RoadPoint, b: RoadPoint): boolean {
    const node = this.#junction(a);
    if (node < 0 && this.#back(a.piece).includes(b.piece)) return a.lat === b.lat && a.lon === b.lon;
    return node >= 0 ? node === this.#junction(b) : a.segment === b.segment && a.piece + a.ratio === b.piece + b.ratio;
  }

  #pieceOf(arc: number, k: number): number {
    const { segmentFirst } = this.#roads.columns;
    return arc & 1 ? segmentFirst[(arc >> 1) + 1]! - 2 - k : segmentFirst[arc >> 1]! + k;
  }

  #signal(arc: number, k: number): number {
    const { segmentFirst, shape, nodeFlags } = this.#roads.columns;
    const node = arc & 1 ? shape[segmentFirst[(arc >> 1) + 1]! - 1 - k]! : shape[segmentFirst[arc >> 1]! + k]!;
    return nodeFlags[node]! & SIGNAL ? this.#roads.facts.signal : 0;
  }
}
