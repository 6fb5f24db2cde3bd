import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MovedMonths } from '../historian/moved-months.ts';
import { HistorianQuestions, offeredHistorian } from '../historian/questions.ts';
import { JoinedMonths } from '../months/joined-months.ts';
import { MonthFiles } from '../months/month-files.ts';
import type { MonthSource, TimedRow } from '../months/month-source.ts';
import { monthOf } from '../months/months.ts';
import { ONE_POINT, type PointSelection, type PointSpan } from '../months/point-selection.ts';
import type { StoredPoint } from './stored-point.ts';

/** The tables of `tracks.db` with points that are not in their months yet: a row of an earlier one holds. */
export const HEAD_TABLES = ['tracks', 'moving'] as const;

/**
 * Reads points wherever they are: new and changed ones in `tracks` of `tracks.db`, those on their way in `moving`,
 * the others in the file of their month or in the historian. A point is copied to its month before it leaves
 * `tracks.db`, so a snapshot of `tracks.db` that is older than the look into the month misses nothing.
 */
export class PointReader {
  readonly #head: DatabaseSync;
  readonly #months: MonthSource;
  readonly #statements = new Map<string, StatementSync>();
  readonly #selections = new Map<PointSelection, readonly [fresh: StatementSync, moving: StatementSync]>();
  readonly #onePoint: readonly [fresh: StatementSync, moving: StatementSync];
  readonly #isWriter: boolean;
  /** Whether `moving` has rows, known to the writer until it changes that. */
  #knowsMoving: boolean | undefined;

  /**
   * @param file `tracks.db`, which `head` has open
   * @param options.isWriter whether only `head` writes to it, and says so to `placesChanged`
   * @param options.mayWait whether this thread waits for the historian; others are refused what it has
   */
  constructor(head: DatabaseSync, file: string, { isWriter = false, mayWait = false } = {}) {
    this.#head = head;
    this.#isWriter = isWriter;
    const historian = mayWait ? offeredHistorian(file) : undefined;
    this.#months = new JoinedMonths(
      new MovedMonths(head, historian && new HistorianQuestions(historian), isWriter),
      new MonthFiles(head, dirname(file), isWriter),
    );
    this.#onePoint = [head.prepare(ONE_POINT), head.prepare(ONE_POINT.replace('FROM tracks', 'FROM moving'))];
  }

  /** Points were set apart or forgotten, a month was listed or struck off, or a transaction was rolled back. */
  placesChanged(): void {
    this.#knowsMoving = undefined;
    this.#months.changed();
  }

  /** The points, each once, in order. */
  read<Row extends TimedRow = StoredPoint>(vehicle: number, selection: PointSelection, span: PointSpan): Row[] {
    return this.#inSnapshot(() => {
      let { from = 0, until = Number.MAX_SAFE_INTEGER } = span;
      const [fresh] = this.#prepared(selection);
      if (this.#months.list(monthOf(from), monthOf(until)).length === 0 && !this.#hasMoving())
        return fresh.all(vehicle, from, until, span.limit) as unknown as Row[];
      let found: Row[] | undefined;
      while (from <= until) {
        const limit = span.limit - (found?.length ?? 0);
        if (limit <= 0) break;
        const { rows, end } = this.#part<Row>(vehicle, selection, { from, until, limit });
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
      return (row as StoredPoint | undefined) ?? this.#months.point(vehicle, time);
    });
  }

  /** The number of points between two times, both inclusive; at most `most` are counted. */
  count(vehicle: number, from: number, until: number, most = Number.MAX_SAFE_INTEGER): number {
    return this.#inSnapshot(() => {
      let count = this.#months.count(vehicle, from, until, most);
      for (const time of this.#headTimes(vehicle, from, until)) {
        if (count >= most) return most;
        if (!this.#months.point(vehicle, time)) count++;
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
  #part<Row extends TimedRow>(
    vehicle: number,
    selection: PointSelection,
    query: Required<PointSpan>,
  ): { rows: Row[]; end: number | undefined } {
    const { limit } = query;
    const { newestFirst } = selection;
    let { from, until } = query;
    let isCut = false;
    const cut = (rows: readonly TimedRow[]) => {
      if (rows.length < limit) return;
      isCut = true;
      if (newestFirst) from = Math.max(from, rows.at(-1)!.time);
      else until = Math.min(until, rows.at(-1)!.time);
    };
    const readMonths = () => {
      const rows = this.#months.read<Row>(vehicle, selection, { from, until, limit });
      cut(rows);
      return rows;
    };
    // The newest points are mostly in the head: months are read only for the rest.
    let inMonths = newestFirst ? [] : readMonths();
    const inHead = this.#prepared(selection).map((statement, table) => {
      if (table > 0 && !this.#hasMoving()) return [];
      const rows = statement.all(vehicle, from, until, limit) as unknown as Row[];
      cut(rows);
      return rows;
    });
    if (newestFirst) inMonths = readMonths();
    const rest = isCut ? (newestFirst ? from : until) : undefined;
    if (selection.isAll && inHead.every((rows) => rows.length === 0)) return { rows: inMonths, end: rest };
    const isWithin = ({ time }: TimedRow) => time >= from && time <= until;
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

  /** The times in a table over the span of these rows, which are in either order. */
  #timesOver(table: (typeof HEAD_TABLES)[number], vehicle: number, ...parts: TimedRow[][]): ReadonlySet<number> {
    const ends = parts.flatMap((rows) => (rows.length === 0 ? [] : [rows[0]!.time, rows.at(-1)!.time]));
    return ends.length === 0 ? NONE : this.#times(table, vehicle, Math.min(...ends), Math.max(...ends));
  }

  #times(table: (typeof HEAD_TABLES)[number], vehicle: number, from: number, until: number): ReadonlySet<number> {
    const rows = this.#all(`SELECT time FROM ${table} WHERE vehicle=? AND time BETWEEN ? AND ?`, vehicle, from, until);
    return rows.length === 0 ? NONE : new Set((rows as TimedRow[]).map(({ time }) => time));
  }

  #headTimes(vehicle: number, from: number, until: number): ReadonlySet<number> {
    const fresh = this.#times('tracks', vehicle, from, until);
    const moving = this.#times('moving', vehicle, from, until);
    return new Set([...fresh, ...moving]);
  }

  /** Readers look; the table is mostly empty. */
  #hasMoving(): boolean {
    if (!this.#isWriter) return true;
    return (this.#knowsMoving ??= this.#all('SELECT 1 FROM moving LIMIT 1').length > 0);
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
