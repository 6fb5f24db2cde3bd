import type { Roads } from '../../territory/roads/reading.ts';
import type { Metric } from '../metric/customize.ts';
import { edgeLengths } from '../metric/edge-lengths.ts';
import type { EdgeLengths } from '../metric/edge-lengths.ts';
import type { Hierarchy } from '../graph/hierarchy.ts';
import type { PathFinder, ArcLabel } from './path-finder.ts';
import { OneToAllSearch } from './one-to-all-search.ts';
import { Search } from './search.ts';
import { TableSearch } from './table-search.ts';
import { ViaSearch } from './via-search.ts';

/** The searches of one thread over one customized hierarchy; rarely used ones are created on first use. */
export class Engine implements PathFinder {
  readonly hierarchy: Hierarchy;
  #metric: Metric;
  readonly #roads: Roads;
  readonly #search: Search;
  #table: TableSearch | undefined;
  #slicedTable: TableSearch | undefined;
  #viaSearch: ViaSearch | undefined;
  #oneToAllSearch: OneToAllSearch | undefined;
  #lengths: { readonly of: Metric; readonly lengths: EdgeLengths } | undefined;

  constructor(roads: Roads, hierarchy: Hierarchy, metric: Metric) {
    this.#roads = roads;
    this.hierarchy = hierarchy;
    this.#metric = metric;
    this.#search = new Search(hierarchy, metric);
  }

  get metric(): Metric {
    return this.#metric;
  }

  /** Switches to another metric, in the same arrays. */
  setMetric(metric: Metric): void {
    this.#metric = metric;
    this.#search.metric = metric;
    if (this.#viaSearch) this.#viaSearch.metric = metric;
  }

  find(sources: readonly ArcLabel[], target: number): number {
    return this.#search.find(sources, target);
  }

  findAny(sources: readonly ArcLabel[], targets: readonly ArcLabel[]): number {
    return this.#search.findAny(sources, targets);
  }

  path(): number[] {
    return this.#search.path();
  }

  get viaSearch(): ViaSearch {
    return (this.#viaSearch ??= new ViaSearch(this.hierarchy, this.metric));
  }

  get oneToAllSearch(): OneToAllSearch {
    return (this.#oneToAllSearch ??= new OneToAllSearch(this.hierarchy));
  }

  /** For tables computed in one go. */
  get tableSearch(): TableSearch {
    return (this.#table ??= new TableSearch(this.hierarchy));
  }

  /** For tables computed in slices, between other queries. */
  get slicedTableSearch(): TableSearch {
    return (this.#slicedTable ??= new TableSearch(this.hierarchy));
  }

  /** Lengths of the edges of a metric. */
  lengths(metric: Metric): EdgeLengths {
    if (metric.lengths) return metric.lengths;
    if (this.#lengths?.of !== metric)
      this.#lengths = { of: metric, lengths: edgeLengths(this.hierarchy, metric, this.#roads.arcMetres) };
    return this.#lengths.lengths;
  }
}
