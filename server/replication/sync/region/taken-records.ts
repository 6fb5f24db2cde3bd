import type { CollectionName, Store } from '../../../store/types.ts';
import { checkRecord, isFault, type ReceivedRecord } from '../replication/check-record.ts';
import { writeReceived } from '../replication/intake/pull-collection.ts';

interface TakenText {
  /** A record as JSON. */
  readonly text: string;
  readonly isDeleted: boolean;
}

/** Stores records that came in another way than the changes of the region. Resolves with those that are valid. */
export async function takeRecords(
  store: Store,
  collection: CollectionName,
  texts: readonly TakenText[],
  now: number,
  warn: (message: string) => void,
): Promise<readonly ReceivedRecord[]> {
  const records: ReceivedRecord[] = [];
  for (const { text, isDeleted } of texts) {
    const checked = checkRecord(collection, text, isDeleted, now);
    if (isFault(checked))
      warn(`A record of the region is not taken in (${collection} ${checked.key}): ${checked.reason}`);
    else records.push(checked);
  }
  await writeReceived(store, collection, records);
  return records;
}
