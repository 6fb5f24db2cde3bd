import { setImmediate as nextTurn } from 'node:timers/promises';

/** ms of work before the event loop gets its turn, at most and at least. */
const MOST = 3;
const LEAST = 0.3;
/** ms that a turn should take with all that follows from the work in it, such as commits and their listeners. */
const TURN = 3;
/** A turn in which little else happened must not double the work of the next one. */
const MOST_GROWTH = 1.1;

/** Divides long work of the main thread into turns of the event loop. */
export class TurnBudget {
  #began = performance.now();
  #budget = MOST;

  async pause(): Promise<void> {
    if (performance.now() - this.#began < this.#budget) return;
    await nextTurn();
    const now = performance.now();
    const change = Math.min(MOST_GROWTH, TURN / (now - this.#began));
    this.#budget = Math.min(MOST, Math.max(LEAST, this.#budget * change));
    this.#began = now;
  }

  /** Begins the work of each item, as much in one turn as the budget allows. Resolves when all have ended. */
  async settleAll<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<PromiseSettledResult<R>[]> {
    const begun: Promise<R>[] = [];
    for (const item of items) {
      const ended = (async (): Promise<R> => work(item))();
      ended.catch(() => undefined); // Awaited below, but perhaps not before it fails.
      begun.push(ended);
      await this.pause();
    }
    return Promise.allSettled(begun);
  }
}
