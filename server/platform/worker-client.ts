import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Refusal, type RefusalCode } from '../../shared/refusal.ts';
import { MAX_DELAY, Backoff } from './backoff.ts';
import { YOUNG_OF_THREAD } from './young-generation.ts';

/** What the thread's script hears and says; `answerRequests` sees to that side. */
export interface WorkerRequest<Question> {
  readonly id: number;
  readonly question: Question;
}
export type WorkerResponse =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string; readonly refused: RefusalCode | undefined };
/** What the script has to say for the log. */
export interface WorkerWarning {
  readonly warning: string;
}

export interface WorkerClientOptions<Question> {
  readonly script: URL;
  /** Who is asked, as refusals and the log call it: "The map". */
  readonly name: string;
  /** Questions that may wait; more would be answered too late to be of use. */
  readonly mostWaiting: number;
  /** Told to every thread before what it is asked, such as which territory to read; undefined: nothing. */
  readonly first?: () => Question | undefined;
  /**
   * ms without any answer while one is due, after which the thread counts as hung and is ended. Without it, a
   * question may take for ever.
   */
  readonly hung?: number;
  /**
   * ms without a question after which the thread is ended and its memory given back; the next question starts
   * another. Infinity: it stays.
   */
  readonly idle?: () => number;
  readonly worker?: Pick<WorkerOptions, 'workerData' | 'resourceLimits'>;
  /**
   * Hears, for the log, of each end that nobody ordered; of a thread that cannot be started once, and once
   * when it runs again; and whatever the script itself has to say (`warn`).
   */
  readonly warn?: ((message: string) => void) | undefined;
  /** ms that only go up */
  readonly now?: () => number;
}

/** ms without a question. A start takes a tenth of a second. */
const IDLE = 60_000;

/** The most that a timer of Node takes. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread that is asked questions and gives each its answer, while others wait in line. It starts with the
 * first question, keeps the process alive only while somebody waits, and is never left without a word: when
 * it dies or hangs, all who wait are refused with `busy`, and the next question starts another.
 *
 * A thread that ends before it has answered anything but `first` failed at once. Another is then started only
 * after a pause, which grows with each failure in a row, up to half a minute; until it is over, questions are
 * refused with `busy` on the spot. One answer, and all is well again.
 *
 * For work that is done one piece at a time and given up when it takes too long, there is `WorkerQueue`.
 */
