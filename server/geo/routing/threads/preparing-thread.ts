import { Worker } from 'node:worker_threads';
import { Refusal } from '../../../../shared/refusal.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { YOUNG_OF_QUIET_THREAD } from '../../../platform/young-generation.ts';
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
  PreparingData,
  TrafficConditions,
} from './messages.ts';

type PreparingResponse = Exclude<ConditionsResponse | AddProfileResponse | AffectedRoadsResponse, { failure: string }>;

/**
 * ms without a heartbeat, while a request is pending, after which the thread counts as stuck. On a million
 * nodes no step takes a tenth of it.
 */
const TIMEOUT = 60_000;
/** ms without a request after which the thread may end, and per ms of that work. */
const MIN_IDLE = 20_000;
const IDLE_FOR_PREPARING = 500;
/** ms of preparing, of its thread's processor time, up to which it may end. More would delay a closure. */
const QUICK = 1_000;

interface PreparingOptions {
  timeout?: number;
  /** ms without a request after which the thread of a small territory ends until the next one. */
  idle?: number | undefined;
  /** The worker's script; replaced in tests. */
  worker?: URL;
}

/**
 * The worker that reads a territory's roads and customizes metrics. When it dies or hangs, its requests fail and it
 * stays dead. That of a small territory rests: it ends after a while without requests, and the next one starts
 * another, which prepares the same again.
 */
export class PreparingThread {
  readonly #script: URL;
  readonly #directory: string;
  /** In the order of the searches; undefined: those of the territory. */
  #profiles: string[] | undefined;
  /** Those of the last answer, for profiles that are added after a rest. */
  #closures: readonly Closure[] = [];
  #speeds: LearnedSpeeds | undefined;
  readonly #idle: number | undefined;
  #worker: Worker | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  #resting: Promise<unknown> | undefined;
  readonly #waiting = new Map<
    number,
    { resolve: (answer: PreparingResponse) => void; reject: (error: Error) => void }
  >();
  #next = 1;
  #failure: Error | undefined;
  #isPrepared = false;
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;
  #restsAfter = Infinity;
  #resolvePrepared!: (territory: PreparedTerritory) => void;
  #rejectPrepared!: (error: Error) => void;
  /** The networks, ready to search. Rejects when the roads cannot be read. */
  readonly prepared: Promise<PreparedTerritory>;

  constructor(
    directory: string,
    { timeout = TIMEOUT, idle, worker = siblingUrl(import.meta.url, './prepare.worker') }: PreparingOptions = {},
  ) {
    this.#timeout = timeout;
    this.#idle = idle;
    this.#script = worker;
    this.#directory = directory;
    this.prepared = new Promise((resolve, reject) => {
      this.#rejectPrepared = reject;
      this.#resolvePrepared = resolve;
    });
    this.prepared.catch(() => {});
    this.#worker = this.#start();
    this.#restartTimeout();
  }

  /** Whether the thread rests: the next request starts another one. */
  get isResting(): boolean {
    return !this.isDead && this.#worker === undefined;
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      workerData: {
        directory: this.#directory,
        profiles: this.#profiles,
        closures: this.#closures,
        speeds: this.#speeds,
      } satisfies PreparingData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_QUIET_THREAD },
    });
    worker.on(
      'message',
      (message: Heartbeat | PreparedTerritory | ConditionsResponse | AddProfileResponse | AffectedRoadsResponse) => {
        if (message !== 'alive' && 'networks' in message) this.#onPrepared(message);
        else if (message !== 'alive') this.#onResponse(message);
        this.#restartTimeout();
        this.#restWhenIdle();
      },
    );
    worker.once('error', (error) => this.#fail(error));
    worker.once('exit', () => {
      if (this.#worker === worker) this.#fail(new Refusal('routing.closed'));
    });
    return worker;
  }

  /** A thread that restarted after an idle time has prepared the same; the searches keep the first result. */
  #onPrepared(territory: PreparedTerritory): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    this.#profiles = territory.networks.map(({ profile }) => profile);
    const { work } = territory;
    this.#restsAfter = this.#idle ?? (work > QUICK ? Infinity : Math.max(MIN_IDLE, IDLE_FOR_PREPARING * work));
    this.#resolvePrepared(territory);
  }

  #restWhenIdle(): void {
    clearTimeout(this.#restTimer);
    if (!this.#isPrepared || this.#waiting.size > 0 || this.#restsAfter === Infinity || this.isDead) return;
    this.#restTimer = setTimeout(() => {
      const worker = this.#worker;
      this.#worker = undefined;
      this.#resting = worker?.terminate();
    }, this.#restsAfter);
    this.#restTimer.unref();
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
    this.#closures = closures;
    this.#speeds = speeds;
    return (answer as { conditions: readonly TrafficConditions[] }).conditions;
  }

  /** Loads a profile whose roads have been built. */
  async add(profile: string): Promise<AddedNetwork> {
    const { network, conditions } = (await this.#request({ id: this.#next++, profile })) as AddedNetwork;
    this.#profiles!.push(profile);
    return { network, conditions };
  }

  /** The roads that a closure would affect. */
  async affectedRoads(geometry: Closure['geometry']): Promise<AffectedRoads> {
    return ((await this.#request({ id: this.#next++, geometry })) as { under: AffectedRoads }).under;
  }

  /** Terminates the thread without waiting for one that hangs in the operating system. */
  async close(): Promise<void> {
    clearTimeout(this.#restTimer);
    const ended = this.#worker?.terminate();
    if (this.isDead) return;
    await Promise.all([ended, this.#resting]);
    this.#fail(new Refusal('routing.closed'));
  }

  #request(request: ConditionsRequest | AddProfileRequest | AffectedRoadsRequest): Promise<PreparingResponse> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      clearTimeout(this.#restTimer);
      this.#waiting.set(request.id, { resolve, reject });
      if (this.#waiting.size === 1) this.#restartTimeout();
      this.#worker ??= this.#start();
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
    clearTimeout(this.#restTimer);
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
      void this.#worker?.terminate();
    }, this.#timeout);
    this.#timer.unref();
  }
}
