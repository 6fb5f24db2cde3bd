import type { Roads } from '../territory/roads/index.ts';
import { Heap } from './heap.ts';
import { CLOSED } from './metric.ts';
import { ENTERING, LEAVING, OPEN, beginning } from './passages.ts';
import type { Passage, Passages, Phase } from './passages.ts';
import type { Source } from './path-finder.ts';

/** A way of standing at a point, and what the trip has cost up to there. */
export interface Standing {
  readonly passage: Passage;
  readonly total: number;
}

/** Arcs between two breaths: about a millisecond. */
const SLICE = 4096;
const NONE = -1;

/**
 * The closed roads around the ends of trips, searched plainly (Dijkstra 1959): the hierarchy knows no way over them. From a point on closed road it finds
 * all ways out to open road, and to such a point all ways in; between these the hierarchy searches as ever. Its arrays are as long as the roads and are used
 * again; they are made when the first trip asks for them, so that they cost nothing where no trip ends on a closed road.
 */
export class ClosedSearch {
  readonly #roads: Roads;
  #out: Labels | undefined;
  #in: Labels | undefined;

  constructor(roads: Roads) {
    this.#roads = roads;
  }

  /** The ways out from those of the standings that go on over closed road. They are good until others are asked for. */
  leave(standings: readonly Standing[], passages: Passages): WayOut {
    return new WayOut(standings, this.#roads, passages, (this.#out ??= new Labels(this.#roads.arcs)));
  }

  /** The ways in to any of the passages of one place, which is shut. They are good until others are asked for. */
  enter(to: readonly Passage[], passages: Passages): WayIn {
    return new WayIn(to, this.#roads, passages, (this.#in ??= new Labels(this.#roads.arcs)));
  }

  /** Costs, up to `limit`, at the beginnings of the closed arcs that are driven to from `starts`, closed arcs that have theirs already. Yields now and then. */
  *spread(starts: readonly Source[], limit: number, passages: Passages): Generator<undefined, Source[]> {
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    const labels = (this.#in ??= new Labels(this.#roads.arcs));
    labels.clear();
    for (const { arc, label } of starts) if (label <= limit) labels.reach(arc, label, 0, NONE, 0);
    for (let count = 1, arc = labels.settle(); arc !== NONE; count++, arc = labels.settle()) {
      if (count % SLICE === 0) yield;
      if (passages.phaseAt(arc, 0, this.#roads.pieces(arc >> 1), ENTERING) === undefined) continue;
      const end = labels.label[arc]! + passages.driven[arc]!;
      for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
        const label = end + turnCost[turn]!;
        if (label <= limit && passages.isBarred(turnHead[turn]!)) labels.reach(turnHead[turn]!, label, 0, arc, 0);
      }
    }
    return labels.all();
  }
}

/** Where a trip comes to open road: the arc that it drives next, with the cost at its beginning. */
export interface Exit extends Source, Left {
  /** From the beginning of the arc on which the trip stands to that of this one. */
  readonly metres: number;
}

/** An arc, driven to its end by a trip that has been on open road since it set out, and is on closed road again. */
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

/** All ways from some standings, over the closed roads that lie around them, to open road. */
export class WayOut {
  readonly exits: readonly Exit[];
  readonly entered: readonly Entered[];
  readonly #standings: readonly Standing[];
  readonly #labels: Labels;

  constructor(standings: readonly Standing[], roads: Roads, passages: Passages, labels: Labels) {
    this.#standings = standings;
    this.#labels = labels;
    labels.clear();
    const { turnFirst, turnHead, turnCost } = roads.columns;
    const exits = new Map<number, Exit>();
    const entered: Entered[] = [];
    const exit = (found: Exit): void => {
      if (found.label < (exits.get(found.arc)?.label ?? CLOSED)) exits.set(found.arc, found);
    };
    const leave = (arc: number, phase: Phase | undefined, cost: number, metres: number, left: Left): void => {
      if (phase === undefined || cost >= CLOSED) return;
      if (phase === ENTERING) {
        entered.push({ arc, cost, metres, ...left });
        return;
      }
      for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
        const next = turnHead[turn]!;
        const label = cost + turnCost[turn]!;
        if (phase === LEAVING && passages.isBarred(next)) labels.reach(next, label, metres, left.after, left.standing);
        else exit({ arc: next, label, metres, ...left });
      }
    };
    standings.forEach(({ passage, total }, standing) => {
      if (!passages.goesOnClosed(passage)) return;
      const { arc, at, isShut } = passage;
      const pieces = roads.pieces(arc >> 1);
      if (at > 0) leave(arc, passages.phaseAt(arc, at, pieces, beginning(passage)), total + passages.rest(passage), roads.arcMetres[arc]!, { standing, after: NONE });
      else if (isShut) labels.reach(arc, total, 0, NONE, standing);
      else exit({ arc, label: total, metres: 0, standing, after: NONE });
    });
    for (let arc = labels.settle(); arc !== NONE; arc = labels.settle()) {
      const cost = labels.label[arc]! + passages.driven[arc]!;
      leave(arc, passages.phaseAt(arc, 0, roads.pieces(arc >> 1), LEAVING), cost, labels.metres[arc]! + roads.arcMetres[arc]!, { standing: labels.root[arc]!, after: arc });
    }
    this.exits = [...exits.values()];
    this.entered = entered;
  }

  /** Cost at the beginning of an arc that is driven to over closed roads only; `CLOSED` where there is no such way. */
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

  /** The arcs up to an exit, or to an arc that is driven to so, without it; that of the standing is the first, unless it is itself the one. */
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

/** All ways from open road to a place, over the closed roads that lie around it. */
export class WayIn {
  readonly entries: readonly Entry[];
  readonly #labels: Labels;

  constructor(to: readonly Passage[], roads: Roads, passages: Passages, labels: Labels) {
    this.#labels = labels;
    labels.clear();
    const { turnFirst, turnHead, turnCost } = roads.columns;
    const entries = new Map<number, Entry>();
    const enter = (found: Entry): void => {
      if (found.label < (entries.get(found.arc)?.label ?? CLOSED)) entries.set(found.arc, found);
    };
    to.forEach(({ arc, at, cost }, passage) => {
      const metres = passages.metres(arc, at);
      if (passages.phaseAt(arc, 0, at, ENTERING) !== undefined) labels.reach(arc, passages.stretch(arc, 0, at), metres, NONE, passage);
      else if (cost < CLOSED) enter({ arc, label: cost, metres, passage, next: NONE });
    });
    for (let arc = labels.settle(); arc !== NONE; arc = labels.settle()) {
      const label = labels.label[arc]!;
      const metres = labels.metres[arc]!;
      const passage = labels.root[arc]!;
      const tail = roads.tail(arc);
      if (passages.isOpenAt(tail)) enter({ arc, label, metres, passage, next: labels.before[arc]! });
      const arriving = passages.arcsAt(tail);
      for (let i = 0; i < arriving.length; i++) {
        const before = arriving[i]!;
        if (!passages.isBarred(before)) continue;
        for (let turn = turnFirst[before]!; turn < turnFirst[before + 1]!; turn++) {
          if (turnHead[turn] !== arc) continue;
          const cost = label + turnCost[turn]! + passages.driven[before]!;
          const pieces = roads.pieces(before >> 1);
          if (cost >= CLOSED) continue;
          if (passages.phaseAt(before, 0, pieces, ENTERING) !== undefined) labels.reach(before, cost, metres + roads.arcMetres[before]!, arc, passage);
          else if (passages.phaseAt(before, 0, pieces, OPEN) === ENTERING) enter({ arc: before, label: cost, metres: metres + roads.arcMetres[before]!, passage, next: arc });
        }
      }
    }
    this.entries = [...entries.values()];
  }

  /** Cost to the place from the beginning of an arc, over closed roads only; `CLOSED` where there is no such way. */
  cost(arc: number): number {
    return this.#labels.label[arc]!;
  }

  metres(arc: number): number {
    return this.#labels.metres[arc]!;
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
