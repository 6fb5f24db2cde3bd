import { isDeepStrictEqual } from 'node:util';
import type { RxCollection } from 'rxdb';
import { firstStamps, stampDeletion, stampFields } from '../../shared/merge/merge.ts';
import type { StampClock } from '../../shared/merge/stamps.ts';
import type { AnyRecord } from './records.ts';

/**
 * Stamps records that are written through the RxCollection itself, so that no record is unstamped. `Records`
 * stamps its own writes. Replicated writes keep their stamps: RxDB runs no hooks for them.
 */
export function stampingHooks<T extends AnyRecord>(collection: RxCollection<T>, clock: StampClock): void {
  collection.preInsert((record) => {
    record.hlc = firstStamps(clock.next());
  }, false);
  collection.preSave((record, document) => {
    // Despite its type, the second argument is the plain record before the write.
    const before = document as unknown as T;
    const changed = changedFields(before, record);
    record.hlc = changed.length > 0 ? stampFields(before.hlc, changed, clock.next()) : before.hlc;
  }, false);
  collection.preRemove((record) => {
    record.hlc = stampDeletion(record.hlc);
  }, false);
}

/** Top-level fields in which two states differ, without key, id, stamps and RxDB's own fields. */
export function changedFields<T extends AnyRecord>(before: T, after: T): string[] {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => name !== 'key' && name !== 'id' && name !== 'hlc' && !name.startsWith('_'),
  );
  return names.filter((name) => !isDeepStrictEqual(before[name as keyof T], after[name as keyof T]));
}
