import { ID_SPACE, keyOf, kindKeyOf } from '../../../../shared/ids.ts';
import { COLLECTIONS } from '../../../../shared/records/index.ts';
import { hasCountedIds } from '../../../store/index.ts';
import type { CollectionName, Store } from '../../../store/types.ts';
import { hasKinds, kindsOf, REPLICATED } from './collections.ts';

/** A counter of ids, and the beginning of the keys that come from it. */
interface IdCounter {
  readonly name: string;
  readonly collection: CollectionName;
  keyOf(id: number): string;
}

const COUNTERS: readonly IdCounter[] = REPLICATED.flatMap((collection): IdCounter[] => {
  const { name } = COLLECTIONS[collection];
  if (!hasKinds(collection)) return hasCountedIds(collection) ? [{ name, collection, keyOf }] : [];
  return kindsOf(collection)
    .filter((kind) => hasCountedIds(collection, kind))
    .map((kind) => ({ name: `${name}/${kind}`, collection, keyOf: (id) => kindKeyOf(kind, id) }));
});

/** The highest id of a station in each of its counters that has a record here, deleted ones included. */
export function knownIds(store: Store, stationNumber: number): Record<string, number> {
  const known: Record<string, number> = {};
  for (const { name, collection, keyOf } of COUNTERS) {
    const first = stationNumber * ID_SPACE;
    const { key } = store.sql
      .prepare(`SELECT max(key) AS key FROM ${store.table(collection)} WHERE key >= ? AND key <= ?`)
      .get(keyOf(first), keyOf(first + ID_SPACE - 1)) as { key: string | null };
    if (key !== null) known[name] = Number(key.slice(-10)) % ID_SPACE;
  }
  return known;
}

/**
 * Skips the ids of this station that another one knows. If it knows higher ones than this station gave out, the
 * data here were set back to an older state, and a new epoch begins. Returns whether they were.
 */
export async function skipKnownIds(store: Store, known: Readonly<Record<string, number>>): Promise<boolean> {
  const given = new Map(
    store.sql
      .prepare('SELECT name, last FROM counters')
      .all()
      .map(({ name, last }) => [name as string, last as number]),
  );
  const higher = COUNTERS.flatMap(({ name }): [string, number][] => {
    const last = known[name] ?? 0;
    return Number.isInteger(last) && last > (given.get(name) ?? 0) && last < ID_SPACE ? [[name, last]] : [];
  });
  if (higher.length === 0) return false;
  await store.takeIds(Object.fromEntries(higher));
  await store.renewEpoch();
  return true;
}
