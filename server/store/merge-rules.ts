import { covers, isTombstone, latestStamp, merge } from '../../shared/merge/merge.ts';
import { ID_SPACE } from '../../shared/ids.ts';
import type { Stamps } from '../../shared/records/index.ts';
import type { StampClock } from '../../shared/merge/stamps.ts';
import type { Sequences } from './sqlite/sequences.ts';
import type { PlainDocument, SqliteStorageRules } from './storage/storage.ts';

/**
 * Rules for records from peers: the clock learns their stamps, our own forgotten ids count as used, and
 * fields merge.
 */
export function mergeRules(clock: StampClock, sequences: Sequences, stationNumber: number): SqliteStorageRules {
  return {
    receive(collectionName, incoming) {
      const stamps = stampsOf(incoming);
      if (!stamps) return;
      clock.receive(latestStamp(stamps));
      const id = incoming['id'] as number;
      if (Math.floor(id / ID_SPACE) === stationNumber)
        sequences.taken(counterOf(collectionName, incoming), id % ID_SPACE);
    },
    merge(stored, incoming) {
      if (!stampsOf(stored) || !stampsOf(incoming)) return undefined;
      const { _deleted: _a, ...mine } = stored as PlainDocument & { hlc: Stamps };
      const { _deleted: _b, ...theirs } = incoming as PlainDocument & { hlc: Stamps };
      const merged = merge(mine as { hlc: Stamps }, theirs as { hlc: Stamps });
      return merged.changed ? { ...merged.record, _deleted: merged.deleted } : undefined;
    },
    covers(incoming, stored) {
      const upper = stampsOf(incoming);
      const lower = stampsOf(stored);
      return !upper || !lower || (covers(upper, lower) && incoming._deleted === isTombstone(upper));
    },
  };
}

function stampsOf(document: PlainDocument): Stamps | undefined {
  return document['hlc'] as Stamps | undefined;
}

/** The counter from which an id of the collection comes; see `openStore`. */
function counterOf(collectionName: string, record: PlainDocument): string {
  return typeof record['kind'] === 'string' && String(record['key']).startsWith(`${record['kind']}:`)
    ? `${collectionName}/${record['kind']}`
    : collectionName;
}
