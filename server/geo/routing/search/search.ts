import { edgeBetween } from '../graph/hierarchy.ts';
import type { Hierarchy } from '../graph/hierarchy.ts';
import type { Metric } from '../metric/customize.ts';
import { CLOSED_COST } from '../metric/costs.ts';
import type { PathFinder, ArcLabel } from './path-finder.ts';

/** Above so many ends, the two searches run one after the other. */
const MAX_INTERLEAVED = 16;

/**
 * Query of a customized hierarchy: relaxes upward along the elimination tree from the sources and from the
 * targets, and takes the vertex where both meet at least cost. Needs no queue, since the search space is the
 * path to the root. Reuses its arrays.
 */
export class Search implements PathFinder {
  readonly #hierarchy: Hierarchy;
  metric: Metric;
  /** Labels of the forward and the backward search, by vertex. */
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  /** Parent of each label. */
  readonly #forwardParent: Int32Array;
  readonly #backwardParent: Int32Array;
  #meeting = -1;

  constructor(hierarchy: Hierarchy, metric: Metric) {
    this.#hierarchy = hierarchy;
    this.metric = metric;
    const count = hierarchy.vertices;
    this.#forward = new Int32Array(count).fill(CLOSED_COST);
    this.#backward = new Int32Array(count).fill(CLOSED_COST);
    this.#forwardParent = new Int32Array(count);
    this.#backwardParent = new Int32Array(count);
  }

  find(sources: readonly ArcLabel[], target: number): number {
    return this.findAny(sources, [{ arc: target, label: 0 }]);
  }

  findAny(sources: readonly ArcLabel[], targets: readonly ArcLabel[]): number {
    this.#meeting = -1;
    if (sources.length === 0) return CLOSED_COST;
    const forward = this.#forward;
    const backward = this.#backward;
    // Labels below zero occur where a trip starts inside its arc; sums here must not be negative.
    let base = Infinity;
    for (const { label } of sources) base = Math.min(base, label);
    const starts = this.#initLabels(sources, base, forward, this.#forwardParent);
    const ends = this.#initLabels(targets, 0, backward, this.#backwardParent);
    const least =
      starts.length + ends.length <= MAX_INTERLEAVED
        ? this.#searchInterleaved(starts, ends)
        : this.#searchInTurn(starts, ends);
    this.#resetLabels(starts, forward);
    this.#resetLabels(ends, backward);
    return least >= CLOSED_COST ? CLOSED_COST : least + base;
  }

