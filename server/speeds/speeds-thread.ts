import { QuestionThread } from '../question-thread.ts';
import { siblingUrl } from '../worker-url.ts';
import type { Learner } from './learner.ts';
import type { SpeedsAnswer, SpeedsQuestion } from './speeds.worker.ts';

/** Questions that may wait. */
const MOST_WAITING = 200;

type Method = SpeedsQuestion['method'];
type Result<M extends Method> = Learner[M] extends (...args: never[]) => Generator ? void : ReturnType<Learner[M]>;

/** The thread that learns. When it dies, what it was asked is refused as `busy`, and the next question starts another one over the same roads (see `QuestionThread`). */
export class SpeedsThread {
  readonly #thread: QuestionThread<SpeedsQuestion>;
  #directory: string | undefined;
  /** Counts up with every change of what was learned, as of the last answer; it may begin anew with another thread. */
  revision = 0;

  /** @param warn hears, for the log, of what goes wrong with the thread */
  constructor(workerData: { tracks: string; book: string; zone: string }, warn: (message: string) => void, script = siblingUrl(import.meta.url, './speeds.worker')) {
    this.#thread = new QuestionThread({
      script, warn, name: 'The learning of speeds', mostWaiting: MOST_WAITING, worker: { workerData },
      first: () => this.#directory === undefined ? undefined : { method: 'open', args: [this.#directory] },
    });
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
    const { value, revision } = await this.#thread.ask<SpeedsAnswer>({ method, args } as SpeedsQuestion);
    this.revision = revision;
    return value as Result<M>;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
