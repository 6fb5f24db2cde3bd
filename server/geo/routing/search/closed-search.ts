import type { Roads } from '../../territory/roads/reading.ts';
import { Heap } from '../graph/heap.ts';
import { CLOSED_COST } from '../metric/costs.ts';
import { ENTERING, LEAVING, OPEN, startPhase } from '../snapping/snapped-positions.ts';
import type { SnappedPosition, SnappedPositions, Phase } from '../snapping/snapped-positions.ts';
import type { ArcLabel } from './path-finder.ts';

/** Label of the trip frontier: a position at a query point, and the cost up to there. */
export interface FrontierLabel {
  readonly position: SnappedPosition;
  readonly total: number;
}

/** Arcs between two yields: some milliseconds. */
const SLICE = 16_384;
const NONE = -1;

/**
 * Dijkstra (1959) over the closed roads around the ends of trips, which the hierarchy cannot use (README rule
 * 9). From a point on closed road it finds all exits to open road, and to such a point all entries; the
 * hierarchy searches between them. Arrays are as long as the roads, created on first use and reused: finish
 * one search, and the use of its result, before the next of its kind. Every search yields regularly.
 */
export class ClosedSearch {
  readonly #roads: Roads;
  #out: SearchLabels | undefined;
  #in: SearchLabels | undefined;
  /** Arcs settled by all searches together, so that many short ones yield as often as a long one. */
  #settled = 0;

  constructor(roads: Roads) {
    this.#roads = roads;
  }

