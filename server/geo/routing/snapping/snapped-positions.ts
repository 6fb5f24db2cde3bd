import { SIGNAL } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import { CLOSED_COST } from '../metric/costs.ts';
import { courseAt, matchesHeading } from './heading.ts';
import type { Costs } from '../metric/costs.ts';
import type { RoadPoint } from './snapper.ts';

/** A road point in one direction of travel. */
export interface SnappedPosition {
  readonly arc: number;
  /** Shape positions along the arc from its beginning, with the fraction inside a piece. */
  readonly at: number;
  /**
   * Cost from the beginning of the arc to here, for a trip that arrives over open road; `CLOSED` where
   * closures forbid it. Excludes a signal at this very point.
   */
  readonly cost: number;
  /** Cost of the signal at this very point, for a trip that passes it; 0 for one that starts here. */
  readonly delay: number;
  /** Whether the point is on closed road, so that a trip may start or end here over closed road. */
  readonly isClosed: boolean;
}

/**
 * Phase of a trip between two of its points (README rule 9). Phases come in this order; any may be missing.
 */
export type Phase = typeof LEAVING | typeof OPEN | typeof ENTERING;
/** On the closed roads on which the trip started. */
export const LEAVING = 0;
export const OPEN = 1;
/** On closed roads after open ones: the trip can only end there. */
export const ENTERING = 2;

/** The junction exactly at the point; -1 between junctions. */
function junctionOf(roads: Roads, place: RoadPoint): number {
  const { segmentFirst, shape } = roads.columns;
  if (place.ratio === 0 && place.piece === segmentFirst[place.segment]!) return shape[place.piece]!;
  if (place.ratio === 1 && place.piece === segmentFirst[place.segment + 1]! - 2) return shape[place.piece + 1]!;
  return -1;
}

/**
 * Whether two segments are the two directions of one piece of road, each cheapest on another way. Both nodes
 * are junctions, since such pieces are never joined with others.
 */
function areReverseSegments(roads: Roads, one: number, other: number): boolean {
  if (roads.pieces(one) !== 1 || roads.pieces(other) !== 1) return false;
  return roads.tail(one * 2) === roads.head(other * 2) && roads.head(one * 2) === roads.tail(other * 2);
}

/** Whether two road points are the same point of the network. */
export function isSamePoint(roads: Roads, a: RoadPoint, b: RoadPoint): boolean {
  const junction = junctionOf(roads, a);
  if (junction >= 0) return junction === junctionOf(roads, b);
  if (a.segment === b.segment) return a.piece + a.ratio === b.piece + b.ratio;
  return (
    a.lat === b.lat && a.lon === b.lon && junctionOf(roads, b) < 0 && areReverseSegments(roads, a.segment, b.segment)
  );
}

/**
 * Resolves road points to directed positions, and computes costs along arcs from and to them. A point at a
 * junction has one position per arriving road, so that a trip may pass it in any direction.
 */
export class SnappedPositions {
  readonly #roads: Roads;
  readonly #costs: Costs;
  readonly #baseline: Costs;
  #closed:
    | { readonly drivenCosts: Int32Array; readonly isWhollyClosed: Uint8Array; readonly isOpenAt: Uint8Array }
    | undefined;
  /** Arcs that end at a node, closed ones included. */
  readonly arcsAt: (node: number) => Uint32Array;

  /** `baseline` are the costs without closures; closed pieces that a trip may drive over cost that. */
  constructor(roads: Roads, costs: Costs, arcsAt: (node: number) => Uint32Array, baseline = costs) {
    this.#roads = roads;
    this.#costs = costs;
    this.#baseline = baseline;
    this.arcsAt = arcsAt;
  }

  /** Costs of whole arcs, closed pieces at baseline cost. */
  get drivenCosts(): Int32Array {
    return this.#closedArcs.drivenCosts;
  }

  /** Whether any road at a node is open. */
  isOpenAt(node: number): boolean {
    return this.#closedArcs.isOpenAt[node] === 1;
  }

