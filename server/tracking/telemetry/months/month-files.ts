import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Refusal } from '../../../../shared/refusal.ts';
import { isDamage } from '../../../platform/disk/sqlite-damage.ts';
import { ONE_POINT, type PointSelection, type PointSpan } from './point-selection.ts';
import type { StoredPoint } from './point-row.ts';
import type { MonthSource, TimedRow } from './month-source.ts';
import { monthEnd, monthOf, fileOf, MONTHS_FOLDER, noteMonthDamage, pathOf, startOf, type Month } from './months.ts';

/** Version of the tables of a month. */
export const MONTH_VERSION = 1;
/** Files that are open at once; a reader of years goes through them one by one. */
const MOST_OPEN = 12;

/** The file of a month is damaged. It was noted, and the station sets the file aside. */
export class DamagedMonth extends Error {
  override readonly name = 'DamagedMonth';
  /** Of SQLite, so that it is known as damage everywhere. */
  readonly errcode = 11;

  constructor(month: Month, reason: string, options?: ErrorOptions) {
    super(`${MONTHS_FOLDER}/${fileOf(month)} is damaged: ${reason}`, options);
  }
}

interface OpenMonth {
  readonly made: number;
  readonly db: DatabaseSync;
  readonly statements: Map<string, StatementSync>;
}

/** `made` differs if the file was created again. */
interface ListedMonth {
  readonly month: Month;
  readonly made: number;
}

/** The files of the months that `tracks.db` lists, on read-only connections. */
export class MonthFiles implements MonthSource {
  readonly #directory: string;
  readonly #isWriter: boolean;
  readonly #catalog: StatementSync;
  /** The one used last comes last. */
  readonly #open = new Map<Month, OpenMonth>();

  /** The list, written only by the writer. */
  #known: readonly ListedMonth[] | undefined;

  /**
   * @param head `tracks.db`
   * @param isWriter whether only `head` changes the list, and says so to `changed`
   */
  constructor(head: DatabaseSync, directory: string, isWriter = false) {
    this.#directory = directory;
    this.#isWriter = isWriter;
    this.#catalog = head.prepare('SELECT month, made FROM track_months WHERE month BETWEEN ? AND ? ORDER BY month');
  }

  /** The months that `head` lists in its snapshot. */
  list(from: Month, until: Month): readonly ListedMonth[] {
    if (!this.#isWriter) return this.#catalog.all(from, until) as unknown as ListedMonth[];
    this.#known ??= this.#catalog.all(0, Number.MAX_SAFE_INTEGER) as unknown as ListedMonth[];
    return this.#known.filter(({ month }) => month >= from && month <= until);
  }

  read<Row extends TimedRow>(vehicle: number, selection: PointSelection, span: Required<PointSpan>): Row[] {
    const { from, until, limit } = span;
    const months = this.list(monthOf(from), monthOf(until));
    let found: Row[] | undefined;
    for (const listed of selection.newestFirst ? months.toReversed() : months) {
      const left = limit - (found?.length ?? 0);
      if (left === 0) break;
      const [first, last] = periodWithin(listed.month, from, until);
      const rows = this.#all(listed, selection.inMonth, [vehicle, first, last, left]) as Row[];
      if (!found) found = rows;
      else for (const row of rows) found.push(row);
    }
    return found ?? [];
  }

  count(vehicle: number, from: number, until: number, most: number): number {
    let count = 0;
    for (const listed of this.list(monthOf(from), monthOf(until))) {
      if (count >= most) return most;
      const [row] = this.#all(
        listed,
        'SELECT count(*) AS count FROM (SELECT 1 FROM tracks WHERE vehicle=? AND time BETWEEN ? AND ? LIMIT ?)',
        [vehicle, ...periodWithin(listed.month, from, until), most - count],
      ) as { count: number }[];
      count += row!.count;
    }
    return count;
  }

  point(vehicle: number, time: number): StoredPoint | undefined {
    const [listed] = this.list(monthOf(time), monthOf(time));
    return listed && (this.#all(listed, ONE_POINT, [vehicle, time])[0] as StoredPoint | undefined);
  }

  changed(): void {
    this.#known = undefined;
  }

  close(): void {
    for (const month of [...this.#open.keys()]) this.#close(month);
  }

  /** Rows of one month. Throws `DamagedMonth`. */
  #all({ month, made }: ListedMonth, sql: string, parameters: readonly number[]): unknown[] {
    try {
      const file = this.#file(month, made);
      let statement = file.statements.get(sql);
      if (!statement) file.statements.set(sql, (statement = file.db.prepare(sql)));
      return statement.all(...parameters);
    } catch (error) {
      const isMissing = !existsSync(pathOf(this.#directory, month));
      if (!isMissing && !isDamage(error) && !isLayout(error)) throw error;
      const reason = isMissing ? 'the file is missing' : (error as Error).message;
      this.#close(month);
      mkdirSync(join(this.#directory, MONTHS_FOLDER), { recursive: true });
      noteMonthDamage(this.#directory, month, reason);
      throw new DamagedMonth(month, reason, { cause: error });
    }
  }

  #file(month: Month, made: number): OpenMonth {
    let file = this.#open.get(month);
    if (file && file.made !== made) {
      this.#close(month); // another file has its name now
      file = undefined;
    }
    this.#open.delete(month);
    file ??= { made, db: openMonth(this.#directory, month), statements: new Map() };
    this.#open.set(month, file);
    if (this.#open.size > MOST_OPEN) this.#close(this.#open.keys().next().value!);
    return file;
  }

  #close(month: Month): void {
    this.#open.get(month)?.db.close();
    this.#open.delete(month);
  }
}

/** Read-only. */
export function openMonth(directory: string, month: Month): DatabaseSync {
  const db = new DatabaseSync(pathOf(directory, month), { readOnly: true, timeout: 5000 });
  try {
    db.exec('PRAGMA query_only=1; PRAGMA cache_size=-4000');
    requireKnownVersion(db, pathOf(directory, month));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Throws a Refusal for a file of a newer program. */
export function requireKnownVersion(db: DatabaseSync, file: string): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > MONTH_VERSION)
    throw new Refusal('store.newer', { file, what: 'tracks', found: version, known: MONTH_VERSION });
}

/** The table of points is not there. */
function isLayout(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 1;
}

/** The part of a span of time that lies in a month. */
function periodWithin(month: Month, from: number, until: number): [from: number, until: number] {
  return [Math.max(from, startOf(month)), Math.min(until, monthEnd(month))];
}
