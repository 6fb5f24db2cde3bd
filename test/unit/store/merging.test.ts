import { createRevision, getDefaultRxDocumentMeta } from 'rxdb';
import { expect, test } from 'vitest';
import type { CollectionName, Store } from '../../../server/store/index.ts';
import { firstStamps, stampDeletion, stampFields } from '../../../shared/merge/merge.ts';
import { keyOf, kindKeyOf } from '../../../shared/ids.ts';
import type { Category, Comment } from '../../../shared/records/index.ts';
import { MAX_AHEAD, stampClock, stationPart } from '../../../shared/merge/stamps.ts';
import { categories, category, comment, temporaryStore } from './open-store.ts';

/** Writes as a pull replication does: what a peer sent, over whatever is stored. */
async function receive(
  store: Store,
  collection: CollectionName,
  records: readonly (Category | Comment)[],
  { deleted = false, context = 'replication-downstream-peer' } = {},
) {
  const rows = records.map((record) => ({
    document: {
      ...record,
      _deleted: deleted,
      _attachments: {},
      _meta: getDefaultRxDocumentMeta(),
      _rev: createRevision('peer'),
    },
  }));
  return store.collection(collection).storageInstance.originalStorageInstance.bulkWrite(rows as never, context);
}

function peer(number = 2, now = () => Date.now()) {
  return stampClock(stationPart(number, 'peer'), now);
}

test('what a peer sends is merged field by field with what is stored', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store.records('comments').insert(comment(store, { text: 'On scene', level: 0 }));
  const theirs = peer();
  const edited: Comment = { ...made, level: 3, hlc: stampFields(made.hlc, ['level'], theirs.next()) };
  await store.records('comments').change(made.id, (record) => ({ ...record, text: 'Left' }));
  expect((await receive(store, 'comments', [edited])).error).toEqual([]);
  expect(store.records('comments').get(made.id)).toMatchObject({ text: 'Left', level: 3 });
});

test('what is not new is not written and not told', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await categories(store).insert(category(store));
  const changed = await categories(store).change(made.id, (record) => ({ ...record, name: 'Smoke' }));
  const head = store.feed.head();
  let told = 0;
  categories(store).watch(() => told++);
  await receive(store, 'directories', [made, changed]);
  expect([categories(store).get(made.id), store.feed.head(), told]).toEqual([changed, head, 0]);
});

test('one bulk may hold one record several times', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const theirs = peer();
  const first: Comment = { ...comment(store), key: keyOf(20_000_001), id: 20_000_001, hlc: firstStamps(theirs.next()) };
  const second: Comment = { ...first, text: 'Left', hlc: stampFields(first.hlc, ['text'], theirs.next()) };
  await receive(store, 'comments', [second, first, second]);
  expect(store.records('comments').all()).toEqual([second]);
});

test('an edit survives a deletion that did not see it, wherever it comes from', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store.records('comments').insert(comment(store));
  await store.records('comments').change(made.id, (record) => ({ ...record, text: 'Left' }));
  await receive(store, 'comments', [{ ...made, hlc: stampDeletion(made.hlc) }], { deleted: true });
  expect(store.records('comments').get(made.id)?.text).toBe('Left');

  await store.records('comments').remove(made.id);
  const theirs: Comment = { ...made, level: 7, hlc: stampFields(made.hlc, ['level'], peer().next()) };
  await receive(store, 'comments', [theirs]);
  expect(store.records('comments').get(made.id)).toMatchObject({ text: 'Left', level: 7 });
});

test('after a merge our own edits are later than what came in', async () => {
  let wall = 1_700_000_000_000;
  const store = await temporaryStore({ stationNumber: 1, now: () => wall });
  const made = await categories(store).insert(category(store));
  const ahead = peer(2, () => wall + 60_000);
  await receive(store, 'directories', [
    { ...made, name: 'Theirs', hlc: stampFields(made.hlc, ['name'], ahead.next()) },
  ]);
  wall += 1;
  const ours = await categories(store).change(made.id, (record) => ({ ...record, name: 'Ours' }));
  await receive(store, 'directories', [
    { ...made, name: 'Theirs', hlc: stampFields(made.hlc, ['name'], ahead.latest) },
  ]);
  expect(categories(store).get(made.id)).toEqual(ours);
});

test('a record from a clock far ahead is refused, and the others of its bulk are taken', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const wrong = peer(2, () => Date.now() + 2 * MAX_AHEAD);
  const right = peer(3);
  const made = (id: number, stamp: string): Category => ({
    ...category(store),
    id,
    key: kindKeyOf('category', id),
    hlc: firstStamps(stamp),
  });
  const { error } = await receive(store, 'directories', [
    made(20_000_001, wrong.next()),
    made(30_000_001, right.next()),
  ]);
  expect(error).toMatchObject([{ status: 422, documentId: kindKeyOf('category', 20_000_001) }]);
  expect(
    categories(store)
      .all()
      .map((record) => record.id),
  ).toEqual([30_000_001]);
});