  /** Per-arc and per-node facts for searches over closed roads; computed on first use. */
  get #closedArcs(): { drivenCosts: Int32Array; isWhollyClosed: Uint8Array; isOpenAt: Uint8Array } {
    if (this.#closed) return this.#closed;
    const drivenCosts = this.#costs.arc.slice();
    const isWhollyClosed = new Uint8Array(drivenCosts.length);
    const isOpenAt = new Uint8Array(this.#roads.nodes);
    for (let arc = 0; arc < drivenCosts.length; arc++) {
      if (this.#isOpenPiece(this.#shapePosition(arc, this.#pieces(arc) - 1))) isOpenAt[this.#roads.head(arc)] = 1;
      if (!this.isClosedArc(arc)) continue;
      drivenCosts[arc] = this.costBetween(arc, 0, this.#pieces(arc));
      if (this.phaseAt(arc, 0, this.#pieces(arc), ENTERING) === ENTERING) isWhollyClosed[arc] = 1;
    }
    return (this.#closed = { drivenCosts, isWhollyClosed, isOpenAt });
  }

  /** Whether closures close an arc that is open at baseline costs. */
  isClosedArc(arc: number): boolean {
    return this.#costs.arc[arc]! >= CLOSED_COST && this.#baseline.arc[arc]! < CLOSED_COST;
  }

  /**
   * Whether a trip continues over closed road from here, or may: from a closed arc, or over the end of an
   * open one.
   */
  continuesOnClosed({ arc, at, isClosed }: SnappedPosition): boolean {
    return this.isClosedArc(arc) || (isClosed && at > 0);
  }

  /**
   * Whether a node is on closed road: closed roads lead to two sides, or no road is open. At the edge of a
   * closure one closed road ends among open ones.
   */
  isClosedAt(node: number): boolean {
    if (this.#costs === this.#baseline) return false;
    let isAnyOpen = false;
    // By node: the two directions of a road may be separate segments.
    const closed = new Set<number>();
    for (const arc of this.arcsAt(node)) {
      const last = this.#shapePosition(arc, this.#pieces(arc) - 1);
      if (this.#isOpenPiece(last)) isAnyOpen = true;
      else closed.add(this.#roads.columns.shape[last + (arc & 1)]!);
    }
    return closed.size > 1 || !isAnyOpen;
  }

  /**
   * The phase at `to` of a trip that entered the arc stretch at `from` in `phase`; undefined where closures
   * forbid it.
   */
  phaseAt(arc: number, from: number, to: number, phase: Phase): Phase | undefined {
    if (this.#costs === this.#baseline) return OPEN;
    if (from === 0 && this.#closed?.isWhollyClosed[arc] === 1 && to > 0) return phase === OPEN ? ENTERING : phase;
    let now = phase;
    for (let k = Math.floor(from); k < to; k++) {
      if (this.#piece(arc, k) >= CLOSED_COST) {
        if (now === OPEN) now = ENTERING;
      } else if (now === ENTERING) return undefined;
      else now = OPEN;
    }
    return now;
  }

  arrivals(place: RoadPoint): SnappedPosition[] {
    const node = junctionOf(this.#roads, place);
    if (node < 0) return this.#positionsInside(place, this.#signalDelay(place));
    const isClosed = this.isClosedAt(node);
    const found: SnappedPosition[] = [];
    for (const arc of this.arcsAt(node)) {
      if (this.#baseline.arc[arc] !== CLOSED_COST) found.push(this.#positionOn(arc, this.#pieces(arc), 0, isClosed));
      // With a heading, a trip may arrive at the beginning of a road, or leave from its end.
      if (place.heading && this.#roads.isOpen(arc ^ 1)) found.push(this.#positionOn(arc ^ 1, 0, 0, isClosed));
    }
    return this.#matchingHeading(found, place);
  }

  /** Positions at which a trip starts: any direction, and no delay of a signal at the point. */
  departures(place: RoadPoint): SnappedPosition[] {
    const node = junctionOf(this.#roads, place);
    if (node < 0) return this.#positionsInside(place, 0);
    const isClosed = this.isClosedAt(node);
    const found: SnappedPosition[] = [];
    for (const arc of this.arcsAt(node)) {
      if (this.#roads.isOpen(arc ^ 1)) found.push(this.#positionOn(arc ^ 1, 0, 0, isClosed));
      if (place.heading && this.#roads.isOpen(arc)) found.push(this.#positionOn(arc, this.#pieces(arc), 0, isClosed));
    }
    return this.#matchingHeading(found, place);
  }

  /** Positions at which a trip starts; its arrivals where no road leads away, from which it can only stay. */
  starts(place: RoadPoint): SnappedPosition[] {
    const leaving = this.departures(place);
    return leaving.length > 0 ? leaving : this.arrivals(place);
  }

  /**
   * Cost of driving on to a position ahead on the same arc; `CLOSED` when it is not ahead, or closures forbid
   * it.
   */
  directCost(from: SnappedPosition, to: SnappedPosition): number {
    if (from.arc !== to.arc || from.at > to.at) return CLOSED_COST;
    return this.#mayEnd(this.phaseAt(from.arc, from.at, to.at, startPhase(from)), to)
      ? Math.min(CLOSED_COST, from.delay + this.costBetween(from.arc, from.at, to.at))
      : CLOSED_COST;
  }

  /** Whether a trip may end at a position in this phase. */
  #mayEnd(phase: Phase | undefined, { isClosed }: SnappedPosition): boolean {
    return phase !== undefined && (phase !== ENTERING || isClosed);
  }

  /**
   * Arrival cost of a trip that reaches the beginning of the arc at `label`, over closed roads only; `CLOSED`
   * where it may not end so.
   */
  arrivalOverClosed(label: number, to: SnappedPosition): number {
    return label < CLOSED_COST && this.#mayEnd(this.phaseAt(to.arc, 0, to.at, LEAVING), to)
      ? Math.min(CLOSED_COST, label + this.costBetween(to.arc, 0, to.at))
      : CLOSED_COST;
  }

  /** Metres from the beginning of an arc to a position on it. */
  metres(arc: number, at: number): number {
    if (at === 0) return 0;
    const pieces = this.#pieces(arc);
    return arc & 1 ? this.#roads.metres(arc >> 1, pieces - at, pieces) : this.#roads.metres(arc >> 1, 0, at);
  }

  /**
   * Cost from one position on an arc to one ahead, closed pieces at baseline cost. `phaseAt` decides whether
   * it is allowed.
   */
  costBetween(arc: number, from: number, to: number): number {
    let cost = 0;
    for (let k = Math.floor(from); k < to; k++) cost = this.costAfterPiece(arc, k, from, to, cost);
    return cost;
  }

  /**
   * Cost after the `k`th piece (counted along the arc) of the stretch `from` to `to`, given the cost before
   * it.
   */
  costAfterPiece(arc: number, k: number, from: number, to: number, cost: number): number {
    const entered = k > from && this.#isSignal(arc, k) ? cost + this.#roads.facts.signal : cost;
    const piece = this.#drivenPiece(arc, k);
    if (k >= from && k + 1 <= to) return Math.min(CLOSED_COST, entered + piece);
    return Math.min(
      CLOSED_COST,
      entered + Math.round(piece * Math.min(1, to - k)) - Math.round(piece * Math.max(0, from - k)),
    );
  }

  /** The furthest position on an arc that `budget` reaches, or where closures stop the trip. */
  reachableUpTo(arc: number, from: number, budget: number, phase: Phase): number {
    const pieces = this.#pieces(arc);
    let left = budget;
    let now: Phase | undefined = phase;
    for (let k = Math.floor(from), enters = from - k; k < pieces; k++, enters = 0) {
      now = this.phaseAt(arc, k + enters, k + 1, now);
      if (now === undefined) return k + enters;
      if (k > from && this.#isSignal(arc, k)) left -= this.#roads.facts.signal;
      const cost = this.#drivenPiece(arc, k);
      if (left <= cost * (1 - enters)) return k + enters + Math.max(0, left) / cost;
      left -= cost * (1 - enters);
    }
    return pieces;
  }

  /** Cost from a position to the end of its arc, closed pieces at baseline cost. */
  costToEnd({ arc, at, delay }: SnappedPosition): number {
    return Math.min(CLOSED_COST, delay + this.costBetween(arc, at, this.#pieces(arc)));
  }

  #positionsInside(place: RoadPoint, delay: number): SnappedPosition[] {
    const found: SnappedPosition[] = [];
    const { segmentFirst } = this.#roads.columns;
    const isClosed = this.#isClosedInside(place);
    const offset = place.piece - segmentFirst[place.segment]!;
    for (const arc of [place.segment * 2, place.segment * 2 + 1]) {
      if (!this.#roads.isOpen(arc)) continue;
      const pieces = this.#pieces(arc);
      const at = arc & 1 ? pieces - offset - place.ratio : offset + place.ratio;
      found.push(this.#positionOn(arc, at, delay, isClosed));
    }
    const reverse = this.#reverseArc(place.segment);
    if (reverse >= 0) found.push(this.#positionOn(reverse, 1 - place.ratio, delay, isClosed));
    return this.#matchingHeading(found, place);
  }

  /** The opposite arc of a one-way segment whose other direction is cheapest on another way, or -1. */
  #reverseArc(segment: number): number {
    if (this.#roads.pieces(segment) !== 1 || this.#roads.isOpen(segment * 2 + 1)) return -1;
    for (const arc of this.arcsAt(this.#roads.tail(segment * 2))) {
      if (this.#roads.isOpen(arc) && areReverseSegments(this.#roads, segment, arc >> 1)) return arc;
    }
    return -1;
  }

  #positionOn(arc: number, at: number, delay: number, isClosed: boolean): SnappedPosition {
    const arcCost = this.#costs.arc[arc]!;
    if (at === 0) return { arc, at, cost: 0, delay, isClosed };
    if (arcCost < CLOSED_COST)
      return { arc, at, cost: at === this.#pieces(arc) ? arcCost : this.costBetween(arc, 0, at), delay, isClosed };
    const phase = this.phaseAt(arc, 0, at, OPEN);
    return {
      arc,
      at,
      cost: phase === undefined || (phase === ENTERING && !isClosed) ? CLOSED_COST : this.costBetween(arc, 0, at),
      delay,
      isClosed,
    };
  }

  /** Whether the pieces at a point between junctions are closed. */
  #isClosedInside({ segment, piece, ratio }: RoadPoint): boolean {
    if (this.#costs === this.#baseline) return false;
    const { segmentFirst } = this.#roads.columns;
    if (this.#isOpenPiece(piece)) return false;
    const reverse = this.#reverseArc(segment);
    if (reverse >= 0 && this.#isOpenPiece(this.#shapePosition(reverse, 0))) return false;
    if (ratio === 0 && piece > segmentFirst[segment]! && this.#isOpenPiece(piece - 1)) return false;
    return !(ratio === 1 && piece < segmentFirst[segment + 1]! - 2 && this.#isOpenPiece(piece + 1));
  }

  /** Whether a piece is open in any direction. */
  #isOpenPiece(position: number): boolean {
    const forward = this.#costs.forward[position]!;
    const backward = this.#costs.backward[position]!;
    return (forward > 0 && forward < CLOSED_COST) || (backward > 0 && backward < CLOSED_COST);
  }

  #matchingHeading(positions: SnappedPosition[], { heading }: RoadPoint): SnappedPosition[] {
    return heading
      ? positions.filter(({ arc, at }) => matchesHeading(courseAt(arc, at, this.#roads), heading))
      : positions;
  }

  #pieces(arc: number): number {
    const { segmentFirst } = this.#roads.columns;
    return segmentFirst[(arc >> 1) + 1]! - segmentFirst[arc >> 1]! - 1;
  }

  /** Shape position of the `k`th piece along the arc. */
  #shapePosition(arc: number, k: number): number {
    const { segmentFirst } = this.#roads.columns;
    return arc & 1 ? segmentFirst[(arc >> 1) + 1]! - 2 - k : segmentFirst[arc >> 1]! + k;
  }

  #piece(arc: number, k: number): number {
    return (arc & 1 ? this.#costs.backward : this.#costs.forward)[this.#shapePosition(arc, k)]!;
  }

  #drivenPiece(arc: number, k: number): number {
    const cost = this.#piece(arc, k);
    return cost < CLOSED_COST
      ? cost
      : (arc & 1 ? this.#baseline.backward : this.#baseline.forward)[this.#shapePosition(arc, k)]!;
  }

  #isSignal(arc: number, k: number): boolean {
    const { segmentFirst, shape, nodeFlags } = this.#roads.columns;
    const node = arc & 1 ? shape[segmentFirst[(arc >> 1) + 1]! - 1 - k]! : shape[segmentFirst[arc >> 1]! + k]!;
    return (nodeFlags[node]! & SIGNAL) !== 0;
  }

  #signalDelay(place: RoadPoint): number {
    const { shape, nodeFlags } = this.#roads.columns;
    const node = place.ratio === 0 ? shape[place.piece]! : place.ratio === 1 ? shape[place.piece + 1]! : -1;
    return node >= 0 && nodeFlags[node]! & SIGNAL ? this.#roads.facts.signal : 0;
  }
}

/** The phase in which a trip starts. */
export function startPhase({ isClosed }: SnappedPosition): Phase {
  return isClosed ? LEAVING : OPEN;
}
