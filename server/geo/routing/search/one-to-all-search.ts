import type { Metric } from '../metric/customize.ts';
import type { Hierarchy } from '../graph/hierarchy.ts';
import { CLOSED_COST } from '../metric/costs.ts';
import type { ArcLabel } from './path-finder.ts';

/** Vertices between two yields: a millisecond or two. */
const SLICE = 1 << 16;

/**
 * One-to-all search within a limit: up the elimination tree, then once down over all vertices, highest first
 * (Delling, Goldberg, Nowatzyk, Werneck, "PHAST: Hardware-Accelerated Shortest Path Trees", 2011). Skips the
 * subtree of a vertex with nothing above it in reach. Reuses its arrays: finish one query before the next.
 */
export class OneToAllSearch {
  readonly #hierarchy: Hierarchy;
  readonly #label: Int32Array;
  readonly #alive: Uint8Array;

  constructor(hierarchy: Hierarchy) {
    this.#hierarchy = hierarchy;
    this.#label = new Int32Array(hierarchy.vertices);
    this.#alive = new Uint8Array(hierarchy.vertices);
  }

  /**
   * Labels by vertex, exact up to `limit` and greater beyond it. Labels of sources must not be negative.
   * Yields regularly.
   */
  *within({ up, down }: Metric, sources: readonly ArcLabel[], limit: number): Generator<undefined, Int32Array> {
    const { rank, upFirst, upHead } = this.#hierarchy.columns;
    const label = this.#label.fill(CLOSED_COST);
    const alive = this.#alive.fill(0);
    const upward: number[] = [];
    for (const source of sources) {
      const start = rank[source.arc]!;
      label[start] = Math.min(label[start]!, source.label);
      for (let vertex = start; vertex >= 0 && alive[vertex] === 0; vertex = this.#hierarchy.parent(vertex)) {
        alive[vertex] = 1;
        upward.push(vertex);
      }
    }
    for (const vertex of upward.sort((a, b) => a - b)) {
      const cost = label[vertex]!;
      if (cost > limit) continue;
      for (let e = upFirst[vertex]!, end = upFirst[vertex + 1]!; e < end; e++) {
        if (cost + up[e]! < label[upHead[e]!]!) label[upHead[e]!] = cost + up[e]!;
      }
    }
    for (let vertex = label.length - 1; vertex >= 0; vertex--) {
      if ((vertex & (SLICE - 1)) === 0) yield;
      const first = upFirst[vertex]!;
      const end = upFirst[vertex + 1]!;
      if (first === end || (alive[vertex] === 0 && alive[upHead[first]!] === 0)) continue;
      let least = label[vertex]!;
      let reachable = alive[vertex]!;
      for (let e = first; e < end; e++) {
        const above = label[upHead[e]!]!;
        if (above > limit) continue;
        reachable = 1;
        if (above + down[e]! < least) least = above + down[e]!;
      }
      label[vertex] = least;
      alive[vertex] = reachable;
    }
    return label;
  }
}
