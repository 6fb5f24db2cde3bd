import { setImmediate as nextTurn } from 'node:timers/promises';

/** ms of work before the event loop gets its turn. */
const BUDGET = 3;

/** Divides long work of the main thread into turns of the event loop. */
export class TurnBudget {
  #began = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#began < BUDGET) return;
    await nextTurn();
    this.#began = performance.now();
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
