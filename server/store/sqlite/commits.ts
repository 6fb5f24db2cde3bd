/**
 * Grouped durable commits. All writes of one turn of the event loop share one SQLite transaction, which is
 * committed when the turn ends; then listeners run in the order of writing. The log is synced on another
 * thread, one sync for all commits since the last. Only then do the writers' promises resolve: an
 * acknowledged write is on disk, and the event loop never waits for a disk.
 *
 * A write is a synchronous function: its reads and writes are one atomic step without a lock. When the time
 * of a turn is used up, later writes wait for the next turn, so that timers and requests run in between.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';

/** Milliseconds of writing after which a turn of the event loop accepts no more writes and commits. */
const TURN_BUDGET = 5;
/**
 * Milliseconds after which an open transaction is reported: all other writes wait for it.
 */
const LONG_TRANSACTION = 5_000;

interface Write {
  readonly work: () => unknown;
  readonly committed: ((result: never) => void) | undefined;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  result: unknown;
}

interface OpenTransaction {
  open: boolean;
  /** Promises of writes made inside: they settle with the commit. */
  readonly writes: Promise<unknown>[];
}

interface CommitsOptions {
  /** Called just before a commit, inside the SQLite transaction: saves the counters kept in memory. */
  flush(): void;
  /** Called after a commit, before its listeners. */
  committed(): void;
  /** Called when a whole SQLite transaction was rolled back. */
  undone(): void;
  /** Syncs committed writes to the disk. */
  sync(): Promise<void>;
  /** Receives LongTransaction, DiskFailed, and errors of listeners, which must not reach the writer. */
  report(error: unknown): void;
}

/**
 * A transaction is taking long. It may still end: a busy disk or processor is not a bug.
 */
export class LongTransaction extends Error {
  override readonly name = 'LongTransaction';
}

/** A sync failed. It is unknown what the disk kept, so nothing more is written until a restart. */
export class DiskFailed extends Error {
  override readonly name = 'DiskFailed';
}

export class Commits {
  readonly #sql: DatabaseSync;
  readonly #options: CommitsOptions;
  readonly #inside = new AsyncLocalStorage<OpenTransaction>();
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  /** Writes of the open SQLite transaction, not yet committed. */
  #written: Write[] = [];
  /** Callbacks for after the next sync, in order of writing. */
  #unsynced: { durable(): void; lost(error: Error): void }[] = [];
  #commits = 0;
  #syncing: Promise<void> | undefined;
  /** Set when a sync failed: all later writes are refused with it. */
  #broken: Refusal | undefined;
  /** Writes that wait for the next turn, the end of a transaction, or the disk. */
  #waiting: (() => void)[] = [];
  #running = 0;
  #transaction: OpenTransaction | undefined;
  #spent = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #held = false;
  #closed = false;

  constructor(sql: DatabaseSync, options: CommitsOptions) {
    this.#sql = sql;
    this.#options = options;
    this.#begin = sql.prepare('BEGIN IMMEDIATE');
    this.#commit = sql.prepare('COMMIT');
  }

  /**
   * Whether the caller runs inside a transaction or a write, and so should see uncommitted data.
   */
  get inside(): boolean {
    return this.#running > 0 || this.insideTransaction;
  }

  /** Whether the caller runs inside a write. */
  get insideWrite(): boolean {
    return this.#running > 0;
  }

  get insideTransaction(): boolean {
    return this.#inside.getStore()?.open === true;
  }