export class WorkerClient<Question> {
  readonly #options: WorkerClientOptions<Question>;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  /** The number of the first question that somebody asked of this worker. */
  #firstAsked = 0;
  #hasAnswered = false;
  #last = 0;
  readonly #pauses: Backoff;
  #watch: NodeJS.Timeout | undefined;
  #rest: NodeJS.Timeout | undefined;
  #ending: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(options: WorkerClientOptions<Question>) {
    this.#options = options;
    this.#pauses = new Backoff(options.now);
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Rejects with what the script threw, a `Refusal` as such; and with `busy` when too many wait, when there
   * is no thread, when it dies, and after `close`.
   */
  request<Answer>(question: Question): Promise<Answer> {
    const { name, mostWaiting } = this.#options;
    if (this.#isClosed) return Promise.reject(new Refusal('busy', `${name} is closed.`));
    if (this.#waiting.size >= mostWaiting)
      return Promise.reject(new Refusal('busy', `${name} has too many questions waiting. Try again.`));
    if (!this.#worker) {
      const paused = this.#pauses.reason;
      if (paused !== undefined) return Promise.reject(this.#cannotStart(paused));
      try {
        this.#start();
      } catch (error) {
        this.#failed((error as Error).message);
        return Promise.reject(this.#cannotStart((error as Error).message));
      }
    }
    return this.#send(question);
  }

  /** Ends the thread as a crash would; the next question starts another. */
  async kill(reason = 'it was ended'): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#ended(worker, reason);
    await worker.terminate();
  }

  /** Refuses what waits and whatever is asked later, and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#worker = undefined;
    this.#stopWatching();
    this.#refuseAll(new Refusal('busy', `${this.#options.name} is closed.`));
    await Promise.all([this.#ending, worker?.terminate()]);
  }

  #send<Answer>(question: Question): Promise<Answer> {
    const worker = this.#worker!;
    return new Promise<Answer>((resolve, reject) => {
      const id = ++this.#last;
      worker.postMessage({ id, question } satisfies WorkerRequest<Question>);
      this.#waiting.set(id, { resolve, reject });
      if (this.#waiting.size > 1) return;
      clearTimeout(this.#rest);
      worker.ref();
      this.#watchOver();
    });
  }

  #start(): void {
    const { script, first, name, warn } = this.#options;
    const { resourceLimits, ...rest } = this.#options.worker ?? {};
    const worker = new Worker(script, {
      ...rest,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_THREAD, ...resourceLimits },
    });
    this.#worker = worker;
    this.#hasAnswered = false;
    worker.on('message', (said: WorkerResponse | WorkerWarning) => {
      if ('warning' in said) warn?.(said.warning);
      else if (worker === this.#worker) this.#hear(said);
    });
    // A thread that throws also exits; the error itself says why.
    worker.on('error', (error) => this.#ended(worker, error.message));
    worker.on('exit', () => this.#ended(worker, 'it ended'));
    const question = first?.();
    // What it refers to may be gone by now; the thread goes on without.
    if (question !== undefined)
      this.#send(question).catch(
        (error: Error) =>
          error instanceof Refusal || warn?.(`${name} was started without what it is to read: ${error.message}`),
      );
    this.#firstAsked = this.#last + 1;
  }

  #hear(said: WorkerResponse): void {
    const { resolve, reject } = this.#waiting.get(said.id)!;
    this.#waiting.delete(said.id);
    if (said.id >= this.#firstAsked) this.#recovered();
    this.#watchOver();
    if (this.#waiting.size === 0) {
      this.#worker!.unref();
      this.#endWhenIdle();
    }
    if ('error' in said) reject(said.refused ? new Refusal(said.refused, said.error) : new Error(said.error));
    else resolve(said.answer as never);
  }

  #recovered(): void {
    this.#hasAnswered = true;
    if (this.#pauses.recovered()) this.#options.warn?.(`${this.#options.name} runs again.`);
  }

  #ended(worker: Worker, reason: string): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#stopWatching();
    const { name, warn } = this.#options;
    if (this.#hasAnswered) {
      warn?.(`${name} ended (${reason}); the next question starts it again.`);
      this.#refuseAll(new Refusal('busy', `${name} was started again (${reason}). Try again.`));
    } else {
      this.#failed(reason);
      this.#refuseAll(this.#cannotStart(reason));
    }
  }

  #failed(reason: string): void {
    const failures = this.#pauses.failed(reason);
    const { name, warn } = this.#options;
    if (failures === 1)
      warn?.(
        `${name} cannot be started (${reason}). It is tried again when it is asked, at most every ${MAX_DELAY / 1000} s if that goes on.`,
      );
  }

  #cannotStart(reason: string): Refusal {
    return new Refusal('busy', `${this.#options.name} cannot be started at the moment (${reason}). Try again later.`);
  }

  /** Gives the thread its time anew after every answer, and ends it when it gives none. */
  #watchOver(): void {
    clearTimeout(this.#watch);
    const { hung } = this.#options;
    if (hung === undefined || this.#waiting.size === 0) return;
    this.#watch = setTimeout(() => void this.kill(`it gave no answer for ${hung / 1000} s`), hung);
    this.#watch.unref();
  }

  #endWhenIdle(): void {
    const idle = this.#options.idle?.() ?? IDLE;
    if (idle === Infinity) return;
    this.#rest = setTimeout(
      () => {
        const worker = this.#worker;
        this.#worker = undefined;
        this.#ending = worker?.terminate();
      },
      Math.min(idle, LONGEST_TIMEOUT),
    );
    this.#rest.unref();
  }

  #stopWatching(): void {
    clearTimeout(this.#watch);
    clearTimeout(this.#rest);
  }

  #refuseAll(refusal: Refusal): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(refusal);
  }
}
