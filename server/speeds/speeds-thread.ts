import { WorkerClient } from '../platform/worker-client.ts';
import { siblingUrl } from '../platform/worker-url.ts';
import type { Learner } from './learner.ts';
import type { SpeedsResponse, SpeedsRequest } from './speeds.worker.ts';

/** ms without a question after which the thread may end; and how many for each ms that opening took. */
const LEAST_IDLE = 20_000;
const IDLE_FOR_OPENING = 500;
/** Questions that may wait. */
const MOST_WAITING = 200;

type Method = SpeedsRequest['method'];
type Result<M extends Method> = Learner[M] extends (...args: never[]) => Generator ? void : ReturnType<Learner[M]>;

/**
 * The thread that learns. When it dies, what it was asked is refused as `busy`, and the next question starts
 * another one over the same roads (see `WorkerClient`).
 */
export class SpeedsThread {
  readonly #thread: WorkerClient<SpeedsRequest>;
  #directory: string | undefined;
  /** Counts up with every change of what was learned, as of the last answer, and with every thread. */
  revision = 0;
  /** From which the running thread counts. */
  #base = 0;
  /** ms that opening the roads took, as of the last answer. */
  #opening = 0;

  /** @param warn hears, for the log, of what goes wrong with the thread */
  constructor(
    workerData: { tracks: string; book: string; zone: string },
    warn: (message: string) => void,
    script = siblingUrl(import.meta.url, './speeds.worker'),
  ) {
    this.#thread = new WorkerClient({
      script,
      warn,
      name: 'The learning of speeds',
      mostWaiting: MOST_WAITING,
      worker: { workerData },
      // Rounds of learning come once a minute: a town's roads are opened anew for each.
      idle: () => this.idle,
      first: () => (this.#directory === undefined ? undefined : { method: 'open', args: [this.#directory] }),
    });
  }

  /** ms without a question after which the thread ends. */
  get idle(): number {
    return Math.max(LEAST_IDLE, IDLE_FOR_OPENING * this.#opening);
  }

  get isAwake(): boolean {
    return this.#thread.isRunning;
  }

  /** Whether there is a territory to learn on. */
  get hasRoads(): boolean {
    return this.#directory !== undefined;
  }

  /** Goes over to other roads. */
  async open(directory: string | undefined): Promise<void> {
    this.#directory = directory;
    // A thread that starts opens them by itself.
    if (this.isAwake) await this.ask('open', directory);
  }

  async ask<M extends Method>(method: M, ...args: Parameters<Learner[M]>): Promise<Result<M>> {
    if (!this.isAwake) this.#base = this.revision;
    const base = this.#base;
    const { value, revision, opening } = await this.#thread.request<SpeedsResponse>({ method, args } as SpeedsRequest);
    this.revision = base + revision;
    this.#opening = opening;
    return value as Result<M>;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
