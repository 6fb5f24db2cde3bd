/** The seed of this run's random tests; `WAYPOST_SEED` repeats one. It stands in the name of the test, or in what fails. */
export const SEED = Number(process.env['WAYPOST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Chance that can be repeated. */
export class Chance {
  readonly seed: number;
  private state: number;

  constructor(seed = SEED) {
    this.seed = seed;
    this.state = seed >>> 0;
  }

  /** 0 up to below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  of<T>(values: readonly T[]): T {
    return values[this.int(values.length)]!;
  }

  maybe(share = 0.5): boolean {
    return this.next() < share;
  }
}