  /**
   * Runs `work` in the open SQLite transaction, now or when its turn comes. Calls `committed` after the
   * commit and resolves when the write is on disk. When `work` throws, only its own writes are undone.
   */
  write<R>(work: () => R, committed?: (result: R) => void): Promise<R> {
    if (this.#closed || this.#broken) return Promise.reject(this.#broken ?? new Error('The store is closed.'));
    return new Promise<R>((resolve, reject) => {
      const write: Write = { work, committed, resolve, reject, result: undefined };
      if (this.#running > 0 || this.insideTransaction || this.#mayRun()) this.#run(write);
      else this.#wait(AsyncLocalStorage.bind(() => this.#run(write))); // its own async context: that of the caller
    });
  }

  /**
   * Commits all writes that `work` makes, across its awaits, as one; undoes them when it throws. Other writes
   * wait until it ends, so `work` must not wait for anything slow.
   */
  async transaction<R>(work: () => Promise<R>): Promise<R> {
    if (this.insideTransaction) return work();
    if (this.#closed || this.#broken) throw this.#broken ?? new Error('The store is closed.');
    const transaction: OpenTransaction = { open: true, writes: [] };
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        try {
          this.#ensureTransaction();
          this.#sql.exec('SAVEPOINT store_transaction');
          this.#transaction = transaction;
          resolve();
        } catch (error) {
          reject(error as Error);
        }
      };
      if (this.#mayRun()) start();
      else this.#wait(start);
    });
    const before = this.#written.length;
    const started = performance.now();
    const overdue = setTimeout(
      () =>
        this.#options.report(
          new LongTransaction(`A transaction has kept all other writes waiting for ${LONG_TRANSACTION / 1000} s.`),
        ),
      LONG_TRANSACTION,
    );
    overdue.unref();
    let result: R;
    try {
      result = await this.#inside.run(transaction, work);
      this.#sql.exec('RELEASE store_transaction');
    } catch (error) {
      const undone = this.#written.splice(before);
      this.#rollBackTo('store_transaction', error);
      for (const write of undone) write.reject(error);
      await Promise.allSettled(transaction.writes);
      throw error;
    } finally {
      clearTimeout(overdue);
      transaction.open = false;
      this.#transaction = undefined;
      this.#spent += performance.now() - started;
      this.#schedule();
      this.#drain();
    }
    await this.write(() => undefined);
    await Promise.all(transaction.writes);
    return result;
  }

  /** Like `write`. Inside a transaction it resolves at once: the transaction itself waits for the disk. */
  writePlain<R>(work: () => R): Promise<R> {
    let outcome: { result: R } | undefined;
    const done = this.write(() => (outcome = { result: work() }).result);
    if (!outcome || !this.insideTransaction) return done;
    this.leaveToTransaction(done);
    return Promise.resolve((outcome as { result: R }).result);
  }

  /**
   * Returns a function that collects items while the listeners of a commit run. `tell` gets them when that
   * commit is on disk, before its writers resolve.
   */
  collect<T>(publish: (items: readonly T[]) => void): (item: T) => void {
    let items: T[] = [];
    let commit = -1;
    return (item) => {
      if (commit !== this.#commits) {
        commit = this.#commits;
        const batch: T[] = (items = []);
        this.#unsynced.push({ durable: () => this.#notify(() => publish(batch)), lost: () => undefined });
      }
      items.push(item);
    };
  }

  /** Lets the end of the transaction await the promise of a write made inside it. */
  leaveToTransaction(write: Promise<unknown>): void {
    this.#inside.getStore()?.writes.push(write);
    write.catch(() => undefined); // Its end awaits it.
  }

