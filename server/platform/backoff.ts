/** ms in which no other thread is started after one that failed at once; doubled with every further one. */
const FIRST_PAUSE = 250;
export const MAX_DELAY = 30_000;

/**
 * When a thread may be started again whose like ended before it had done anything: after a pause that grows
 * with each failure in a row, up to half a minute.
 */
export class Backoff {
  readonly #now: () => number;
  #failures = 0;
  #reason = '';
  #end = 0;

  /** @param now ms that only go up */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Why the last one failed, as long as no other may be started; undefined: one may. */
  get reason(): string | undefined {
    return this.#failures > 0 && this.#now() < this.#end ? this.#reason : undefined;
  }

  /** One ended before it had done anything. Returns how many did in a row. */
  failed(reason: string): number {
    this.#reason = reason;
    this.#end = this.#now() + Math.min(MAX_DELAY, FIRST_PAUSE * 2 ** this.#failures++);
    return this.#failures;
  }

  /** One has done its work. Returns whether any had failed before. */
  recovered(): boolean {
    const hadFailed = this.#failures > 0;
    this.#failures = 0;
    return hadFailed;
  }
}
