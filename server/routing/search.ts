import { edgeBetween } from './hierarchy.ts';
import type { Hierarchy } from './hierarchy.ts';
import type { Metric } from './customize.ts';
import { CLOSED } from './metric.ts';
import type { PathFinder, Source } from './path-finder.ts';

/**
 * One question to a customized hierarchy: from the sources and from the target straight up the elimination tree, to where the two
 * climbs meet at least cost. Nothing is queued; everything a climb can reach lies on the way to the root. Its arrays are used again.
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
  #target = -1;

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
    this.#meeting = -1;
    if (sources.length === 0) return CLOSED;
    const { rank } = this.#hierarchy.columns;
    const ahead = this.#ahead;
    const back = this.#back;
    this.#target = rank[target]!;
    // Labels may be below zero, where a trip begins inside its arc; sums here must not be.
    let base = Infinity;
    for (const { label } of sources) base = Math.min(base, label);
    const fronts: number[] = [];
    for (const { arc, label } of sources) {
      const vertex = rank[arc]!;
      if (label - base >= ahead[vertex]!) continue;
      if (!fronts.includes(vertex)) fronts.push(vertex);
      ahead[vertex] = label - base;
      this.#aheadFrom[vertex] = -1;
    }
    const starts = fronts.slice();
    back[this.#target] = 0;
    this.#backFrom[this.#target] = -1;

    let least = CLOSED;
    let climb = this.#target;
    for (;;) {
      let vertex = climb;
      for (const front of fronts) if (vertex < 0 || (front >= 0 && front < vertex)) vertex = front;
      if (vertex < 0) break;
      const parent = this.#hierarchy.parent(vertex);
      let forward = false;
      for (let i = 0; i < fronts.length; i++) {
        if (fronts[i] !== vertex) continue;
        fronts[i] = forward ? -1 : parent;
        forward = true;
      }
      if (forward && ahead[vertex]! < least) this.#climb(vertex, ahead, this.#aheadFrom, this.metric.up);
      if (climb === vertex) {
        if (back[vertex]! < least) {
          const through = ahead[vertex]! + back[vertex]!;
          if (through < least) {
            least = through;
            this.#meeting = vertex;
          }
          this.#climb(vertex, back, this.#backFrom, this.metric.down);
        }
        climb = parent;
      }
    }
    this.#forget(starts);
    return least >= CLOSED ? CLOSED : least + base;
  }

  path(): number[] {
    const vertices: number[] = [];
    for (let v = this.#meeting; v >= 0; v = this.#aheadFrom[v]!) vertices.push(v);
    vertices.reverse();
    for (let v = this.#backFrom[this.#meeting]!; v >= 0; v = this.#backFrom[v]!) vertices.push(v);
    return unpack(vertices, this.#hierarchy, this.metric);
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

  /** Sets the labels back. Whence they came stays, until the next question, for `path`. */
  #forget(starts: readonly number[]): void {
    for (let v = this.#target; v >= 0; v = this.#hierarchy.parent(v)) this.#back[v] = CLOSED;
    for (const start of starts) {
      for (let v = start; v >= 0; v = this.#hierarchy.parent(v)) this.#ahead[v] = CLOSED;
    }
  }
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
      const via = from < to ? metric.upVia[edgeBetween(upFirst, upHead, from, to)]! : metric.downVia[edgeBetween(upFirst, upHead, to, from)]!;
      if (via < 0) arcs.push(arc[to]!);
      else rest.push(to, via, via, from);
    }
  }
  return arcs;
}