  /** Makes sure that a commit follows this turn, though nothing was written through `write`. */
  touch(): void {
    if (this.#closed || this.#sql.isTransaction || this.#waiting.length > 0) return;
    // the failed disk was reported
    this.write(() => undefined).catch((error: unknown) => error !== this.#broken && this.#options.report(error));
  }

  /** Makes new writes wait until `release`, because the disk does not keep up. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Resolves when all current writes, waiting ones included, are on disk. */
  async whenDurable(): Promise<void> {
    if (this.#closed) return;
    if (this.#waiting.length > 0 || this.#sql.isTransaction) await this.write(() => undefined).catch(() => undefined);
    while (this.#syncing) await this.#syncing;
  }

  /** Commits everything written so far, and the writes that listeners make then. Refuses later writes. */
  async close(): Promise<void> {
    while (this.#transaction || this.#waiting.length > 0 || this.#sql.isTransaction || this.#syncing) {
      if (!this.#transaction && !this.#held) this.#endTurn();
      await (this.#syncing ?? new Promise((resolve) => setImmediate(resolve)));
    }
    this.#closed = true;
    clearImmediate(this.#scheduled);
  }

  #mayRun(): boolean {
    return !this.#transaction && !this.#held && this.#waiting.length === 0 && this.#spent < TURN_BUDGET;
  }

  #wait(start: () => void): void {
    this.#waiting.push(start);
    this.#schedule();
  }

  #run(write: Write): void {
    const started = performance.now();
    const depth = this.#running;
    const before = this.#written.length;
    const savepoint = `write${depth}`;
    try {
      this.#ensureTransaction();
      this.#sql.exec(`SAVEPOINT ${savepoint}`);
      this.#running++;
      try {
        write.result = write.work();
      } finally {
        this.#running--;
      }
      this.#sql.exec(`RELEASE ${savepoint}`);
      this.#written.push(write);
    } catch (error) {
      const undone = this.#written.splice(before);
      this.#rollBackTo(savepoint, error);
      for (const nested of undone) nested.reject(error);
      write.reject(error);
    } finally {
      if (depth === 0) this.#spent += performance.now() - started;
    }
  }

  #ensureTransaction(): void {
    if (!this.#sql.isTransaction) this.#begin.run();
    this.#schedule();
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => this.#endTurn());
  }

  #endTurn(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    if (this.#transaction) return; // Its end schedules the commit.
    this.#drain();
    if (this.#transaction) return;
    if (this.#sql.isTransaction) this.#commitAll();
    this.#spent = 0;
    if (this.#waiting.length > 0 && !this.#held) this.#schedule();
  }

  /** Runs waiting writes while the turn has time. */
  #drain(): void {
    while (this.#waiting.length > 0 && !this.#transaction && !this.#held && this.#spent < TURN_BUDGET)
      this.#waiting.shift()!();
  }

  #commitAll(): void {
    const written = this.#written;
    try {
      this.#options.flush();
      this.#commit.run();
    } catch (error) {
      if (this.#sql.isTransaction) this.#sql.exec('ROLLBACK');
      this.#fail(error);
      return;
    }
    this.#written = [];
    this.#commits++;
    this.#options.committed();
    for (const write of written) this.#notify(() => write.committed?.(write.result as never));
    for (const write of written)
      this.#unsynced.push({ durable: () => write.resolve(write.result as never), lost: write.reject });
    // A turn in which every write was refused has nothing to sync. A sync that ends at once would never clear
    // `#syncing`.
    if (this.#unsynced.length > 0) this.#syncing ??= this.#sync();
  }

  /** Syncs one after the other, each for all commits before it began. */
  async #sync(): Promise<void> {
    while (this.#unsynced.length > 0) {
      const batch = this.#unsynced;
      this.#unsynced = [];
      try {
        // After a failure do not sync again: the disk may report success and have dropped the failed pages.
        await (this.#broken ? undefined : this.#options.sync());
      } catch (error) {
        this.#broken = new Refusal('store.notStored', {}, { cause: error });
        this.#options.report(
          new DiskFailed(
            `The disk could not store what was written (${(error as Error).message}). Nothing is written any more until the station is restarted.`,
            { cause: error },
          ),
        );
      }
      for (const { durable, lost } of batch) {
        if (this.#broken) lost(this.#broken);
        else durable();
      }
    }
    this.#syncing = undefined;
  }

  #notify(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#options.report(error);
    }
  }

  #rollBackTo(savepoint: string, error: unknown): void {
    try {
      this.#sql.exec(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`);
    } catch {
      // On a full disk SQLite rolls back the whole transaction, and its savepoints with it.
      if (this.#sql.isTransaction) this.#sql.exec('ROLLBACK');
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const lost = this.#written;
    this.#written = [];
    this.#options.undone();
    for (const write of lost) write.reject(error);
  }
}
