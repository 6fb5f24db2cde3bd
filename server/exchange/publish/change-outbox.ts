import type { DatabaseSync } from 'node:sqlite';
import type { ChangeType } from '../../../shared/change-types.ts';
import type { RoadClosure } from '../../../shared/records/index.ts';
import { Emitter } from '../../platform/emitter.ts';
import type { Change, Store } from '../../store/types.ts';
import {
  changesOfAlarm,
  changesOfClosure,
  changesOfComment,
  changesOfEvent,
  changesOfTask,
  changedRecordKey,
  type RecordChange,
} from './change.ts';

/** A change in the outbox. Ids grow in the order of the commits. */
export interface ChangeEntry {
  readonly id: number;
  /** Epoch ms. */
  readonly at: number;
  /** The key of its order, such as `task/12`. */
  readonly record: string;
  readonly change: RecordChange;
}

interface ChangeOutboxOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly report: (message: string, error: unknown) => void;
}

/** Entries that a reader finds after a disconnection, and ms for which they stay. */
const KEPT = 100_000;
const KEPT_FOR = 24 * 3_600_000;
const SWEEP = 10 * 60_000;

/**
 * Changes of records, each with the record as it was then (the pattern "transactional outbox"): an entry is stored with
 * the write that it describes, or neither is. Only types that somebody wants are written.
 */
export class ChangeOutbox {
  readonly #options: ChangeOutboxOptions;
  readonly #wanted = new Map<ChangeType, number>();
  readonly #added = new Emitter<[]>();
  readonly #stops: (() => void)[] = [];
  readonly #readers = new Set<() => number>();
  readonly #end = new AbortController();
  /** The last entry that is on disk, and the last that was added. */
  #head: number;
  #last = 0;

  private constructor(options: ChangeOutboxOptions, head: number) {
    this.#options = options;
    this.#head = head;
  }

  static async open(options: ChangeOutboxOptions): Promise<ChangeOutbox> {
    const { store } = options;
    await store.writePlain(openTable);
    const outbox = new ChangeOutbox(options, headOf(store.sql));
    outbox.#follow();
    return outbox;
  }

  get head(): number {
    return this.#head;
  }

  /** Ids are valid within an epoch: a restored station starts counting again. */
  get epoch(): string {
    return this.#options.store.feed.epoch;
  }

  /** Aborted when streams of changes must end, because the station stops. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Ends streams of changes. */
  release(): void {
    this.#end.abort();
  }

  /** Writes changes of these types from now on. Returns the function that ends this. */
  want(types: Iterable<ChangeType>): () => void {
    const wanted = [...new Set(types)];
    for (const type of wanted) this.#wanted.set(type, (this.#wanted.get(type) ?? 0) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      for (const type of wanted) this.#wanted.set(type, this.#wanted.get(type)! - 1);
    };
  }

  /** Keeps changes after the position of this reader. Returns the function that ends this. */
  keepFor(position: () => number): () => void {
    this.#readers.add(position);
    return () => this.#readers.delete(position);
  }

  /** Whether nothing after this entry was removed. */
  reaches(after: number): boolean {
    return after <= this.#head && after >= this.#first() - 1;
  }

  /** Entries on disk after this one, in order. */
  since(after: number, limit: number): ChangeEntry[] {
    const rows = this.#options.store.sql
      .prepare('SELECT id, at, record, change FROM outbox WHERE id > ? AND id <= ? ORDER BY id LIMIT ?')
      .all(after, this.#head, limit);
    return rows.map((row) => ({
      id: Number(row['id']),
      at: Number(row['at']),
      record: String(row['record']),
      change: JSON.parse(String(row['change'])) as RecordChange,
    }));
  }

  /** Calls the listener when there are new entries. Returns the unsubscribe function. */
  onAdded(listener: () => void): () => void {
    return this.#added.on(listener);
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #follow(): void {
    const { store, report } = this.#options;
    const add =
      <T>(changesOf: (change: Change<T>) => RecordChange[]) =>
      (changes: readonly Change<T>[]) =>
        this.#add(changes.flatMap(changesOf));
    const sweep = () =>
      void this.sweep().catch((error: unknown) => report('Old changes could not be removed from the outbox.', error));
    const timer = setInterval(sweep, SWEEP).unref();
    this.#stops.push(
      store.records('tasks').beforeCommit(add(changesOfTask)),
      store.records('comments').beforeCommit(add(changesOfComment)),
      store.records('alarms').beforeCommit(add(changesOfAlarm)),
      store.records('events').beforeCommit(add(changesOfEvent)),
      store.kind<RoadClosure>('fleet', 'closure').beforeCommit(add(changesOfClosure)),
      store.feed.watch(() => this.#committed()),
      () => clearInterval(timer),
    );
  }

  /** Removes entries that every reader has passed and that are old, or too many. */
  async sweep(): Promise<void> {
    const { store, now } = this.#options;
    const passed = Math.min(this.#head, ...[...this.#readers].map((position) => position()));
    const old = store.sql.prepare('SELECT max(id) AS id FROM outbox WHERE at < ?').get(now() - KEPT_FOR)?.['id'];
    const until = Math.min(passed, Math.max(Number(old ?? 0), this.#head - KEPT));
    if (until >= this.#first())
      await store.writePlain((sql) => sql.prepare('DELETE FROM outbox WHERE id <= ?').run(until));
  }

  /** Runs inside the transaction of the write. */
  #add(changes: readonly RecordChange[]): void {
    const wanted = changes.filter(({ type }) => (this.#wanted.get(type) ?? 0) > 0);
    if (wanted.length === 0) return;
    const { store, now } = this.#options;
    const at = now();
    let failure: unknown;
    const written = store.writePlain((sql) => {
      try {
        const insert = sql.prepare('INSERT INTO outbox (at, record, change) VALUES (?, ?, ?)');
        for (const change of wanted)
          this.#last = Number(insert.run(at, changedRecordKey(change), JSON.stringify(change)).lastInsertRowid);
      } catch (error) {
        throw (failure = error);
      }
    });
    written.catch(() => undefined); // It fails with the write to which it belongs.
    if (failure !== undefined) throw failure as Error;
  }

  /** A commit is on disk. The next transaction may have added entries already, which nobody may read yet. */
  #committed(): void {
    if (this.#last <= this.#head) return;
    const head = headOf(this.#options.store.sql);
    if (head <= this.#head) return;
    this.#head = head;
    this.#added.emit();
  }

  #first(): number {
    return Number(this.#options.store.sql.prepare('SELECT min(id) AS id FROM outbox').get()!['id'] ?? this.#head + 1);
  }
}

function openTable(sql: DatabaseSync): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS outbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, record TEXT NOT NULL, change TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS outbox_at ON outbox (at);`);
}

function headOf(sql: DatabaseSync): number {
  return Number(sql.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").get()?.['seq'] ?? 0);
}
