import type { Roads } from '../../territory/roads/reading.ts';
import { copyThrottled } from './throttle.ts';
import { customize } from './customize.ts';
import type { Metric } from './customize.ts';
import { Heap } from '../graph/heap.ts';
import { NO_EDGE, edgeBetween } from '../graph/hierarchy.ts';
import type { Hierarchy } from '../graph/hierarchy.ts';
import { CLOSED_COST } from './costs.ts';
import type { Costs } from './costs.ts';
import { edgeLengths } from './edge-lengths.ts';

/** Above one changed arc in so many, full customization is faster in any case. */
const FEW = 50;
/**
 * Above one recomputed edge in so many, full customization is faster. Adjacent changes, such as closures,
 * affect few edges above them; scattered ones affect many. An edge costs some thirty times as much here as in
 * a full customization.
 */
const FEW_EDGES = 32;
/** Numbers per page of memory, and per step of preallocation: 4 MiB, some milliseconds. */
const PAGE = 1024;
const STEP = 1024 * PAGE;
/** Arcs, or edges in any order, between two calls of `throttle`: a fraction of 0.1 ms. */
const THROTTLE_INTERVAL = 4096;
/** Above one differing edge in so many, copying the complete metric is hardly slower. */
const FEW_APART = 200;
/** This many edges are always recomputed partially. */
const MIN_EDGES = 200;

/**
 * Partial customization: the metric under other costs, computed from an existing one. Edges are recomputed in
 * the order of their lower ends, and only where a number below them changed (Dibbelt, Strasser, Wagner,
 * "Customizable Contraction Hierarchies", 2016, section 7.3). Equals `customize` in every number. Leaves
 * `old` unchanged, writes over `into`, calls `throttle` regularly.
 */
export function updateMetric(
  old: Metric,
  hierarchy: Hierarchy,
  roads: Roads,
  costs: Costs,
  into: Metric = metricLike(old),
  throttle?: () => void,
): Metric {
  const arcs: number[] = [];
  for (let arc = 0; arc < roads.arcs; arc++) {
    if (costs.arc[arc] !== old.costs.arc[arc]) arcs.push(arc);
    if (arc % THROTTLE_INTERVAL === 0) throttle?.();
  }
  const metric = { ...into, costs };
  if (arcs.length * FEW <= roads.arcs) {
    copyMetric(old, metric, throttle);
    const changed = new PartialCustomization(hierarchy, roads, metric).run(arcs, throttle);
    if (changed) {
      contents.set(metric.up, contentAfter(contentOf(old), changed, hierarchy.edges, throttle));
      return metric;
    }
  }
  contents.delete(metric.up);
  customize(hierarchy, roads, costs, metric, throttle);
  if (metric.lengths) edgeLengths(hierarchy, metric, roads.arcMetres, metric.lengths, throttle);
  return metric;
}

/** Identity of a metric's content: the edges in which it may differ from the content it was derived from. */
interface MetricContent {
  readonly root: MetricContent | undefined;
  /** May contain duplicates. */
  readonly edges: Uint32Array;
}

/** Current content of metrics, by their `up` column. A metric that is written over gets a new content. */
const contents = new WeakMap<Int32Array, MetricContent>();

function contentOf({ up }: Metric): MetricContent {
  const known = contents.get(up);
  if (known) return known;
  const content: MetricContent = { root: undefined, edges: new Uint32Array(0) };
  contents.set(up, content);
  return content;
}

/** When too many edges differ from the root after many changes, the content becomes a root of its own. */
function contentAfter(
  before: MetricContent,
  changed: readonly number[],
  all: number,
  throttle?: () => void,
): MetricContent {
  let edges = new Uint32Array(before.edges.length + changed.length);
  edges.set(before.edges);
  edges.set(changed, before.edges.length);
  // Edges between important roads change with many closures.
  if (edges.length > all / FEW_APART) {
    const distinct = new Set<number>();
    for (let i = 0; i < edges.length; i++) {
      if (i % THROTTLE_INTERVAL === 0) throttle?.();
      distinct.add(edges[i]!);
    }
    edges = Uint32Array.from(distinct);
  }
  if (edges.length > all / FEW_APART / 2) return { root: undefined, edges: new Uint32Array(0) };
  return { root: before.root ?? before, edges };
}

/**
 * Reusable metrics of a network beside the free-flow one: those in use, and one for each that is being
 * computed. Shared memory is freed only when every thread that saw it collects garbage, which an idle thread
 * does not (README rule 17).
 */
