import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { DatabaseSync } from 'node:sqlite';

const syncFile = promisify(fdatasync);

/** Milliseconds of work after which a transaction takes no more; saving states and committing come on top, and take about as long. */
const TURN_BUDGET = 4;

/**
 * Writes that are answered only when they are on the disk, many to one sync.
 *
 * All writes of one turn of the event loop share a transaction; while the disk still works on the one before, those of the next turns join it, since none of them could be
 * answered sooner. SQLite in WAL mode with `synchronous=NORMAL` does not sync at COMMIT, so
 * the log is synced here, by a thread of the pool: the event loop takes in the next records while the disk works on these.
 * After a sync every frame that was written before it is safe; frames carry checksums, so that a torn tail is no commit.
 */
export class DurableWrites {
  private readonly db: DatabaseSync;
  private readonly log: number;
  private readonly hooks: DurableHooks;
  private open = false;
  /** ms of work in the open transaction */
  private worked = 0;
  private scheduled = false;
  private waiting: (() => void)[] = [];
  private inTransaction: Waiting[] = [];
  private committed: Waiting[] = [];
  private syncing: Promise<void> | undefined;

  constructor(db: DatabaseSync, file: string, hooks: DurableHooks) {
    this.db = db;
    this.hooks = hooks;
    this.log = openSync(`${file}-wal`, 'r+'); // Windows syncs only what is open for writing
  }

  /** Resolves with what `work` gave, once it is on the disk. Works run in the order in which they came; what has no room in this turn runs in one of the next. */
  write<R>(work: () => R): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      const run = (): void => {
        try {
          const result = work();
          this.inTransaction.push({ resolve: () => resolve(result), reject });
        } catch (error) {
          reject(error);
        }
      };
      if (this.waiting.length === 0 && this.mayRun()) this.run(run);
      else {
        this.waiting.push(run);
        this.schedule();
      }
    });
  }

  /** Everything that was written is on the disk when this resolves. */
  async settled(): Promise<void> {
    while (this.scheduled || this.syncing) await (this.syncing ?? new Promise((resolve) => setImmediate(resolve)));
  }

  async close(): Promise<void> {
    await this.settled();
    closeSync(this.log);
  }

  private mayRun(): boolean {
    return !this.open || this.worked < TURN_BUDGET;
  }

  private run(work: () => void): void {
    if (!this.open) {
      this.db.exec('BEGIN IMMEDIATE');
      this.open = true;
      this.worked = 0;
      this.schedule();
    }
    const began = performance.now();
    work();
    this.worked += performance.now() - began;
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.endTurn());
  }

  /** Commits; then as many of the waiting as there is time for begin the next transaction. Timers and requests come in between. */
  private endTurn(): void {
    this.scheduled = false;
    // The end of the sync ends the turn again.
    if (this.open && this.syncing && this.waiting.length === 0 && this.mayRun()) return;
    this.commit();
    let done = 0;
    while (done < this.waiting.length && this.mayRun()) this.run(this.waiting[done++]!);
    this.waiting = this.waiting.slice(done);
    if (this.waiting.length > 0) this.schedule();
  }

  private commit(): void {
    if (!this.open) return;
    const waiting = this.inTransaction;
    this.inTransaction = [];
    this.open = false;
    try {
      this.hooks.beforeCommit();
      this.db.exec('COMMIT');
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      this.hooks.rolledBack();
      for (const one of waiting) one.reject(error);
      return;
    }
    for (const one of waiting) this.committed.push(one);
    this.hooks.committed();
    this.syncing ??= this.syncAll().finally(() => {
      this.syncing = undefined;
      if (this.open) this.schedule();
    });
  }

  /** Goes on while more was committed during the last sync. */
  private async syncAll(): Promise<void> {
    while (this.committed.length > 0) {
      const covered = this.committed;
      this.committed = [];
      try {
        await syncFile(this.log);
        for (const one of covered) one.resolve();
      } catch (error) {
        for (const one of covered) one.reject(error);
      }
    }
  }
}

export interface DurableHooks {
  /** Adds what is to be stored once per transaction. */
  beforeCommit(): void;
  committed(): void;
  /** What was written since the last commit is gone. */
  rolledBack(): void;
}

interface Waiting {
  resolve(): void;
  reject(error: unknown): void;
}
