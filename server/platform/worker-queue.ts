import { Worker } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import { YOUNG_OF_THREAD } from './young-generation.ts';

/** ms without a job after which the thread ends and gives its memory back. */
const IDLE = 60_000;
/** Jobs that may wait for their turn. */
const QUEUE = 50;

/**
 * A thread for work that the event loop cannot spare the time for. It takes one job after the other and stays
 * for the next, so that what it loads (libraries, fonts) it loads once; after a minute without a job it ends.
 * It starts with the first job and does not keep the process alive. A job that fails or takes too long ends
 * its thread, and the next one starts another.
 *
 * Its script answers each message with one: `parentPort.on('message', async (job) =>
 * parentPort.postMessage(await done(job)))`; what it throws is the job's error.
 */
export class WorkerQueue<Job, Result> {
  readonly #script: URL;
  /** What is made, in words: "The paper". */
  readonly #product: string;
  /** ms */
  readonly #longest: number;
  #worker: Worker | undefined;
  #resting: NodeJS.Timeout | undefined;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(script: URL, product: string, longest: number) {
    this.#script = script;
    this.#product = product;
    this.#longest = longest;
  }

  /** Refuses with `busy` when too many wait. */
  run(job: Job): Promise<Result> {
    if (this.#waiting >= QUEUE)
      return Promise.reject(new Refusal('busy', `${this.#product} cannot be made: too much is waiting. Try again.`));
    this.#waiting++;
    const done = this.#last.then(() => this.#do(job)).finally(() => this.#waiting--);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #do(job: Job): Promise<Result> {
    clearTimeout(this.#resting);
    const worker = (this.#worker ??= this.#start());
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const ended = () => reject(new Error(`${this.#product} was not made: its thread ended.`));
    const tooLong = setTimeout(() => reject(new Error(`${this.#product} took too long.`)), this.#longest);
    worker.on('message', resolve).on('error', reject).on('exit', ended).ref();
    try {
      worker.postMessage(job);
      return await promise;
    } catch (error) {
      if (this.#worker === worker) this.#worker = undefined;
      await worker.terminate();
      throw error;
    } finally {
      clearTimeout(tooLong);
      worker.off('message', resolve).off('error', reject).off('exit', ended).unref();
      this.#rest(worker);
    }
  }

  #rest(worker: Worker): void {
    this.#resting = setTimeout(() => {
      if (this.#worker === worker) this.#worker = undefined;
      void worker.terminate();
    }, IDLE);
    this.#resting.unref();
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_THREAD } });
    const gone = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    return worker.on('error', gone).on('exit', gone);
  }
}