export class MetricPool {
  readonly #model: Metric;
  readonly #made: Metric[] = [];
  readonly #ready = new WeakSet<Int32Array | Float32Array>();

  constructor(model: Metric) {
    this.#model = model;
  }

  /**
   * Touches the pages of the next spare metric, a few in each step. The system allocates a page on the first
   * write; on a million nodes this takes over a second, and the first closure would wait for it.
   */
  *preallocate(...searched: readonly Metric[]): Generator<undefined, void> {
    const spare = this.spare(...searched);
    const { costs } = spare;
    for (const column of [costs.arc, costs.forward, costs.backward, ...columnsOf(spare)]) {
      if (this.#ready.has(column)) continue;
      for (let first = 0; first < column.length; first += STEP) {
        for (let i = first; i < Math.min(first + STEP, column.length); i += PAGE) column[i] = column[i]!;
        yield;
      }
      this.#ready.add(column);
    }
  }

  /** A metric that is not among those `searched`. */
  spare(...searched: readonly Metric[]): Metric {
    const spare = this.#made.find(({ up }) => searched.every((metric) => metric.up !== up));
    if (spare) return spare;
    const made = metricLike(this.#model);
    this.#made.push(made);
    return made;
  }
}

/** A metric of the same size, with costs of its own. */
function metricLike({ costs, up, down, upVia, downVia, lengths }: Metric): Metric {
  return {
    costs: { arc: emptyLike(costs.arc), forward: emptyLike(costs.forward), backward: emptyLike(costs.backward) },
    up: emptyLike(up),
    down: emptyLike(down),
    upVia: emptyLike(upVia),
    downVia: emptyLike(downVia),
    lengths: lengths && { up: emptyLike(lengths.up), down: emptyLike(lengths.down) },
  };
}

/**
 * Makes `into` equal to `from`, copying only edges that may differ, if they are known. A full copy takes
 * longer than the update itself and evicts the searches' data from the caches.
 */
function copyMetric(from: Metric, into: Metric, throttle?: () => void): void {
  const columns = columnsOf(from).map((column, i) => [column, columnsOf(into)[i]!] as const);
  const [source, target] = [contentOf(from), contents.get(into.up)];
  // Until the copy is complete the content is unknown, also if it fails.
  contents.delete(into.up);
  if (target && (target.root ?? target) === (source.root ?? source)) {
    for (const edges of [source.edges, target.edges])
      for (const [column, copy] of columns) {
        for (let i = 0; i < edges.length; i++) {
          if (i % THROTTLE_INTERVAL === 0) throttle?.();
          copy[edges[i]!] = column[edges[i]!]!;
        }
      }
  } else {
    for (const [column, copy] of columns) copyThrottled(copy, column, throttle);
  }
}

function columnsOf({ up, down, upVia, downVia, lengths }: Metric): (Int32Array | Float32Array)[] {
  return [up, down, upVia, downVia, ...(lengths ? [lengths.up, lengths.down] : [])];
}

class PartialCustomization {
  readonly #hierarchy: Hierarchy;
  readonly #roads: Roads;
  readonly #metric: Metric;
  /** Edges to recompute by lower end, without duplicates. */
  readonly #heap = new Heap();
  readonly #waiting = new Set<number>();

  constructor(hierarchy: Hierarchy, roads: Roads, metric: Metric) {
    this.#hierarchy = hierarchy;
    this.#roads = roads;
    this.#metric = metric;
  }

  /**
   * Recomputes what follows from changed arcs; returns the changed edges. Stops and returns undefined when
   * there are too many.
   */
  run(arcs: readonly number[], throttle?: () => void): number[] | undefined {
    const { rank, turnEdge, upHead } = this.#hierarchy.columns;
    const { turnFirst, turnHead } = this.#roads.columns;
    for (const arc of arcs) {
      for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
        if (turnEdge[turn] !== NO_EDGE)
          this.#enqueue(Math.min(rank[arc]!, rank[turnHead[turn]!]!), turnEdge[turn]! >> 1);
      }
    }
    const changed: number[] = [];
    let left = Math.max(MIN_EDGES, upHead.length / FEW_EDGES);
    while (this.#heap.size > 0) {
      if (left-- <= 0) return undefined;
      throttle?.();
      const lower = this.#heap.minKey;
      const edge = this.#heap.pop();
      this.#waiting.delete(edge);
      if (!this.#recompute(lower, edge)) continue;
      changed.push(edge);
      this.#enqueueDependents(lower, edge);
    }
    return changed;
  }

  #enqueue(lower: number, edge: number): void {
    if (this.#waiting.has(edge)) return;
    this.#waiting.add(edge);
    this.#heap.push(lower, edge);
  }

  /**
   * Recomputes an edge from its turns and its lower triangles, in the order of `customize`. Returns whether a
   * number changed.
   */
  #recompute(lower: number, edge: number): boolean {
    const { upFirst, upHead, downFirst, downTail, arc } = this.#hierarchy.columns;
    const { up, down, upVia, downVia, lengths } = this.#metric;
    const upper = upHead[edge]!;
    let forward = this.#turnCost(arc[lower]!, edge * 2);
    let backward = this.#turnCost(arc[upper]!, edge * 2 + 1);
    let forwardVia = -1;
    let backwardVia = -1;
    let forwardMetres = this.#roads.arcMetres[arc[lower]!]!;
    let backwardMetres = this.#roads.arcMetres[arc[upper]!]!;
    for (let i = downFirst[lower]!; i < downFirst[lower + 1]!; i++) {
      const z = downTail[i]!;
      const toUpper = edgeBetween(upFirst, upHead, z, upper);
      if (upHead[toUpper] !== upper) continue;
      const toLower = edgeBetween(upFirst, upHead, z, lower);
      if (down[toLower]! < CLOSED_COST && down[toLower]! + up[toUpper]! < forward) {
        forward = down[toLower]! + up[toUpper]!;
        forwardVia = z;
        if (lengths) forwardMetres = lengths.down[toLower]! + lengths.up[toUpper]!;
      }
      if (up[toLower]! < CLOSED_COST && up[toLower]! + down[toUpper]! < backward) {
        backward = up[toLower]! + down[toUpper]!;
        backwardVia = z;
        if (lengths) backwardMetres = lengths.down[toUpper]! + lengths.up[toLower]!;
      }
    }
    const changed =
      up[edge] !== forward ||
      down[edge] !== backward ||
      upVia[edge] !== forwardVia ||
      downVia[edge] !== backwardVia ||
      (lengths !== undefined &&
        (lengths.up[edge] !== Math.fround(forwardMetres) || lengths.down[edge] !== Math.fround(backwardMetres)));
    up[edge] = forward;
    down[edge] = backward;
    upVia[edge] = forwardVia;
    downVia[edge] = backwardVia;
    if (lengths) {
      lengths.up[edge] = forwardMetres;
      lengths.down[edge] = backwardMetres;
    }
    return changed;
  }

  /**
   * The edges above that go over this one, or might do so now: those between its upper end and the other
   * vertices above its lower one.
   */
  #enqueueDependents(lower: number, edge: number): void {
    const { upFirst, upHead } = this.#hierarchy.columns;
    const { up, down, upVia, downVia } = this.#metric;
    const upper = upHead[edge]!;
    for (let other = upFirst[lower]!; other < upFirst[lower + 1]!; other++) {
      if (other === edge) continue;
      const beyond = upHead[other]!;
      const [low, toLow, toHigh] = beyond < upper ? [beyond, other, edge] : [upper, edge, other];
      const over = edgeBetween(upFirst, upHead, low, Math.max(beyond, upper));
      const goesOver = upVia[over] === lower || downVia[over] === lower;
      if (goesOver || down[toLow]! + up[toHigh]! <= up[over]! || up[toLow]! + down[toHigh]! <= down[over]!)
        this.#enqueue(low, over);
    }
  }

  /** Least cost of the turns out of an arc that form this edge in this direction. */
  #turnCost(arc: number, turnEdge: number): number {
    const { turnFirst, turnCost } = this.#roads.columns;
    const cost = this.#metric.costs.arc[arc]!;
    let least = CLOSED_COST;
    if (cost >= CLOSED_COST) return least;
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
      if (this.#hierarchy.columns.turnEdge[turn] === turnEdge) least = Math.min(least, cost + turnCost[turn]!);
    }
    return least;
  }
}

function emptyLike<T extends Int32Array | Float32Array>(values: T): T {
  return new (values.constructor as new (buffer: SharedArrayBuffer) => T)(new SharedArrayBuffer(values.byteLength));
}
