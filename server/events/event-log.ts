import type { EventRecord } from '../../shared/records/index.ts';
import type { Records, Store } from '../store/index.ts';

export interface EventQuestion {
  /** Of these vehicles. */
  vehicleIds: readonly number[];
  /** Touching this span, epoch ms, both ends included. */
  from?: number | undefined;
  till?: number | undefined;
  types?: readonly number[] | undefined;
  /** Goes on after this event, in the order of the list. */
  after?: number | undefined;
  limit: number;
}

/** Reads events: newest first, and what still lasts before all else. */
export class EventLog {
  readonly #store: Store;
  readonly #records: Records<EventRecord>;
  readonly #table: string;

  constructor(store: Store) {
    this.#store = store;
    this.#records = store.records('events');
    this.#table = store.table('events');
  }

  get(id: number): EventRecord | undefined {
    return this.#records.get(id);
  }

  list(question: EventQuestion): EventRecord[] {
    const after = question.after === undefined ? undefined : this.get(question.after);
    if (question.after !== undefined && !after) return [];
    const lasting = !after || after.till === 0 ? this.#part('till = 0', question, after, question.limit) : [];
    const left = question.limit - lasting.length;
    return left === 0 ? lasting : [...lasting, ...this.#part('till > 0', question, after?.till === 0 ? undefined : after, left)];
  }

  /** The latest event of each vehicle that began or ended after `since`, newest first. */
  latest(vehicleIds: readonly number[], since: number, limit: number): EventRecord[] {
    const newest = new Map<number, EventRecord>();
    for (const vehicleId of vehicleIds) {
      const [event] = this.list({ vehicleIds: [vehicleId], from: since, limit: 1 });
      if (event) newest.set(vehicleId, event);
    }
    return [...newest.values()].sort(newestFirst).slice(0, limit);
  }

  #part(which: string, { vehicleIds, from, till, types }: EventQuestion, after: EventRecord | undefined, limit: number): EventRecord[] {
    const wanted = [`deleted = 0 AND ${which} AND vehicleId IN (SELECT value FROM json_each(?))`];
    const values: (string | number)[] = [JSON.stringify(vehicleIds)];
    const want = (condition: string, ...given: (string | number)[]) => {
      wanted.push(condition);
      values.push(...given);
    };
    if (from !== undefined && which !== 'till = 0') want('till >= ?', from);
    if (till !== undefined) want('"from" <= ?', till);
    if (types !== undefined) want("json_extract(data, '$.type') IN (SELECT value FROM json_each(?))", JSON.stringify(types));
    if (after) want('("from", key) < (?, ?)', after.from, after.key);
    const sql = `SELECT data FROM ${this.#table} WHERE ${wanted.join(' AND ')} ORDER BY "from" DESC, key DESC LIMIT ?`;
    return this.#store.sql.prepare(sql).all(...values, limit).map((row) => JSON.parse(row['data'] as string) as EventRecord);
  }
}

function newestFirst(a: EventRecord, b: EventRecord): number {
  return Number(b.till === 0) - Number(a.till === 0) || b.from - a.from || (a.key < b.key ? 1 : -1);
}
