import { createRevision, getDefaultRxDocumentMeta } from 'rxdb';
import type { CollectionName, Store } from '../../../server/store/index.ts';
import { isTombstone } from '../../../shared/merge/merge.ts';
import { stampClock, stationPart, type StampClock } from '../../../shared/merge/stamps.ts';
import type { Stamps } from '../../../shared/records/index.ts';

export type Stored = { readonly key: string; readonly hlc: Stamps };

/** Writes as a pull replication does: what a peer sent, over whatever is stored. Returns what was refused. */
export async function receive(
  store: Store,
  collection: CollectionName,
  records: readonly Stored[],
): Promise<readonly { readonly status: number }[]> {
  const rows = records.map((record) => ({
    document: {
      ...record,
      _deleted: isTombstone(record.hlc),
      _attachments: {},
      _meta: getDefaultRxDocumentMeta(),
      _rev: createRevision('peer'),
    },
  }));
  const { error } = await store
    .collection(collection)
    .storageInstance.originalStorageInstance.bulkWrite(rows as never, 'replication-downstream-peer');
  return error;
}

/** The clock of another station, a second ahead, so that its edits are later than ours. */
export function peer(number = 2): StampClock {
  return stampClock(stationPart(number, 'peer'), () => Date.now() + 1000);
}
