import type { Message } from '../../shared/records/index.ts';
import type { Change, Store } from '../store/door.ts';
import { holds, keyOf, type Predicate } from './predicate.ts';

/** How many messages satisfy a predicate, by status: `byStatus[1]` new … `byStatus[4]` done. */
export interface Count {
  total: number;
  byStatus: readonly number[];
}

/** One step of counting over all messages in the order of their keys. */
export interface CountStep {
  byStatus: readonly number[];
  /** The key up to which is counted now; undefined: this was the end. */
  last: string | undefined;
}

/** Counts what lies behind a key, some messages at a time; a quick count does all in one step. */
export type CountOn = (predicate: Predicate, after: string | undefined) => CountStep;

/** Counters that are kept at once: about as many as different filters are in use. Each one costs an evaluation per change. */
const KEPT = 64;

/**
 * Counts that cost nothing to read, however many messages there are: each filter in use is counted once, and from then on the same predicate is asked of what
 * every change left behind and of what it made. The filter not asked for longest is forgotten.
 *
 * The first count of a filter goes over the messages in steps, between which the event loop turns. What changes meanwhile counts at once when its key was passed
 * already, and is counted by a later step when it was not.
 */
export class LiveCounts {
  private readonly counters = new Map<string, Counter>();
  private readonly countOn: CountOn;

  constructor(countOn: CountOn) {
    this.countOn = countOn;
  }

  async count(predicate: Predicate): Promise<Count> {
    const key = keyOf(predicate);
    const counter = this.counters.get(key) ?? this.begin(predicate);
    this.counters.delete(key);
    this.counters.set(key, counter); // last is newest
    if (this.counters.size > KEPT) this.counters.delete(this.counters.keys().next().value!);
    try {
      await counter.counted;
    } catch (error) {
      this.counters.delete(key);
      throw error;
    }
    return { total: counter.byStatus.reduce((sum, count) => sum + count, 0), byStatus: [...counter.byStatus] };
  }

  /** To be called with each commit, before anybody reads again: see `followCommits`. */
  follow(changes: readonly Counted[]): void {
    for (const counter of this.counters.values()) {
      for (const { record, before, deleted } of changes) {
        if (counter.passed !== 'all' && record.key > counter.passed) continue;
        if (before && holds(counter.predicate, before)) counter.byStatus[before.status]!--;
        if (!deleted && holds(counter.predicate, record)) counter.byStatus[record.status]!++;
      }
    }
  }

  private begin(predicate: Predicate): Counter {
    const counter: Counter = { predicate, byStatus: [0, 0, 0, 0, 0], passed: '', counted: Promise.resolve() };
    if (!this.step(counter)) counter.counted = this.goOn(counter);
    return counter;
  }

  private async goOn(counter: Counter): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (!this.step(counter));
  }

  /** True when everything is counted. */
  private step(counter: Counter): boolean {
    const { byStatus, last } = this.countOn(counter.predicate, counter.passed === '' ? undefined : counter.passed);
    byStatus.forEach((count, status) => (counter.byStatus[status]! += count));
    counter.passed = last ?? 'all';
    return last === undefined;
  }
}

/** A change as far as counting goes. */
export type Counted = Pick<Change<Message>, 'record' | 'before' | 'deleted'>;

/**
 * Tells what each commit changed in the same turn in which queries begin to see it. `Records.watch` tells it later, when it is on the disk: a count made between the
 * two would have a change in it already, and get it once more. Returns the way to stop.
 */
export function followCommits(store: Pick<Store, 'collection'>, listener: (changes: readonly Counted[]) => void): () => void {
  const following = store.collection('messages').eventBulks$.subscribe((bulk) =>
    listener(
      bulk.events.map((event) => {
        const previous = event.previousDocumentData as (Message & { _deleted?: boolean }) | undefined;
        return { record: event.documentData as Message, before: previous && !previous._deleted ? previous : undefined, deleted: event.operation === 'DELETE' };
      }),
    ),
  );
  return () => following.unsubscribe();
}

interface Counter {
  predicate: Predicate;
  byStatus: number[];
  /** The key up to which is counted; empty: nothing yet. */
  passed: string;
  counted: Promise<void>;
}
