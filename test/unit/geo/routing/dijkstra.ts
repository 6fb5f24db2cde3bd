import type { Roads } from '../../../../server/geo/territory/roads/index.ts';
import { Heap } from '../../../../server/geo/routing/graph/heap.ts';
import { CLOSED_COST } from '../../../../server/geo/routing/metric/costs.ts';
import type { Costs } from '../../../../server/geo/routing/metric/costs.ts';
import type { PathFinder, ArcLabel } from '../../../../server/geo/routing/search/path-finder.ts';

/**
 * Plain Dijkstra over the arcs: slow, obviously right. The oracle that the hierarchy is held against in
 * tests.
 */
export class Dijkstra implements PathFinder {
  readonly #roads: Roads;
  readonly #costs: Costs;
  readonly #heap = new Heap();
  readonly #label: Int32Array;
  readonly #before: Int32Array;
  #touched: number[] = [];
  #target = -1;

  constructor(roads: Roads, costs: Costs) {
    this.#roads = roads;
    this.#costs = costs;
    this.#label = new Int32Array(roads.arcs).fill(CLOSED_COST);
    this.#before = new Int32Array(roads.arcs).fill(-1);
  }

  find(sources: readonly ArcLabel[], target: number): number {
    this.#target = target;
    this.#run(sources, target);
    return this.#label[target]!;
  }

  findAny(sources: readonly ArcLabel[], targets: readonly ArcLabel[]): number {
    let least = CLOSED_COST;
    let best = -1;
    for (const { arc, label } of targets) {
      const found = this.find(sources, arc);
      if (found >= CLOSED_COST || found + label >= least) continue;
      least = found + label;
      best = arc;
    }
    if (best >= 0) this.find(sources, best); // `path` is of the last one that was looked for
    return least;
  }

  /** Labels of all arcs from the sources; valid until the next question. */
  all(sources: readonly ArcLabel[]): Int32Array {
    this.#run(sources, -1);
    return this.#label;
  }

  path(): number[] {
    const arcs: number[] = [];
    for (let arc = this.#target; arc >= 0; arc = this.#before[arc]!) arcs.push(arc);
    return arcs.reverse();
  }

  #run(sources: readonly ArcLabel[], target: number): void {
    const { turnFirst, turnHead, turnCost } = this.#roads.columns;
    const label = this.#label;
    for (const arc of this.#touched) {
      label[arc] = CLOSED_COST;
      this.#before[arc] = -1;
    }
    this.#touched = [];
    this.#heap.clear();
    for (const source of sources) this.#reach(source.arc, source.label, -1);
    while (this.#heap.size > 0) {
      const key = this.#heap.minKey;
      const arc = this.#heap.pop();
      if (key > label[arc]!) continue;
      if (arc === target) return;
      if (this.#costs.arc[arc] === CLOSED_COST) continue;
      const end = key + this.#costs.arc[arc]!;
      for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++)
        this.#reach(turnHead[turn]!, end + turnCost[turn]!, arc);
    }
  }

  #reach(arc: number, label: number, before: number): void {
    if (label >= this.#label[arc]!) return;
    if (this.#label[arc] === CLOSED_COST) this.#touched.push(arc);
    this.#label[arc] = label;
    this.#before[arc] = before;
    this.#heap.push(label, arc);
  }
}
