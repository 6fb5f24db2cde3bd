import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { WorkerClient } from '../../platform/worker-client.ts';
import { siblingUrl } from '../../platform/worker-url.ts';

/** Pages of 4 KiB in the write-ahead log from which on a checkpoint is worth it. */
const CHECKPOINT_PAGES = 1_000;
/** ms after which the thread ends: a start takes a thirtieth of a second, and moving the log is seldom. */
const IDLE = 5_000;
/** ms between two looks. */
const PAUSE = 2_000;

/**
 * Keeps the write-ahead log of `tracks.db` short: a thread runs a checkpoint when the log has grown, and ends
 * when it grows no more.
 */
export class TrackCheckpointer {
  readonly #measure: StatementSync;
  readonly #thread: WorkerClient<'move'>;
  readonly #timer: NodeJS.Timeout;
  #isRunning = false;

  /**
   * @param db measures the log; it may be one that only reads
   * @param warn hears, for the log, of what goes wrong with the thread
   */
  constructor(db: DatabaseSync, file: string, warn: (message: string) => void) {
    this.#measure = db.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#thread = new WorkerClient({
      script: siblingUrl(import.meta.url, './checkpoint.worker'),
      warn,
      name: 'The upkeep of the tracks',
      mostWaiting: 1,
      idle: () => IDLE,
      worker: { workerData: { file } },
    });
    this.#timer = setInterval(() => this.#checkpointIfLong(), PAUSE);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#thread.close();
  }

  #checkpointIfLong(): void {
    if (this.#isRunning || this.#walPages() < CHECKPOINT_PAGES) return;
    this.#isRunning = true;
    // The thread itself says when it cannot be started; the next look tries again.
    this.#thread
      .request('move')
      .catch(() => undefined)
      .finally(() => (this.#isRunning = false));
  }

  #walPages(): number {
    try {
      const { log, checkpointed } = this.#measure.get() as { log: number; checkpointed: number };
      return log - checkpointed;
    } catch {
      return 0; // Busy. Damage is found by those who read and write.
    }
  }
}
