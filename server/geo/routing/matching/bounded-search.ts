import type { Roads } from '../../territory/roads/reading.ts';
import { Heap } from '../graph/heap.ts';

/** Penalty in metres of a U-turn on a road: vehicles make few, jittering positions suggest many. */
const TURNING_BACK = 40;

/**
 * Shortest paths within some metres from the end of one arc, over allowed turns, regardless of closures
 * (Dijkstra 1959). Reuses its arrays.
 */
export class BoundedSearch {
  readonly #roads: Roads;
  readonly #heap = new Heap();
  /** Metres from the end of the searched arc to the beginning of each; `Infinity` beyond the limit. */
  readonly #label: Float64Array;
  readonly #before: Int32Array;
  #touched: number[] = [];

  constructor(roads: Roads) {
    this.#roads = roads;
    this.#label = new Float64Array(roads.arcs).fill(Infinity);
    this.#before = new Int32Array(roads.arcs).fill(-1);
  }

  /** Searches from the end of an arc up to `metres`. The methods below refer to the last search. */
  search(from: number, metres: number): void {
    const { turnFirst, turnHead } = this.#roads.columns;
    const { arcMetres } = this.#roads;
    for (const arc of this.#touched) {
      this.#label[arc] = Infinity;
      this.#before[arc] = -1;
    }
    this.#touched = [];
    this.#heap.clear();
    const leave = (arc: number, end: number, before: number): void => {
      for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
        const next = turnHead[turn]!;
        const label = end + (next === (arc ^ 1) ? TURNING_BACK : 0);
        if (label > metres || label >= this.#label[next]!) continue;
        if (this.#label[next] === Infinity) this.#touched.push(next);
        this.#label[next] = label;
        this.#before[next] = before;
        this.#heap.push(label, next);
      }
    };
    leave(from, 0, -1);
    while (this.#heap.size > 0) {
      const label = this.#heap.minKey;
      const arc = this.#heap.pop();
      if (label === this.#label[arc]) leave(arc, label + arcMetres[arc]!, arc);
    }
  }

  /** Metres from the end of the searched arc to the beginning of this one. */
  metresTo(arc: number): number {
    return this.#label[arc]!;
  }

  /** Arcs of the path, without the searched one, with this one. */
  pathTo(arc: number): number[] {
    const arcs: number[] = [];
    for (let at = arc; at >= 0; at = this.#before[at]!) arcs.push(at);
    return arcs.reverse();
  }
}
