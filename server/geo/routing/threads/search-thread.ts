import { Worker } from 'node:worker_threads';
import { Refusal } from '../../../../shared/refusal.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { YOUNG_OF_BUSY_THREAD } from '../../../platform/young-generation.ts';
import type {
  AddedNetwork,
  Heartbeat,
  SearchResponse,
  SearchRequest,
  ConditionsChange,
  Released,
  PreparedTerritory,
  RouterRequest,
  TrafficConditions,
} from './messages.ts';

interface WaitingQuery {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** Maximum queries waiting. */
const MAX_WAITING = 2000;
/** ms without an answer or heartbeat, while a query is pending, after which the thread is replaced. */
const PATIENCE = 30_000;

/**
 * A search worker. When it dies or hangs, its queries are refused as `busy` and a new worker takes its place.
 */
export class SearchThread {
  #prepared: PreparedTerritory;
  readonly #warn: (message: string) => void;
  readonly #file: URL;
  #worker: Worker;
  #isReady = false;
  #ended = false;
  #failures = 0;
  #next = 1;
  #timeout: NodeJS.Timeout | undefined;
  readonly #waiting = new Map<number, WaitingQuery>();
  /** Changes whose release the worker has not confirmed. */
  readonly #changing = new Map<number, () => void>();
  readonly ready: Promise<void>;
  #resolveReady!: () => void;
  #rejectReady!: (error: Error) => void;
  #idle: (() => void) | undefined;

  /** `file` is the worker's script; replaced in tests. */
  constructor(
    prepared: PreparedTerritory,
    warn: (message: string) => void,
    file = siblingUrl(import.meta.url, './search.worker'),
  ) {
    this.#prepared = prepared;
    this.#warn = warn;
    this.#file = file;
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    this.ready.catch(() => {});
    this.#worker = this.#start();
  }

  /** Pending queries. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Terminates the worker as a crash would; a new one takes its place. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  request(request: RouterRequest, profile?: string): Promise<unknown> {
    if (this.#ended || !this.#isReady) return Promise.reject(new Refusal('routing.restarting'));
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new Refusal('routing.tooMany'));
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      if (this.#waiting.size === 1) this.#restartTimeout();
      this.#worker.postMessage({ id, profile, request } satisfies SearchRequest);
    });
  }

  /**
   * Every later query uses the new conditions, even if the worker is replaced. Resolves when the previous
   * ones are released and may be overwritten.
   */
  setConditions(conditions: readonly TrafficConditions[]): Promise<void> {
    this.#prepared = { ...this.#prepared, conditions };
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      const id = this.#next++;
      this.#changing.set(id, resolve);
      this.#worker.postMessage({ id, conditions } satisfies ConditionsChange);
    });
  }

  /** Later queries may use another profile, even if the worker is replaced. */
  add(added: AddedNetwork): void {
    const { networks, conditions } = this.#prepared;
    this.#prepared = {
      ...this.#prepared,
      networks: [...networks, added.network],
      conditions: [...conditions, added.conditions],
    };
    this.#worker.postMessage(added);
  }

  /** Waits for pending queries, then closes. */
  async finish(): Promise<void> {
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    await this.close();
  }

  async close(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timeout);
    await this.#worker.terminate();
    for (const id of this.#changing.keys()) this.#onReleased(id);
    this.#refuseAll(new Refusal('routing.ended'));
  }

  #start(): Worker {
    const worker = new Worker(this.#file, {
      workerData: this.#prepared,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_BUSY_THREAD },
    });
    worker.on('message', (message: SearchResponse | Heartbeat | Released | 'ready') => {
      if (message === 'ready') this.#onReady();
      else if (message === 'alive') this.#restartTimeout();
      else if ('released' in message) this.#onReleased(message.released);
      else this.#onResponse(message);
    });
    worker.on('error', (error) => this.#warn(`A routing thread failed: ${error.message}`));
    worker.on('exit', () => this.#onExit(worker));
    return worker;
  }

  #onReady(): void {
    this.#isReady = true;
    this.#resolveReady();
  }

  #onReleased(id: number): void {
    this.#changing.get(id)?.();
    this.#changing.delete(id);
  }

  #onResponse(answer: SearchResponse): void {
    this.#failures = 0;
    const pending = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    this.#restartTimeout();
    if (this.#waiting.size === 0) this.#idle?.();
    if (!pending) return;
    if (answer.kind === 'answer') pending.resolve(answer.value);
    else if (answer.kind === 'refusal') pending.reject(Refusal.of(answer.reason));
    else pending.reject(new Error(`The router failed: ${answer.message}`));
  }

  #onExit(worker: Worker): void {
    if (worker !== this.#worker || this.#ended) return;
    for (const id of this.#changing.keys()) this.#onReleased(id);
    const wasReady = this.#isReady;
    this.#isReady = false;
    clearTimeout(this.#timeout);
    this.#refuseAll(new Refusal('routing.restarted'));
    if (!wasReady && ++this.#failures >= 3) {
      this.#ended = true;
      this.#rejectReady(new Error('The routing thread cannot be started.'));
      this.#warn('The routing thread cannot be started. Routing stays off until the territory is opened again.');
      return;
    }
    this.#worker = this.#start();
  }

  #refuseAll(refusal: Refusal): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(refusal);
    this.#idle?.();
  }

  #restartTimeout(): void {
    clearTimeout(this.#timeout);
    if (this.#waiting.size === 0) return;
    this.#timeout = setTimeout(() => {
      this.#warn('A routing thread sent nothing for 30 s. Starting a new one.');
      void this.kill();
    }, PATIENCE);
    this.#timeout.unref();
  }
}
