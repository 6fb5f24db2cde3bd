import type { Roads } from '../../territory/roads/index.ts';
import { Heap } from '../graph/heap.ts';
import { CLOSED } from '../metric/costs.ts';
import { ENTERING, LEAVING, OPEN, beginning } from '../snapping/snapped-positions.ts';
import type { Passage, Passages, Phase } from '../snapping/snapped-positions.ts';
import type { Source } from './path-finder.ts';

/** A way of standing at a point, and what the trip has cost up to there. */
export interface Standing {
  readonly passage: Passage;
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
  #out: Labels | undefined;
  #in: Labels | undefined;
  /** Arcs looked at by all searches together: many short ones are to yield as often as a long one. */
  #looked = 0;

  constructor(roads: Roads) {
    this.#roads = roads;
  }

  /**
   * The ways out from those of the standings that go on over closed road, as far as they cost no more than
   * `limit`; undefined where none does.
   */
  *leave(
    standings: readonly Standing[],
    passages: Passages,
    limit = CLOSED - 1,
  ): Generator<undefined, WayOut | undefined> {
    if (!standings.some(({ passage }) => passages.goesOnClosed(passage))) return undefined;
    const out = new WayOut(standings, this.#roads, passages, (this.#out ??= new Labels(this.#roads.arcs)), limit);
    while (out.goOn()) if (this.#isTimeToYield()) yield;
    return out;
  }

  /** The ways in to any of the passages of one place; undefined where it is not shut. */
  *enter(to: readonly Passage[], passages: Passages): Generator<undefined, WayIn | undefined> {
    if (!to.some(({ isShut }) => isShut)) return undefined;
    const into = new WayIn(to, this.#roads, passages, (this.#in ??= new Labels(this.#roads.arcs)));
    while (into.goOn()) if (this.#isTimeToYield()) yield;
    return into;
  }

  /**
   * Costs, up to `limit`, at the beginnings of the closed arcs that are driven to from `starts`, closed arcs
   * that have theirs already.
   */
  *spread(starts: readonly Source[], limit: number, passages: Passages): Generator<undefined, Source[]> {
    if (starts.length === 0) return [];
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    const labels = (this.#in ??= new Labels(this.#roads.arcs));
    labels.clear();
    for (const { arc, label } of starts) if (label <= limit) labels.reach(arc, label, 0, NONE, 0);
    for (let arc = labels.settle(); arc !== NONE; arc = labels.settle()) {
      if (this.#isTimeToYield()) yield;
      if (passages.phaseAt(arc, 0, this.#roads.pieces(arc >> 1), ENTERING) === undefined) continue;
      const end = labels.label[arc]! + passages.driven[arc]!;
      for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
        const label = end + turnCost[turn]!;
        if (label <= limit && passages.isBarred(turnHead[turn]!)) labels.reach(turnHead[turn]!, label, 0, arc, 0);
      }
    }
    return labels.all();
  }

  #isTimeToYield(): boolean {
    return ++this.#looked % SLICE === 0;
  }
}

/** Where a trip comes to open road: the arc that it drives next, with the cost at its beginning. */
export interface Exit extends Source, Left {
  /** From the beginning of the arc on which the trip stands to that of this one. */
  readonly metres: number;
}

/**
 * An arc, driven to its end by a trip that has been on open road since it set out, and is on closed road
 * again.
 */
export interface Entered extends Left {
  readonly arc: number;
  /** At the end of the arc; and how far it is there from the beginning of that of the standing. */
  readonly cost: number;
  readonly metres: number;
}

interface Left {
  readonly standing: number;
  /** The closed arc driven last, after that of the standing; -1: none. */
  readonly after: number;
}

/**
 * All ways from some standings, over the closed roads that lie around them, to open road; all of them as soon
 * as `goOn` is false.
 */
export class WayOut {
  readonly entered: Entered[] = [];
  readonly #standings: readonly Standing[];
  readonly #roads: Roads;
  readonly #passages: Passages;
  readonly #labels: Labels;
  readonly #limit: number;
  readonly #exits = new Map<number, Exit>();

  constructor(standings: readonly Standing[], roads: Roads, passages: Passages, labels: Labels, limit: number) {
    this.#standings = standings;
    this.#roads = roads;
    this.#passages = passages;
    this.#labels = labels;
    this.#limit = limit;
    labels.clear();
    standings.forEach(({ passage, total }, standing) => {
      if (!passages.goesOnClosed(passage)) return;
      const { arc, at, isShut } = passage;
      const pieces = roads.pieces(arc >> 1);
      if (at > 0)
        this.#leave(
          arc,
          passages.phaseAt(arc, at, pieces, beginning(passage)),
          total + passages.rest(passage),
          roads.arcMetres[arc]!,
          standing,
          NONE,
        );
      else if (isShut) labels.reach(arc, total, 0, NONE, standing);
      else this.#exit(arc, total, 0, standing, NONE);
    });
  }

  /** Looks over the next arc; false when there is none. */
  goOn(): boolean {
    const labels = this.#labels;
    const arc = labels.settle();
    if (arc === NONE) return false;
    const cost = labels.label[arc]! + this.#passages.driven[arc]!;
    this.#leave(
      arc,
      this.#passages.phaseAt(arc, 0, this.#roads.pieces(arc >> 1), LEAVING),
      cost,
      labels.metres[arc]! + this.#roads.arcMetres[arc]!,
      labels.root[arc]!,
      arc,
    );
    return true;
  }

  #leave(arc: number, phase: Phase | undefined, cost: number, metres: number, standing: number, after: number): void {
    if (phase === undefined || cost > this.#limit) return;
    if (phase === ENTERING) {
      this.entered.push({ arc, cost, metres, standing, after });
      return;
    }
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
      const next = turnHead[turn]!;
      const label = cost + turnCost[turn]!;
      if (label > this.#limit) continue;
      if (phase === LEAVING && this.#passages.isBarred(next)) this.#labels.reach(next, label, metres, after, standing);
      else this.#exit(next, label, metres, standing, after);
    }
  }

  #exit(arc: number, label: number, metres: number, standing: number, after: number): void {
    if (label < (this.#exits.get(arc)?.label ?? CLOSED)) this.#exits.set(arc, { arc, label, metres, standing, after });
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
  all(): Source[] {
    return this.#labels.all();
  }

  /** How it is got to the beginning of such an arc. */
  to(arc: number): Left {
    return { standing: this.#labels.root[arc]!, after: this.#labels.before[arc]! };
  }

  /**
   * The arcs up to an exit, or to an arc that is driven to so, without it; that of the standing is the first,
   * unless it is itself the one.
   */
  arcs({ standing, after }: Left): number[] {
    const arcs = this.#labels.chain(after).reverse();
    const { passage } = this.#standings[standing]!;
    // A trip that stands at the beginning of an arc drives all of it, as one of the chain or as the exit.
    if (passage.at > 0) arcs.unshift(passage.arc);
    return arcs;
  }
}

/** Where a trip leaves open road: an arc, with what it costs from its beginning to the end of the trip. */
export interface Entry extends Source, Right {
  readonly metres: number;
}

interface Right {
  readonly passage: number;
  /** The closed arc driven next; -1: the trip ends on this one. */
  readonly next: number;
}

/**
 * All ways from open road to a place, over the closed roads that lie around it; all of them as soon as `goOn`
 * is false.
 */
export class WayIn {
  readonly #roads: Roads;
  readonly #passages: Passages;
  readonly #labels: Labels;
  readonly #entries = new Map<number, Entry>();

  constructor(to: readonly Passage[], roads: Roads, passages: Passages, labels: Labels) {
    this.#roads = roads;
    this.#passages = passages;
    this.#labels = labels;
    labels.clear();
    to.forEach(({ arc, at, cost }, passage) => {
      const metres = passages.metres(arc, at);
      if (passages.phaseAt(arc, 0, at, ENTERING) !== undefined)
        labels.reach(arc, passages.stretch(arc, 0, at), metres, NONE, passage);
      else if (cost < CLOSED) this.#enter(arc, cost, metres, passage, NONE);
    });
  }

  /** Looks over the next arc; false when there is none. */
  goOn(): boolean {
    const labels = this.#labels;
    const passages = this.#passages;
    const arc = labels.settle();
    if (arc === NONE) return false;
    const label = labels.label[arc]!;
    const metres = labels.metres[arc]!;
    const passage = labels.root[arc]!;
    const tail = this.#roads.tail(arc);
    if (passages.isOpenAt(tail)) this.#enter(arc, label, metres, passage, labels.before[arc]!);
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    const arriving = passages.arcsAt(tail);
    for (let i = 0; i < arriving.length; i++) {
      const before = arriving[i]!;
      if (!passages.isBarred(before)) continue;
      for (let turn = turnFirst[before]!; turn < turnFirst[before + 1]!; turn++) {
        if (turnHead[turn] !== arc) continue;
        const cost = label + turnCost[turn]! + passages.driven[before]!;
        const pieces = this.#roads.pieces(before >> 1);
        if (cost >= CLOSED) continue;
        if (passages.phaseAt(before, 0, pieces, ENTERING) !== undefined)
          labels.reach(before, cost, metres + this.#roads.arcMetres[before]!, arc, passage);
        else if (passages.phaseAt(before, 0, pieces, OPEN) === ENTERING)
          this.#enter(before, cost, metres + this.#roads.arcMetres[before]!, passage, arc);
      }
    }
    return true;
  }

  #enter(arc: number, label: number, metres: number, passage: number, next: number): void {
    if (label < (this.#entries.get(arc)?.label ?? CLOSED))
      this.#entries.set(arc, { arc, label, metres, passage, next });
  }

  get entries(): Entry[] {
    return [...this.#entries.values()];
  }

  /**
   * Tells the closed arcs onto which a trip goes on to the place from an arc that it has driven to its end,
   * with what it costs and measures from that end.
   */
  after({ arc }: Entered, tell: (next: number, cost: number, metres: number) => void): void {
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
      const next = turnHead[turn]!;
      const label = this.#labels.label[next]!;
      if (label < CLOSED) tell(next, turnCost[turn]! + label, this.#labels.metres[next]!);
    }
  }

  from(arc: number): Right {
    return { passage: this.#labels.root[arc]!, next: this.#labels.before[arc]! };
  }

  /** The arcs after an entry. */
  arcs({ next }: Right): number[] {
    return this.#labels.chain(next);
  }
}

/** Labels of one search by arc. */
class Labels {
  readonly label: Int32Array;
  readonly metres: Float64Array;
  /** The arc from which the label came; -1: none. */
  readonly before: Int32Array;
  /** Number of the end that it came from first. */
  readonly root: Int32Array;
  readonly #heap = new Heap();
  #touched: number[] = [];

  constructor(arcs: number) {
    this.label = new Int32Array(arcs).fill(CLOSED);
    this.metres = new Float64Array(arcs);
    this.before = new Int32Array(arcs);
    this.root = new Int32Array(arcs);
  }

  clear(): void {
    for (const arc of this.#touched) this.label[arc] = CLOSED;
    this.#touched = [];
    this.#heap.clear();
  }

  reach(arc: number, label: number, metres: number, before: number, root: number): void {
    if (label >= this.label[arc]!) return;
    if (this.label[arc] === CLOSED) this.#touched.push(arc);
    this.label[arc] = label;
    this.metres[arc] = metres;
    this.before[arc] = before;
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
    for (let at = arc; at !== NONE; at = this.before[at]!) arcs.push(at);
    return arcs;
  }

  all(): Source[] {
    return this.#touched.map((arc) => ({ arc, label: this.label[arc]! }));
  }
}
