import { UNREACHABLE } from '../types.ts';
import type { ReentryArc } from './closed-search.ts';
import type { Engine } from './engine.ts';
import type { SearchContext } from './find-trip.ts';
import { CLOSED_COST } from '../metric/costs.ts';
import { isSamePoint } from '../snapping/snapped-positions.ts';
import type { SnappedPosition } from '../snapping/snapped-positions.ts';
import type { RoadPoint } from '../snapping/snapper.ts';
import type { TableLabel, TableSearch } from './table-search.ts';

/** Arcs between two yields: some milliseconds. */
const SLICE = 16_384;

interface TableQuery {
  sources: readonly RoadPoint[];
  targets: readonly RoadPoint[];
  distances: boolean;
}

/**
 * Costs in tenths of a second, and metres if requested, between all pairs of points; `UNREACHABLE` where no
 * path exists. Yields regularly when it takes long.
 */
export function* computeTable(
  { sources, targets, distances }: TableQuery,
  tables: TableSearch,
  conditions: SearchContext & { finder: Engine },
): Generator<undefined, { times: Int32Array; distances: Int32Array }> {
  const { roads, costs, positions, finder } = conditions;
  // Others may come into force between the slices.
  const { metric } = finder;
  const columns = targets.length;
  const times = new Int32Array(sources.length * columns).fill(UNREACHABLE);
  const metres = distances ? new Float64Array(times.length) : undefined;
  const leaving = sources.map((source) => positions.departures(source));
  const arriving = targets.map((target) => positions.arrivals(target));
  const { turnFirst, turnHead, turnCost } = roads.columns;
  const metresTo = ({ arc, at }: SnappedPosition): number => (distances ? positions.metres(arc, at) : 0);
  const start = (position: SnappedPosition): TableLabel => ({
    arc: position.arc,
    cost: positions.costToEnd(position) - costs.arc[position.arc]!,
    metres: -metresTo(position),
  });
  const end = (position: SnappedPosition): TableLabel => ({
    arc: position.arc,
    cost: position.cost,
    metres: metresTo(position),
  });
  /**
   * Labels after the vehicle's own road, so that the label of that road is the time of coming round to it.
   */
  const labelsAfterArc = (position: SnappedPosition): TableLabel[] => {
    const cost = positions.costToEnd(position);
    if (cost >= CLOSED_COST) return [];
    const left = distances ? roads.arcMetres[position.arc]! - metresTo(position) : 0;
    return Array.from(turnHead.subarray(turnFirst[position.arc], turnFirst[position.arc + 1]), (arc, i) => ({
      arc,
      cost: cost + turnCost[turnFirst[position.arc]! + i]!,
      metres: left,
    }));
  };
  // A label at the beginning of an arc does not describe a start behind the end on the same arc.
  const arrivedAt = new Map<number, RoadPoint[]>();
  arriving.forEach((all, column) => {
    for (const { arc } of all) {
      const places = arrivedAt.get(arc);
      if (places) places.push(targets[column]!);
      else arrivedAt.set(arc, [targets[column]!]);
    }
  });
  const startsAfterArc = leaving.map((all, row) =>
    all.some(({ arc }) => arrivedAt.get(arc)?.some((target) => !isSamePoint(roads, sources[row]!, target))),
  );
  const shorter = (cell: number, time: number, length: number): void => {
    if (time > times[cell]!) return;
    times[cell] = time;
    if (metres) metres[cell] = length;
  };
  const closedWays = new ClosedRoadLegs(conditions, metresTo, (row, column, cost, length) =>
    shorter(row * columns + column, cost, length),
  );
  const starts: TableLabel[][] = [];
  for (const [row, all] of leaving.entries()) {
    const open = all.filter((position) => !positions.continuesOnClosed(position));
    starts.push([
      ...(startsAfterArc[row] ? open.flatMap(labelsAfterArc) : open.map(start)),
      ...(yield* closedWays.exits(row, all, arriving)),
    ]);
  }
  // Without any exit to open road, entries are not needed.
  const isOpen = closedWays.hasReentries || starts.some(({ length }) => length > 0);
  const ends: TableLabel[][] = [];
  for (const [column, all] of arriving.entries()) {
    ends.push(
      isOpen ? ((yield* closedWays.entries(column, all)) ?? all.filter(({ cost }) => cost < CLOSED_COST).map(end)) : [],
    );
  }
  yield* tables.run(metric, starts, ends, times, metres, metres && finder.lengths(metric));
  leaving.forEach((from, row) => {
    arriving.forEach((to, column) => {
      const cell = row * columns + column;
      if (isSamePoint(roads, sources[row]!, targets[column]!)) {
        // A position needs a road that leads in its direction.
        times[cell] = positions.starts(sources[row]!).length > 0 ? 0 : UNREACHABLE;
        if (metres) metres[cell] = 0;
      } else if (startsAfterArc[row]) {
        for (const one of from)
          for (const other of to) {
            if (one.arc !== other.arc) continue;
            const straight = positions.directCost(one, other);
            if (straight < CLOSED_COST) shorter(cell, straight, metresTo(other) - metresTo(one));
          }
      }
    });
  });
  return {
    times,
    distances: metres
      ? Int32Array.from(metres, (length, cell) => (times[cell] === UNREACHABLE ? UNREACHABLE : Math.round(length)))
      : new Int32Array(0),
  };
}

