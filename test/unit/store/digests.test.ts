import { createRevision, getDefaultRxDocumentMeta } from 'rxdb';
import { expect, test } from 'vitest';
import { HashSum, recordHash } from '../../../server/store/index.ts';
import type { Store } from '../../../server/store/index.ts';
import { keyOf } from '../../../shared/ids.ts';
import { firstStamps, stampDeletion, stampFields } from '../../../shared/merge/merge.ts';
import { stampClock, stationPart } from '../../../shared/merge/stamps.ts';
import type { Comment } from '../../../shared/records/index.ts';
import { stationDigest } from '../../../server/replication/sync/index.ts';
import { Chance, SEED } from '../../support/chance.ts';
import { eventually } from '../../support/eventually.ts';
import { comment, temporaryDirectory, temporaryStore } from './open-store.ts';

function recount(store: Store) {
  const sum = new HashSum();
  for (const record of store.records('comments').all()) sum.add(recordHash('comments', record));
  return { sum: sum.text, records: sum.records };
}

test(`[sync 60] the sum of a collection is that of its live records, whatever was written, merged and undone (WAYPOST_SEED=${SEED})`, async () => {
  const chance = new Chance();
  const store = await temporaryStore({ stationNumber: 1 });
  const records = store.records('comments');
  const theirs = stampClock(stationPart(2, 'peer'), Date.now);
  for (let step = 0; step < 300; step++) {
    const known = records.all();
    const one = known.length > 0 ? chance.of(known) : undefined;
    const kind = chance.int(6);
    if (kind === 0 || !one) await records.insertMany([comment(store), comment(store)]);
    else if (kind === 1) await records.change(one.id, (record) => ({ ...record, text: `${step}` }));
    else if (kind === 2) await records.remove(one.id);
    else if (kind === 3)
      await store
        .transaction(async () => {
          await records.change(one.id, (record) => ({ ...record, level: step + 1 }));
          await records.insert(comment(store));
          throw new Error('undone');
        })
        .catch(() => undefined);
    else {
      const id = 20_000_000 + chance.int(20);
      const base = { ...comment(store), id, key: keyOf(id), hlc: firstStamps(theirs.next()) };
      const from: Comment = kind === 4 ? one : base;
      const deleted = chance.maybe(0.3);
      const hlc = deleted ? stampDeletion(from.hlc) : stampFields(from.hlc, ['text'], theirs.next());
      await store.collection('comments').storageInstance.originalStorageInstance.bulkWrite(
        [
          {
            document: {
              ...from,
              text: `theirs ${step}`,
              hlc,
              _deleted: deleted,
              _attachments: {},
              _meta: getDefaultRxDocumentMeta(),
              _rev: createRevision('peer'),
            },
          },
        ] as never,
        'replication-downstream-peer',
      );
    }
    expect(store.digest('comments')).toEqual(recount(store));
  }
});

test('[sync 104] records that are older than digests are counted in portions, also what is written meanwhile', async () => {
  const directory = temporaryDirectory();
  const older = await temporaryStore({ directory });
  const made = await older.records('comments').insertMany(Array.from({ length: 2000 }, () => comment(older)));
  expect(older.digest('comments')).toEqual(recount(older));
  await older.writePlain((sql) => sql.exec('DELETE FROM digests'));
  await older.close();

  const store = await temporaryStore({ directory });
  expect(store.digest('comments')).toBeUndefined();
  expect(stationDigest(store)).toBe('');
  const records = store.records('comments');
  await records.change(made[0]!.id, (record) => ({ ...record, text: 'counted already' }));
  await records.change(made.at(-1)!.id, (record) => ({ ...record, text: 'not counted yet' }));
  await records.remove(made[1000]!.id);
  await records.insert(comment(store));
  expect(store.digest('comments')).toBeUndefined();
  // A crash in between: it goes on where it was.
  await store.close();
  const again = await temporaryStore({ directory });
  await eventually(() => expect(again.digest('comments')).toEqual(recount(again)));
  await eventually(() => expect(stationDigest(again)).not.toBe(''));
});

test('[sync 61] two ways of writing the same stamps have one hash, and other stamps another', () => {
  const [base, first, second] = ['a', 'b', 'c'];
  const key = keyOf(1);
  const hash = recordHash('comments', { key, hlc: { base, fields: { text: first, level: second } } });
  expect(recordHash('comments', { key, hlc: { base, fields: { level: second, text: first, at: base } } })).toBe(hash);
  expect(recordHash('comments', { key, hlc: { base, fields: { level: first, text: second } } })).not.toBe(hash);
  expect(recordHash('history', { key, hlc: { base, fields: { text: first, level: second } } })).not.toBe(hash);
});
