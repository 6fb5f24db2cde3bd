import { DatabaseSync } from 'node:sqlite';
import { tasks } from '../../../../../shared/records/index.ts';
import { indexName } from '../../../../store/types.ts';
import { NotHeld } from './columns.ts';
import { HELD, TaskColumns } from './task-columns.ts';

/** Reading yields to other work after this many milliseconds. */
const SLICE = 20;
/** Milliseconds until the next try after columns could not be read. */
const AGAIN = 60_000;

interface KeptColumnsOptions {
  /**
   * Most tasks read one by one since the last query; if more were written, the whole table is read again in
   * the background.
   */
  readonly mostChanged?: number;
  /** Called once with the reason when columns become unavailable, and once when they are back. */
  readonly warn?: (message: string) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * Keeps the columns of a table up to date. They are read once, in slices, from a covering index on a separate
 * connection; SQL answers meanwhile. Each later query first applies the writes since the last one.
 * Values that do not fit leave the query to SQL for good. After any other fault, such as a disk error, SQL
 * answers for a minute; then the columns are read again.
 */
export class KeptColumns {
  readonly #sql: DatabaseSync;
  readonly #file: string;
  readonly #table: string;
  readonly #mostChanged: number;
  readonly #warn: (message: string) => void;
  readonly #clock: () => number;
  #held: { readonly columns: TaskColumns; seq: number } | undefined;
  #reading: Promise<void> | undefined;
  /** Time of the next try; undefined: no fault. */
  #again: number | undefined;

  /** @param sql the connection of the queries */
  constructor(
    sql: DatabaseSync,
    file: string,
    table: string,
    { mostChanged = 20_000, warn = () => undefined, now = () => performance.now() }: KeptColumnsOptions = {},
  ) {
    this.#sql = sql;
    this.#file = file;
    this.#table = table;
    this.#mostChanged = mostChanged;
    this.#warn = warn;
    this.#clock = now;
  }

  /**
   * The columns at the snapshot of the surrounding read transaction, in which it must be called. Undefined:
   * not available now.
   */
  now(): TaskColumns | undefined {
    if (!this.#held) return undefined;
    try {
      if (this.#catchUp(this.#held)) return this.#held.columns;
    } catch (error) {
      this.#failed(error);
    }
    this.#held = undefined;
    return undefined;
  }

  /** Loads the columns if needed. Resolves when they are ready or could not be loaded. */
  async read(): Promise<void> {
    if (this.#held || (this.#again !== undefined && this.#clock() < this.#again)) return;
    await (this.#reading ??= this.#readAside());
  }

  async #readAside(): Promise<void> {
    try {
      this.#held = await this.#readInSlices();
      if (this.#again !== undefined) this.#warn('Tasks are counted in memory again.');
      this.#again = undefined;
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#reading = undefined;
    }
  }

  #failed(error: unknown): void {
    const forGood = error instanceof NotHeld;
    const reason = `Tasks cannot be counted in memory (${(error as Error).message.replace(/\.$/, '')})`;
    if (forGood) this.#warn(`${reason}. SQL counts them, more slowly, until the station restarts.`);
    else if (this.#again === undefined) this.#warn(`${reason}. SQL counts them, more slowly. Retrying every minute.`);
    this.#again = forGood ? Infinity : this.#clock() + AGAIN;
  }

  async #readInSlices(): Promise<{ columns: TaskColumns; seq: number }> {
    const sql = new DatabaseSync(this.#file, { readOnly: true, timeout: 5000 });
    try {
      sql.exec('BEGIN');
      const { seq } = headsOf(sql, this.#table);
      const columns = new TaskColumns();
      const rows = this.#rows(
        sql,
        `INDEXED BY ${indexName(
          this.#table,
          tasks.tableIndexes!.find(({ name }) => name === 'everything')!,
        )} WHERE deleted=0`,
      );
      let begun = performance.now();
      for (const row of rows.iterate() as Iterable<unknown> as Iterable<unknown[]>) {
        take(columns, row);
        if (performance.now() - begun < SLICE) continue;
        await new Promise((resolve) => setImmediate(resolve));
        begun = performance.now();
      }
      return { columns, seq };
    } finally {
      sql.close();
    }
  }

  /** Brings the columns up to date. False if too much was written, or if the changes cannot be determined. */
  #catchUp(held: { readonly columns: TaskColumns; seq: number }): boolean {
    const { seq, purged } = headsOf(this.#sql, this.#table);
    // Rows deleted and purged since the last query have left no trace.
    if (seq < held.seq || purged > held.seq) return false;
    if (seq === held.seq) return true;
    let changed = 0;
    for (const row of this.#rows(this.#sql, 'WHERE seq>? LIMIT ?').iterate(
      held.seq,
      this.#mostChanged + 1,
    ) as Iterable<unknown> as Iterable<unknown[]>) {
      if (++changed > this.#mostChanged) return false;
      take(held.columns, row);
    }
    held.seq = seq;
    return true;
  }

  #rows(sql: DatabaseSync, where: string): ReturnType<DatabaseSync['prepare']> {
    const statement = sql.prepare(
      `SELECT rowid, deleted, ${HELD.map((field) => (field === 'has-point' ? '"point.zoom" IS NOT NULL' : field)).join(', ')} FROM ${this.#table} ${where}`,
    );
    statement.setReturnArrays(true);
    return statement;
  }
}

function take(columns: TaskColumns, [row, deleted, ...values]: unknown[]): void {
  if (deleted === 0) columns.set(Number(row), values);
  else columns.remove(Number(row));
}

/** The last sequence number of writes, and the last purged tombstone of this table. */
function headsOf(sql: DatabaseSync, table: string): { seq: number; purged: number } {
  return sql
    .prepare('SELECT seq, coalesce((SELECT seq FROM purges WHERE records = ?), 0) AS purged FROM heads')
    .get(table) as { seq: number; purged: number };
}
