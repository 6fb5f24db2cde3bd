/**
 * The seed of this run's random tests; `WAYPOST_SEED` repeats one. It stands in the name of the test, or in
 * what fails.
 */
export const SEED = Number(process.env['WAYPOST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/**
 * Numbers from 0 up to below 1, the same for the same seed (mulberry32: small, and good enough to vary tests
 * with).
 */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Chance that can be repeated. */
export class Chance {
  readonly seed: number;
  readonly next: () => number;

  constructor(seed = SEED) {
    this.seed = seed;
    this.next = numbers(seed);
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
