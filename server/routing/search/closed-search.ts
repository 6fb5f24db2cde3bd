import type { Roads } from '../../territory/roads/index.ts';
import { Heap } from '../graph/heap.ts';
import { CLOSED } from '../metric/costs.ts';
import { ENTERING, LEAVING, OPEN, startPhase } from '../snapping/snapped-positions.ts';
import type { SnappedPosition, SnappedPositions, Phase } from '../snapping/snapped-positions.ts';
import type { ArcLabel } from './path-finder.ts';

/** A way of standing at a point, and what the trip has cost up to there. */
export interface FrontierLabel {
  readonly position: SnappedPosition;
  readonly total: number;
}

/** Arcs between two yields: some milliseconds. */
const SLICE = 16_384;
const NONE = -1;

/**
 * The closed roads around the ends of trips, searched plainly (Dijkstra 1959): the hierarchy knows no way
 * over them. From a point on closed road it finds all ways out to open road, and to such a point all ways in;
 * between these the hierarchy searches as ever. Its arrays are as long as the roads and are used again; they
 * are made when the first trip asks for them, so that they cost nothing where no trip ends on a closed road.
 * Every search yields now and then; until it has come to its end, and until what it found is of no more use,
 * no other one of its kind may begin.
 */
export class ClosedSearch {
  readonly #roads: Roads;
  #out: SearchLabels | undefined;
  #in: SearchLabels | undefined;
  /** Arcs looked at by all searches together: many short ones are to yield as often as a long one. */
  #settled = 0;

  constructor(roads: Roads) {
    this.#roads = roads;
  }

