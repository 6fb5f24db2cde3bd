import { Worker } from 'node:worker_threads';
import { Refusal } from '../../../shared/refusal.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import { YOUNG_OF_QUIET_THREAD } from '../../platform/young-generation.ts';
import type { Closure, LearnedSpeeds, AffectedRoads } from '../types.ts';
import type {
  AddedNetwork,
  AddProfileRequest,
  Heartbeat,
  ConditionsResponse,
  ConditionsRequest,
  AddProfileResponse,
  AffectedRoadsResponse,
  AffectedRoadsRequest,
  PreparedTerritory,
  TrafficConditions,
} from './messages.ts';

type PreparingResponse = Exclude<ConditionsResponse | AddProfileResponse | AffectedRoadsResponse, { failure: string }>;

/**
 * ms without a heartbeat, while a request is pending, after which the thread counts as stuck. On a million
 * nodes no step takes a tenth of it.
 */
const TIMEOUT = 60_000;

interface PreparingOptions {
  timeout?: number;
  /** The worker's script; replaced in tests. */
  worker?: URL;
}

/**
 * The worker that reads a territory's roads and customizes metrics, as long as the territory is open. When it
 * dies or hangs, its requests fail and it stays dead.
 */
export class PreparingThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<
    number,
    { resolve: (answer: PreparingResponse) => void; reject: (error: Error) => void }
  >();
  #next = 1;
  #failure: Error | undefined;
  #isPrepared = false;
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;
  #rejectPrepared!: (error: Error) => void;
  /** The networks, ready to search. Rejects when the roads cannot be read. */
  readonly prepared: Promise<PreparedTerritory>;

  constructor(
    directory: string,
    { timeout = TIMEOUT, worker = siblingUrl(import.meta.url, './prepare.worker') }: PreparingOptions = {},
  ) {
    this.#timeout = timeout;
    this.#worker = new Worker(worker, {
      workerData: { directory },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_QUIET_THREAD },
    });
    this.prepared = new Promise((resolve, reject) => {
      this.#rejectPrepared = reject;
      this.#worker.on(
        'message',
        (message: Heartbeat | PreparedTerritory | ConditionsResponse | AddProfileResponse | AffectedRoadsResponse) => {
          if (message !== 'alive' && 'networks' in message) {
            this.#isPrepared = true;
            resolve(message);
          } else if (message !== 'alive') this.#onResponse(message);
          this.#restartTimeout();
        },
      );
    });
    this.prepared.catch(() => {});
    this.#worker.once('error', (error) => this.#fail(error));
    this.#worker.once('exit', () => this.#fail(new Refusal('routing.closed')));
    this.#restartTimeout();
  }

  /** Whether the worker has ended. */
  get isDead(): boolean {
    return this.#failure !== undefined;
  }

  /** Metrics under these closures and speeds, for every profile. */
  async conditions(
    closures: readonly Closure[],
    speeds: LearnedSpeeds | undefined,
  ): Promise<readonly TrafficConditions[]> {
    const answer = await this.#request({ id: this.#next++, closures, speeds }).catch((error: Error) => {
      throw this.#failure ?? new Error(`The closures cannot be worked out: ${error.message}`);
    });
    return (answer as { conditions: readonly TrafficConditions[] }).conditions;
  }

  /** Loads a profile whose roads have been built. */
  async add(profile: string): Promise<AddedNetwork> {
    const { network, conditions } = (await this.#request({ id: this.#next++, profile })) as AddedNetwork;
    return { network, conditions };
  }

  /** The roads that a closure would affect. */
  async affectedRoads(geometry: Closure['geometry']): Promise<AffectedRoads> {
    return ((await this.#request({ id: this.#next++, geometry })) as { under: AffectedRoads }).under;
  }

  /** Terminates the thread without waiting for one that hangs in the operating system. */
  async close(): Promise<void> {
    const ended = this.#worker.terminate();
    if (!this.isDead) await ended;
  }

  #request(request: ConditionsRequest | AddProfileRequest | AffectedRoadsRequest): Promise<PreparingResponse> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      if (this.#waiting.size === 1) this.#restartTimeout();
      this.#worker.postMessage(request);
    });
  }

  #onResponse(answer: ConditionsResponse | AddProfileResponse | AffectedRoadsResponse): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('failure' in answer) waiting?.reject(new Error(answer.failure));
    else waiting?.resolve(answer);
  }

  #fail(error: Error): void {
    clearTimeout(this.#timer);
    this.#failure ??= error;
    this.#rejectPrepared(this.#failure);
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }

  #restartTimeout(): void {
    clearTimeout(this.#timer);
    if (this.#failure || (this.#isPrepared && this.#waiting.size === 0)) return;
    this.#timer = setTimeout(() => {
      this.#fail(new Refusal('routing.preparingStuck', { seconds: this.#timeout / 1000 }));
      void this.#worker.terminate();
    }, this.#timeout);
    this.#timer.unref();
  }
}
