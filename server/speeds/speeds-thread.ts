import { Worker } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import { siblingUrl } from '../worker-url.ts';
import type { Learner } from './learner.ts';
import type { SpeedsAnswer, SpeedsAsked, SpeedsQuestion } from './speeds.worker.ts';

/** Questions that may wait. */
const MOST_WAITING = 200;

type Method = SpeedsQuestion['method'];
type Result<M extends Method> = Learner[M] extends (...args: never[]) => Generator ? void : ReturnType<Learner[M]>;

/** The thread that learns. When it dies, what it was asked is refused as `busy`, and the next question starts another one over the same roads. */
export class SpeedsThread {
  readonly #data: { tracks: string; book: string; zone: string };
  readonly #report: (error: Error) => void;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  #worker: Worker | undefined;
  #directory: string | undefined;
  #next = 1;
  #closed = false;
  /** Counts up with every change of what was learned, as of the last answer; it may begin anew with another thread. */
  revision = 0;

  constructor(data: { tracks: string; book: string; zone: string }, report: (error: Error) => void) {
    this.#data = data;
    this.#report = report;
  }

  get isAwake(): boolean {
    return this.#worker !== undefined;
  }

  /** Goes over to other roads. */
  open(directory: string | undefined): Promise<void> {
    this.#directory = directory;
    // A thread that starts opens them by itself.
    return this.#worker ? this.ask('open', directory) : Promise.resolve();
  }

  ask<M extends Method>(method: M, ...args: Parameters<Learner[M]>): Promise<Result<M>> {
    if (this.#closed) return Promise.reject(new Refusal('busy', 'The station is closing.'));
    if (this.#waiting.size >= MOST_WAITING) return Promise.reject(new Refusal('busy', 'Too many questions about speeds are waiting. Try again in a moment.'));
    const worker = (this.#worker ??= this.#start());
    return this.#send(worker, { method, args } as SpeedsQuestion) as Promise<Result<M>>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(siblingUrl(import.meta.url, './speeds.worker'), { workerData: this.#data });
    worker.unref();
    worker.on('message', (answer: SpeedsAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ('error' in answer) return waiting?.reject(new Error(answer.error));
      this.revision = answer.revision;
      waiting?.resolve(answer.value as never);
    });
    worker.on('error', (error) => this.#report(error));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(new Refusal('busy', 'The thread that learns speeds was started again. Try again in a moment.'));
      this.#waiting.clear();
    });
    if (this.#directory !== undefined) this.#send(worker, { method: 'open', args: [this.#directory] }).catch((error: Error) => this.#report(error));
    return worker;
  }

  #send(worker: Worker, question: SpeedsQuestion): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...question } satisfies SpeedsAsked);
    });
  }
}
