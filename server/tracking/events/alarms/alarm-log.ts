import type { StatementSync } from 'node:sqlite';
import { among } from '../../../../shared/filters.ts';
import type { AlarmRecord, EventRecord, Task } from '../../../../shared/records/index.ts';
import type { Records, Store } from '../../../store/types.ts';

export interface AlarmQuery {
  /** Raised in this period, epoch ms, both ends inclusive. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly vehicleIds?: readonly number[] | undefined;
  readonly priorities?: readonly number[] | undefined;
  /** Continues after this alarm. */
  readonly after?: number | undefined;
  readonly limit: number;
}

const PAGE = 500;

/** The schema allows any number as a priority; the rules write only valid ones. */
export function alarmRecords(store: Store): Records<AlarmRecord> {
  return store.records('alarms') as unknown as Records<AlarmRecord>;
}

/** Reads alarms and their causes by SQL. */
export class AlarmLog {
  readonly #store: Store;
  readonly #records: Records<AlarmRecord>;
  readonly #latest: StatementSync;
  readonly #lasting: StatementSync;

  constructor(store: Store) {
    this.#store = store;
    this.#records = alarmRecords(store);
    this.#latest = store.sql.prepare(
      `SELECT data FROM ${store.table('alarms')} WHERE deleted = 0 AND situation = ? ORDER BY raisedAt DESC LIMIT 1`,
    );
    this.#lasting = store.sql.prepare(
      `SELECT data FROM ${store.table('events')} WHERE deleted = 0 AND vehicleId = ? AND until = 0 AND json_extract(data, '$.type') = ?`,
    );
  }

  /** The latest alarm of a situation. */
  latestOf(situation: string): AlarmRecord | undefined {
    const row = this.#latest.get(situation);
    return row && recordOf<AlarmRecord>(row);
  }

  openOrSince(since: number): AlarmRecord[] {
    const table = this.#store.table('alarms');
    return this.#rows<AlarmRecord>(
      `SELECT data FROM ${table} WHERE deleted = 0 AND clearedAt = 0 UNION SELECT data FROM ${table} WHERE deleted = 0 AND raisedAt >= ?`,
      since,
    );
  }

  /** Raised in the period, or open during part of it. */
  raised(from: number, until: number): AlarmRecord[] {
    const table = this.#store.table('alarms');
    return this.#rows<AlarmRecord>(
      `SELECT data FROM ${table} WHERE deleted = 0 AND raisedAt BETWEEN ? AND ? UNION SELECT data FROM ${table} WHERE deleted = 0 AND clearedAt = 0 AND raisedAt < ?`,
      from,
      until,
      from,
    );
  }

  /** Newest first. */
  list(
    { from = 0, until = Number.MAX_SAFE_INTEGER, vehicleIds, priorities, after, limit }: AlarmQuery,
    wanted: (alarm: AlarmRecord) => boolean,
  ): AlarmRecord[] {
    const start = after === undefined ? undefined : this.#records.get(after);
    if (after !== undefined && !start) return [];
    const statement = this.#store.sql.prepare(
      `SELECT data FROM ${this.#store.table('alarms')} WHERE deleted = 0 AND raisedAt >= ? AND (raisedAt, key) < (?, ?) ORDER BY raisedAt DESC, key DESC LIMIT ${PAGE}`,
    );
    const [isOfVehicles, isOfPriorities] = [among(vehicleIds), among(priorities)];
    const found: AlarmRecord[] = [];
    for (
      let last: { raisedAt: number; key: string } | undefined = start ?? { raisedAt: until, key: '￿' };
      last && found.length < limit;
    ) {
      const page: AlarmRecord[] = statement.all(from, last.raisedAt, last.key).map(recordOf<AlarmRecord>);
      for (const alarm of page) {
        const asked = alarm.raisedAt <= until && isOfVehicles(alarm.vehicleId) && isOfPriorities(alarm.priority);
        if (asked && wanted(alarm) && found.length < limit) found.push(alarm);
      }
      last = page.length < PAGE ? undefined : page.at(-1);
    }
    return found;
  }

  event(id: number): EventRecord | undefined {
    return this.#store.records('events').get(id);
  }

  lasting(vehicleId: number, type: number): EventRecord[] {
    return this.#lasting.all(vehicleId, type).map(recordOf<EventRecord>);
  }

  /** Lasting events, and events that began since. */
  eventsSince(since: number): EventRecord[] {
    const table = this.#store.table('events');
    return this.#rows<EventRecord>(
      `SELECT data FROM ${table} WHERE deleted = 0 AND until = 0 UNION SELECT data FROM ${table} WHERE deleted = 0 AND "from" >= ?`,
      since,
    );
  }

  newTasks(since: number): Task[] {
    return this.#rows<Task>(
      `SELECT data FROM ${this.#store.table('tasks')} WHERE deleted = 0 AND isDeleted = 0 AND archived = 0 AND date >= ? AND status = 1`,
      since,
    );
  }

  #rows<T>(sql: string, ...values: number[]): T[] {
    return this.#store.sql
      .prepare(sql)
      .all(...values)
      .map(recordOf<T>);
  }
}

function recordOf<T>(row: Record<string, unknown>): T {
  return JSON.parse(row['data'] as string) as T;
}