test('ids of our own that come back from a peer are not given again', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const lost: Category = {
    ...category(store, { id: 10_000_500 }),
    key: kindKeyOf('category', 10_000_500),
    hlc: firstStamps(peer(1).next()),
  };
  await receive(store, 'directories', [lost]);
  expect(categories(store).nextId()).toBe(10_000_501);
});

test('a replicating write that does not know all that is stored is a conflict, whatever revision it names', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store.records('comments').insert(comment(store));
  const theirs: Comment = { ...made, text: 'Theirs', hlc: stampFields(made.hlc, ['text'], peer().next()) };
  await store.records('comments').change(made.id, (record) => ({ ...record, level: 5 }));
  const instance = store.collection('comments').storageInstance.originalStorageInstance;
  const [stored] = await instance.findDocumentsById([made.key], false);
  const write = (record: Comment) =>
    instance.bulkWrite(
      [
        {
          previous: stored!,
          document: {
            ...record,
            _deleted: false,
            _attachments: {},
            _meta: getDefaultRxDocumentMeta(),
            _rev: createRevision('peer', stored),
          },
        },
      ],
      'replication-master-write',
    );
  const { error } = await write(theirs);
  expect(error).toMatchObject([{ status: 409, documentInDb: { level: 5 } }]);
  const knowing: Comment = {
    ...theirs,
    level: 5,
    hlc: stampFields(store.records('comments').get(made.id)!.hlc, ['text'], peer().next()),
  };
  expect((await write(knowing)).error).toEqual([]);
});

test('the feed gives each record once, as it is now, in write order and in pages', async () => {
  const store = await temporaryStore();
  const made = await store
    .records('comments')
    .insertMany(Array.from({ length: 250 }, (_, number) => comment(store, { text: `${number}` })));
  await store.records('comments').change(made[0]!.id, (record) => ({ ...record, text: 'first, changed' }));
  await categories(store).insert(category(store));
  const texts: unknown[] = [];
  let checkpoint = 0;
  for (;;) {
    const page = store.feed.since('comments', checkpoint, 60);
    texts.push(...page.records.map(({ record }) => record['text']));
    checkpoint = page.checkpoint;
    if (page.records.length < 60) break;
  }
  expect(texts).toEqual([...Array.from({ length: 249 }, (_, number) => `${number + 1}`), 'first, changed']);
  expect(store.feed.since('comments', checkpoint, 60)).toEqual({ records: [], checkpoint });
  expect(store.feed.head()).toBeGreaterThan(checkpoint);
});

test('the feed tells which collections a commit changed, tombstones from peers included', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const told: [string[], number][] = [];
  const stop = store.feed.watch((changed, head) => told.push([[...changed].sort(), head]));
  await store.transaction(async () => {
    await categories(store).insert(category(store));
    await store.records('comments').insert(comment(store));
  });
  const stamps = stampDeletion(firstStamps(peer().next()));
  await receive(
    store,
    'comments',
    [{ ...comment(store), id: 20_000_009, key: keyOf(20_000_009), hlc: stamps } as Comment],
    { deleted: true },
  );
  stop();
  await categories(store).insert(category(store));
  const head = store.feed.head();
  expect(told).toEqual([
    [['comments', 'directories'], head - 2],
    [['comments'], head - 1],
  ]);
});

test('[sync 103] a record that was deleted and purged is not brought back, except by an edit that no deletion saw', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const comments = store.records('comments');
  const rows = () =>
    store.sql.prepare(`SELECT key, deleted FROM ${store.table('comments')}`).all() as {
      key: string;
      deleted: number;
    }[];
  const purge = () => store.purgeDeleted(-1000);
  const made = await comments.insert(comment(store));
  await purge();
  expect(comments.get(made.id)).toEqual(made);
  await comments.remove(made.id);
  await purge();
  expect(rows()).toEqual([]);

  // A station that was away longer than that still has it. It is told, and so are all others.
  const head = store.feed.head();
  expect((await receive(store, 'comments', [made])).error).toEqual([]);
  expect(comments.get(made.id)).toBeUndefined();
  expect(rows()).toMatchObject([{ key: made.key, deleted: 1 }]);
  expect(store.feed.since('comments', head, 10).records).toMatchObject([{ deleted: true, record: { key: made.key } }]);
  expect(store.digest('comments')!.records).toBe(0);

  await purge();
  await receive(store, 'comments', [{ ...made, hlc: stampDeletion(made.hlc) }], { deleted: true });
  expect(rows()).toEqual([]);

  const edited = { ...made, text: 'Left', hlc: stampFields(made.hlc, ['text'], peer().next()) };
  await receive(store, 'comments', [edited]);
  expect(comments.get(made.id)?.text).toBe('Left');
  expect(store.records('merges').all()).toMatchObject([{ recordKey: made.key, kept: { value: false } }]);
  expect(store.digest('comments')!.records).toBe(1);
});
