import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import { isDamage } from '../../platform/disk/sqlite-damage.ts';
import { monthEnd, fileOf, MONTHS_FOLDER, noteMonthDamage, pathOf, startOf, type Month } from './months.ts';

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

/** `made` is another one when the file was made anew. */
export interface ListedMonth {
  readonly month: Month;
  readonly made: number;
}

/** Read-only connections to the months that `tracks.db` lists. */
export class MonthFiles {
  readonly #directory: string;
  readonly #catalog: StatementSync;
  /** The one used last comes last. */
  readonly #open = new Map<Month, OpenMonth>();

  /** @param head `tracks.db` */
  constructor(head: DatabaseSync, directory: string) {
    this.#directory = directory;
    this.#catalog = head.prepare('SELECT month, made FROM track_months WHERE month BETWEEN ? AND ? ORDER BY month');
  }

  /** The months that `head` lists in its snapshot. */
  list(from: Month, until: Month): ListedMonth[] {
    return this.#catalog.all(from, until) as unknown as ListedMonth[];
  }

  /** Rows of one month. Throws `DamagedMonth`. */
  all({ month, made }: ListedMonth, sql: string, parameters: readonly number[]): unknown[] {
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

  close(): void {
    for (const month of [...this.#open.keys()]) this.#close(month);
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

function openMonth(directory: string, month: Month): DatabaseSync {
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
export function periodWithin(month: Month, from: number, until: number): [from: number, until: number] {
  return [Math.max(from, startOf(month)), Math.min(until, monthEnd(month))];
}
