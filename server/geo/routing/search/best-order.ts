/** Up to so many points the order is exact. */
export const EXACT = 12;
/** Beyond every trip: no way. */
const NONE = 1e12;
/** Perturbations of the local search for each point. */
const KICKS = 30;
/** Kicks between two yields. */
const YIELD_EVERY = 16;
/** How many near points a move considers, and the least that it must save. */
const NEAR = 10;
const LEAST = 1e-6;
/** Longest run of points that moves at once. */
const RUN = 3;

interface OrderOptions {
  roundtrip: boolean;
  /** The order begins with point 0, ends with the last point. */
  fromFirst: boolean;
  toLast: boolean;
}

/**
 * The cheapest order of `n` points with costs from row to column; `unreachable` marks pairs without a way. Exact up
 * to `EXACT` points (Held and Karp 1962), beyond by local search with restarts. Undefined: no order has ways between
 * all. Yields regularly.
 */
export function* bestOrder(
  costs: ArrayLike<number>,
  n: number,
  unreachable: number,
  { roundtrip, fromFirst, toLast }: OrderOptions,
): Generator<undefined, number[] | undefined> {
  // A point of no length between the end and the beginning turns an open order into a round.
  const size = roundtrip ? n : n + 1;
  const last = n - 1;
  const cost = new Float64Array(size * size).fill(NONE);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const value = costs[i * n + j]!;
      if (i !== j && value !== unreachable) cost[i * size + j] = value;
    }
  if (roundtrip) {
    // Both ends are given: the last point leads back to the first.
    if (fromFirst && toLast && n > 2)
      for (let i = 0; i < n; i++) {
        if (i !== 0) cost[last * size + i] = NONE;
        if (i !== last) cost[i * size] = NONE;
      }
  } else
    for (let i = 0; i < n; i++) {
      if (!fromFirst || i === 0) cost[n * size + i] = 0;
      if (!toLast || i === last) cost[i * size + n] = 0;
    }
  const round = size <= EXACT + 1 ? exactRound(cost, size) : yield* searchedRound(cost, size);
  if (tourLength(round, cost, size) >= NONE) return undefined;
  if (!roundtrip) return startingAfter(round, n);
  // A round that must end with the last point begins after it.
  if (toLast && !fromFirst) return startingAfter(round, last, true);
  return startingAfter(round, 0, false, true);
}

/** The round from the point after `at` on, without it unless `keep`; or, with `from`, from `at` on. */
function startingAfter(round: readonly number[], at: number, keep = false, from = false): number[] {
  const index = round.indexOf(at);
  if (from) return [...round.slice(index), ...round.slice(0, index)];
  return [...round.slice(index + 1), ...round.slice(0, index), ...(keep ? [at] : [])];
}

export function tourLength(round: readonly number[], cost: Float64Array, size: number): number {
  let total = 0;
  for (let i = 0; i < round.length; i++) total += cost[round[i]! * size + round[(i + 1) % round.length]!]!;
  return round.length < 2 ? 0 : total;
}

/** Dynamic programming over the sets of visited points (Held and Karp 1962). */
export function exactRound(cost: Float64Array, size: number): number[] {
  if (size === 1) return [0];
  const others = size - 1;
  const sets = 1 << others;
  const best = new Float64Array(sets * others).fill(Infinity);
  const before = new Int8Array(sets * others).fill(-1);
  for (let j = 0; j < others; j++) best[(1 << j) * others + j] = cost[j + 1]!;
  for (let set = 1; set < sets; set++)
    for (let j = 0; j < others; j++) {
      const total = best[set * others + j]!;
      if (total === Infinity) continue;
      for (let k = 0; k < others; k++) {
        if (set & (1 << k)) continue;
        const at = (set | (1 << k)) * others + k;
        const next = total + cost[(j + 1) * size + k + 1]!;
        if (next >= best[at]!) continue;
        best[at] = next;
        before[at] = j;
      }
    }
  let set = sets - 1;
  let at = 0;
  const total = (j: number): number => best[set * others + j]! + cost[(j + 1) * size]!;
  for (let j = 1; j < others; j++) if (total(j) < total(at)) at = j;
  const round: number[] = [];
  while (at >= 0) {
    round.push(at + 1);
    const previous = before[set * others + at]!;
    set &= ~(1 << at);
    at = previous;
  }
  return [0, ...round.reverse()];
}

/**
 * Iterated local search: nearest neighbours, then moves of runs in both directions (Or 1976), reversals of stretches
 * (Croes 1958) and double bridges (Martin, Otto and Felten 1991). Repeatable: the chance is a fixed sequence.
 */
export function* searchedRound(cost: Float64Array, size: number): Generator<undefined, number[]> {
  const chance = sequence();
  const search = new LocalSearch(cost, size);
  let best = nearestNeighbours(cost, size);
  best = search.improve(best, best);
  let least = tourLength(best, cost, size);
  for (let kick = 0; kick < KICKS * size; kick++) {
    const { round, ends } = doubleBridge(best, chance);
    const tried = search.improve(round, ends);
    const length = tourLength(tried, cost, size);
    if (length <= least) [best, least] = [tried, length];
    if (kick % YIELD_EVERY === YIELD_EVERY - 1) yield;
  }
  return best;
}

