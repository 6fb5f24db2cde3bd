import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ID_SPACE } from '../../../shared/ids.ts';

/**
 * Ids that a station may have given out between the state to which it was set back and now, and that linked
 * stations may know: they are skipped, so that no new record gets the id of one that will come back.
 */
export const IDS_SKIPPED = ID_SPACE / 100;

/**
 * The counters of the store, in memory and saved with each commit: the sequence of writes, the latest stamp,
 * and the last id of each kind of record. One sequence serves the whole database, in a row of its own, so no
 * number is used twice, even after a purge or a schema change.
 */
export class Sequences {
  readonly #update: StatementSync;
  readonly #saveCounter: StatementSync;
  readonly #counters = new Map<string, number>();
  readonly #unsaved = new Set<string>();
  /** The sequence number given last, perhaps in an open transaction. */
  #seq: number;
  #committed: number;
  #durable: number;
  /** The latest stamp when the database was opened. */
  readonly stamp: string;

  constructor(sql: DatabaseSync) {
    const row = sql.prepare('SELECT seq, stamp FROM heads').get() as { seq: number; stamp: string };
    this.#seq = row.seq;
    this.#committed = row.seq;
    this.#durable = row.seq;
    this.stamp = row.stamp;
    this.#update = sql.prepare('UPDATE heads SET seq = ?, stamp = ?');
    this.#saveCounter = sql.prepare(
      'INSERT INTO counters (name, last) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET last = excluded.last',
    );
    for (const counter of sql.prepare('SELECT name, last FROM counters').all() as { name: string; last: number }[])
      this.#counters.set(counter.name, counter.last);
  }

  /** The highest sequence number that is on disk. */
  get durable(): number {
    return this.#durable;
  }

  nextSeq(): number {
    return ++this.#seq;
  }

  /** Counts from 1. A number is never given twice, even if it was not used. */
  next(counter: string): number {
    const next = (this.#counters.get(counter) ?? 0) + 1;
    this.#counters.set(counter, next);
    this.#unsaved.add(counter);
    return next;
  }

  /**
   * Marks numbers up to `last` as used: another station has records that this one made before it was
   * restored.
   */
  taken(counter: string, last: number): void {
    if (last <= (this.#counters.get(counter) ?? 0)) return;
    this.#counters.set(counter, last);
    this.#unsaved.add(counter);
  }

  /** Skips ids of every counter that may have been given out before the store was set back. */
  skip(): void {
    for (const [counter, last] of this.#counters) this.taken(counter, last + IDS_SKIPPED);
  }

  flush(stamp: string): void {
    this.#update.run(this.#seq, stamp);
    for (const counter of this.#unsaved) this.#saveCounter.run(counter, this.#counters.get(counter)!);
  }

  committed(): void {
    this.#committed = this.#seq;
    this.#unsaved.clear();
  }

  /** Runs `sync`; commits from before it are then durable. */
  async synced(sync: () => Promise<void>): Promise<void> {
    const committed = this.#committed;
    await sync();
    this.#durable = committed;
  }

  /**
   * Gives the sequence numbers of a rolled back transaction again, but not its ids. A gap after a partial
   * rollback is harmless.
   */
  undone(): void {
    this.#seq = this.#committed;
  }
}
