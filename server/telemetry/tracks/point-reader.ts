import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MonthFiles, within } from '../months/month-files.ts';
import { monthOf } from '../months/months.ts';
import { POINT_COLUMNS, type StoredPoint } from './stored-point.ts';

/** Which points of a vehicle; times in epoch ms, both ends inclusive. */
export interface PointQuery {
  readonly from?: number;
  readonly until?: number;
  readonly limit: number;
  /** With `time`. */
  readonly columns?: string;
  /** A condition in SQL. */
  readonly where?: string;
  readonly newestFirst?: boolean;
}

/** The tables of `tracks.db` with points that are not in their months yet: a row of an earlier one holds. */
export const HEAD_TABLES = ['tracks', 'moving'] as const;

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

  /** @param file `tracks.db`, which `head` has open */
  constructor(head: DatabaseSync, file: string) {
    this.#head = head;
    this.#months = new MonthFiles(head, dirname(file));
  }

  /** The points, each once, in order. */
  read<Row extends Timed = StoredPoint>(vehicle: number, query: PointQuery): Row[] {
    return this.#inSnapshot(() => {
      const found: Row[] = [];
      let { from = 0, until = Number.MAX_SAFE_INTEGER } = query;
      while (found.length < query.limit && from <= until) {
        const limit = query.limit - found.length;
        const { rows, end } = this.#part<Row>(vehicle, { ...query, from, until, limit });
        for (const row of rows) found.push(row);
        if (end === undefined) break;
        if (query.newestFirst) until = end - 1;
        else from = end + 1;
      }
      return found;
    });
  }

  point(vehicle: number, time: number): StoredPoint | undefined {
    return this.read(vehicle, { from: time, until: time, limit: 1 })[0];
  }

  /** How many points there are between two times, both inclusive; no more than `most` are counted. */
  count(vehicle: number, from: number, until: number, most = Number.MAX_SAFE_INTEGER): number {
    return this.#inSnapshot(() => {
      let count = 0;
      for (const month of this.#months.list(monthOf(from), monthOf(until))) {
        if (count >= most) return most;
        const [row] = this.#months.all(
          month,
          'SELECT count(*) AS count FROM (SELECT 1 FROM tracks WHERE vehicle=? AND time BETWEEN ? AND ? LIMIT ?)',
          [vehicle, ...within(month.month, from, until), most - count],
        ) as { count: number }[];
        count += row!.count;
      }
      for (const time of this.#headTimes(vehicle, from, until)) {
        if (count >= most) return most;
        if (!this.#isInMonth(vehicle, time)) count++;
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
    query: PointQuery & { from: number; until: number },
  ): { rows: Row[]; end: number | undefined } {
    const { limit, newestFirst = false } = query;
    let { from, until } = query;
    let isCut = false;
    const cut = (rows: readonly Timed[]) => {
      if (rows.length < limit) return;
      isCut = true;
      if (newestFirst) from = Math.max(from, rows.at(-1)!.time);
      else until = Math.min(until, rows.at(-1)!.time);
    };
    let inMonths = this.#inMonths<Row>(vehicle, query);
    cut(inMonths);
    const inHead = HEAD_TABLES.map((table) => {
      const rows = this.#inTable<Row>(table, vehicle, { ...query, from, until });
      cut(rows);
      return rows;
    });
    const rest = isCut ? (newestFirst ? from : until) : undefined;
    if (inHead.every((rows) => rows.length === 0) && query.where === undefined) return { rows: inMonths, end: rest };
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

  #inMonths<Row extends Timed>(vehicle: number, query: PointQuery & { from: number; until: number }): Row[] {
    const months = this.#months.list(monthOf(query.from), monthOf(query.until));
    if (query.newestFirst) months.reverse();
    let found: Row[] | undefined;
    for (const month of months) {
      const limit = query.limit - (found?.length ?? 0);
      if (limit === 0) break;
      const span = within(month.month, query.from, query.until);
      const rows = this.#months.all(month, selection('tracks', query), [vehicle, ...span, limit]) as Row[];
      if (!found) found = rows;
      else for (const row of rows) found.push(row);
    }
    return found ?? [];
  }

  #inTable<Row extends Timed>(
    table: (typeof HEAD_TABLES)[number],
    vehicle: number,
    query: PointQuery & { from: number; until: number },
  ): Row[] {
    return this.#all(selection(table, query), vehicle, query.from, query.until, query.limit) as Row[];
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

  #isInMonth(vehicle: number, time: number): boolean {
    const [month] = this.#months.list(monthOf(time), monthOf(time));
    return (
      month !== undefined &&
      this.#months.all(month, 'SELECT 1 FROM tracks WHERE vehicle=? AND time=?', [vehicle, time]).length > 0
    );
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

function selection(table: string, { columns = POINT_COLUMNS, where, newestFirst }: PointQuery): string {
  return `SELECT ${columns} FROM ${table} WHERE vehicle=? AND time BETWEEN ? AND ?${where === undefined ? '' : ` AND ${where}`} ORDER BY time ${newestFirst ? 'DESC ' : ''}LIMIT ?`;
}
