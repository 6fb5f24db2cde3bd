import type { Task } from '../../../shared/records/index.ts';
import type { Change, Store } from '../../store/types.ts';
import { holds, keyOf, type Predicate } from '../predicates/predicate.ts';
import type { ByStatus } from './stats-sql.ts';

/** How many there were when the sequence number of writes was `seq`. */
export interface CountedAt {
  readonly byStatus: ByStatus;
  readonly seq: number;
}

/** How many messages satisfy a predicate, by status: `byStatus[1]` new … `byStatus[4]` done. */
export interface Count {
  total: number;
  byStatus: readonly number[];
}

/**
 * Counters that are kept at once: about as many as different filters are in use. Each one costs an evaluation
 * per change.
 */
const KEPT = 64;

/**
 * Counts that cost nothing to read, however many messages there are: each filter in use is counted once, in a
 * worker, and from then on the same predicate is asked of what every change left behind and of what it made.
 * The filter not asked for longest is forgotten.
 *
 * A worker counts at one moment, which it names by the sequence number of writes; what was written later is
 * counted on top of it.
 */
export class LiveCounts {
  readonly #counters = new Map<string, Counter>();

  /** @param countAll counts anew what satisfies the predicate, at a moment between now and its answer */
  async count(predicate: Predicate, countAll: () => Promise<CountedAt>): Promise<Count> {
    const key = keyOf(predicate);
    let counter = this.#counters.get(key);
    if (!counter) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const begun: Counter = (counter = { predicate, byStatus: undefined, waiting: [], counted: promise });
      resolve(countAll().then((answer) => begin(begun, answer)));
    }
    this.#counters.delete(key); // last in the order of use
    this.#counters.set(key, counter);
    if (this.#counters.size > KEPT) this.#counters.delete(this.#counters.keys().next().value!);
    try {
      await counter.counted;
    } catch (error) {
      if (this.#counters.get(key) === counter) this.#counters.delete(key); // is tried again by the next who asks
      throw error;
    }
    const byStatus = counter.byStatus!;
    return { total: byStatus.reduce((sum, count) => sum + count, 0), byStatus: [...byStatus] };
  }

  /** To be called with each commit, before anybody reads again: see `followCommits`. */
  follow(changes: readonly Counted[], seq: number): void {
    for (const counter of this.#counters.values()) {
      if (counter.byStatus) add(counter.predicate, counter.byStatus, changes);
      else counter.waiting.push({ changes, seq });
    }
  }
}

function begin(counter: Counter, { byStatus, seq }: CountedAt): void {
  counter.byStatus = [...byStatus];
  for (const later of counter.waiting.splice(0))
    if (later.seq > seq) add(counter.predicate, counter.byStatus, later.changes);
}

function add(predicate: Predicate, byStatus: number[], changes: readonly Counted[]): void {
  for (const { record, before, deleted } of changes) {
    if (before && holds(predicate, before)) byStatus[before.status]!--;
    if (!deleted && holds(predicate, record)) byStatus[record.status]!++;
  }
}

/** A change as far as counting goes. */
export type Counted = Pick<Change<Task>, 'record' | 'before' | 'deleted'>;

/**
 * Tells what each commit changed in the same turn in which queries begin to see it, and the sequence number
 * of its last write. `Records.watch` tells it later, when it is on the disk: a count made between the two
 * would have a change in it already, and get it once more. Returns the way to stop.
 */
export function followCommits(
  store: Pick<Store, 'collection'>,
  listener: (changes: readonly Counted[], seq: number) => void,
): () => void {
  const following = store.collection('tasks').eventBulks$.subscribe((bulk) =>
    listener(
      bulk.events.map((event) => {
        const previous = event.previousDocumentData as (Task & { _deleted?: boolean }) | undefined;
        return {
          record: event.documentData as Task,
          before: previous && !previous._deleted ? previous : undefined,
          deleted: event.operation === 'DELETE',
        };
      }),
      (bulk.checkpoint as unknown as { seq: number }).seq,
    ),
  );
  return () => following.unsubscribe();
}

interface Counter {
  readonly predicate: Predicate;
  /** Undefined while it is counted for the first time. */
  byStatus: number[] | undefined;
  /** What was written meanwhile. */
  readonly waiting: { readonly changes: readonly Counted[]; readonly seq: number }[];
  readonly counted: Promise<void>;
}
