import { edgeBetween } from '../graph/hierarchy.ts';
import type { Hierarchy } from '../graph/hierarchy.ts';
import type { Metric } from '../metric/customize.ts';
import { CLOSED } from '../metric/costs.ts';
import type { PathFinder, Source } from './path-finder.ts';

/** More ends than these are not climbed from side by side. */
const FEW = 16;

/**
 * One question to a customized hierarchy: from the sources and from the target straight up the elimination
 * tree, to where the two climbs meet at least cost. Nothing is queued; everything a climb can reach lies on
 * the way to the root. Its arrays are used again.
 */
export class Search implements PathFinder {
  readonly #hierarchy: Hierarchy;
  metric: Metric;
  /** Least known cost from the sources, and to the target, by vertex. */
  readonly #ahead: Int32Array;
  readonly #back: Int32Array;
  /** Vertex from which this cost came. */
  readonly #aheadFrom: Int32Array;
  readonly #backFrom: Int32Array;
  #meeting = -1;

  constructor(hierarchy: Hierarchy, metric: Metric) {
    this.#hierarchy = hierarchy;
    this.metric = metric;
    const count = hierarchy.vertices;
    this.#ahead = new Int32Array(count).fill(CLOSED);
    this.#back = new Int32Array(count).fill(CLOSED);
    this.#aheadFrom = new Int32Array(count);
    this.#backFrom = new Int32Array(count);
  }

  find(sources: readonly Source[], target: number): number {
    return this.findAny(sources, [{ arc: target, label: 0 }]);
  }

  findAny(sources: readonly Source[], targets: readonly Source[]): number {
    this.#meeting = -1;
    if (sources.length === 0) return CLOSED;
    const ahead = this.#ahead;
    const back = this.#back;
    // Labels may be below zero, where a trip begins inside its arc; sums here must not be.
    let base = Infinity;
    for (const { label } of sources) base = Math.min(base, label);
    const starts = this.#begin(sources, base, ahead, this.#aheadFrom);
    const ends = this.#begin(targets, 0, back, this.#backFrom);
    const least =
      starts.length + ends.length <= FEW ? this.#climbTogether(starts, ends) : this.#climbInTurn(starts, ends);
    this.#forget(starts, ahead);
    this.#forget(ends, back);
    return least >= CLOSED ? CLOSED : least + base;
  }

  /** The climbs from both sides side by side, in the order of rank; returns what the cheapest way costs. */
  #climbTogether(starts: readonly number[], ends: readonly number[]): number {
    const ahead = this.#ahead;
    const back = this.#back;
    const fronts = starts.slice();
    const climbs = ends.slice();
    let least = CLOSED;
    for (;;) {
      const vertex = Math.min(lowest(fronts), lowest(climbs));
      if (vertex === Infinity) break;
      const parent = this.#hierarchy.parent(vertex);
      const forward = goOn(fronts, vertex, parent);
      if (forward && ahead[vertex]! < least) this.#climb(vertex, ahead, this.#aheadFrom, this.metric.up);
      if (goOn(climbs, vertex, parent) && back[vertex]! < least) {
        least = this.#meet(vertex, least);
        this.#climb(vertex, back, this.#backFrom, this.metric.down);
      }
    }
    return least;
  }

  /**
   * The same for many ends: a closed district has hundreds of ways out. One climb after the other, over all
   * that lies above its ends.
   */
  #climbInTurn(starts: readonly number[], ends: readonly number[]): number {
    const ahead = this.#ahead;
    const back = this.#back;
    for (const vertex of this.#above(starts))
      if (ahead[vertex]! < CLOSED) this.#climb(vertex, ahead, this.#aheadFrom, this.metric.up);
    let least = CLOSED;
    for (const vertex of this.#above(ends)) {
      if (back[vertex]! >= least) continue;
      least = this.#meet(vertex, least);
      this.#climb(vertex, back, this.#backFrom, this.metric.down);
    }
    return least;
  }

  /**
   * What the cheapest way costs that is known now, when the climbs meet at a vertex; it was `least` before.
   */
  #meet(vertex: number, least: number): number {
    const through = this.#ahead[vertex]! + this.#back[vertex]!;
    if (through >= least) return least;
    this.#meeting = vertex;
    return through;
  }

  /** Some vertices and all above them in the elimination tree, in the order of rank. */
  #above(vertices: readonly number[]): Uint32Array {
    const found = new Set<number>();
    for (const start of vertices)
      for (let vertex = start; vertex >= 0 && !found.has(vertex); vertex = this.#hierarchy.parent(vertex))
        found.add(vertex);
    return Uint32Array.from(found).sort();
  }

  path(): number[] {
    const vertices: number[] = [];
    for (let v = this.#meeting; v >= 0; v = this.#aheadFrom[v]!) vertices.push(v);
    vertices.reverse();
    for (let v = this.#backFrom[this.#meeting]!; v >= 0; v = this.#backFrom[v]!) vertices.push(v);
    return unpack(vertices, this.#hierarchy, this.metric);
  }

  /** Sets the labels from which a climb begins; returns the vertices, each once. */
  #begin(from: readonly Source[], base: number, labels: Int32Array, whence: Int32Array): number[] {
    const { rank } = this.#hierarchy.columns;
    const vertices: number[] = [];
    for (const { arc, label } of from) {
      const vertex = rank[arc]!;
      if (label - base >= labels[vertex]!) continue;
      if (labels[vertex] === CLOSED) vertices.push(vertex);
      labels[vertex] = label - base;
      whence[vertex] = -1;
    }
    return vertices;
  }

  #climb(vertex: number, label: Int32Array, from: Int32Array, weights: Int32Array): void {
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

  /** Sets labels back. Whence they came stays, until the next question, for `path`. */
  #forget(starts: readonly number[], labels: Int32Array): void {
    for (const start of starts) {
      for (let v = start; v >= 0; v = this.#hierarchy.parent(v)) labels[v] = CLOSED;
    }
  }
}

/**
 * The least of the vertices to which climbs have come; -1 is one that has passed the root, or met another.
 */
function lowest(fronts: readonly number[]): number {
  let least = Infinity;
  for (let i = 0; i < fronts.length; i++) if (fronts[i]! >= 0 && fronts[i]! < least) least = fronts[i]!;
  return least;
}

/** Lets those that are at a vertex go on from it as one. Returns whether there were any. */
function goOn(fronts: number[], vertex: number, parent: number): boolean {
  let found = false;
  for (let i = 0; i < fronts.length; i++) {
    if (fronts[i] !== vertex) continue;
    fronts[i] = found ? -1 : parent;
    found = true;
  }
  return found;
}

/** The arcs of a way given by vertices of the hierarchy, shortcuts taken apart. */
export function unpack(vertices: readonly number[], hierarchy: Hierarchy, metric: Metric): number[] {
  const { arc, upFirst, upHead } = hierarchy.columns;
  const arcs = [arc[vertices[0]!]!];
  const rest: number[] = [];
  for (let i = 1; i < vertices.length; i++) {
    // A stack of pairs to be joined, the next one on top.
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
