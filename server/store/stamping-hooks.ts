import { isDeepStrictEqual } from 'node:util';
import type { RxCollection } from 'rxdb';
import { firstStamps, stampDeletion, stampFields, stampLogicalDeletion } from '../../shared/merge/merge.ts';
import { partsOf, type MergeShape } from '../../shared/merge/parts.ts';
import type { Stamps } from '../../shared/records/index.ts';
import type { Stamp, StampClock } from '../../shared/merge/stamps.ts';
import type { AnyRecord } from './records.ts';

/**
 * Stamps records that are written through the RxCollection itself, so that no record is unstamped. `Records`
 * stamps its own writes. Replicated writes keep their stamps: RxDB runs no hooks for them.
 */
export function stampingHooks<T extends AnyRecord>(
  collection: RxCollection<T>,
  clock: StampClock,
  shape: MergeShape = {},
): void {
  collection.preInsert((record) => {
    record.hlc = firstStamps(clock.next());
  }, false);
  collection.preSave((record, document) => {
    // Despite its type, the second argument is the plain record before the write.
    const before = document as unknown as T;
    const changed = changedUnits(before, record, shape);
    record.hlc = changed.length > 0 ? stampEdit(before.hlc, changed, clock.next(), record, shape) : before.hlc;
  }, false);
  collection.preRemove((record) => {
    record.hlc = stampDeletion(record.hlc);
  }, false);
}

/** The fields and parts in which two states differ, without key, id, stamps and RxDB's own fields. */
export function changedUnits<T extends AnyRecord>(before: T, after: T, { parts }: MergeShape): string[] {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => name !== 'key' && name !== 'id' && name !== 'hlc' && !name.startsWith('_'),
  );
  const changed = names.filter((name) => !isDeepStrictEqual(before[name as keyof T], after[name as keyof T]));
  if (!parts) return changed;
  return changed.flatMap((name) => {
    const kind = parts[name];
    if (kind === undefined) return [name];
    const [old, now] = [partsOf(before[name as keyof T], kind), partsOf(after[name as keyof T], kind)];
    return [...new Set([...old.keys(), ...now.keys()])]
      .filter((part) => !isDeepStrictEqual(old.get(part), now.get(part)))
      .map((part) => `${name}.${part}`);
  });
}

/** Stamps after an edit; that of a record which stays or becomes deleted saw all of it. */
export function stampEdit(
  hlc: Stamps,
  changed: readonly string[],
  stamp: Stamp,
  after: object,
  { deletion }: MergeShape,
): Stamps {
  const edited = stampFields(hlc, changed, stamp);
  const isDeleted = deletion !== undefined && (after as Record<string, unknown>)[deletion] === true;
  return isDeleted ? stampLogicalDeletion(edited) : edited;
}
