import { Refusal } from '../../../shared/refusal.ts';
import { Mutex } from '../mutex.ts';
import { SupervisedWorker, type WorkerEnd } from './supervised-worker.ts';

/** ms without a job after which the thread ends and gives its memory back. */
const IDLE = 60_000;
/** Jobs that may wait for their turn. */
const QUEUE = 50;

/**
 * Runs jobs in a thread, one at a time, each with a time limit. The thread starts with the first job and stays
 * for the next, so that it loads libraries and fonts once. A job that fails or takes too long ends its thread,
 * and the next job starts another.
 *
 * The script answers each message with one: `parentPort.on('message', async (job) =>
 * parentPort.postMessage(await resultOf(job)))`. What it throws is the error of the job.
 */
export class WorkerQueue<Job, Result> {
  /** The product of a job, for error texts: "The paper". */
  readonly #product: string;
  readonly #thread: SupervisedWorker<Result>;
  readonly #mutex = new Mutex();
  #waiting = 0;
  #current: PromiseWithResolvers<Result> | undefined;

  /** @param limit of one job, ms */
  constructor(script: URL, product: string, limit: number) {
    this.#product = product;
    this.#thread = new SupervisedWorker<Result>({
      script,
      silenceLimit: limit,
      idleLimit: () => IDLE,
      onMessage: (result) => {
        this.#thread.setBusy(false);
        this.#current?.resolve(result);
      },
      onEnd: (end) => this.#current?.reject(this.#errorOf(end)),
    });
  }

  /** Refuses with `busy` when too many jobs wait. */
  async run(job: Job): Promise<Result> {
    if (this.#waiting >= QUEUE) throw new Refusal('platform.tooMuch', { part: this.#product });
    this.#waiting++;
    try {
      return await this.#mutex.run(() => this.#runNow(job));
    } finally {
      this.#waiting--;
    }
  }

  #runNow(job: Job): Promise<Result> {
    const { promise } = (this.#current = Promise.withResolvers<Result>());
    const worker = this.#thread.start();
    // A job that fails says nothing about the next one: there is no backoff.
    this.#thread.markWorking();
    this.#thread.setBusy(true);
    worker?.postMessage(job);
    return promise;
  }

  #errorOf({ kind, error }: WorkerEnd): Error {
    if (kind === 'hung') return new Error(`${this.#product} took too long.`);
    if (kind === 'exited') return new Error(`${this.#product} was not made: its thread ended.`);
    return error;
  }
}
