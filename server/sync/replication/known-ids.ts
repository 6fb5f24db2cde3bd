import { ID_SPACE, keyOf, kindKeyOf } from '../../../shared/ids.ts';
import { COLLECTIONS } from '../../../shared/records/index.ts';
import type { CollectionName, Store } from '../../store/types.ts';
import { hasKinds, kindsOf, REPLICATED } from './collections.ts';

/** Their ids are digests. */
const WITHOUT_COUNTERS: ReadonlySet<CollectionName> = new Set(['events', 'merges', 'alarms', 'vehicleStates']);

/** A counter of ids, and the beginning of the keys that come from it. */
interface Counter {
  readonly name: string;
  readonly collection: CollectionName;
  keyOf(id: number): string;
}

const COUNTERS: readonly Counter[] = REPLICATED.filter((name) => !WITHOUT_COUNTERS.has(name)).flatMap(
  (collection): Counter[] => {
    const { name } = COLLECTIONS[collection];
    if (!hasKinds(collection)) return [{ name, collection, keyOf }];
    return kindsOf(collection).map((kind) => ({
      name: `${name}/${kind}`,
      collection,
      keyOf: (id) => kindKeyOf(kind, id),
    }));
  },
);

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

/** Skips the ids of this station that another one knows. Counters that this program does not have are left out. */
export async function skipKnownIds(store: Store, known: Readonly<Record<string, number>>): Promise<void> {
  const taken = COUNTERS.flatMap(({ name }): [string, number][] => {
    const last = known[name];
    return last !== undefined && Number.isInteger(last) && last > 0 && last < ID_SPACE ? [[name, last]] : [];
  });
  if (taken.length > 0) await store.takeIds(Object.fromEntries(taken));
}
