import type { Task } from '../../../../shared/records/index.ts';
import type { Change, Store } from '../../../store/types.ts';
import { holds, predicateKey, type Predicate } from '../predicates/predicate.ts';
import type { ByStatus } from './stats-sql.ts';

/** The count at the sequence number `seq` of writes. */
export interface CountedAt {
  readonly byStatus: ByStatus;
  readonly seq: number;
}

/** How many tasks satisfy a predicate, by status: `byStatus[1]` new … `byStatus[4]` done. */
export interface TaskCount {
  total: number;
  byStatus: readonly number[];
}

/** Most counters kept: about as many as filters in use. Each costs one evaluation per change. */
const KEPT = 64;

/**
 * Counts in constant time. A worker counts each filter once; after that, each commit evaluates the predicate
 * on the old and the new record. The least recently used filter is evicted.
 * The worker names its snapshot by the sequence number of writes; later writes are applied on top.
 */
export class LiveCounts {
  readonly #counters = new Map<string, TaskCounter>();

  /** @param countAll counts the matches again, at a snapshot between the call and its answer */
  async count(predicate: Predicate, countAll: () => Promise<CountedAt>): Promise<TaskCount> {
    const key = predicateKey(predicate);
    let counter = this.#counters.get(key);
    if (!counter) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const begun: TaskCounter = (counter = { predicate, byStatus: undefined, waiting: [], counted: promise });
      resolve(countAll().then((answer) => begin(begun, answer)));
    }
    this.#counters.delete(key); // most recently used
    this.#counters.set(key, counter);
    if (this.#counters.size > KEPT) this.#counters.delete(this.#counters.keys().next().value!);
    try {
      await counter.counted;
    } catch (error) {
      if (this.#counters.get(key) === counter) this.#counters.delete(key); // the next caller tries again
      throw error;
    }
    const byStatus = counter.byStatus!;
    return { total: byStatus.reduce((sum, count) => sum + count, 0), byStatus: [...byStatus] };
  }

  /** Call it with each commit, before the next read: see `followCommits`. */
  follow(changes: readonly Counted[], seq: number): void {
    for (const counter of this.#counters.values()) {
      if (counter.byStatus) add(counter.predicate, counter.byStatus, changes);
      else counter.waiting.push({ changes, seq });
    }
  }
}

function begin(counter: TaskCounter, { byStatus, seq }: CountedAt): void {
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

/** A change, as counting needs it. */
export type Counted = Pick<Change<Task>, 'record' | 'before' | 'deleted'>;

/**
 * Calls back with the changes of each commit and its last sequence number, in the same turn in which queries
 * see them. `Records.watch` calls later, after the sync: a count in between would include a change twice.
 * Returns the unsubscription.
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

interface TaskCounter {
  readonly predicate: Predicate;
  /** Undefined during the first count. */
  byStatus: number[] | undefined;
  /** Changes written during the first count. */
  readonly waiting: { readonly changes: readonly Counted[]; readonly seq: number }[];
  readonly counted: Promise<void>;
}
