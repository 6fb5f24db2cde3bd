import type { Metric } from '../metric/customize.ts';
import type { Hierarchy } from '../graph/hierarchy.ts';
import { CLOSED_COST } from '../metric/costs.ts';
import type { ArcLabel } from './path-finder.ts';
import { unpack } from './search.ts';

/**
 * Vertices with paths of equal cost are parts of one path. Many together form a *plateau*: a stretch that is
 * optimal both from the start and to the end.
 */
interface Plateau {
  cost: number;
  /** Costs from the start at its two ends. */
  first: number;
  last: number;
  vertices: { vertex: number; ahead: number }[];
}

/** So many top vertices are tried as via vertices, whether or not they are ancestors of both ends. */
const TOP_VERTICES = 1024;

/**
 * Searches up from both ends, and down again over the top vertices; each vertex that both reach lies on a
 * path of its own.
 */
export class ViaSearch {
  readonly #hierarchy: Hierarchy;
  metric: Metric;
  readonly #forward: SearchTree;
  readonly #backward: SearchTree;

  constructor(hierarchy: Hierarchy, metric: Metric) {
    this.#hierarchy = hierarchy;
    this.metric = metric;
    this.#forward = new SearchTree(hierarchy);
    this.#backward = new SearchTree(hierarchy);
  }

  /**
   * Plateaus of paths up to a cost, longest first. Labels of `targets` are the driven part of the target arc;
   * arcs that `skips` are left out.
   */
  plateaus(
    sources: readonly ArcLabel[],
    targets: readonly ArcLabel[],
    most: number,
    skips: (arc: number) => boolean,
  ): Plateau[] {
    const { arc } = this.#hierarchy.columns;
    const lowest = Math.max(0, this.#hierarchy.vertices - TOP_VERTICES);
    this.#forward.run(sources, this.metric.up, this.metric.down, lowest);
    this.#backward.run(targets, this.metric.down, this.metric.up, lowest);
    const byCost = new Map<number, Plateau>();
    const visit = (vertex: number): void => {
      const ahead = this.#forward.cost(vertex);
      const cost = ahead + this.#backward.cost(vertex);
      if (cost > most || skips(arc[vertex]!)) return;
      const plateau = byCost.get(cost);
      if (!plateau) {
        byCost.set(cost, { cost, first: ahead, last: ahead, vertices: [{ vertex, ahead }] });
        return;
      }
      plateau.first = Math.min(plateau.first, ahead);
      plateau.last = Math.max(plateau.last, ahead);
      plateau.vertices.push({ vertex, ahead });
    };
    for (const vertex of this.#forward.path) if (vertex < lowest) visit(vertex);
    for (let vertex = lowest; vertex < this.#hierarchy.vertices; vertex++) visit(vertex);
    return [...byCost.values()].sort((a, b) => b.last - b.first - (a.last - a.first) || a.cost - b.cost);
  }

  /** Arcs of the path over a vertex, and the index of the vertex in it. */
  pathOver(vertex: number): { arcs: number[]; via: number } {
    const before = unpack(this.#forward.pathDown(vertex).reverse(), this.#hierarchy, this.metric);
    const after = unpack(this.#backward.pathDown(vertex), this.#hierarchy, this.metric);
    return { arcs: [...before, ...after.slice(1)], via: before.length - 1 };
  }
}

/** Labels of one search, kept until the next. */
class SearchTree {
  readonly #hierarchy: Hierarchy;
  readonly #label: Int32Array;
  readonly #from: Int32Array;
  #base = 0;
  path: number[] = [];

  constructor(hierarchy: Hierarchy) {
    this.#hierarchy = hierarchy;
    this.#label = new Int32Array(hierarchy.vertices).fill(CLOSED_COST);
    this.#from = new Int32Array(hierarchy.vertices);
  }

  /** Relaxes up from the starts by `weights`, then from the top down to `lowest` by `downward`. */
  run(starts: readonly ArcLabel[], weights: Int32Array, downward: Int32Array, lowest: number): void {
    const { rank, upFirst, upHead } = this.#hierarchy.columns;
    const label = this.#label;
    for (const vertex of this.path) label[vertex] = CLOSED_COST;
    label.fill(CLOSED_COST, lowest);
    const seen = new Set<number>();
    this.#base = Math.min(...starts.map((start) => start.label));
    for (const start of starts) {
      const first = rank[start.arc]!;
      for (let vertex = first; vertex >= 0 && !seen.has(vertex); vertex = this.#hierarchy.parent(vertex))
        seen.add(vertex);
      if (start.label - this.#base >= label[first]!) continue;
      label[first] = start.label - this.#base;
      this.#from[first] = -1;
    }
    this.path = [...seen].sort((a, b) => a - b);
    for (const vertex of this.path) {
      const cost = label[vertex]!;
      if (cost >= CLOSED_COST) continue;
      for (let e = upFirst[vertex]!, end = upFirst[vertex + 1]!; e < end; e++) {
        const reached = cost + weights[e]!;
        if (reached >= label[upHead[e]!]!) continue;
        label[upHead[e]!] = reached;
        this.#from[upHead[e]!] = vertex;
      }
    }
    for (let vertex = this.#hierarchy.vertices - 1; vertex >= lowest; vertex--) {
      let least = label[vertex]!;
      for (let e = upFirst[vertex]!, end = upFirst[vertex + 1]!; e < end; e++) {
        const reached = label[upHead[e]!]! + downward[e]!;
        if (reached >= least) continue;
        least = reached;
        this.#from[vertex] = upHead[e]!;
      }
      label[vertex] = least;
    }
  }

  cost(vertex: number): number {
    return this.#label[vertex]! >= CLOSED_COST ? CLOSED_COST : this.#label[vertex]! + this.#base;
  }

  /** From a vertex down along its parents. */
  pathDown(vertex: number): number[] {
    const vertices: number[] = [];
    for (let v = vertex; v >= 0; v = this.#from[v]!) vertices.push(v);
    return vertices;
  }
}
