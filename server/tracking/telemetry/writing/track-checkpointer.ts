import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { WorkerClient } from '../../../platform/threads/worker-client.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { YOUNG_OF_QUIET_THREAD } from '../../../platform/young-generation.ts';

/** Pages of 4 KiB in the write-ahead log that make a checkpoint worthwhile. */
const CHECKPOINT_PAGES = 1_000;
/** ms after which the thread ends: it starts in a thirtieth of a second, and checkpoints are rare. */
const IDLE = 1_000;
/** ms between two checks. */
const PAUSE = 2_000;

/** Keeps the write-ahead log of `tracks.db` short: a thread runs a checkpoint when the log has grown. */
export class TrackCheckpointer {
  readonly #measure: StatementSync;
  readonly #thread: WorkerClient<'move'>;
  readonly #timer: NodeJS.Timeout;
  #isRunning = false;

  /**
   * @param db measures the log; may be read-only
   * @param warn logs faults of the thread
   * @param options.every ms between two checks
   */
  constructor(db: DatabaseSync, file: string, warn: (message: string) => void, { every = PAUSE } = {}) {
    this.#measure = db.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#thread = new WorkerClient({
      script: siblingUrl(import.meta.url, './checkpoint.worker'),
      warn,
      name: 'The upkeep of the tracks',
      maxWaiting: 1,
      idle: () => IDLE,
      worker: { workerData: { file }, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_QUIET_THREAD } },
    });
    this.#timer = setInterval(() => this.#checkpointIfLong(), every);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#thread.close();
  }

  #checkpointIfLong(): void {
    if (this.#isRunning || this.#walPages() < CHECKPOINT_PAGES) return;
    this.#isRunning = true;
    // The thread itself logs a failed start; the next check tries again.
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
      return 0; // Busy. Readers and writers report damage.
    }
  }
}