  /**
   * Exits from the labels that continue over closed road, up to the cost `limit`; undefined where no label
   * does.
   */
  *exits(
    frontier: readonly FrontierLabel[],
    positions: SnappedPositions,
    limit = CLOSED_COST - 1,
  ): Generator<undefined, ExitSearch | undefined> {
    if (!frontier.some(({ position }) => positions.continuesOnClosed(position))) return undefined;
    const out = new ExitSearch(
      frontier,
      this.#roads,
      positions,
      (this.#out ??= new SearchLabels(this.#roads.arcs)),
      limit,
    );
    while (out.advance()) if (this.#isTimeToYield()) yield;
    return out;
  }

  /** Entries to the positions of one point; undefined where the point is on open road. */
  *entries(to: readonly SnappedPosition[], positions: SnappedPositions): Generator<undefined, EntrySearch | undefined> {
    if (!to.some(({ isClosed }) => isClosed)) return undefined;
    const into = new EntrySearch(to, this.#roads, positions, (this.#in ??= new SearchLabels(this.#roads.arcs)));
    while (into.advance()) if (this.#isTimeToYield()) yield;
    return into;
  }

  /** Labels, up to `limit`, of the closed arcs reachable from the closed arcs `starts`. */
  *spreadInward(
    starts: readonly ArcLabel[],
    limit: number,
    positions: SnappedPositions,
  ): Generator<undefined, ArcLabel[]> {
    if (starts.length === 0) return [];
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    const labels = (this.#in ??= new SearchLabels(this.#roads.arcs));
    labels.clear();
    for (const { arc, label } of starts) if (label <= limit) labels.relax(arc, label, 0, NONE, 0);
    for (let arc = labels.settle(); arc !== NONE; arc = labels.settle()) {
      if (this.#isTimeToYield()) yield;
      if (positions.phaseAt(arc, 0, this.#roads.pieces(arc >> 1), ENTERING) === undefined) continue;
      const end = labels.label[arc]! + positions.drivenCosts[arc]!;
      for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
        const label = end + turnCost[turn]!;
        if (label <= limit && positions.isClosedArc(turnHead[turn]!)) labels.relax(turnHead[turn]!, label, 0, arc, 0);
      }
    }
    return labels.allLabels();
  }

  #isTimeToYield(): boolean {
    return ++this.#settled % SLICE === 0;
  }
}

/** Where a trip reaches open road: its next arc, with the cost at its beginning. */
export interface Exit extends ArcLabel, ExitOrigin {
  /** Metres from the beginning of the arc of the origin to the beginning of this one. */
  readonly metres: number;
}

/** An arc at whose end a trip, after open road, is on closed road again. */
export interface ReentryArc extends ExitOrigin {
  readonly arc: number;
  /** Cost at the end of the arc, and metres from the beginning of the arc of the origin. */
  readonly cost: number;
  readonly metres: number;
}

interface ExitOrigin {
  readonly origin: number;
  /** The last closed arc after that of the origin, or -1. */
  readonly after: number;
}

/** All paths from a frontier over closed roads to open road; complete when `advance` returns false. */
export class ExitSearch {
  readonly reentries: ReentryArc[] = [];
  readonly #frontier: readonly FrontierLabel[];
  readonly #roads: Roads;
  readonly #positions: SnappedPositions;
  readonly #labels: SearchLabels;
  readonly #limit: number;
  readonly #exits = new Map<number, Exit>();

  constructor(
    frontier: readonly FrontierLabel[],
    roads: Roads,
    positions: SnappedPositions,
    labels: SearchLabels,
    limit: number,
  ) {
    this.#frontier = frontier;
    this.#roads = roads;
    this.#positions = positions;
    this.#labels = labels;
    this.#limit = limit;
    labels.clear();
    frontier.forEach(({ position, total }, origin) => {
      if (!positions.continuesOnClosed(position)) return;
      const { arc, at, isClosed } = position;
      const pieces = roads.pieces(arc >> 1);
      if (at > 0)
        this.#leaveArc(
          arc,
          positions.phaseAt(arc, at, pieces, startPhase(position)),
          total + positions.costToEnd(position),
          roads.arcMetres[arc]!,
          origin,
          NONE,
        );
      else if (isClosed) labels.relax(arc, total, 0, NONE, origin);
      else this.#addExit(arc, total, 0, origin, NONE);
    });
  }

  /** Settles the next arc; false when there are no more. */
  advance(): boolean {
    const labels = this.#labels;
    const arc = labels.settle();
    if (arc === NONE) return false;
    const cost = labels.label[arc]! + this.#positions.drivenCosts[arc]!;
    this.#leaveArc(
      arc,
      this.#positions.phaseAt(arc, 0, this.#roads.pieces(arc >> 1), LEAVING),
      cost,
      labels.metres[arc]! + this.#roads.arcMetres[arc]!,
      labels.root[arc]!,
      arc,
    );
    return true;
  }

  #leaveArc(arc: number, phase: Phase | undefined, cost: number, metres: number, origin: number, after: number): void {
    if (phase === undefined || cost > this.#limit) return;
    if (phase === ENTERING) {
      this.reentries.push({ arc, cost, metres, origin, after });
      return;
    }
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
      const next = turnHead[turn]!;
      const label = cost + turnCost[turn]!;
      if (label > this.#limit) continue;
      if (phase === LEAVING && this.#positions.isClosedArc(next))
        this.#labels.relax(next, label, metres, after, origin);
      else this.#addExit(next, label, metres, origin, after);
    }
  }

  #addExit(arc: number, label: number, metres: number, origin: number, after: number): void {
    if (label < (this.#exits.get(arc)?.label ?? CLOSED_COST))
      this.#exits.set(arc, { arc, label, metres, origin, after });
  }

  get exits(): Exit[] {
    return [...this.#exits.values()];
  }

  /** Cost at the beginning of an arc reached over closed roads only; `CLOSED` where there is no such path. */
  cost(arc: number): number {
    return this.#labels.label[arc]!;
  }

  /** Metres of that path, as of an exit. */
  metres(arc: number): number {
    return this.#labels.metres[arc]!;
  }

  /** All closed arcs reached. */
  allLabels(): ArcLabel[] {
    return this.#labels.allLabels();
  }

  /** The origin of the path to such an arc. */
  originOf(arc: number): ExitOrigin {
    return { origin: this.#labels.root[arc]!, after: this.#labels.predecessor[arc]! };
  }

  /**
   * Arcs up to, not including, an exit or reached arc. The arc of the origin comes first, unless it is the
   * exit itself.
   */
  arcs({ origin, after }: ExitOrigin): number[] {
    const arcs = this.#labels.chain(after).reverse();
    const { position } = this.#frontier[origin]!;
    // A trip that starts at the beginning of an arc drives all of it, in the chain or as the exit.
    if (position.at > 0) arcs.unshift(position.arc);
    return arcs;
  }
}

/** Where a trip leaves open road: an arc, with the cost from its beginning to the end of the trip. */
export interface OpenRoadEntry extends ArcLabel, EntryTarget {
  readonly metres: number;
}

interface EntryTarget {
  readonly arrival: number;
  /** The next closed arc; -1: the trip ends on this one. */
  readonly next: number;
}

/** All paths from open road to a point over closed roads; complete when `advance` returns false. */
export class EntrySearch {
  readonly #roads: Roads;
  readonly #positions: SnappedPositions;
  readonly #labels: SearchLabels;
  readonly #entries = new Map<number, OpenRoadEntry>();

  constructor(to: readonly SnappedPosition[], roads: Roads, positions: SnappedPositions, labels: SearchLabels) {
    this.#roads = roads;
    this.#positions = positions;
    this.#labels = labels;
    labels.clear();
    to.forEach(({ arc, at, cost }, arrival) => {
      const metres = positions.metres(arc, at);
      if (positions.phaseAt(arc, 0, at, ENTERING) !== undefined)
        labels.relax(arc, positions.costBetween(arc, 0, at), metres, NONE, arrival);
      else if (cost < CLOSED_COST) this.#addEntry(arc, cost, metres, arrival, NONE);
    });
  }

  /** Settles the next arc; false when there are no more. */
  advance(): boolean {
    const labels = this.#labels;
    const positions = this.#positions;
    const arc = labels.settle();
    if (arc === NONE) return false;
    const label = labels.label[arc]!;
    const metres = labels.metres[arc]!;
    const arrival = labels.root[arc]!;
    const tail = this.#roads.tail(arc);
    if (positions.isOpenAt(tail)) this.#addEntry(arc, label, metres, arrival, labels.predecessor[arc]!);
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    const arriving = positions.arcsAt(tail);
    for (let i = 0; i < arriving.length; i++) {
      const before = arriving[i]!;
      if (!positions.isClosedArc(before)) continue;
      for (let turn = turnFirst[before]!; turn < turnFirst[before + 1]!; turn++) {
        if (turnHead[turn] !== arc) continue;
        const cost = label + turnCost[turn]! + positions.drivenCosts[before]!;
        const pieces = this.#roads.pieces(before >> 1);
        if (cost >= CLOSED_COST) continue;
        if (positions.phaseAt(before, 0, pieces, ENTERING) !== undefined)
          labels.relax(before, cost, metres + this.#roads.arcMetres[before]!, arc, arrival);
        else if (positions.phaseAt(before, 0, pieces, OPEN) === ENTERING)
          this.#addEntry(before, cost, metres + this.#roads.arcMetres[before]!, arrival, arc);
      }
    }
    return true;
  }

  #addEntry(arc: number, label: number, metres: number, arrival: number, next: number): void {
    if (label < (this.#entries.get(arc)?.label ?? CLOSED_COST))
      this.#entries.set(arc, { arc, label, metres, arrival, next });
  }

  get entries(): OpenRoadEntry[] {
    return [...this.#entries.values()];
  }

  /**
   * Visits the closed arcs onto which a trip continues from a reentry to the point, with cost and metres from
   * the end of the reentry arc.
   */
  visitReentry({ arc }: ReentryArc, visit: (next: number, cost: number, metres: number) => void): void {
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
      const next = turnHead[turn]!;
      const label = this.#labels.label[next]!;
      if (label < CLOSED_COST) visit(next, turnCost[turn]! + label, this.#labels.metres[next]!);
    }
  }

  targetOf(arc: number): EntryTarget {
    return { arrival: this.#labels.root[arc]!, next: this.#labels.predecessor[arc]! };
  }

  /** Arcs after an entry. */
  arcs({ next }: EntryTarget): number[] {
    return this.#labels.chain(next);
  }
}

/** Labels of one search, by arc. */
class SearchLabels {
  readonly label: Int32Array;
  readonly metres: Float64Array;
  /** Predecessor arc, or -1. */
  readonly predecessor: Int32Array;
  /** Index of the end that the path starts from. */
  readonly root: Int32Array;
  readonly #heap = new Heap();
  #touched: number[] = [];

  constructor(arcs: number) {
    this.label = new Int32Array(arcs).fill(CLOSED_COST);
    this.metres = new Float64Array(arcs);
    this.predecessor = new Int32Array(arcs);
    this.root = new Int32Array(arcs);
  }

  clear(): void {
    for (const arc of this.#touched) this.label[arc] = CLOSED_COST;
    this.#touched = [];
    this.#heap.clear();
  }

  relax(arc: number, label: number, metres: number, before: number, root: number): void {
    if (label >= this.label[arc]!) return;
    if (this.label[arc] === CLOSED_COST) this.#touched.push(arc);
    this.label[arc] = label;
    this.metres[arc] = metres;
    this.predecessor[arc] = before;
    this.root[arc] = root;
    this.#heap.push(label, arc);
  }

  /** Settles the next arc; -1 when there are no more. */
  settle(): number {
    while (this.#heap.size > 0) {
      const label = this.#heap.minKey;
      const arc = this.#heap.pop();
      if (label === this.label[arc]) return arc;
    }
    return NONE;
  }

  chain(arc: number): number[] {
    const arcs: number[] = [];
    for (let at = arc; at !== NONE; at = this.predecessor[at]!) arcs.push(at);
    return arcs;
  }

  allLabels(): ArcLabel[] {
    return this.#touched.map((arc) => ({ arc, label: this.label[arc]! }));
  }
}
