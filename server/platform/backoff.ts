const FIRST_DELAY = 250;
/** ms */
export const MAX_DELAY = 30_000;

/**
 * Exponential backoff for threads that end before they have done any work: the delay until the next start
 * doubles with each failure in a row, from 250 ms up to `MAX_DELAY` or what the owner sets.
 */
export class Backoff {
  readonly #now: () => number;
  readonly #longest: number;
  #failures = 0;
  #reason = '';
  #end = 0;

  /**
   * @param now monotonic ms
   * @param longest ms: the delay does not grow beyond it
   */
  constructor(now: () => number = () => performance.now(), longest = MAX_DELAY) {
    this.#now = now;
    this.#longest = longest;
  }

  /** Why the last one failed, while the delay lasts; undefined: the next one may be started. */
  get reason(): string | undefined {
    return this.#failures > 0 && this.#now() < this.#end ? this.#reason : undefined;
  }

  /** ms until the next one may be started. */
  get remaining(): number {
    return this.#failures > 0 ? Math.max(0, this.#end - this.#now()) : 0;
  }

  /** Counts a failure. Returns how many there were in a row. */
  failed(reason: string): number {
    this.#reason = reason;
    this.#end = this.#now() + Math.min(this.#longest, FIRST_DELAY * 2 ** this.#failures++);
    return this.#failures;
  }

  /** Ends the row of failures. Returns whether there was one. */
  recovered(): boolean {
    const hadFailed = this.#failures > 0;
    this.#failures = 0;
    return hadFailed;
  }
}
