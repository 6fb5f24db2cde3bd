import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Reason } from '../../../../shared/refusals/reason.ts';
import { Mutex } from '../../../platform/mutex.ts';
import { WorkerClient } from '../../../platform/threads/worker-client.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import type { Fold, FoldJob, FoldOutcome, Resume } from './fold.ts';
import { updateParts, SentContexts, type ContextUpdate } from './context-copies.ts';
import type { VehicleContext } from '../context/vehicle-context.ts';

/** Files for the thread. */
export interface FoldData {
  /** Path of `tracks.db`. */
  readonly tracks: string;
  /** Path of `station.db`, and its table of events. */
  readonly station: string;
  readonly table: string;
  /** Points of one request; default: the usual number. */
  readonly budget?: number | undefined;
}

export type FoldRequest =
  | { readonly kind: 'begin' }
  | { readonly kind: 'know'; readonly contexts: ContextUpdate }
  | {
      readonly kind: 'revise';
      readonly contexts: ContextUpdate;
      readonly forget: readonly number[];
      readonly orders: readonly (FoldJob | Resume)[];
    };

/** The outcome of each order, why it was refused, or the time from which its context is needed. */
export type FoldResponse = readonly (
  | FoldOutcome
  | { readonly vehicleId: number; readonly refused: Reason }
  | { readonly vehicleId: number; readonly contextFrom: number }
)[];

export interface FoldThreadOptions extends FoldData {
  /**
   * The context of a vehicle with all versions valid at a time or later. The same object while nothing
   * changes.
   */
  context(vehicleId: number, from: number): VehicleContext;
  /** Logs faults of the thread. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Another worker script, for tests. */
  readonly script?: URL;
}

/**
 * The context sent with a job begins this many ms before its span. The few late records that reach further
 * back ask for more.
 */
const LOOK_BACK = 6 * 3_600_000;
/** ms between two attempts to start a thread */
const RETRY = 250;
/** Threads that may die of one job before the job is abandoned. */
const MAX_DEATHS = 3;
/** Requests that may wait, parts of long lists included. More would mean that nobody awaits the jobs. */
const MAX_WAITING = 500;

/**
 * Runs the fold in a thread, which keeps states and contexts. What it lacks is sent with the jobs. When it
 * dies, the next thread starts from the checkpoints on disk and gets the same jobs; those of the request in
 * progress one by one, so that only a job of which threads die repeatedly is given up.
 */
export class FoldThread implements Fold {
  readonly #options: FoldThreadOptions;
  readonly #thread: WorkerClient<FoldRequest>;
  #contexts = new SentContexts();
  #forget = new Set<number>();
  /** Unfinished jobs, and those of them that this thread has started. Another thread starts them again. */
  readonly #unfinished = new Map<number, FoldJob>();
  readonly #started = new Set<number>();
  /** Requests without a response, in order. The thread works on the first one. */
  readonly #inFlight = new Set<readonly FoldJob[]>();
  /**
   * Vehicles whose jobs were running when a thread died, and how many threads died of that job alone. They
   * are sent one by one until they are done.
   */
  readonly #deaths = new Map<number, number>();
  #starting: Promise<void> | undefined;
  /** Contexts are sent in order, before the jobs that need them. */
  readonly #sending = new Mutex();
  #closed = false;

