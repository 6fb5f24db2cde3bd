import type { Roads } from '../../territory/roads/reading.ts';

const NONE = 0xffffffff;

/** All arrays of a hierarchy, in shared memory. */
export interface HierarchyColumns {
  /** Rank of each arc, and the arc of each rank. */
  rank: Uint32Array;
  arc: Uint32Array;
  /**
   * Edge `e` joins its lower end `r` with `upHead[e]`; those of `r` are `upFirst[r]` … in ascending order of
   * their heads.
   */
  upFirst: Uint32Array;
  upHead: Uint32Array;
  /** Lower ends of the same edges by their upper end, ascending. The edges themselves follow from the ends. */
  downFirst: Uint32Array;
  downTail: Uint32Array;
  /**
   * For each turn: twice its edge, plus one when it leads from the upper to the lower end; `NO_EDGE` when it
   * is no edge.
   */
  turnEdge: Uint32Array;
}

export const NO_EDGE = NONE;

/** Growth of the list of edges while it is made: the old and the new one are in memory at once. */
const GROWTH = 1.4;

/**
 * The topology of a customizable contraction hierarchy over the turn-aware graph. Vertices are arcs, ranked
 * by the importer's nested dissection; edges are turns, and all shortcuts that contraction in this order can
 * need whatever the costs (Dibbelt, Strasser, Wagner, "Customizable Contraction Hierarchies", 2016). Built
 * once per territory.
 *
 * The lowest upper neighbour of a vertex is its parent in the elimination tree; all vertices reachable upward
 * are ancestors.
 */
export class Hierarchy {
  readonly columns: HierarchyColumns;

  private constructor(columns: HierarchyColumns) {
    this.columns = columns;
  }

  /** Wraps arrays that another thread made. */
  static from(columns: HierarchyColumns): Hierarchy {
    return new Hierarchy(columns);
  }

  static build(roads: Roads): Hierarchy {
    const { order, turnFirst, turnHead } = roads.columns;
    const count = roads.arcs;
    const rank = shared(Uint32Array, count);
    for (let r = 0; r < count; r++) rank[order[r]!] = r;
    const { upFirst, upHead } = chordal(count, upwardTurns(count, rank, turnFirst, turnHead));
    const turnEdge = shared(Uint32Array, turnHead.length);
    for (let a = 0; a < count; a++) {
      for (let turn = turnFirst[a]!; turn < turnFirst[a + 1]!; turn++) {
        const from = rank[a]!;
        const to = rank[turnHead[turn]!]!;
        // A turn from an arc onto itself leads nowhere else.
        turnEdge[turn] =
          from === to
            ? NONE
            : from < to
              ? edgeBetween(upFirst, upHead, from, to) * 2
              : edgeBetween(upFirst, upHead, to, from) * 2 + 1;
      }
    }
    return new Hierarchy({ rank, arc: order, upFirst, upHead, turnEdge, ...downward(count, upFirst, upHead) });
  }

  get vertices(): number {
    return this.columns.rank.length;
  }

  get edges(): number {
    return this.columns.upHead.length;
  }

  /** The parent in the elimination tree; -1 at a root. */
  parent(vertex: number): number {
    const { upFirst, upHead } = this.columns;
    const first = upFirst[vertex]!;
    return first < upFirst[vertex + 1]! ? upHead[first]! : -1;
  }
}

/** The edge from `lower` up to `upper`, which must be adjacent. */
export function edgeBetween(upFirst: Uint32Array, upHead: Uint32Array, lower: number, upper: number): number {
  let low = upFirst[lower]!;
  let high = upFirst[lower + 1]! - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (upHead[middle]! < upper) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Upper ends of the turns by lower end, without direction. */
function upwardTurns(
  count: number,
  rank: Uint32Array,
  turnFirst: Uint32Array,
  turnHead: Uint32Array,
): { first: Uint32Array; head: Uint32Array } {
  const first = new Uint32Array(count + 1);
  const each = (visit: (low: number, high: number) => void): void => {
    for (let a = 0; a < count; a++) {
      for (let turn = turnFirst[a]!; turn < turnFirst[a + 1]!; turn++) {
        const from = rank[a]!;
        const to = rank[turnHead[turn]!]!;
        if (from < to) visit(from, to);
        else if (to < from) visit(to, from);
      }
    }
  };
  each((low) => first[low + 1]!++);
  for (let r = 0; r < count; r++) first[r + 1]! += first[r]!;
  const next = first.slice();
  const head = new Uint32Array(first[count]!);
  each((low, high) => (head[next[low]!++] = high));
  return { first, head };
}

/**
 * Adds the fill-in of the contraction: upper neighbours of a vertex become neighbours of each other. It is
 * enough to add them to the lowest one, which passes them on (elimination tree of sparse Cholesky
 * factorization).
 */
function chordal(
  count: number,
  turns: { first: Uint32Array; head: Uint32Array },
): { upFirst: Uint32Array; upHead: Uint32Array } {
  const upFirst = shared(Uint32Array, count + 1);
  let pool = new Uint32Array(Math.max(1024, turns.head.length * 4));
  let length = 0;
  const seen = new Uint32Array(count).fill(NONE);
  const firstChild = new Uint32Array(count).fill(NONE);
  const sibling = new Uint32Array(count).fill(NONE);
  for (let r = 0; r < count; r++) {
    upFirst[r] = length;
    let most = turns.first[r + 1]! - turns.first[r]!;
    for (let child = firstChild[r]!; child !== NONE; child = sibling[child]!)
      most += upFirst[child + 1]! - upFirst[child]!;
    if (length + most > pool.length) {
      const wider = new Uint32Array(Math.ceil((length + most) * GROWTH));
      wider.set(pool.subarray(0, length));
      pool = wider;
    }
    seen[r] = r;
    const start = length;
    for (let i = turns.first[r]!; i < turns.first[r + 1]!; i++) {
      const head = turns.head[i]!;
      if (seen[head] === r) continue;
      seen[head] = r;
      pool[length++] = head;
    }
    for (let child = firstChild[r]!; child !== NONE; child = sibling[child]!) {
      for (let i = upFirst[child]!; i < upFirst[child + 1]!; i++) {
        const head = pool[i]!;
        if (seen[head] === r) continue;
        seen[head] = r;
        pool[length++] = head;
      }
    }
    upFirst[r + 1] = length;
    if (length === start) continue;
    pool.subarray(start, length).sort();
    const parent = pool[start]!;
    sibling[r] = firstChild[parent]!;
    firstChild[parent] = r;
  }
  const upHead = shared(Uint32Array, length);
  upHead.set(pool.subarray(0, length));
  return { upFirst, upHead };
}

function downward(
  count: number,
  upFirst: Uint32Array,
  upHead: Uint32Array,
): Pick<HierarchyColumns, 'downFirst' | 'downTail'> {
  const downFirst = shared(Uint32Array, count + 1);
  for (const head of upHead) downFirst[head + 1]!++;
  for (let r = 0; r < count; r++) downFirst[r + 1]! += downFirst[r]!;
  const next = downFirst.slice();
  const downTail = shared(Uint32Array, upHead.length);
  for (let r = 0; r < count; r++) {
    for (let e = upFirst[r]!; e < upFirst[r + 1]!; e++) downTail[next[upHead[e]!]!++] = r;
  }
  return { downFirst, downTail };
}

function shared(type: typeof Uint32Array, length: number): Uint32Array {
  return new type(new SharedArrayBuffer(length * 4));
}
