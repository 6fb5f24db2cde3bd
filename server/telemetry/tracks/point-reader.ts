import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MonthFiles, periodWithin, type ListedMonth } from '../months/month-files.ts';
import { monthOf } from '../months/months.ts';
import { POINT_COLUMNS, type StoredPoint } from './stored-point.ts';

/** Columns, filter and order of a read of points. Make it once: statements are cached by the object. */
export class PointSelection {
  readonly newestFirst: boolean;
  readonly #what: string;
  readonly #which: string;

  /**
   * @param options.columns with `time`
   * @param options.where a condition in SQL
   */
  constructor(options: { columns?: string; where?: string; newestFirst?: boolean } = {}) {
    const { columns = POINT_COLUMNS, where, newestFirst = false } = options;
    this.newestFirst = newestFirst;
    this.#what = `SELECT ${columns} FROM `;
    this.#which = ` WHERE vehicle=? AND time BETWEEN ? AND ?${where === undefined ? '' : ` AND ${where}`} ORDER BY time ${newestFirst ? 'DESC ' : ''}LIMIT ?`;
    this.inMonth = this.from('tracks');
    this.isAll = where === undefined;
  }

  readonly inMonth: string;
  /** Without a condition. */
  readonly isAll: boolean;

  from(table: string): string {
    return this.#what + table + this.#which;
  }
}

/** Times in epoch ms, both ends inclusive. */
export interface PointSpan {
  readonly from?: number;
  readonly until?: number;
  readonly limit: number;
}

export const WHOLE_POINTS = new PointSelection();
export const NEWEST_FIRST = new PointSelection({ newestFirst: true });
export const TIMES = new PointSelection({ columns: 'time' });
export const LAST_BELIEVED = new PointSelection({
  columns: 'time, lat, lon, speed, engine',
  where: 'marks=0',
  newestFirst: true,
});

export const LAST_PLACE = new PointSelection({
  columns: 'time, lat, lon, speed, direction',
  where: 'marks=0',
  newestFirst: true,
});

/** The tables of `tracks.db` with points that are not in their months yet: a row of an earlier one holds. */
export const HEAD_TABLES = ['tracks', 'moving'] as const;

const ONE_POINT = `SELECT ${POINT_COLUMNS} FROM tracks WHERE vehicle=? AND time=?`;

type Timed = Pick<StoredPoint, 'time'>;

/**
 * Reads points wherever they are: new and changed ones in `tracks` of `tracks.db`, those on their way in `moving`,
 * the others in the file of their month. A point is copied to its month before it leaves `tracks.db`, so a
 * snapshot of `tracks.db` that is older than the look into the month misses nothing.
 */
export class PointReader {
  readonly #head: DatabaseSync;
  readonly #months: MonthFiles;
  readonly #statements = new Map<string, StatementSync>();
  readonly #selections = new Map<PointSelection, readonly [fresh: StatementSync, moving: StatementSync]>();
  readonly #onePoint: readonly [fresh: StatementSync, moving: StatementSync];
  readonly #isWriter: boolean;
  /** The writer's knowledge of its own tables, until it changes them. */
  #known: { readonly months: readonly ListedMonth[]; readonly hasMoving: boolean } | undefined;

  /**
   * @param file `tracks.db`, which `head` has open
   * @param isWriter whether only `head` writes to it, and says so to `placesChanged`
   */
  constructor(head: DatabaseSync, file: string, isWriter = false) {
    this.#head = head;
    this.#isWriter = isWriter;
    this.#months = new MonthFiles(head, dirname(file));
    this.#onePoint = [head.prepare(ONE_POINT), head.prepare(ONE_POINT.replace('FROM tracks', 'FROM moving'))];
  }

  /** Points were set apart or forgotten, a month was listed or struck off, or a transaction was rolled back. */
  placesChanged(): void {
    this.#known = undefined;
  }

