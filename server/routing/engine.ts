import { metresBetween } from '../territory/roads/index.ts';
import type { Roads } from '../territory/roads/index.ts';
import type { Metric } from './customize.ts';
import type { Hierarchy } from './hierarchy.ts';
import type { PathFinder, Source } from './path-finder.ts';
import { ReachSearch } from './reach-search.ts';
import { Search } from './search.ts';
import { TableSearch, edgeLengths } from './table-search.ts';
import type { EdgeLengths, Labelled } from './table-search.ts';
import { ViaSearch } from './via-search.ts';

/** Everything that one thread needs to search a customized hierarchy. What only some questions need is made when it is first asked for. */
export class Engine implements PathFinder {
  readonly hierarchy: Hierarchy;
  readonly metric: Metric;
  readonly #roads: Roads;
  readonly #search: Search;
  #table: TableSearch | undefined;
  #viaSearch: ViaSearch | undefined;
  #reachSearch: ReachSearch | undefined;
  #arcMetres: Float64Array | undefined;
  #lengths: EdgeLengths | undefined;

  constructor(roads: Roads, hierarchy: Hierarchy, metric: Metric) {
    this.#roads = roads;
    this.hierarchy = hierarchy;
    this.metric = metric;
    this.#search = new Search(hierarchy, metric);
  }

  find(sources: readonly Source[], target: number): number {
    return this.#search.find(sources, target);
  }

  path(): number[] {
    return this.#search.path();
  }

  get viaSearch(): ViaSearch {
    return (this.#viaSearch ??= new ViaSearch(this.hierarchy, this.metric));
  }

  get reachSearch(): ReachSearch {
    return (this.#reachSearch ??= new ReachSearch(this.hierarchy, this.metric));
  }

  /** See `TableSearch.run`. */
  table(sources: readonly (readonly Labelled[])[], targets: readonly (readonly Labelled[])[], times: Int32Array, metres: Float64Array | undefined): void {
    this.#table ??= new TableSearch(this.hierarchy, this.metric);
    if (metres) this.#lengths ??= edgeLengths(this.hierarchy, this.metric, this.arcMetres);
    this.#table.run(sources, targets, times, metres, metres && this.#lengths);
  }

  /** Length of every arc. */
  get arcMetres(): Float64Array {
    return (this.#arcMetres ??= Float64Array.from({ length: this.#roads.arcs }, (_, arc) => pieceMetres(this.#roads, arc >> 1, 0, Infinity)));
  }
}

/** Metres of a segment between two shape positions counted from its beginning, fractions of a piece included. */
export function pieceMetres(roads: Roads, segment: number, from: number, to: number): number {
  const { segmentFirst, shape, nodeLat, nodeLon } = roads.columns;
  const first = segmentFirst[segment]!;
  const pieces = segmentFirst[segment + 1]! - first - 1;
  let metres = 0;
  for (let k = Math.floor(from); k < Math.min(pieces, to); k++) {
    const a = shape[first + k]!;
    const b = shape[first + k + 1]!;
    metres += metresBetween(nodeLat[a]!, nodeLon[a]!, nodeLat[b]!, nodeLon[b]!) * (Math.min(1, to - k) - Math.max(0, from - k));
  }
  return metres;
}
