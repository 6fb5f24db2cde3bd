import { UNREACHABLE } from '../types.ts';
import type { Entered } from './closed-search.ts';
import type { Engine } from './engine.ts';
import type { Conditions } from './find-trip.ts';
import { CLOSED } from '../metric/costs.ts';
import { samePlace } from '../snapping/snapped-positions.ts';
import type { Passage } from '../snapping/snapped-positions.ts';
import type { Place } from '../snapping/snapper.ts';
import type { Labelled, TableSearch } from './table-search.ts';

/** Arcs between two yields: some milliseconds. */
const SLICE = 16_384;

interface TableQuestion {
  sources: readonly Place[];
  targets: readonly Place[];
  distances: boolean;
}

/**
 * Costs in tenths of a second, and metres where asked for, between all pairs of places; `UNREACHABLE` where
 * there is no way. Yields now and then where it takes long.
 */
export function* makeTable(
  { sources, targets, distances }: TableQuestion,
  tables: TableSearch,
  conditions: Conditions & { finder: Engine },
): Generator<undefined, { times: Int32Array; distances: Int32Array }> {
  const { roads, costs, passages, finder } = conditions;
  // Others may come into force between the slices.
  const { metric } = finder;
  const columns = targets.length;
  const times = new Int32Array(sources.length * columns).fill(UNREACHABLE);
  const metres = distances ? new Float64Array(times.length) : undefined;
  const leaving = sources.map((source) => passages.leaving(source));
  const arriving = targets.map((target) => passages.arriving(target));
  const { turnFirst, turnHead, turnCost } = roads.columns;
  const metresTo = ({ arc, at }: Passage): number => (distances ? passages.metres(arc, at) : 0);
  const start = (passage: Passage): Labelled => ({
    arc: passage.arc,
    cost: passages.rest(passage) - costs.arc[passage.arc]!,
    metres: -metresTo(passage),
  });
  const end = (passage: Passage): Labelled => ({ arc: passage.arc, cost: passage.cost, metres: metresTo(passage) });
  /** Driven off its own road, so that what is found there is the time of coming round to it. */
  const driveOff = (passage: Passage): Labelled[] => {
    const cost = passages.rest(passage);
    if (cost >= CLOSED) return [];
    const left = distances ? roads.arcMetres[passage.arc]! - metresTo(passage) : 0;
    return Array.from(turnHead.subarray(turnFirst[passage.arc], turnFirst[passage.arc + 1]), (arc, i) => ({
      arc,
      cost: cost + turnCost[turnFirst[passage.arc]! + i]!,
      metres: left,
    }));
  };
  // A label at the beginning of an arc says nothing of a start behind the end on the same one.
  const arrivedAt = new Map<number, Place[]>();
  arriving.forEach((all, column) => {
    for (const { arc } of all) {
      const places = arrivedAt.get(arc);
      if (places) places.push(targets[column]!);
      else arrivedAt.set(arc, [targets[column]!]);
    }
  });
  const drivesOff = leaving.map((all, row) =>
    all.some(({ arc }) => arrivedAt.get(arc)?.some((target) => !samePlace(roads, sources[row]!, target))),
  );
  const shorter = (cell: number, time: number, length: number): void => {
    if (time > times[cell]!) return;
    times[cell] = time;
    if (metres) metres[cell] = length;
  };
  const closedWays = new ClosedWays(conditions, metresTo, (row, column, cost, length) =>
    shorter(row * columns + column, cost, length),
  );
  const starts: Labelled[][] = [];
  for (const [row, all] of leaving.entries()) {
    const open = all.filter((passage) => !passages.goesOnClosed(passage));
    starts.push([
      ...(drivesOff[row] ? open.flatMap(driveOff) : open.map(start)),
      ...(yield* closedWays.out(row, all, arriving)),
    ]);
  }
  // Where nobody comes to open road, nobody needs to know how it is left.
  const isOpen = closedWays.entersAny || starts.some(({ length }) => length > 0);
  const ends: Labelled[][] = [];
  for (const [column, all] of arriving.entries()) {
    ends.push(isOpen ? ((yield* closedWays.in(column, all)) ?? all.filter(({ cost }) => cost < CLOSED).map(end)) : []);
  }
  yield* tables.run(metric, starts, ends, times, metres, metres && finder.lengths(metric));
  leaving.forEach((from, row) => {
    arriving.forEach((to, column) => {
      const cell = row * columns + column;
      if (samePlace(roads, sources[row]!, targets[column]!)) {
        // Nobody stands in a direction in which no road leads.
        times[cell] = passages.standing(sources[row]!).length > 0 ? 0 : UNREACHABLE;
        if (metres) metres[cell] = 0;
      } else if (drivesOff[row]) {
        for (const one of from)
          for (const other of to) {
            if (one.arc !== other.arc) continue;
            const straight = passages.direct(one, other);
            if (straight < CLOSED) shorter(cell, straight, metresTo(other) - metresTo(one));
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
 * What the rows and columns of a table that lie on closed roads need: where they come to open road and leave
 * it; and it tells the ways between two of them that the hierarchy does not know.
 */
class ClosedWays {
  readonly #conditions: Conditions;
  readonly #metresTo: (passage: Passage) => number;
  readonly #tell: (row: number, column: number, cost: number, metres: number) => void;
  readonly #entered: { readonly row: number; readonly begun: number; readonly entered: Entered }[] = [];

  constructor(
    conditions: Conditions,
    metresTo: (passage: Passage) => number,
    tell: (row: number, column: number, cost: number, metres: number) => void,
  ) {
    this.#conditions = conditions;
    this.#metresTo = metresTo;
    this.#tell = tell;
  }

  /** Whether any row comes to other closed roads before it has driven a whole arc of open road. */
  get entersAny(): boolean {
    return this.#entered.length > 0;
  }

  /** The labels at which a row comes to open road over closed ones. All rows come before the columns. */
  *out(
    row: number,
    from: readonly Passage[],
    columns: readonly (readonly Passage[])[],
  ): Generator<undefined, Labelled[]> {
    const { passages, closed } = this.#conditions;
    const out =
      closed &&
      (yield* closed.leave(
        from.map((passage) => ({ passage, total: 0 })),
        passages,
      ));
    if (!out) return [];
    const begun = from.map(this.#metresTo);
    columns.forEach((to, column) => {
      for (const passage of to) {
        const cost = passages.closedArrival(out.cost(passage.arc), passage);
        if (cost < CLOSED)
          this.#tell(
            row,
            column,
            cost,
            out.metres(passage.arc) + this.#metresTo(passage) - begun[out.to(passage.arc).standing]!,
          );
      }
    });
    for (const entered of out.entered) this.#entered.push({ row, begun: begun[entered.standing]!, entered });
    return out.exits.map(({ arc, label, metres, standing }) => ({
      arc,
      cost: label,
      metres: metres - begun[standing]!,
    }));
  }

  /** The labels at which a column is entered from open road; undefined where it lies on such. */
  *in(column: number, to: readonly Passage[]): Generator<undefined, Labelled[] | undefined> {
    const { passages, closed } = this.#conditions;
    const into = closed && (yield* closed.enter(to, passages));
    if (!into) return undefined;
    for (let i = 0; i < this.#entered.length; i++) {
      if (i % SLICE === SLICE - 1) yield;
      const { row, begun, entered } = this.#entered[i]!;
      into.after(entered, (_, cost, metres) =>
        this.#tell(row, column, entered.cost + cost, entered.metres - begun + metres),
      );
    }
    return into.entries.map(({ arc, label, metres }) => ({ arc, cost: label, metres }));
  }
}