  /** The points, each once, in order. */
  read<Row extends Timed = StoredPoint>(vehicle: number, selection: PointSelection, span: PointSpan): Row[] {
    return this.#inSnapshot(() => {
      let { from = 0, until = Number.MAX_SAFE_INTEGER } = span;
      const months = this.#monthsOf(from, until);
      const [fresh] = this.#prepared(selection);
      if (months.length === 0 && !this.#hasMoving())
        return fresh.all(vehicle, from, until, span.limit) as unknown as Row[];
      let found: Row[] | undefined;
      while (from <= until) {
        const limit = span.limit - (found?.length ?? 0);
        if (limit <= 0) break;
        const { rows, end } = this.#part<Row>(vehicle, selection, months, { from, until, limit });
        if (!found) found = rows;
        else for (const row of rows) found.push(row);
        if (end === undefined) break;
        if (selection.newestFirst) until = end - 1;
        else from = end + 1;
      }
      return found ?? [];
    });
  }

  point(vehicle: number, time: number): StoredPoint | undefined {
    return this.#inSnapshot(() => {
      const [fresh, moving] = this.#onePoint;
      const row = fresh.get(vehicle, time) ?? (this.#hasMoving() ? moving.get(vehicle, time) : undefined);
      return (row ?? this.#inMonth(vehicle, time, ONE_POINT)) as StoredPoint | undefined;
    });
  }

  /** How many points there are between two times, both inclusive; no more than `most` are counted. */
  count(vehicle: number, from: number, until: number, most = Number.MAX_SAFE_INTEGER): number {
    return this.#inSnapshot(() => {
      let count = 0;
      for (const month of this.#monthsOf(from, until)) {
        if (count >= most) return most;
        const [row] = this.#months.all(
          month,
          'SELECT count(*) AS count FROM (SELECT 1 FROM tracks WHERE vehicle=? AND time BETWEEN ? AND ? LIMIT ?)',
          [vehicle, ...periodWithin(month.month, from, until), most - count],
        ) as { count: number }[];
        count += row!.count;
      }
      for (const time of this.#headTimes(vehicle, from, until)) {
        if (count >= most) return most;
        if (!this.#inMonth(vehicle, time, 'SELECT 1 FROM tracks WHERE vehicle=? AND time=?')) count++;
      }
      return count;
    });
  }

  close(): void {
    this.#months.close();
  }

  /**
   * Points from the first table that has some up to `end`, from which the rest is to be read; undefined: there
   * is no more.
   */
  #part<Row extends Timed>(
    vehicle: number,
    selection: PointSelection,
    months: readonly ListedMonth[],
    query: Required<PointSpan>,
  ): { rows: Row[]; end: number | undefined } {
    const { limit } = query;
    const { newestFirst } = selection;
    let { from, until } = query;
    let isCut = false;
    const cut = (rows: readonly Timed[]) => {
      if (rows.length < limit) return;
      isCut = true;
      if (newestFirst) from = Math.max(from, rows.at(-1)!.time);
      else until = Math.min(until, rows.at(-1)!.time);
    };
    let inMonths = this.#inMonths<Row>(vehicle, selection, months, query);
    cut(inMonths);
    const inHead = this.#prepared(selection).map((statement, table) => {
      if (table > 0 && !this.#hasMoving()) return [];
      const rows = statement.all(vehicle, from, until, limit) as unknown as Row[];
      cut(rows);
      return rows;
    });
    const rest = isCut ? (newestFirst ? from : until) : undefined;
    if (selection.isAll && inHead.every((rows) => rows.length === 0)) return { rows: inMonths, end: rest };
    const isWithin = ({ time }: Timed) => time >= from && time <= until;
    const [fresh, moving] = inHead.map((rows) => rows.filter(isWithin)) as [Row[], Row[]];
    inMonths = inMonths.filter(isWithin);
    // A row of a later table holds unless an earlier one has that time, also where that one does not match.
    const freshTimes = this.#timesOver('tracks', vehicle, moving, inMonths);
    const movingTimes = this.#timesOver('moving', vehicle, inMonths);
    const rows = [
      ...fresh,
      ...moving.filter(({ time }) => !freshTimes.has(time)),
      ...inMonths.filter(({ time }) => !freshTimes.has(time) && !movingTimes.has(time)),
    ];
    if (fresh.length + moving.length > 0) rows.sort((a, b) => (newestFirst ? b.time - a.time : a.time - b.time));
    if (rows.length <= limit) return { rows, end: rest };
    const first = rows.slice(0, limit);
    return { rows: first, end: first.at(-1)!.time };
  }

  #inMonths<Row extends Timed>(
    vehicle: number,
    selection: PointSelection,
    months: readonly ListedMonth[],
    { from, until, limit }: Required<PointSpan>,
  ): Row[] {
    let found: Row[] | undefined;
    for (const month of selection.newestFirst ? months.toReversed() : months) {
      const left = limit - (found?.length ?? 0);
      if (left === 0) break;
      const [first, last] = periodWithin(month.month, from, until);
      if (first > last) continue;
      const rows = this.#months.all(month, selection.inMonth, [vehicle, first, last, left]) as Row[];
      if (!found) found = rows;
      else for (const row of rows) found.push(row);
    }
    return found ?? [];
  }

  /** The times in a table over the span of these rows, which are in either order. */
  #timesOver(table: (typeof HEAD_TABLES)[number], vehicle: number, ...parts: Timed[][]): ReadonlySet<number> {
    const ends = parts.flatMap((rows) => (rows.length === 0 ? [] : [rows[0]!.time, rows.at(-1)!.time]));
    return ends.length === 0 ? NONE : this.#times(table, vehicle, Math.min(...ends), Math.max(...ends));
  }

  #times(table: (typeof HEAD_TABLES)[number], vehicle: number, from: number, until: number): ReadonlySet<number> {
    const rows = this.#all(`SELECT time FROM ${table} WHERE vehicle=? AND time BETWEEN ? AND ?`, vehicle, from, until);
    return rows.length === 0 ? NONE : new Set((rows as Timed[]).map(({ time }) => time));
  }

  #headTimes(vehicle: number, from: number, until: number): ReadonlySet<number> {
    const fresh = this.#times('tracks', vehicle, from, until);
    const moving = this.#times('moving', vehicle, from, until);
    return new Set([...fresh, ...moving]);
  }

  #inMonth(vehicle: number, time: number, sql: string): unknown {
    const [month] = this.#monthsOf(time, time);
    if (!month) return undefined;
    return this.#months.all(month, sql, [vehicle, time])[0];
  }

  #monthsOf(from: number, until: number): readonly ListedMonth[] {
    const [first, last] = [monthOf(from), monthOf(until)];
    return this.#isWriter
      ? this.#places().months.filter(({ month }) => month >= first && month <= last)
      : this.#months.list(first, last);
  }

  /** Readers look; the table is mostly empty. */
  #hasMoving(): boolean {
    return !this.#isWriter || this.#places().hasMoving;
  }

  #places() {
    return (this.#known ??= {
      months: this.#months.list(0, Number.MAX_SAFE_INTEGER),
      hasMoving: this.#all('SELECT 1 FROM moving LIMIT 1').length > 0,
    });
  }

  #prepared(selection: PointSelection): readonly [fresh: StatementSync, moving: StatementSync] {
    let prepared = this.#selections.get(selection);
    if (!prepared) {
      prepared = [this.#head.prepare(selection.from('tracks')), this.#head.prepare(selection.from('moving'))];
      this.#selections.set(selection, prepared);
    }
    return prepared;
  }

  #all(sql: string, ...parameters: number[]): unknown[] {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#head.prepare(sql)));
    return statement.all(...parameters);
  }

  #inSnapshot<R>(read: () => R): R {
    if (this.#head.isTransaction) return read();
    this.#head.exec('BEGIN');
    try {
      return read();
    } finally {
      this.#head.exec('COMMIT');
    }
  }
}

const NONE: ReadonlySet<number> = new Set();
