import type { Message } from '../../shared/records/index.ts';
import type { Change } from '../store/door.ts';
import { holds, keyOf, type Predicate } from './predicate.ts';

/** How many messages satisfy a predicate, by status: `byStatus[1]` new … `byStatus[4]` done. */
export interface Count {
  total: number;
  byStatus: readonly number[];
}

/** Counters that are kept at once: about as many as different filters are in use. Each one costs an evaluation per change. */
const KEPT = 64;

/**
 * Counts that cost nothing to read, however many messages there are: each filter in use is counted once, and from then on the same predicate is asked of what
 * every change left behind and of what it made. The filter not asked for longest is forgotten.
 */
export class LiveCounts {
  private readonly counters = new Map<string, { predicate: Predicate; byStatus: number[] }>();
  private readonly countAll: (predicate: Predicate) => readonly number[];

  /** @param countAll counts by asking the database: numbers by status */
  constructor(countAll: (predicate: Predicate) => readonly number[]) {
    this.countAll = countAll;
  }

  count(predicate: Predicate): Count {
    const key = keyOf(predicate);
    const counter = this.counters.get(key) ?? { predicate, byStatus: [...this.countAll(predicate)] };
    this.counters.delete(key);
    this.counters.set(key, counter); // last is newest
    if (this.counters.size > KEPT) this.counters.delete(this.counters.keys().next().value!);
    return { total: counter.byStatus.reduce((sum, count) => sum + count, 0), byStatus: [...counter.byStatus] };
  }

  /** To be called for each commit, before anybody counts again. */
  follow(changes: readonly Change<Message>[]): void {
    for (const { predicate, byStatus } of this.counters.values()) {
      for (const { record, before, deleted } of changes) {
        if (before && holds(predicate, before)) byStatus[before.status]!--;
        if (!deleted && holds(predicate, record)) byStatus[record.status]!++;
      }
    }
  }
}
