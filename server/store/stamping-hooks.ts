import { isDeepStrictEqual } from 'node:util';
import type { RxCollection } from 'rxdb';
import { firstStamps, stampDeletion, stampFields } from '../../shared/merge/merge.ts';
import type { StampClock } from '../../shared/merge/stamps.ts';
import type { AnyRecord } from './records.ts';

/**
 * Stamps what is written through the RxCollection itself. Rooms write through `Records`, which stamps by
 * itself; these hooks are there so that nothing gets in without a stamp. Replicated writes keep the stamps
 * they bring: RxDB runs no hooks for them.
 */
export function stampingHooks<T extends AnyRecord>(collection: RxCollection<T>, clock: StampClock): void {
  collection.preInsert((record) => {
    record.hlc = firstStamps(clock.next());
  }, false);
  collection.preSave((record, document) => {
    // In spite of its type, the second argument is the plain record as it was.
    const before = document as unknown as T;
    const changed = changedFields(before, record);
    record.hlc = changed.length > 0 ? stampFields(before.hlc, changed, clock.next()) : before.hlc;
  }, false);
  collection.preRemove((record) => {
    record.hlc = stampDeletion(record.hlc);
  }, false);
}

/** Top-level fields in which two states differ; key, id, stamps and RxDB's own are not edits. */
export function changedFields<T extends AnyRecord>(before: T, after: T): string[] {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => name !== 'key' && name !== 'id' && name !== 'hlc' && !name.startsWith('_'),
  );
  return names.filter((name) => !isDeepStrictEqual(before[name as keyof T], after[name as keyof T]));
}
