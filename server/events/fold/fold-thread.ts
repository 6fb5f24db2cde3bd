import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../../shared/refusal.ts';
import { Mutex } from '../../platform/mutex.ts';
import { WorkerClient } from '../../platform/worker-client.ts';
import { siblingUrl } from '../../platform/worker-url.ts';
import type { Fold, FoldJob, FoldOutcome, Resume } from './fold.ts';
import { updateParts, SentContexts, type ContextUpdate } from './context-copies.ts';
import type { VehicleContext } from '../context/vehicle-context.ts';

/** What the thread reads. */
export interface FoldData {
  /** Path of `tracks.db`. */
  readonly tracks: string;
  /** Path of `station.db`, and its table of events. */
  readonly station: string;
  readonly table: string;
  /** Points of one question; the usual number when it is not given. */
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

/** For each order what came of it, or from when on its context is needed. */
export type FoldResponse = readonly (FoldOutcome | { readonly vehicleId: number; readonly contextFrom: number })[];

export interface FoldThreadOptions extends FoldData {
  /**
   * What surrounds a vehicle, with all versions that hold at a time or later; the same object as long as
   * nothing changed.
   */
  context(vehicleId: number, from: number): VehicleContext;
  /** Hears, for the log, of what goes wrong with the thread. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Another script than the usual one: tests have some that die. */
  readonly script?: URL;
}

/**
 * ms before the stretch of an order for which its context is sent along: farther back only few late records
 * begin, and these ask for it.
 */
const LOOK_BACK = 6 * 3_600_000;
/** ms between two tries to have a thread. */
const RETRY = 250;
/** Times that a thread may die of one order until that order is given up. */
const MOST_DEATHS = 3;
/** More would mean that orders are not waited for. Parts of long lists are questions, too. */
const MOST_WAITING = 500;

/**
 * The fold in a thread. It keeps states and contexts there; what it does not know it is sent along with the
 * orders. When the thread dies, another one begins anew from the checkpoints on disk and is given the same
 * orders; those that the thread worked on when it died one by one, as far as one question goes: only an order
 * of which threads die again and again is given up.
 */
export class FoldThread implements Fold {
  readonly #options: FoldThreadOptions;
  readonly #thread: WorkerClient<FoldRequest>;
  #contexts = new SentContexts();
  #forget = new Set<number>();
  /**
   * Orders that are unfinished, and those of them that this thread has begun: another one begins them anew.
   */
  readonly #unfinished = new Map<number, FoldJob>();
  readonly #started = new Set<number>();
  /** What was sent and is not answered, in order: the thread works on the first of it. */
  readonly #inFlight = new Set<readonly FoldJob[]>();
  /**
   * Vehicles on whose orders a thread worked when it died, and how many died of that order alone. Until they
   * are over they are asked alone.
   */
  readonly #deaths = new Map<number, number>();
  #starting: Promise<void> | undefined;
  /** What the thread is to know is sent in order, before the orders that need it. */
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
      mostWaiting: MOST_WAITING,
      worker: { workerData: { tracks, station, table, budget: budget } satisfies FoldData },
    });
    // The first record is not to wait until it is loaded. What goes wrong now goes wrong again, and is told,
    // with the first order.
    this.#begin().catch(() => undefined);
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

  resume(vehicleIds: readonly number[]): Promise<readonly FoldOutcome[]> {
    return this.revise(vehicleIds.map((vehicleId) => this.#unfinished.get(vehicleId)!));
  }

  forget(vehicleIds: Iterable<number>): void {
    for (const vehicleId of vehicleIds) {
      this.#forget.add(vehicleId);
      this.#finish(vehicleId);
    }
  }

  /** Ends the thread as a crash would, for tests. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#thread.close();
  }

  /** One order by itself, until it is answered or known to be what threads die of. */
  async #runAlone(order: FoldJob): Promise<FoldOutcome> {
    const { vehicleId, from, until } = order;
    while ((this.#deaths.get(vehicleId) ?? 0) < MOST_DEATHS) {
      const outcomes = await this.#unlessItDies([order]);
      if (outcomes) return outcomes[0]!;
    }
    this.#finish(vehicleId);
    return {
      vehicleId,
      error: new Error(
        `The thread that works events out died ${MOST_DEATHS} times of vehicle ${vehicleId} from ${from} to ${until}.`,
      ),
    };
  }

  /** It is not come to. */
  #postpone(order: FoldJob): FoldOutcome {
    this.#unfinished.set(order.vehicleId, order);
    return { vehicleId: order.vehicleId, unfinished: true, addCheckpoints: [] };
  }

  /** Undefined when the thread died of it, or beside it. */
  async #unlessItDies(orders: readonly FoldJob[]): Promise<readonly FoldOutcome[] | undefined> {
    try {
      return await this.#ask(orders);
    } catch (error) {
      if (this.#died(error)) return undefined;
      // What it knows of contexts is not what it was sent.
      await this.#thread.kill((error as Error).message);
      throw error;
    }
  }

  async #ask(orders: readonly FoldJob[]): Promise<FoldOutcome[]> {
    // Once more when the first one was sent too little of a context; then it says itself what it needs.
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
          this.#started.delete(vehicleId); // one that was not come to finds it out when it is to go on
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
        // Who was asked beside it has nothing to do with its end.
        this.#inFlight.clear();
      }
      throw error;
    } finally {
      this.#inFlight.delete(asked);
    }
  }

  /** The thread died of what it worked on. */
  #countDeath(): void {
    const [first = []] = this.#inFlight;
    for (const { vehicleId } of first)
      this.#deaths.set(vehicleId, (this.#deaths.get(vehicleId) ?? 0) + Number(first.length === 1));
  }

  /**
   * Sends orders behind what the thread has to know for them, long lists in parts, between which the event
   * loop turns. Those whose context cannot be told of have their outcome already.
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
        one.catch(() => undefined); // told with the answers
        known.push(one);
        await nextTurn();
        if (this.#contexts !== contexts || !this.#thread.isRunning)
          throw new Refusal('busy', 'The thread that works events out died before it knew what it has to.');
      }
      last = part;
    }
    const told = sent.map((order) =>
      this.#started.has(order.vehicleId) ? { vehicleId: order.vehicleId, resume: true as const } : order,
    );
    const answers = this.#thread.request<FoldResponse>({ kind: 'revise', contexts: last!, forget, orders: told });
    return {
      sent,
      answers: known.length === 0 ? answers : Promise.all([answers, ...known]).then(([answer]) => answer),
    };
  }

  /** False when what surrounds the vehicle cannot be told of: that is what came of its order. */
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

  /** Nothing of its order is unfinished. */
  #finish(vehicleId: number): void {
    this.#started.delete(vehicleId);
    this.#unfinished.delete(vehicleId);
    this.#deaths.delete(vehicleId);
  }

  /** Starts a thread, which knows nothing yet. Tries as long as there is none. */
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
        await pause(RETRY, undefined, { ref: false });
      }
    }
  }

  /** Whether an error says that there is no thread, and not that nothing more is to be done. */
  #died(error: unknown): boolean {
    return !this.#closed && error instanceof Refusal && error.code === 'busy';
  }
}
