import { DatabaseSync } from 'node:sqlite';
import { tasks } from '../../../../shared/records/index.ts';
import { indexName } from '../../../store/types.ts';
import { NotHeld } from './columns.ts';
import { HELD, TaskColumns } from './task-columns.ts';

/** Milliseconds for which rows are read before others get a turn. */
const SLICE = 20;
/** Milliseconds after which columns that could not be read are tried again. */
const AGAIN = 60_000;

interface KeptColumnsOptions {
  /**
   * Messages written since the last question that are read one by one; when there are more, all are read
   * anew, aside.
   */
  readonly mostChanged?: number;
  /** Hears once why there are no columns, and what happens next; and once when they are there again. */
  readonly warn?: (message: string) => void;
  /** ms that only go up */
  readonly now?: () => number;
}

/**
 * The columns of a table, kept as the table is. They are read once, from the index that holds all of them, in
 * slices and on a connection of their own, while questions are answered by SQL; from then on each question
 * first brings them to the moment that it sees, by what was written since. What cannot be held is left to SQL
 * for good; after any other fault, such as a disk that cannot be read, SQL answers for a minute, and then the
 * columns are read anew.
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
  /** When there is another try; undefined: nothing went wrong. */
  #again: number | undefined;

  /** @param sql the connection on which questions are asked */
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
   * To be called inside a read transaction: the columns as they are at its moment. Undefined: there are none
   * now.
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

  /** Reads the columns when there are none. Resolves when they are there, or could not be read. */
  async read(): Promise<void> {
    if (this.#held || (this.#again !== undefined && this.#clock() < this.#again)) return;
    await (this.#reading ??= this.#readAside());
  }

  async #readAside(): Promise<void> {
    try {
      this.#held = await this.#readInSlices();
      if (this.#again !== undefined) this.#warn('Messages are counted in memory again.');
      this.#again = undefined;
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#reading = undefined;
    }
  }

  #failed(error: unknown): void {
    const forGood = error instanceof NotHeld;
    const reason = `Messages cannot be counted in memory (${(error as Error).message.replace(/\.$/, '')})`;
    if (forGood) this.#warn(`${reason}. Until the station is started again SQL counts them, which takes longer.`);
    else if (this.#again === undefined)
      this.#warn(`${reason}. SQL counts them meanwhile, which takes longer; it is tried again every minute.`);
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

  /**
   * Whether the columns are now as the table is. Not where too much was written, or where it cannot be told.
   */
  #catchUp(held: { readonly columns: TaskColumns; seq: number }): boolean {
    const { seq, purged } = headsOf(this.#sql, this.#table);
    // Of what was deleted and purged before it was seen to be deleted nothing tells any more.
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

/**
 * The last number in the sequence of writes, and that of the last tombstone of the table which was purged.
 */
function headsOf(sql: DatabaseSync, table: string): { seq: number; purged: number } {
  return sql
    .prepare('SELECT seq, coalesce((SELECT seq FROM purges WHERE records = ?), 0) AS purged FROM heads')
    .get(table) as { seq: number; purged: number };
}