  /** Both searches interleaved by rank; returns the cost of the cheapest path. */
  #searchInterleaved(starts: readonly number[], ends: readonly number[]): number {
    const forward = this.#forward;
    const backward = this.#backward;
    const fronts = starts.slice();
    const backFronts = ends.slice();
    let least = CLOSED_COST;
    for (;;) {
      const vertex = Math.min(lowestRank(fronts), lowestRank(backFronts));
      if (vertex === Infinity) break;
      const parent = this.#hierarchy.parent(vertex);
      const isForward = advance(fronts, vertex, parent);
      if (isForward && forward[vertex]! < least)
        this.#relaxUpward(vertex, forward, this.#forwardParent, this.metric.up);
      if (advance(backFronts, vertex, parent) && backward[vertex]! < least) {
        least = this.#updateMeeting(vertex, least);
        this.#relaxUpward(vertex, backward, this.#backwardParent, this.metric.down);
      }
    }
    return least;
  }

  /**
   * The same for many ends, one search after the other over all ancestors: a closed district has hundreds of
   * exits.
   */
  #searchInTurn(starts: readonly number[], ends: readonly number[]): number {
    const forward = this.#forward;
    const backward = this.#backward;
    for (const vertex of this.#ancestorsOf(starts))
      if (forward[vertex]! < CLOSED_COST) this.#relaxUpward(vertex, forward, this.#forwardParent, this.metric.up);
    let least = CLOSED_COST;
    for (const vertex of this.#ancestorsOf(ends)) {
      if (backward[vertex]! >= least) continue;
      least = this.#updateMeeting(vertex, least);
      this.#relaxUpward(vertex, backward, this.#backwardParent, this.metric.down);
    }
    return least;
  }

  /** Takes a vertex as the meeting if the path over it is cheaper; returns the least cost known. */
  #updateMeeting(vertex: number, least: number): number {
    const through = this.#forward[vertex]! + this.#backward[vertex]!;
    if (through >= least) return least;
    this.#meeting = vertex;
    return through;
  }

  /** Vertices and all their ancestors, by rank. */
  #ancestorsOf(vertices: readonly number[]): Uint32Array {
    const found = new Set<number>();
    for (const start of vertices)
      for (let vertex = start; vertex >= 0 && !found.has(vertex); vertex = this.#hierarchy.parent(vertex))
        found.add(vertex);
    return Uint32Array.from(found).sort();
  }

  path(): number[] {
    const vertices: number[] = [];
    for (let v = this.#meeting; v >= 0; v = this.#forwardParent[v]!) vertices.push(v);
    vertices.reverse();
    for (let v = this.#backwardParent[this.#meeting]!; v >= 0; v = this.#backwardParent[v]!) vertices.push(v);
    return unpack(vertices, this.#hierarchy, this.metric);
  }

  /** Sets the initial labels; returns their vertices without duplicates. */
  #initLabels(from: readonly ArcLabel[], base: number, labels: Int32Array, parents: Int32Array): number[] {
    const { rank } = this.#hierarchy.columns;
    const vertices: number[] = [];
    for (const { arc, label } of from) {
      const vertex = rank[arc]!;
      if (label - base >= labels[vertex]!) continue;
      if (labels[vertex] === CLOSED_COST) vertices.push(vertex);
      labels[vertex] = label - base;
      parents[vertex] = -1;
    }
    return vertices;
  }

  #relaxUpward(vertex: number, label: Int32Array, from: Int32Array, weights: Int32Array): void {
    const { upFirst, upHead } = this.#hierarchy.columns;
    const cost = label[vertex]!;
    for (let e = upFirst[vertex]!, end = upFirst[vertex + 1]!; e < end; e++) {
      const reached = cost + weights[e]!;
      const head = upHead[e]!;
      if (reached < label[head]!) {
        label[head] = reached;
        from[head] = vertex;
      }
    }
  }

  /** Resets labels. Parents stay until the next query, for `path`. */
  #resetLabels(starts: readonly number[], labels: Int32Array): void {
    for (const start of starts) {
      for (let v = start; v >= 0; v = this.#hierarchy.parent(v)) labels[v] = CLOSED_COST;
    }
  }
}

/** The lowest vertex among the fronts; -1 marks a front that passed the root or merged. */
function lowestRank(fronts: readonly number[]): number {
  let least = Infinity;
  for (let i = 0; i < fronts.length; i++) if (fronts[i]! >= 0 && fronts[i]! < least) least = fronts[i]!;
  return least;
}

/** Moves all fronts at `vertex` on to its parent, merged into one. Returns whether there were any. */
function advance(fronts: number[], vertex: number, parent: number): boolean {
  let found = false;
  for (let i = 0; i < fronts.length; i++) {
    if (fronts[i] !== vertex) continue;
    fronts[i] = found ? -1 : parent;
    found = true;
  }
  return found;
}

/** Unpacks a path of hierarchy vertices into arcs. */
export function unpack(vertices: readonly number[], hierarchy: Hierarchy, metric: Metric): number[] {
  const { arc, upFirst, upHead } = hierarchy.columns;
  const arcs = [arc[vertices[0]!]!];
  const rest: number[] = [];
  for (let i = 1; i < vertices.length; i++) {
    // Stack of vertex pairs to unpack, the next on top.
    rest.push(vertices[i]!, vertices[i - 1]!);
    while (rest.length > 0) {
      const from = rest.pop()!;
      const to = rest.pop()!;
      const via =
        from < to
          ? metric.upVia[edgeBetween(upFirst, upHead, from, to)]!
          : metric.downVia[edgeBetween(upFirst, upHead, to, from)]!;
      if (via < 0) arcs.push(arc[to]!);
      else rest.push(to, via, via, from);
    }
  }
  return arcs;
}
