import type { Metric } from './customize.ts';
import type { Hierarchy } from './hierarchy.ts';
import { CLOSED } from './metric.ts';
import type { Source } from './path-finder.ts';
import { unpack } from './search.ts';

/** A vertex that ways from the sources to the targets can be led over. */
export interface ViaVertex {
  vertex: number;
  cost: number;
}

/** Climbs from both ends without stopping at the first meeting: every vertex where the climbs meet is a way of its own. */
export class ViaSearch {
  readonly #hierarchy: Hierarchy;
  readonly #metric: Metric;
  readonly #ahead: Climb;
  readonly #back: Climb;

  constructor(hierarchy: Hierarchy, metric: Metric) {
    this.#hierarchy = hierarchy;
    this.#metric = metric;
    this.#ahead = new Climb(hierarchy);
    this.#back = new Climb(hierarchy);
  }

  /** All meetings up to a cost, cheapest first. Labels of `targets` are what is driven of the target arc. */
  meetings(sources: readonly Source[], targets: readonly Source[], most: number): ViaVertex[] {
    this.#ahead.run(sources, this.#metric.up);
    this.#back.run(targets, this.#metric.down);
    const found: ViaVertex[] = [];
    for (const vertex of this.#ahead.path) {
      const cost = this.#ahead.cost(vertex) + this.#back.cost(vertex);
      if (cost <= most) found.push({ vertex, cost });
    }
    return found.sort((a, b) => a.cost - b.cost || a.vertex - b.vertex);
  }

  /** The arcs of the way over a meeting, and where in it the meeting is. */
  way(vertex: number): { arcs: number[]; via: number } {
    const before = unpack(this.#ahead.chain(vertex).reverse(), this.#hierarchy, this.#metric);
    const after = unpack(this.#back.chain(vertex), this.#hierarchy, this.#metric);
    return { arcs: [...before, ...after.slice(1)], via: before.length - 1 };
  }
}

/** Labels of one climb, kept until the next. */
class Climb {
  readonly #hierarchy: Hierarchy;
  readonly #label: Int32Array;
  readonly #from: Int32Array;
  #base = 0;
  path: number[] = [];

  constructor(hierarchy: Hierarchy) {
    this.#hierarchy = hierarchy;
    this.#label = new Int32Array(hierarchy.vertices).fill(CLOSED);
    this.#from = new Int32Array(hierarchy.vertices);
  }

  run(starts: readonly Source[], weights: Int32Array): void {
    const { rank, upFirst, upHead } = this.#hierarchy.columns;
    for (const vertex of this.path) this.#label[vertex] = CLOSED;
    const seen = new Set<number>();
    this.#base = Math.min(...starts.map(({ label }) => label));
    for (const { arc, label } of starts) {
      const start = rank[arc]!;
      for (let vertex = start; vertex >= 0 && !seen.has(vertex); vertex = this.#hierarchy.parent(vertex)) seen.add(vertex);
      if (label - this.#base >= this.#label[start]!) continue;
      this.#label[start] = label - this.#base;
      this.#from[start] = -1;
    }
    this.path = [...seen].sort((a, b) => a - b);
    for (const vertex of this.path) {
      const cost = this.#label[vertex]!;
      if (cost >= CLOSED) continue;
      for (let e = upFirst[vertex]!, end = upFirst[vertex + 1]!; e < end; e++) {
        const reached = cost + weights[e]!;
        if (reached >= this.#label[upHead[e]!]!) continue;
        this.#label[upHead[e]!] = reached;
        this.#from[upHead[e]!] = vertex;
      }
    }
  }

  cost(vertex: number): number {
    return this.#label[vertex]! >= CLOSED ? CLOSED : this.#label[vertex]! + this.#base;
  }

  /** From a vertex down to where its label comes from. */
  chain(vertex: number): number[] {
    const vertices: number[] = [];
    for (let v = vertex; v >= 0; v = this.#from[v]!) vertices.push(v);
    return vertices;
  }
}
