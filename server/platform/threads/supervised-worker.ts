import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Backoff } from '../backoff.ts';
import { YOUNG_OF_THREAD } from '../young-generation.ts';

export interface WorkerEnd {
  /** `failed` is a start that failed, or an error that the script did not catch. */
  readonly kind: 'failed' | 'exited' | 'hung' | 'killed';
  readonly error: Error;
  /** Whether `markWorking` was called since the start. */
  readonly hadWorked: boolean;
  /** How many threads in a row have ended before they had worked, this one included. */
  readonly failures: number;
}

export interface SupervisedWorkerOptions<Message> {
  readonly script: URL;
  /** Read at each start. */
  readonly workerOptions?: () => Pick<WorkerOptions, 'workerData' | 'resourceLimits'>;
  readonly onMessage: (message: Message) => void;
  /** Called when the thread crashes, hangs, exits by itself or cannot be started. */
  readonly onEnd: (end: WorkerEnd) => void;
  /** ms without a message after which a busy thread counts as hung and is ended; undefined: never. */
  readonly silenceLimit?: number | undefined;
  /** ms after which an idle thread ends and gives its memory back; Infinity: never. */
  readonly idleLimit: () => number;
  /** Monotonic ms. */
  readonly now?: (() => number) | undefined;
}

/** The longest timeout that Node's timers take, ms. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/**
 * One thread that is started when it is needed and replaced when it ends. A thread that ends before it has
 * worked is replaced only after a delay that grows with each failure in a row (`Backoff`). What goes to the
 * thread and comes from it is up to the owner: `WorkerClient` for requests and responses.
 */
export class SupervisedWorker<Message> {
  readonly #options: SupervisedWorkerOptions<Message>;
  readonly #backoff: Backoff;
  #worker: Worker | undefined;
  #hasWorked = false;
  #silenceTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #terminating: Promise<unknown> | undefined;

  constructor(options: SupervisedWorkerOptions<Message>) {
    this.#options = options;
    this.#backoff = new Backoff(options.now);
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Why no thread can be started yet; undefined: one runs, or can be started. */
  get unavailableReason(): string | undefined {
    return this.#worker ? undefined : this.#backoff.reason;
  }

  /** The running thread, or a new one. When it cannot be started, calls `onEnd` and returns undefined. */
  start(): Worker | undefined {
    if (this.#worker) return this.#worker;
    const { script, workerOptions, onMessage } = this.#options;
    const { resourceLimits, ...rest } = workerOptions?.() ?? {};
    this.#hasWorked = false;
    let worker: Worker;
    try {
      worker = new Worker(script, {
        ...rest,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_THREAD, ...resourceLimits },
      });
    } catch (error) {
      this.#ended('failed', error as Error);
      return undefined;
    }
    worker.unref();
    worker.on('message', (message: Message) => {
      if (worker === this.#worker) onMessage(message);
    });
    // A thread that throws also exits; the first of the two events has the reason.
    worker.on('error', (error) => worker === this.#worker && this.#ended('failed', error));
    worker.on('exit', () => worker === this.#worker && this.#ended('exited', new Error('it ended')));
    this.#worker = worker;
    return worker;
  }

  /**
   * Says whether the thread has something to do; to be called again with each message from it. A busy thread
   * keeps the process alive and is watched for silence; an idle one ends after a while.
   */
  setBusy(isBusy: boolean): void {
    this.#stopTimers();
    const worker = this.#worker;
    if (!worker) return;
    if (isBusy) {
      worker.ref();
      this.#watchForSilence();
    } else {
      worker.unref();
      this.#endWhenIdle();
    }
  }

  /** The thread has done some of its work: a later end is no failed start. Returns whether starts had failed. */
  markWorking(): boolean {
    this.#hasWorked = true;
    return this.#backoff.recovered();
  }

  /** Ends the thread as a crash would: `onEnd` is called. */
  kill(reason: string): Promise<void> {
    return this.#kill('killed', reason);
  }

  async #kill(kind: 'hung' | 'killed', reason: string): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#ended(kind, new Error(reason));
    await worker.terminate();
  }

  /** Ends the thread; `onEnd` is not called. */
  async terminate(): Promise<void> {
    this.#stopTimers();
    const worker = this.#worker;
    this.#worker = undefined;
    await Promise.all([this.#terminating, worker?.terminate()]);
  }

  #ended(kind: WorkerEnd['kind'], error: Error): void {
    this.#worker = undefined;
    this.#stopTimers();
    const hadWorked = this.#hasWorked;
    const failures = hadWorked ? 0 : this.#backoff.failed(error.message);
    this.#options.onEnd({ kind, error, hadWorked, failures });
  }

  #watchForSilence(): void {
    const { silenceLimit } = this.#options;
    if (silenceLimit === undefined) return;
    this.#silenceTimer = setTimeout(
      () => void this.#kill('hung', `it gave no answer for ${silenceLimit / 1000} s`),
      silenceLimit,
    );
    this.#silenceTimer.unref();
  }

  #endWhenIdle(): void {
    const limit = this.#options.idleLimit();
    if (limit === Infinity) return;
    this.#idleTimer = setTimeout(
      () => {
        const worker = this.#worker;
        this.#worker = undefined;
        this.#terminating = worker?.terminate();
      },
      Math.min(limit, MAX_TIMEOUT),
    );
    this.#idleTimer.unref();
  }

  #stopTimers(): void {
    clearTimeout(this.#silenceTimer);
    clearTimeout(this.#idleTimer);
  }
}