  constructor(options: FoldThreadOptions) {
    const {
      tracks,
      station,
      table,
      budget: budget,
      warn,
      script = siblingUrl(import.meta.url, './fold.worker'),
    } = options;
    this.#options = options;
    this.#thread = new WorkerClient({
      script,
      warn,
      name: 'The working out of events',
      maxWaiting: MAX_WAITING,
      worker: { workerData: { tracks, station, table, budget: budget } satisfies FoldData },
    });
  }

  async revise(orders: readonly FoldJob[]): Promise<readonly FoldOutcome[]> {
    while (!orders.some(({ vehicleId }) => this.#deaths.has(vehicleId))) {
      const outcomes = await this.#unlessItDies(orders);
      if (outcomes) return outcomes;
    }
    const outcomes: FoldOutcome[] = [];
    let isEnough = false;
    for (const order of orders) {
      const outcome: FoldOutcome = isEnough ? this.#postpone(order) : await this.#runAlone(order);
      isEnough ||= 'unfinished' in outcome;
      outcomes.push(outcome);
    }
    return outcomes;
  }

  async resume(vehicleIds: readonly number[]): Promise<readonly FoldOutcome[]> {
    const left = vehicleIds.flatMap((vehicleId) => this.#unfinished.get(vehicleId) ?? []);
    const outcomes = left.length > 0 ? [...(await this.revise(left))] : [];
    return vehicleIds.map((vehicleId) =>
      outcomes[0]?.vehicleId === vehicleId
        ? outcomes.shift()!
        : { vehicleId, error: new Error(`The job of the vehicle ${vehicleId} was forgotten before it was resumed.`) },
    );
  }

  forget(vehicleIds: Iterable<number>): void {
    for (const vehicleId of vehicleIds) {
      this.#forget.add(vehicleId);
      this.#finish(vehicleId);
    }
  }

  /** Ends the thread as a crash would. For tests. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#thread.close();
  }

  /** Repeats one job by itself until it succeeds or is abandoned. */
  async #runAlone(order: FoldJob): Promise<FoldOutcome> {
    const { vehicleId, from, until } = order;
    while ((this.#deaths.get(vehicleId) ?? 0) < MAX_DEATHS) {
      const outcomes = await this.#unlessItDies([order]);
      if (outcomes) return outcomes[0]!;
    }
    this.#finish(vehicleId);
    return {
      vehicleId,
      error: new Error(
        `The thread that works events out died ${MAX_DEATHS} times of vehicle ${vehicleId} from ${from} to ${until}.`,
      ),
    };
  }

  /** The job was not started. */
  #postpone(order: FoldJob): FoldOutcome {
    this.#unfinished.set(order.vehicleId, order);
    return { vehicleId: order.vehicleId, isNew: true, unfinished: true, addCheckpoints: [] };
  }

  /** Undefined if the thread died of these jobs, or while it had them. */
  async #unlessItDies(orders: readonly FoldJob[]): Promise<readonly FoldOutcome[] | undefined> {
    try {
      return await this.#ask(orders);
    } catch (error) {
      if (this.#died(error)) return undefined;
      // The thread's contexts differ from those that were sent.
      await this.#thread.kill((error as Error).message);
      throw error;
    }
  }

  async #ask(orders: readonly FoldJob[]): Promise<FoldOutcome[]> {
    // Repeated once if the first attempt lacked context; then the thread says what it needs.
    const froms = new Map<number, number>();
    const outcomes = new Map<number, FoldOutcome>();
    for (let left = [...orders]; left.length > 0; left = left.filter(({ vehicleId }) => !outcomes.has(vehicleId))) {
      const asked = left;
      for (const { order, answer } of await this.#answersTo(asked, froms, outcomes)) {
        const { vehicleId } = answer;
        if ('contextFrom' in answer) {
          if (froms.get(vehicleId) === answer.contextFrom)
            throw new Error(
              `The context of vehicle ${vehicleId} from ${answer.contextFrom} on was sent, and did not arrive.`,
            );
          froms.set(vehicleId, answer.contextFrom);
          this.#started.delete(vehicleId); // a job that was not started reports this when it is resumed
          continue;
        }
        if ('refused' in answer) {
          this.#finish(vehicleId);
          outcomes.set(vehicleId, { vehicleId, error: Refusal.of(answer.refused) });
          continue;
        }
        if ('unfinished' in answer) {
          this.#started.add(vehicleId);
          this.#unfinished.set(vehicleId, order);
        } else this.#finish(vehicleId);
        outcomes.set(vehicleId, answer);
      }
    }
    return orders.map(({ vehicleId }) => outcomes.get(vehicleId)!);
  }

  async #answersTo(
    asked: readonly FoldJob[],
    froms: ReadonlyMap<number, number>,
    outcomes: Map<number, FoldOutcome>,
  ): Promise<{ order: FoldJob; answer: FoldResponse[number] }[]> {
    try {
      const { sent, answers } = await this.#sending.run(() => this.#send(asked, froms, outcomes));
      return (await answers).map((answer, i) => ({ order: sent[i]!, answer }));
    } catch (error) {
      if (this.#inFlight.has(asked)) {
        if (this.#died(error)) this.#countDeath();
        // Jobs sent beside it did not cause its end.
        this.#inFlight.clear();
      }
      throw error;
    } finally {
      this.#inFlight.delete(asked);
    }
  }

  /** The thread died of its current request. */
  #countDeath(): void {
    const [first = []] = this.#inFlight;
    for (const { vehicleId } of first)
      this.#deaths.set(vehicleId, (this.#deaths.get(vehicleId) ?? 0) + Number(first.length === 1));
  }

  /**
   * Sends jobs after the contexts that they need. Long lists go in parts, between which the event loop runs.
   * Jobs whose context failed have their outcome already.
   */
  async #send(
    orders: readonly FoldJob[],
    froms: ReadonlyMap<number, number>,
    outcomes: Map<number, FoldOutcome>,
  ): Promise<{ sent: readonly FoldJob[]; answers: Promise<FoldResponse> }> {
    while (this.#starting || !this.#thread.isRunning) await this.#begin();
    const contexts = this.#contexts;
    const sent = orders.filter(
      (order) => this.#started.has(order.vehicleId) || this.#addContext(order, froms.get(order.vehicleId), outcomes),
    );
    if (sent.length === 0) return { sent, answers: Promise.resolve([]) };
    const forget = [...this.#forget];
    this.#forget.clear();
    this.#inFlight.add(orders);
    const known: Promise<unknown>[] = [];
    let last: ContextUpdate | undefined;
    for (const part of updateParts(contexts.takeUpdate())) {
      if (last) {
        const one = this.#thread.request({ kind: 'know', contexts: last });
        one.catch(() => undefined); // reported with the answers
        known.push(one);
        await nextTurn();
        if (this.#contexts !== contexts || !this.#thread.isRunning) throw new Refusal('events.threadDied');
      }
      last = part;
    }
    const requests = sent.map((order) =>
      this.#started.has(order.vehicleId) ? { vehicleId: order.vehicleId, resume: true as const } : order,
    );
    const answers = this.#thread.request<FoldResponse>({ kind: 'revise', contexts: last!, forget, orders: requests });
    return {
      sent,
      answers: known.length === 0 ? answers : Promise.all([answers, ...known]).then(([answer]) => answer),
    };
  }

  /** False if the context cannot be made: the error is the outcome of the job. */
  #addContext({ vehicleId, from }: FoldJob, wanted: number | undefined, outcomes: Map<number, FoldOutcome>): boolean {
    const since = wanted ?? Math.max(0, from - LOOK_BACK);
    try {
      this.#contexts.add(vehicleId, this.#options.context(vehicleId, since), since);
      return true;
    } catch (error) {
      outcomes.set(vehicleId, { vehicleId, error });
      return false;
    }
  }

  /** Its job is done. */
  #finish(vehicleId: number): void {
    this.#started.delete(vehicleId);
    this.#unfinished.delete(vehicleId);
    this.#deaths.delete(vehicleId);
  }

  /** Starts a thread, which has no context yet. Retries until it runs. */
  #begin(): Promise<void> {
    return (this.#starting ??= this.#start().finally(() => (this.#starting = undefined)));
  }

  async #start(): Promise<void> {
    this.#contexts = new SentContexts();
    this.#forget.clear();
    this.#started.clear();
    for (;;) {
      try {
        await this.#thread.request({ kind: 'begin' });
        return;
      } catch (error) {
        if (!this.#died(error)) throw error;
        // It keeps the process: a close that waits for this must not be lost with it.
        await pause(RETRY);
      }
    }
  }

  /** Whether an error means that there is no thread, while the room is open. */
  #died(error: unknown): boolean {
    return !this.#closed && error instanceof Refusal && error.kind === 'busy';
  }
}