  /**
   * The ways out from those of the frontier that go on over closed road, as far as they cost no more than
   * `limit`; undefined where none does.
   */
  *exits(
    frontier: readonly FrontierLabel[],
    positions: SnappedPositions,
    limit = CLOSED - 1,
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

  /** The ways in to any of the positions of one place; undefined where it is not shut. */
  *entries(to: readonly SnappedPosition[], positions: SnappedPositions): Generator<undefined, EntrySearch | undefined> {
    if (!to.some(({ isClosed }) => isClosed)) return undefined;
    const into = new EntrySearch(to, this.#roads, positions, (this.#in ??= new SearchLabels(this.#roads.arcs)));
    while (into.advance()) if (this.#isTimeToYield()) yield;
    return into;
  }

  /**
   * Costs, up to `limit`, at the beginnings of the closed arcs that are driven to from `starts`, closed arcs
   * that have theirs already.
   */
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

/** Where a trip comes to open road: the arc that it drives next, with the cost at its beginning. */
export interface Exit extends ArcLabel, ExitOrigin {
  /** From the beginning of the arc on which the trip stands to that of this one. */
  readonly metres: number;
}

/**
 * An arc, driven to its end by a trip that has been on open road since it set out, and is on closed road
 * again.
 */
export interface ReentryArc extends ExitOrigin {
  readonly arc: number;
  /** At the end of the arc; and how far it is there from the beginning of that of the origin. */
  readonly cost: number;
  readonly metres: number;
}

interface ExitOrigin {
  readonly origin: number;
  /** The closed arc driven last, after that of the origin; -1: none. */
  readonly after: number;
}

/**
 * All ways from some frontier, over the closed roads that lie around them, to open road; all of them as soon
 * as `goOn` is false.
 */
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

  /** Looks over the next arc; false when there is none. */
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
    if (label < (this.#exits.get(arc)?.label ?? CLOSED)) this.#exits.set(arc, { arc, label, metres, origin, after });
  }

  get exits(): Exit[] {
    return [...this.#exits.values()];
  }

  /**
   * Cost at the beginning of an arc that is driven to over closed roads only; `CLOSED` where there is no such
   * way.
   */
  cost(arc: number): number {
    return this.#labels.label[arc]!;
  }

  /** Of that way, as of an exit. */
  metres(arc: number): number {
    return this.#labels.metres[arc]!;
  }

  /** All closed arcs that are driven to so. */
  allLabels(): ArcLabel[] {
    return this.#labels.allLabels();
  }

  /** How it is got to the beginning of such an arc. */
  originOf(arc: number): ExitOrigin {
    return { origin: this.#labels.root[arc]!, after: this.#labels.predecessor[arc]! };
  }

  /**
   * The arcs up to an exit, or to an arc that is driven to so, without it; that of the origin is the first,
   * unless it is itself the one.
   */
  arcs({ origin, after }: ExitOrigin): number[] {
    const arcs = this.#labels.chain(after).reverse();
    const { position } = this.#frontier[origin]!;
    // A trip that stands at the beginning of an arc drives all of it, as one of the chain or as the exit.
    if (position.at > 0) arcs.unshift(position.arc);
    return arcs;
  }
}

/** Where a trip leaves open road: an arc, with what it costs from its beginning to the end of the trip. */
export interface Entry extends ArcLabel, EntryTarget {
  readonly metres: number;
}

interface EntryTarget {
  readonly arrival: number;
  /** The closed arc driven next; -1: the trip ends on this one. */
  readonly next: number;
}

/**
 * All ways from open road to a place, over the closed roads that lie around it; all of them as soon as `goOn`
 * is false.
 */
export class EntrySearch {
  readonly #roads: Roads;
  readonly #positions: SnappedPositions;
  readonly #labels: SearchLabels;
  readonly #entries = new Map<number, Entry>();

  constructor(to: readonly SnappedPosition[], roads: Roads, positions: SnappedPositions, labels: SearchLabels) {
    this.#roads = roads;
    this.#positions = positions;
    this.#labels = labels;
    labels.clear();
    to.forEach(({ arc, at, cost }, arrival) => {
      const metres = positions.metres(arc, at);
      if (positions.phaseAt(arc, 0, at, ENTERING) !== undefined)
        labels.relax(arc, positions.costBetween(arc, 0, at), metres, NONE, arrival);
      else if (cost < CLOSED) this.#addEntry(arc, cost, metres, arrival, NONE);
    });
  }

  /** Looks over the next arc; false when there is none. */
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
        if (cost >= CLOSED) continue;
        if (positions.phaseAt(before, 0, pieces, ENTERING) !== undefined)
          labels.relax(before, cost, metres + this.#roads.arcMetres[before]!, arc, arrival);
        else if (positions.phaseAt(before, 0, pieces, OPEN) === ENTERING)
          this.#addEntry(before, cost, metres + this.#roads.arcMetres[before]!, arrival, arc);
      }
    }
    return true;
  }

  #addEntry(arc: number, label: number, metres: number, arrival: number, next: number): void {
    if (label < (this.#entries.get(arc)?.label ?? CLOSED))
      this.#entries.set(arc, { arc, label, metres, arrival, next });
  }

  get entries(): Entry[] {
    return [...this.#entries.values()];
  }

  /**
   * Tells the closed arcs onto which a trip goes on to the place from an arc that it has driven to its end,
   * with what it costs and measures from that end.
   */
  visitReentry({ arc }: ReentryArc, visit: (next: number, cost: number, metres: number) => void): void {
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
      const next = turnHead[turn]!;
      const label = this.#labels.label[next]!;
      if (label < CLOSED) visit(next, turnCost[turn]! + label, this.#labels.metres[next]!);
    }
  }

  targetOf(arc: number): EntryTarget {
    return { arrival: this.#labels.root[arc]!, next: this.#labels.predecessor[arc]! };
  }

  /** The arcs after an entry. */
  arcs({ next }: EntryTarget): number[] {
    return this.#labels.chain(next);
  }
}

/** Labels of one search by arc. */
class SearchLabels {
  readonly label: Int32Array;
  readonly metres: Float64Array;
  /** The arc from which the label came; -1: none. */
  readonly predecessor: Int32Array;
  /** Number of the end that it came from first. */
  readonly root: Int32Array;
  readonly #heap = new Heap();
  #touched: number[] = [];

  constructor(arcs: number) {
    this.label = new Int32Array(arcs).fill(CLOSED);
    this.metres = new Float64Array(arcs);
    this.predecessor = new Int32Array(arcs);
    this.root = new Int32Array(arcs);
  }

  clear(): void {
    for (const arc of this.#touched) this.label[arc] = CLOSED;
    this.#touched = [];
    this.#heap.clear();
  }

  relax(arc: number, label: number, metres: number, before: number, root: number): void {
    if (label >= this.label[arc]!) return;
    if (this.label[arc] === CLOSED) this.#touched.push(arc);
    this.label[arc] = label;
    this.metres[arc] = metres;
    this.predecessor[arc] = before;
    this.root[arc] = root;
    this.#heap.push(label, arc);
  }

  /** The arc with the next label in order; -1 when there are no more. */
  settle(): number {
    while (this.#heap.size > 0) {
      const label = this.#heap.leastKey;
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
