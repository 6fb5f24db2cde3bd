import { WorkerClient } from '../../platform/worker-client.ts';
import { siblingUrl } from '../../platform/worker-url.ts';
import type { DatabaseTask } from './database.worker.ts';

/** Questions that may wait: there is never more than a checkpoint, a copy and a look for damage. */
const QUEUE = 10;
/**
 * ms without a question after which the thread ends: a start takes a thirtieth of a second, and moving the
 * log is seldom.
 */
const IDLE = 5_000;

/**
 * Asks a worker thread to do long work on a database, one piece after the other (see `WorkerClient` for how
 * it starts, dies and is replaced).
 */
export class DatabaseWorker {
  readonly #thread: WorkerClient<DatabaseTask>;

  constructor(path: string, script = siblingUrl(import.meta.url, './database.worker')) {
    this.#thread = new WorkerClient({
      script,
      name: 'The upkeep of the database',
      mostWaiting: QUEUE,
      idle: () => IDLE,
      worker: { workerData: { path } },
    });
  }

  /** `pages`: of the log, still to be moved. */
  checkpoint(): Promise<{ pages: number }> {
    return this.#thread.request({ kind: 'checkpoint' });
  }

  /** Copies the database as it is at one moment; `to` must not exist. On disk when it resolves. */
  snapshot(to: string): Promise<void> {
    return this.#thread.request({ kind: 'snapshot', to });
  }

  /** `damage`: empty when there is none. */
  check(): Promise<{ damage: string[] }> {
    return this.#thread.request({ kind: 'check' });
  }

  /** What was asked before is done first. */
  async close(): Promise<void> {
    // Of a thread that has died there is nothing to wait for.
    if (this.#thread.isRunning) await this.#thread.request({ kind: 'close' }).catch(() => {});
    await this.#thread.close();
  }
}
