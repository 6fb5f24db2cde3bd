/** Random numbers that repeat with their seed. */
export interface Chance {
  /** At least 0, less than 1. */
  next(): number;
  between(low: number, high: number): number;
  /** A whole number from 0 up to and without `below`. */
  whole(below: number): number;
  happens(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /**
   * A stream of its own for one part of the work, so that a change in one part does not reshuffle the others.
   */
  fork(part: string): Chance;
}

export function chanceFrom(seed: number): Chance {
  let state = mix(seed | 0, 0x9e3779b9);
  // Mulberry32 by Tommy Ettinger (public domain): 32 bits of state are plenty for a demo.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    whole: (below) => Math.floor(next() * below),
    happens: (probability) => next() < probability,
    pick: (list) => {
      if (list.length === 0) throw new Error('Nothing to pick from.');
      return list[Math.floor(next() * list.length)]!;
    },
    fork: (part) => {
      let hash = seed | 0;
      for (let i = 0; i < part.length; i++) hash = mix(hash, part.charCodeAt(i));
      return chanceFrom(hash);
    },
  };
}

/** Mixes a value into a hash of 32 bits. */
export function mix(hash: number, value: number): number {
  let h = Math.imul(hash ^ value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}
