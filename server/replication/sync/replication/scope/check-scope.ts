import type { CollectionName, Store } from '../../../../store/types.ts';
import type { RecordFault, ReceivedRecord } from '../check-record.ts';
import type { Scope } from './scope.ts';

/** Why a record may not come over a link that is limited to organizations; undefined: it may. */
export function scopeFault(
  store: Store,
  scope: Scope,
  collection: CollectionName,
  { record }: ReceivedRecord,
): RecordFault | undefined {
  const { key } = record;
  const row = store.sql.prepare(`SELECT data FROM ${store.table(collection)} WHERE key = ?`).get(key);
  const stored = row && (JSON.parse(row['data'] as string) as Record<string, unknown>);
  if (collection === 'accounts' && (scope.isOfSuperuser(record) || (stored && scope.isOfSuperuser(stored))))
    return { key, reason: 'It concerns a superuser, and the link is limited to organizations.' };
  if (scope.carries(collection, record)) return undefined;
  // The other station may move a record out of the scope that this one showed to it.
  if (stored && scope.carries(collection, stored)) return undefined;
  return { key, reason: 'It is of an organization outside of the limits of the link.' };
}