/** Xorshift, 0 to 1. */
function sequence(): () => number {
  let state = 2463534242;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function nearestNeighbours(cost: Float64Array, size: number): number[] {
  const left = new Set(Array.from({ length: size - 1 }, (_, i) => i + 1));
  const round = [0];
  while (left.size > 0) {
    const at = round.at(-1)!;
    let next = -1;
    for (const one of left) if (next < 0 || cost[at * size + one]! < cost[at * size + next]!) next = one;
    round.push(next);
    left.delete(next);
  }
  return round;
}

/** Exchanges two neighbouring parts of up to 30 points each: a change that local moves do not undo. */
function doubleBridge(round: readonly number[], chance: () => number): { round: number[]; ends: number[] } {
  const n = round.length;
  const span = Math.min(30, Math.floor((n - 1) / 2));
  const first = 1 + Math.floor(chance() * (n - 2));
  const second = Math.min(n - 1, first + 1 + Math.floor(chance() * span));
  const third = Math.min(n, second + 1 + Math.floor(chance() * span));
  return {
    round: [
      ...round.slice(0, first),
      ...round.slice(second, third),
      ...round.slice(first, second),
      ...round.slice(third),
    ],
    ends: [first - 1, first, second - 1, second, third - 1, third].map((i) => round[i % n]!),
  };
}

/** Improves rounds by moves between near points. Reuses its arrays. */
class LocalSearch {
  readonly #cost: Float64Array;
  readonly #size: number;
  /** The points that are cheapest to reach from each, and to come from to each. */
  readonly #after: number[][];
  readonly #before: number[][];
  #round: number[] = [];
  readonly #position: Int32Array;
  /** Cost of the round up to each position, and of the same backwards. */
  readonly #ahead: Float64Array;
  readonly #back: Float64Array;

  constructor(cost: Float64Array, size: number) {
    this.#cost = cost;
    this.#size = size;
    const nearest = (costOf: (other: number) => number, point: number): number[] =>
      Array.from({ length: size }, (_, i) => i)
        .filter((other) => other !== point)
        .sort((one, other) => costOf(one) - costOf(other))
        .slice(0, NEAR);
    const points = Array.from({ length: size }, (_, i) => i);
    this.#after = points.map((point) => nearest((other) => cost[point * size + other]!, point));
    this.#before = points.map((point) => nearest((other) => cost[other * size + point]!, point));
    this.#position = new Int32Array(size);
    this.#ahead = new Float64Array(size);
    this.#back = new Float64Array(size);
  }

  /** Until no move at a point helps; begins at the points of `from`. */
  improve(round: readonly number[], from: readonly number[]): number[] {
    this.#set([...round]);
    const waiting = new Set(from);
    for (const point of waiting) {
      waiting.delete(point);
      const touched = this.#moveRun(point) ?? this.#reverse(point);
      for (const one of touched ?? []) waiting.add(one);
    }
    return this.#round;
  }

  #set(round: number[]): void {
    this.#round = round;
    for (let i = 0; i < this.#size; i++) {
      this.#position[round[i]!] = i;
      if (i === 0) continue;
      this.#ahead[i] = this.#ahead[i - 1]! + this.#between(round[i - 1]!, round[i]!);
      this.#back[i] = this.#back[i - 1]! + this.#between(round[i]!, round[i - 1]!);
    }
  }

  #between(from: number, to: number): number {
    return this.#cost[from * this.#size + to]!;
  }

  #at(position: number): number {
    return this.#round[(position + this.#size) % this.#size]!;
  }

  /** Moves the run that begins at a point to a better place. Returns the points that it touched. */
  #moveRun(head: number): number[] | undefined {
    for (let length = 1; length <= Math.min(RUN, this.#size - 3); length++) {
      const i = this.#position[head]!;
      const run = Array.from({ length }, (_, k) => this.#at(i + k));
      const tail = run[length - 1]!;
      const [previous, next] = [this.#at(i - 1), this.#at(i + length)];
      const inside = pathCost(run, this.#cost, this.#size);
      const backwards = pathCost(run.toReversed(), this.#cost, this.#size);
      const saved = this.#between(previous, head) + inside + this.#between(tail, next) - this.#between(previous, next);
      const places = new Set<number>();
      for (const end of [head, tail]) {
        for (const a of this.#before[end]!) places.add(a);
        for (const b of this.#after[end]!) places.add(this.#at(this.#position[b]! - 1));
      }
      for (const a of places) {
        if (a === previous || run.includes(a)) continue;
        const b = this.#at(this.#position[a]! + 1);
        const gap = this.#between(a, b);
        const straight = this.#between(a, head) + inside + this.#between(tail, b) - gap;
        const turned = this.#between(a, tail) + backwards + this.#between(head, b) - gap;
        if (Math.min(straight, turned) >= saved - LEAST) continue;
        const rest = this.#round.filter((point) => !run.includes(point));
        rest.splice(rest.indexOf(a) + 1, 0, ...(straight <= turned ? run : run.toReversed()));
        this.#set(rest);
        return [previous, next, a, b, head, tail];
      }
    }
    return undefined;
  }

  /** Reverses a stretch after a point if that is cheaper. */
  #reverse(before: number): number[] | undefined {
    const i = this.#position[before]! + 1;
    if (i >= this.#size) return undefined;
    const head = this.#at(i);
    for (const tail of this.#after[before]!) {
      const j = this.#position[tail]!;
      if (j <= i) continue;
      const after = this.#at(j + 1);
      const now = this.#between(before, head) + this.#ahead[j]! - this.#ahead[i]! + this.#between(tail, after);
      const turned = this.#between(before, tail) + this.#back[j]! - this.#back[i]! + this.#between(head, after);
      if (turned >= now - LEAST) continue;
      const round = this.#round;
      this.#set([...round.slice(0, i), ...round.slice(i, j + 1).reverse(), ...round.slice(j + 1)]);
      return [before, head, tail, after];
    }
    return undefined;
  }
}

function pathCost(run: readonly number[], cost: Float64Array, size: number): number {
  let total = 0;
  for (let i = 1; i < run.length; i++) total += cost[run[i - 1]! * size + run[i]!]!;
  return total;
}
