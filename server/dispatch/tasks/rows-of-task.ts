import type { Comment, HistoryEntry } from '../../../shared/records/index.ts';
import type { Store } from '../../store/types.ts';

/** The records that belong to a task, oldest first. */
export function rowsOfTask<T extends Comment | HistoryEntry>(
  store: Store,
  collection: 'comments' | 'history',
  taskId: number,
): T[] {
  return store.sql
    .prepare(`SELECT data FROM ${store.table(collection)} WHERE deleted=0 AND taskId=? ORDER BY at, key`)
    .all(taskId)
    .map((row) => JSON.parse(String(row['data'])) as T);
}
