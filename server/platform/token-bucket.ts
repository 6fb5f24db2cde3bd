/** A token bucket: `perSecond` tokens a second, at most `burst` at once. Times are in milliseconds. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  constructor(perSecond: number, burst: number, now: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = now;
  }

  /** Takes so many tokens; false when there are fewer, and then takes none. */
  take(now: number, count = 1): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }

  /** Gives tokens back that turned out not to be needed. */
  giveBack(count = 1): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + count);
  }

  /** ms from the last `take` until there are so many tokens. */
  wait(count: number): number {
    return Math.max(0, ((count - this.#tokens) / this.#perSecond) * 1000);
  }
}