/**
 * Exits and entries of the rows and columns on closed roads; visits the pairs whose path the hierarchy does
 * not know.
 */
class ClosedRoadLegs {
  readonly #conditions: SearchContext;
  readonly #metresTo: (position: SnappedPosition) => number;
  readonly #visit: (row: number, column: number, cost: number, metres: number) => void;
  readonly #reentries: { readonly row: number; readonly begun: number; readonly entered: ReentryArc }[] = [];

  constructor(
    conditions: SearchContext,
    metresTo: (position: SnappedPosition) => number,
    visit: (row: number, column: number, cost: number, metres: number) => void,
  ) {
    this.#conditions = conditions;
    this.#metresTo = metresTo;
    this.#visit = visit;
  }

  /** Whether any row reenters closed roads before it has driven a whole open arc. */
  get hasReentries(): boolean {
    return this.#reentries.length > 0;
  }

  /** Exit labels of a row. Call it for all rows before the columns. */
  *exits(
    row: number,
    from: readonly SnappedPosition[],
    columns: readonly (readonly SnappedPosition[])[],
  ): Generator<undefined, TableLabel[]> {
    const { positions, closed } = this.#conditions;
    const out =
      closed &&
      (yield* closed.exits(
        from.map((position) => ({ position, total: 0 })),
        positions,
      ));
    if (!out) return [];
    const begun = from.map(this.#metresTo);
    columns.forEach((to, column) => {
      for (const position of to) {
        const cost = positions.arrivalOverClosed(out.cost(position.arc), position);
        if (cost < CLOSED_COST)
          this.#visit(
            row,
            column,
            cost,
            out.metres(position.arc) + this.#metresTo(position) - begun[out.originOf(position.arc).origin]!,
          );
      }
    });
    for (const entered of out.reentries) this.#reentries.push({ row, begun: begun[entered.origin]!, entered });
    return out.exits.map(({ arc, label, metres, origin }) => ({
      arc,
      cost: label,
      metres: metres - begun[origin]!,
    }));
  }

  /** Entry labels of a column; undefined where it is on open road. */
  *entries(column: number, to: readonly SnappedPosition[]): Generator<undefined, TableLabel[] | undefined> {
    const { positions, closed } = this.#conditions;
    const into = closed && (yield* closed.entries(to, positions));
    if (!into) return undefined;
    for (let i = 0; i < this.#reentries.length; i++) {
      if (i % SLICE === SLICE - 1) yield;
      const { row, begun, entered } = this.#reentries[i]!;
      into.visitReentry(entered, (_, cost, metres) =>
        this.#visit(row, column, entered.cost + cost, entered.metres - begun + metres),
      );
    }
    return into.entries.map(({ arc, label, metres }) => ({ arc, cost: label, metres }));
  }
}
