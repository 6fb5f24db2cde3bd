/** ms between two entries of the log */
const INTERVAL = 60_000;

/** Counts connections and pairings that were refused because they were not genuine, and logs them once a minute. */
export class RefusedDials {
  readonly #warn: (message: string) => void;
  readonly #now: () => number;
  #unlogged = 0;
  #loggedAt = -Infinity;
  count = 0;

  /** @param now monotonic ms */
  constructor(warn: (message: string) => void, now: () => number = () => performance.now()) {
    this.#warn = warn;
    this.#now = now;
  }

  /** @param why a clause, such as `its signature is not valid` */
  add(address: string, why: string): void {
    this.count++;
    this.#unlogged++;
    if (this.#now() - this.#loggedAt < INTERVAL) return;
    const others = this.#unlogged > 1 ? ` It was the last of ${this.#unlogged} since the entry before.` : '';
    this.#warn(`A connection from ${address} as a linked station was refused: ${why}.${others}`);
    this.#loggedAt = this.#now();
    this.#unlogged = 0;
  }
}
