import type { CollectionName, Store } from '../../../store/types.ts';
import { REPLICATED } from '../replication/collections.ts';

const AT_ONCE = 200;

/**
 * Removes the initial records of a fresh station: its organization, roles, `admin` and directories. It
 * becomes an exact copy of the station that it follows, and these deletions do not reach that station. It may
 * run again after a crash.
 */
export async function takeAwayFirstRecords(store: Store): Promise<void> {
  const names: readonly CollectionName[] = [...REPLICATED, 'vehicleStates'];
  for (const name of names) {
    for (;;) {
      const keys = store.sql.prepare(`SELECT key FROM ${store.table(name)} LIMIT ${AT_ONCE}`).all();
      if (keys.length === 0) break;
      await store.evict(
        name,
        keys.map(({ key }) => String(key)),
      );
    }
  }
}
