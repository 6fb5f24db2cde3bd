import type { WorkerOptions } from 'node:worker_threads';
import { Refusal } from '../../../shared/refusal.ts';
import type { Reason } from '../../../shared/refusals/reason.ts';
import { MAX_DELAY } from '../backoff.ts';
import { SupervisedWorker, type WorkerEnd } from './supervised-worker.ts';

/** The message to the thread. `answerRequests` is the other side. */
export interface WorkerRequest<Request> {
  readonly id: number;
  readonly request: Request;
}
export type WorkerResponse =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly refused: Reason };
/** A line for the log, which no request asked for. */
export interface WorkerWarning {
  readonly warning: string;
}

export interface WorkerClientOptions<Request> {
  readonly script: URL;
  /** The name of the service in refusals and in the log: "The map". */
  readonly name: string;
  /** Requests that may wait; more would be answered too late to be of use. */
  readonly maxWaiting: number;
  /** The first request of every thread, such as which territory to read, or undefined. */
  readonly first?: () => Request | undefined;
  /** ms without any response while one is due, after which the thread counts as hung; undefined: never. */
  readonly hangTimeout?: number;
  /** ms without a request after which the thread ends and gives its memory back; Infinity: never. */
  readonly idle?: () => number;
  readonly worker?: Pick<WorkerOptions, 'workerData' | 'resourceLimits'>;
  /**
   * For the log: each crash; the first of several failed starts in a row, and the recovery from them; the
   * warnings of the script (`warn`).
   */
  readonly warn?: ((message: string) => void) | undefined;
  /** Monotonic ms. */
  readonly now?: () => number;
}

/** ms without a request. A start takes a tenth of a second. */
const IDLE = 60_000;

interface PendingRequest {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Sends requests to a thread and resolves with its responses. The thread starts with the first request and
 * keeps the process alive only while a request waits. When it dies or hangs, all waiting requests are refused
 * with `busy`, and the next request starts another thread.
 *
 * A thread that ends before it has answered anything but `first` has failed to start. Until its backoff is
 * over, requests are refused with `busy` at once. One response ends the backoff.
 *
 * For jobs that run one at a time, each with a time limit, there is `WorkerQueue`.
 */
export class WorkerClient<Request> {
  readonly #options: WorkerClientOptions<Request>;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #thread: SupervisedWorker<WorkerResponse | WorkerWarning>;
  /** The id of the first request to this thread whose answer shows that it works: not of `first`. */
  #firstId = 0;
  /** The id of the request that started this thread by itself; it takes no place of those that wait. */
  #ownId = 0;
  #deferred: Request | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: WorkerClientOptions<Request>) {
    this.#options = options;
    const { script, worker, hangTimeout, idle = () => IDLE, now } = options;
    this.#thread = new SupervisedWorker({
      script,
      workerOptions: () => worker ?? {},
      onMessage: (message) => ('warning' in message ? options.warn?.(message.warning) : this.#settle(message)),
      onEnd: (end) => this.#ended(end),
      silenceLimit: hangTimeout,
      idleLimit: idle,
      now,
    });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /**
   * Rejects with what the script threw, a `Refusal` as such. Rejects with `busy` when too many requests wait,
   * when the thread cannot be started or dies, and after `close`.
   */
  request<Answer>(request: Request): Promise<Answer> {
    const { name, maxWaiting } = this.#options;
    if (this.#isClosed) return Promise.reject(new Refusal('platform.closed', { part: name }));
    const waiting = this.#pending.size - (this.#pending.has(this.#ownId) ? 1 : 0);
    if (waiting >= maxWaiting) return Promise.reject(new Refusal('platform.waiting', { part: name }));
    if (!this.#thread.isRunning) {
      if (this.#thread.unavailableReason === undefined) this.#start();
      const reason = this.#thread.unavailableReason;
      if (reason !== undefined) return Promise.reject(this.#cannotStart(reason));
    }
    return this.#send(request);
  }

  /** Sends this in place of `first` to the next thread, which the next request starts. Its answer counts as work. */
  defer(request: Request | undefined): void {
    this.#deferred = request;
  }

  /** Ends the thread as a crash would; the next request starts another. */
  kill(reason = 'it was ended'): Promise<void> {
    return this.#thread.kill(reason);
  }

  /** Refuses all waiting and later requests, and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const terminated = this.#thread.terminate();
    this.#refuseAll(new Refusal('platform.closed', { part: this.#options.name }));
    await terminated;
  }

  #start(): void {
    const { first, name, warn } = this.#options;
    if (!this.#thread.start()) return;
    const deferred = this.#deferred;
    const request = deferred ?? first?.();
    this.#deferred = undefined;
    this.#firstId = this.#lastId + (request === undefined || deferred !== undefined ? 1 : 2);
    this.#ownId = request === undefined ? 0 : this.#lastId + 1;
    // Its target may be gone by now; the thread continues without it.
    if (request !== undefined)
      this.#send(request).catch(
        (error: Error) =>
          error instanceof Refusal || warn?.(`${name} was started without what it is to read: ${error.message}`),
      );
  }

  #send<Answer>(request: Request): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const id = ++this.#lastId;
      this.#thread.start()!.postMessage({ id, request } satisfies WorkerRequest<Request>);
      this.#pending.set(id, { resolve, reject });
      if (this.#pending.size === 1) this.#thread.setBusy(true);
    });
  }

  #settle(response: WorkerResponse): void {
    const { resolve, reject } = this.#pending.get(response.id)!;
    this.#pending.delete(response.id);
    if (response.id >= this.#firstId && this.#thread.markWorking())
      this.#options.warn?.(`${this.#options.name} runs again.`);
    this.#thread.setBusy(this.#pending.size > 0);
    if ('refused' in response) reject(Refusal.of(response.refused));
    else if ('error' in response) reject(new Error(response.error));
    else resolve(response.answer as never);
  }

  #ended({ error: { message: reason }, hadWorked, failures }: WorkerEnd): void {
    const { name, warn } = this.#options;
    if (hadWorked) warn?.(`${name} ended (${reason}); the next request starts it again.`);
    else if (failures === 1)
      warn?.(
        `${name} cannot be started (${reason}). It is tried again when it is asked, at most every ${MAX_DELAY / 1000} s if that goes on.`,
      );
    this.#refuseAll(hadWorked ? new Refusal('platform.restarted', { part: name, reason }) : this.#cannotStart(reason));
  }

  #cannotStart(reason: string): Refusal {
    return new Refusal('platform.unavailable', { part: this.#options.name, reason });
  }

  #refuseAll(refusal: Refusal): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(refusal);
  }
}
