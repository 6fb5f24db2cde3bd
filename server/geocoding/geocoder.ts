import { Worker } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import type { RefusalCode } from '../../shared/refusal.ts';
import { siblingUrl } from '../worker-url.ts';
import type { Geocoder, Hit } from './door.ts';
import type { Question } from './search.ts';

/** What the worker is asked. */
export type Asked =
  | { kind: 'open'; directory: string | undefined }
  | { kind: 'search'; question: Question; budget: number }
  | { kind: 'reverse'; point: { lon: number; lat: number } };

export type Answer = { id: number; value: unknown } | { id: number; refused: RefusalCode | undefined; error: string };

/** ms of work after which a search answers with what it has found: typing waits for it. */
const BUDGET = 250;
/** ms without any answer after which the worker is taken for hung. Opening a country's words from a slow disk takes seconds. */
const HUNG = 20_000;
/** Questions that may wait; more would be answered too late to be of use. */
const QUEUE = 200;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface GeocoderOptions {
  /** ms */
  budget?: number;
  /** ms */
  hung?: number;
  /** The worker's file; tests have one that dies on demand. */
  worker?: URL;
}

/** Starts the worker; until a territory is opened every question finds nothing. */
export function startGeocoder({ budget = BUDGET, hung = HUNG, worker = siblingUrl(import.meta.url, './geocoder.worker') }: GeocoderOptions = {}): Geocoder {
  return new WorkerGeocoder(budget, hung, worker);
}

class WorkerGeocoder implements Geocoder {
  readonly #budget: number;
  readonly #hung: number;
  readonly #url: URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker;
  #directory: string | undefined;
  #last = 0;
  #watch: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(budget: number, hung: number, url: URL) {
    this.#budget = budget;
    this.#hung = hung;
    this.#url = url;
    this.#worker = this.#start();
  }

  search(question: Question): Promise<Hit[]> {
    return this.#ask({ kind: 'search', question, budget: this.#budget }) as Promise<Hit[]>;
  }

  reverse(point: { lon: number; lat: number }): Promise<Hit | undefined> {
    return this.#ask({ kind: 'reverse', point }) as Promise<Hit | undefined>;
  }

  async open(directory: string | undefined): Promise<void> {
    await this.#ask({ kind: 'open', directory });
    this.#directory = directory;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#watch);
    this.#refuseAll('The search is closed.');
    await this.#worker.terminate();
  }

  #ask(asked: Asked): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Refusal('busy', 'The search is closed.'));
    if (this.#waiting.size >= QUEUE) return Promise.reject(new Refusal('busy', 'Too many searches are waiting. Try again.'));
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, asked });
      if (this.#waiting.size === 1) this.#watchOver();
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#url);
    worker.unref();
    worker.on('message', (answer: Answer) => this.#take(answer));
    // A worker that throws also exits; the error itself says why.
    worker.on('error', (error) => this.#replace(worker, error.message));
    worker.on('exit', () => this.#replace(worker, 'it ended'));
    return worker;
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    this.#watchOver();
    if (!waiting) return;
    if ('error' in answer) waiting.reject(answer.refused ? new Refusal(answer.refused, answer.error) : new Error(answer.error));
    else waiting.resolve(answer.value);
  }

  /** Gives the worker its time anew after every answer, and ends it when it gives none. */
  #watchOver(): void {
    clearTimeout(this.#watch);
    if (this.#waiting.size === 0 || this.#closed) return;
    const worker = this.#worker;
    this.#watch = setTimeout(() => void worker.terminate(), this.#hung);
    this.#watch.unref();
  }

  /** A new worker takes over with the same territory; what the dead one was asked is refused, so that nobody waits for ever. */
  #replace(worker: Worker, reason: string): void {
    if (this.#closed || worker !== this.#worker) return;
    this.#worker = this.#start();
    this.#refuseAll(`The search was started again (${reason}). Try again.`);
    // The territory may be gone by now; then searches find nothing until another one is opened.
    if (this.#directory !== undefined) this.#ask({ kind: 'open', directory: this.#directory }).catch(() => { this.#directory = undefined; });
  }

  #refuseAll(message: string): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Refusal('busy', message));
  }
}
