import { WorkerClient } from '../../platform/threads/worker-client.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import type { Learner } from './learner.ts';
import type { SpeedsResponse, SpeedsRequest } from './speeds.worker.ts';

/** ms without a request after which the thread may end, and per ms that opening took. */
const MIN_IDLE = 5_000;
const IDLE_FOR_OPENING = 500;
/** Maximum waiting requests. */
const MAX_WAITING = 200;

type RequestedMethod = SpeedsRequest['method'];
type Result<M extends RequestedMethod> = Learner[M] extends (...args: never[]) => Generator
  ? void
  : ReturnType<Learner[M]>;

/**
 * The learning thread. When it dies, its requests are refused as `busy`, and the next request starts another
 * one (see `WorkerClient`).
 */
export class SpeedsThread {
  readonly #thread: WorkerClient<SpeedsRequest>;
  #directory: string | undefined;
  /** Increases with every change of the learned speeds, and with every new thread; as of the last response. */
  revision = 0;
  /** Revision at which the running thread started. */
  #base = 0;
  /** ms that opening the roads took; as of the last response. */
  #opening = 0;

  /** @param warn logs failures of the thread */
  constructor(
    workerData: { tracks: string; book: string; zone: string },
    warn: (message: string) => void,
    script = siblingUrl(import.meta.url, './speeds.worker'),
  ) {
    this.#thread = new WorkerClient({
      script,
      warn,
      name: 'The learning of speeds',
      maxWaiting: MAX_WAITING,
      worker: { workerData },
      // Rounds of learning come once a minute: a town's roads are opened again for each.
      idle: () => this.idle,
      first: () => (this.#directory === undefined ? undefined : { method: 'open', args: [this.#directory] }),
    });
  }

  /** ms without a request after which the thread ends. */
  get idle(): number {
    return Math.max(MIN_IDLE, IDLE_FOR_OPENING * this.#opening);
  }

  get isAwake(): boolean {
    return this.#thread.isRunning;
  }

  /** Whether there is a territory to learn on. */
  get hasRoads(): boolean {
    return this.#directory !== undefined;
  }

  /** Switches to other roads. */
  async open(directory: string | undefined): Promise<void> {
    this.#directory = directory;
    // A new thread opens them itself.
    if (this.isAwake) await this.ask('open', directory);
  }

  async ask<M extends RequestedMethod>(method: M, ...args: Parameters<Learner[M]>): Promise<Result<M>> {
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
