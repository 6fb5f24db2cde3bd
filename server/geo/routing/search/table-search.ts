import type { Hierarchy } from '../graph/hierarchy.ts';
import type { Metric } from '../metric/customize.ts';
import type { EdgeLengths } from '../metric/edge-lengths.ts';
import { CLOSED_COST } from '../metric/costs.ts';

/** Label of an arc: cost and metres to or from its beginning. Both may be below zero. */
export interface TableLabel {
  readonly arc: number;
  readonly cost: number;
  readonly metres: number;
}

/** Edges and bucket entries between two yields: some milliseconds. */
const SLICE = 1 << 20;

/**
 * Many-to-many search by buckets: each target relaxes up the elimination tree and leaves its label in a
 * bucket at each vertex; each source then relaxes up once and scans the buckets (Knopp, Sanders, Schultes,
 * Schulz, Wagner, "Computing Many-to-Many Shortest Paths Using Highway Hierarchies", 2007). Reuses its
 * arrays: finish or abandon one table before the next.
 */
export class TableSearch {
  readonly #hierarchy: Hierarchy;
  readonly #label: Int32Array;
  readonly #metres: Float64Array;
  readonly #inPath: Uint8Array;
  /** Vertices of the search space by rank, and the branch being merged. */
  readonly #path: Int32Array;
  readonly #branch: Int32Array;
  /** Buckets as linked lists through `next`; -1 ends a list. */
  readonly #bucket: Int32Array;
  #next = new Int32Array(1024);
  #column = new Int32Array(1024);
  #cost = new Int32Array(1024);
  #length = new Float64Array(1024);
  #entries = 0;
  /** Vertices with a bucket in the last table. */
  #touched: number[] = [];
  /** Edges and entries since the last yield. */
  #work = 0;

  constructor(hierarchy: Hierarchy) {
    this.#hierarchy = hierarchy;
    this.#label = new Int32Array(hierarchy.vertices).fill(CLOSED_COST);
    this.#metres = new Float64Array(hierarchy.vertices);
    this.#inPath = new Uint8Array(hierarchy.vertices);
    this.#path = new Int32Array(hierarchy.vertices);
    this.#branch = new Int32Array(hierarchy.vertices);
    this.#bucket = new Int32Array(hierarchy.vertices).fill(-1);
  }

  /**
   * Fills `times` (and `metres`) row by row where a path is cheaper than the value there. Yields regularly.
   */
  *run(
    { up, down }: Metric,
    sources: readonly (readonly TableLabel[])[],
    targets: readonly (readonly TableLabel[])[],
    times: Int32Array,
    metres: Float64Array | undefined,
    lengths: EdgeLengths | undefined,
  ): Generator<undefined, void> {
    this.#clear();
    for (const [column, target] of targets.entries()) {
      this.#relaxUpward(target, down, lengths?.down, (vertex, cost, length) => {
        if (this.#bucket[vertex] === -1) this.#touched.push(vertex);
        this.#addToBucket(vertex, column, cost, length);
      });
      if (this.#isTimeToYield()) yield;
    }
    const columns = targets.length;
    for (const [row, source] of sources.entries()) {
      const first = row * columns;
      this.#relaxUpward(source, up, lengths?.up, (vertex, cost, length) => {
        for (let entry = this.#bucket[vertex]!; entry >= 0; entry = this.#next[entry]!) {
          this.#work++;
          const cell = first + this.#column[entry]!;
          const through = cost + this.#cost[entry]!;
          if (through >= times[cell]!) continue;
          times[cell] = through;
          if (metres) metres[cell] = length + this.#length[entry]!;
        }
      });
      if (this.#isTimeToYield()) yield;
    }
  }

  #isTimeToYield(): boolean {
    if (this.#work < SLICE) return false;
    this.#work = 0;
    return true;
  }

  #clear(): void {
    for (const vertex of this.#touched) this.#bucket[vertex] = -1;
    this.#touched = [];
    this.#entries = 0;
  }

  /** Relaxes upward from all starts to the root; visits each reached vertex once with its least cost. */
  #relaxUpward(
    starts: readonly TableLabel[],
    weights: Int32Array,
    lengths: Float32Array | undefined,
    visit: (vertex: number, cost: number, length: number) => void,
  ): void {
    const { rank, upFirst, upHead } = this.#hierarchy.columns;
    const label = this.#label;
    const metres = this.#metres;
    if (starts.length === 0) return;
    let base = Infinity;
    for (const { cost } of starts) base = Math.min(base, cost);
    let length = 0;
    for (const { arc, cost, metres: from } of starts) {
      const start = rank[arc]!;
      if (cost - base < label[start]!) {
        label[start] = cost - base;
        metres[start] = from;
      }
      length = this.#mergeBranch(start, length);
    }
    const path = this.#path;
    for (let i = 0; i < length; i++) {
      const vertex = path[i]!;
      const cost = label[vertex]!;
      if (cost < CLOSED_COST) {
        this.#work += upFirst[vertex + 1]! - upFirst[vertex]!;
        for (let e = upFirst[vertex]!, end = upFirst[vertex + 1]!; e < end; e++) {
          const reached = cost + weights[e]!;
          const head = upHead[e]!;
          if (reached >= label[head]!) continue;
          label[head] = reached;
          if (lengths) metres[head] = metres[vertex]! + lengths[e]!;
        }
        visit(vertex, cost + base, metres[vertex]!);
        label[vertex] = CLOSED_COST;
      }
      this.#inPath[vertex] = 0;
    }
  }

  /**
   * Merges the path from a vertex up to known vertices into `path`, which stays sorted by rank. Returns the
   * new length.
   */
  #mergeBranch(start: number, length: number): number {
    const branch = this.#branch;
    let more = 0;
    for (let vertex = start; vertex >= 0 && !this.#inPath[vertex]; vertex = this.#hierarchy.parent(vertex)) {
      this.#inPath[vertex] = 1;
      branch[more++] = vertex;
    }
    const path = this.#path;
    let from = length - 1;
    let next = more - 1;
    for (let to = length + more - 1; next >= 0; to--) {
      path[to] = from >= 0 && path[from]! > branch[next]! ? path[from--]! : branch[next--]!;
    }
    return length + more;
  }

  #addToBucket(vertex: number, column: number, cost: number, length: number): void {
    if (this.#entries === this.#next.length) this.#grow();
    const entry = this.#entries++;
    this.#next[entry] = this.#bucket[vertex]!;
    this.#column[entry] = column;
    this.#cost[entry] = cost;
    this.#length[entry] = length;
    this.#bucket[vertex] = entry;
  }

  #grow(): void {
    const wider = <T extends Int32Array | Float64Array>(old: T, fresh: T): T => {
      fresh.set(old);
      return fresh;
    };
    const size = this.#next.length * 2;
    this.#next = wider(this.#next, new Int32Array(size));
    this.#column = wider(this.#column, new Int32Array(size));
    this.#cost = wider(this.#cost, new Int32Array(size));
    this.#length = wider(this.#length, new Float64Array(size));
  }
}
