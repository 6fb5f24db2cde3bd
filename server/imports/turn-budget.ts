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
}
