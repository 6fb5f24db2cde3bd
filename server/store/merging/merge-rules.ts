import { allStamps, areStamps, covers, isTombstone, latestStamp, merge } from '../../../shared/merge/merge.ts';
import { ID_SPACE } from '../../../shared/ids.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Stamps } from '../../../shared/records/index.ts';
import type { StampClock } from '../../../shared/merge/stamps.ts';
import type { Sequences } from '../sqlite/sequences.ts';
import type { PlainDocument, SqliteStorageRules } from '../storage/storage.ts';
import { FIRST_RENUMBERED, separated } from './made-twice.ts';
import { collectionNamed, shapeNamed } from './shapes.ts';

interface MergeRulesPlace {
  readonly clock: StampClock;
  readonly sequences: Sequences;
  readonly station: { readonly number: number };
  readonly lost: NonNullable<SqliteStorageRules['lost']>;
}

/**
 * Rules for records from peers: the clock learns their stamps, our own forgotten ids count as used, and
 * fields merge.
 */
export function mergeRules({ clock, sequences, station, lost }: MergeRulesPlace): SqliteStorageRules {
  return {
    receive(collectionName, incoming) {
      const stamps = stampsOf(incoming);
      if (!stamps) return;
      if (!areStamps(stamps)) throw new Refusal('store.stampsMalformed', { key: String(incoming['key']) });
      clock.receive(latestStamp(stamps));
      for (const stamp of allStamps(stamps)) clock.receive(stamp);
      const id = incoming['id'] as number;
      if (id < FIRST_RENUMBERED && Math.floor(id / ID_SPACE) === station.number)
        sequences.taken(counterOf(collectionName, incoming), id % ID_SPACE);
    },
    merge(collectionName, stored, incoming) {
      if (!stampsOf(stored) || !stampsOf(incoming)) return undefined;
      const { _deleted: _a, ...mine } = stored as PlainDocument & { hlc: Stamps };
      const { _deleted: _b, ...theirs } = incoming as PlainDocument & { hlc: Stamps };
      const shape = shapeNamed(collectionName);
      const two = separated(
        collectionNamed(collectionName) ?? '',
        stored as typeof mine & PlainDocument,
        incoming as typeof theirs & PlainDocument,
      );
      if (two) return two;
      const merged = merge(mine as { hlc: Stamps }, theirs as { hlc: Stamps }, shape);
      const isReported = !shape?.unreportedKinds?.includes(stored['kind'] as string);
      const lost = isReported ? merged.lost : [];
      if (!merged.changed && lost.length === 0) return undefined;
      return { document: { ...merged.record, _deleted: merged.deleted }, changed: merged.changed, lost };
    },
    lost,
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
