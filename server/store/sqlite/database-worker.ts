import { WorkerClient } from '../../platform/threads/worker-client.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import { YOUNG_OF_QUIET_THREAD } from '../../platform/young-generation.ts';
import type { DatabaseTask } from './database.worker.ts';

/** Requests that may wait. In practice: a checkpoint, a copy and an integrity check. */
const QUEUE = 10;
/**
 * Milliseconds without a request after which the thread ends. A start takes 30 ms, and checkpoints are rare.
 */
const IDLE = 1_000;

/**
 * Runs long work on a database in a worker thread, one request after the other. `WorkerClient` starts and
 * replaces the thread.
 */
export class DatabaseWorker {
  readonly #thread: WorkerClient<DatabaseTask>;

  constructor(path: string, script = siblingUrl(import.meta.url, './database.worker')) {
    this.#thread = new WorkerClient({
      script,
      name: 'The upkeep of the database',
      maxWaiting: QUEUE,
      idle: () => IDLE,
      worker: { workerData: { path }, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_QUIET_THREAD } },
    });
  }

  /** `pages`: pages of the log that are still to be checkpointed. */
  checkpoint(): Promise<{ pages: number }> {
    return this.#thread.request({ kind: 'checkpoint' });
  }

  /**
   * Copies one consistent state of the database to `to`, which must not exist. Resolves when the copy is on
   * disk.
   */
  snapshot(to: string): Promise<void> {
    return this.#thread.request({ kind: 'snapshot', to });
  }

  /** `damage`: empty if there is none. */
  check(): Promise<{ damage: string[] }> {
    return this.#thread.request({ kind: 'check' });
  }

  /** Runs earlier requests first. */
  async close(): Promise<void> {
    // A thread that died has nothing to close.
    if (this.#thread.isRunning) await this.#thread.request({ kind: 'close' }).catch(() => {});
    await this.#thread.close();
  }
}
