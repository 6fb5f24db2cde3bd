import type { DatabaseSync } from 'node:sqlite';
import { keyOf } from '../../../../shared/ids.ts';
import type { EventRecord } from '../../../../shared/records/index.ts';

export interface EventQuery {
  /** Of these vehicles. */
  vehicleIds: readonly number[];
  /** Overlapping this period, epoch ms, both ends inclusive. */
  from?: number | undefined;
  until?: number | undefined;
  types?: readonly number[] | undefined;
  /** Continues after this event, in the order of the list. */
  after?: number | undefined;
  limit: number;
}

/**
 * Lists events by SQL: lasting ones first, then newest first. A list over 300,000 events may take some tens
 * of milliseconds.
 */
export class EventsSql {
  readonly #sql: DatabaseSync;
  readonly #table: string;

  constructor(sql: DatabaseSync, table: string) {
    this.#sql = sql;
    this.#table = table;
  }

  /** One snapshot. */
  list(query: EventQuery): EventRecord[] {
    return this.#ofOneMoment(() => this.#list(query));
  }

  /** The latest event of each vehicle that began or ended after `since`, newest first. */
  latest(vehicleIds: readonly number[], since: number, limit: number): EventRecord[] {
    const events = this.#ofOneMoment(() =>
      vehicleIds.flatMap((vehicleId) => this.#list({ vehicleIds: [vehicleId], from: since, limit: 1 })),
    );
    return events.sort(newestFirst).slice(0, limit);
  }

  #list(query: EventQuery): EventRecord[] {
    const after = query.after === undefined ? undefined : this.#get(query.after);
    if (query.after !== undefined && !after) return [];
    const lasting = !after || after.until === 0 ? this.#part('until = 0', query, after, query.limit) : [];
    const left = query.limit - lasting.length;
    return left === 0
      ? lasting
      : [...lasting, ...this.#part('until > 0', query, after?.until === 0 ? undefined : after, left)];
  }

  #get(id: number): EventRecord | undefined {
    const row = this.#sql.prepare(`SELECT data FROM ${this.#table} WHERE deleted = 0 AND key = ?`).get(keyOf(id));
    return row && recordOf(row);
  }

  #part(
    which: string,
    { vehicleIds, from, until, types }: EventQuery,
    after: EventRecord | undefined,
    limit: number,
  ): EventRecord[] {
    const wanted = [`deleted = 0 AND ${which} AND vehicleId IN (SELECT value FROM json_each(?))`];
    const values: (string | number)[] = [JSON.stringify(vehicleIds)];
    const want = (condition: string, ...given: (string | number)[]) => {
      wanted.push(condition);
      values.push(...given);
    };
    if (from !== undefined && which !== 'until = 0') want('until >= ?', from);
    if (until !== undefined) want('"from" <= ?', until);
    if (types !== undefined)
      want("json_extract(data, '$.type') IN (SELECT value FROM json_each(?))", JSON.stringify(types));
    if (after) want('("from", key) < (?, ?)', after.from, after.key);
    // Sorts without the records; only those of the page are read.
    const page = `SELECT rowid FROM ${this.#table} WHERE ${wanted.join(' AND ')} ORDER BY "from" DESC, key DESC LIMIT ?`;
    const sql = `SELECT data FROM ${this.#table} WHERE rowid IN (${page}) ORDER BY "from" DESC, key DESC`;
    return this.#sql
      .prepare(sql)
      .all(...values, limit)
      .map(recordOf);
  }

  #ofOneMoment<R>(read: () => R): R {
    this.#sql.exec('BEGIN');
    try {
      return read();
    } finally {
      this.#sql.exec('COMMIT');
    }
  }
}

function recordOf(row: Record<string, unknown>): EventRecord {
  return JSON.parse(row['data'] as string) as EventRecord;
}

function newestFirst(a: EventRecord, b: EventRecord): number {
  return Number(b.until === 0) - Number(a.until === 0) || b.from - a.from || (a.key < b.key ? 1 : -1);
}
