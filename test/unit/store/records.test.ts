import { expect, test } from 'vitest';
import { stampOf } from '../../../shared/merge/merge.ts';
import type { Change } from '../../../server/store/index.ts';
import type { Category, Comment } from '../../../shared/records/index.ts';
import { categories, category, comment, temporaryDirectory, temporaryStore } from './open-store.ts';

test('ids carry the number of the station, count by kind, and are never given twice', async () => {
  const directory = temporaryDirectory();
  const store = await temporaryStore({ directory, stationNumber: 17 });
  const first = await categories(store).insert(category(store));
  expect([first.id, first.key]).toEqual([170_000_001, 'category:0170000001']);
  expect(store.kind('directories', 'status').nextId()).toBe(170_000_001);
  const unused = categories(store).nextId();
  await categories(store).remove(first.id);
  await store.close();

  const again = await temporaryStore({ directory });
  expect(again.stationNumber).toBe(17);
  expect(categories(again).nextId()).toBe(unused + 1);
});

test('a seeded record brings its own id, which is not given again', async () => {
  const store = await temporaryStore();
  await categories(store).insert(category(store, { id: 40 }));
  expect(categories(store).nextId()).toBe(41);
});

test('what is inserted is there when the promise resolves, in memory, by SQL, through RxDB and after opening again', async () => {
  const directory = temporaryDirectory();
  const store = await temporaryStore({ directory });
  const made = await store.records('comments').insert(comment(store));
  expect(store.records('comments').get(made.id)).toEqual(made);
  const row = store.sql
    .prepare(`SELECT data, at, deleted, seq FROM ${store.table('comments')} WHERE taskId = 1`)
    .get()!;
  expect([JSON.parse(row['data'] as string), row['at'], row['deleted']]).toEqual([made, made.at, 0]);
  expect(
    (
      await store
        .collection('comments')
        .findOne({ selector: { taskId: 1 } })
        .exec()
    )?.toJSON(),
  ).toEqual(made);
  await store.close();
  const again = await temporaryStore({ directory });
  expect(again.records('comments').all()).toEqual([made]);
});

test('an id that exists is refused, and of many nothing is written', async () => {
  const store = await temporaryStore();
  const made = await categories(store).insert(category(store));
  await expect(categories(store).insertMany([category(store), { ...made, name: 'Again' }])).rejects.toMatchObject({
    kind: 'conflict',
  });
  expect(categories(store).all()).toEqual([made]);
});

test('a change stamps the fields that differ, and only those', async () => {
  let wall = 1_700_000_000_000;
  const store = await temporaryStore({ now: () => wall });
  const made = await categories(store).insert(category(store));
  wall += 1000;
  const changed = await categories(store).change(made.id, (record) => ({ ...record, name: 'Smoke', icon: '' }));
  expect(Object.keys(changed.hlc.fields)).toEqual(['name']);
  expect(changed.hlc.base).toBe(made.hlc.base);
  expect(stampOf(changed.hlc, 'name') > made.hlc.base).toBe(true);
  expect(categories(store).get(made.id)).toEqual(changed);
});

test('a change that changes nothing writes nothing', async () => {
  const store = await temporaryStore();
  const made = await categories(store).insert(category(store));
  const head = store.feed.head();
  expect(await categories(store).change(made.id, (record) => record)).toEqual(made);
  expect(await categories(store).change(made.id, (record) => ({ ...record }))).toEqual(made);
  expect(store.feed.head()).toBe(head);
});

test('many are changed as one is: each that differs is stamped and told of, and all or none is written', async () => {
  const store = await temporaryStore();
  const made = await categories(store).insertMany(['Fire', 'Flood', 'Theft'].map((name) => category(store, { name })));
  const told: Change<Category>[] = [];
  categories(store).watch((changes) => told.push(...changes));
  const head = store.feed.head();
  const ids = made.map(({ id }) => id);
  const changed = await categories(store).changeMany(ids, (record) => ({
    ...record,
    name: record.name === 'Flood' ? record.name : `${record.name}!`,
  }));
  expect(changed.map(({ name }) => name)).toEqual(['Fire!', 'Flood', 'Theft!']);
  expect(changed[1]).toEqual(made[1]);
  for (const i of [0, 2]) {
    expect(changed[i]!.hlc.base).toBe(made[i]!.hlc.base);
    expect(Object.keys(changed[i]!.hlc.fields)).toEqual(['name']);
    expect(stampOf(changed[i]!.hlc, 'name') > made[i]!.hlc.base).toBe(true);
  }
  expect(told.map(({ record, before }) => [before?.name, record.name])).toEqual([
    ['Fire', 'Fire!'],
    ['Theft', 'Theft!'],
  ]);
  expect(store.feed.since('directories', head, 10).records.map(({ record }) => record['name'])).toEqual([
    'Fire!',
    'Theft!',
  ]);

  await expect(
    categories(store).changeMany([ids[0]!, 404], (record) => ({ ...record, name: 'Lost' })),
  ).rejects.toMatchObject({ kind: 'not-found' });
  expect(categories(store).get(ids[0]!)!.name).toBe('Fire!');
});

test('key, id and stamps are not for a rule to change', async () => {
  const store = await temporaryStore();
  const made = await categories(store).insert(category(store));
  const changed = await categories(store).change(made.id, (record) => ({
    ...record,
    id: 99,
    key: 'x',
    hlc: { base: '', fields: {} },
    importance: 2,
  }));
  expect(changed).toMatchObject({ id: made.id, key: made.key, importance: 2, hlc: { base: made.hlc.base } });
});

test('changes of one record at once are all kept', async () => {
  const store = await temporaryStore();
  const made = await categories(store).insert(category(store, { importance: 0 }));
  await Promise.all(
    Array.from({ length: 200 }, () =>
      categories(store).change(made.id, (record) => ({ ...record, importance: record.importance + 1 })),
    ),
  );
  expect(categories(store).get(made.id)?.importance).toBe(200);
});

test('a rule that throws writes nothing, and its error is passed on', async () => {
  const store = await temporaryStore();
  const made = await categories(store).insert(category(store));
  await expect(
    categories(store).change(made.id, () => {
      throw new Error('Van 12 is off duty.');
    }),
  ).rejects.toThrow('Van 12 is off duty.');
  await expect(categories(store).change(404, (record) => record)).rejects.toMatchObject({ kind: 'not-found' });
  expect(categories(store).all()).toEqual([made]);
});

test('a removed record is gone for readers, stays as a tombstone in the feed, and its key may come back', async () => {
  const store = await temporaryStore();
  const made = await categories(store).insert(category(store));
  await categories(store).remove(made.id);
  expect([categories(store).get(made.id), categories(store).all(), categories(store).count()]).toEqual([
    undefined,
    [],
    0,
  ]);
  expect(() => categories(store).require(made.id, 'tasks.missing')).toThrow(`There is no task ${made.id}.`);
  expect(store.feed.since('directories', 0, 10).records).toMatchObject([{ deleted: true, record: { name: 'Fire' } }]);
  await expect(categories(store).remove(made.id)).rejects.toMatchObject({ kind: 'not-found' });
  const back = await categories(store).insert({ ...made, name: 'Back' });
  expect(categories(store).all()).toEqual([back]);
  expect(store.feed.since('directories', 0, 10).records).toMatchObject([{ deleted: false, record: { name: 'Back' } }]);
});

test('kinds of one collection do not see each other', async () => {
  const store = await temporaryStore();
  await categories(store).insert(category(store));
  expect(store.kind('directories', 'type').all()).toEqual([]);
  await expect(store.kind('directories', 'type').insert(category(store) as never)).rejects.toThrow(/of the kind/);
  expect(() => store.records('directories')).toThrow(/several kinds/);
});

test('watchers are called once for each commit, with the state before', async () => {
  const store = await temporaryStore();
  const told: (readonly Change<Category>[])[] = [];
  const stop = categories(store).watch((changes) => told.push(changes));
  const made = await categories(store).insert(category(store));
  await Promise.all(
    ['Smoke', 'Flood'].map((name) => categories(store).change(made.id, (record) => ({ ...record, name }))),
  );
  await categories(store).remove(made.id);
  expect(
    told.map((changes) => changes.map(({ record, before, deleted }) => [before?.name, record.name, deleted])),
  ).toEqual([
    [[undefined, 'Fire', false]],
    [
      ['Fire', 'Smoke', false],
      ['Smoke', 'Flood', false],
    ],
    [['Flood', 'Flood', true]],
  ]);
  stop();
  await categories(store).insert(category(store));
  expect(told.length).toBe(3);
});

test('a watcher that throws is reported, and the others are called', async () => {
  const reported: unknown[] = [];
  const store = await temporaryStore({ report: (error) => reported.push(error) });
  let told = 0;
  categories(store).watch(() => {
    throw new Error('broken watcher');
  });
  categories(store).watch(() => told++);
  await categories(store).insert(category(store));
  expect([told, String(reported[0])]).toEqual([1, 'Error: broken watcher']);
});

test('what is written in a transaction is seen in it, and by others when it is committed', async () => {
  const store = await temporaryStore();
  const made = await categories(store).insert(category(store));
  let inside!: () => void;
  const reached = new Promise<void>((resolve) => (inside = resolve));
  let resume!: () => void;
  const told = new Promise<void>((resolve) => (resume = resolve));
  const transaction = store.transaction(async () => {
    await categories(store).change(made.id, (record) => ({ ...record, name: 'Smoke' }));
    const comments = await store.records('comments').insertMany([comment(store), comment(store)]);
    expect(categories(store).get(made.id)?.name).toBe('Smoke');
    expect(
      categories(store)
        .all()
        .map((record) => record.name),
    ).toEqual(['Smoke']);
    expect([store.records('comments').count(), store.records('comments').get(comments[0]!.id)]).toEqual([
      2,
      comments[0],
    ]);
    inside();
    await told;
  });
  await reached;
  expect([categories(store).get(made.id)?.name, store.records('comments').count()]).toEqual(['Fire', 0]);
  resume();
  await transaction;
  expect([categories(store).get(made.id)?.name, store.records('comments').count()]).toEqual(['Smoke', 2]);
});

test('a transaction that throws leaves no trace in any collection, in memory or on disk, and tells nobody', async () => {
  const directory = temporaryDirectory();
  const store = await temporaryStore({ directory });
  const made = await categories(store).insert(category(store));
  const told: unknown[] = [];
  categories(store).watch((changes) => told.push(changes));
  const failing = store.transaction(async () => {
    await categories(store).change(made.id, (record) => ({ ...record, name: 'Smoke' }));
    await store.records('comments').insert(comment(store));
    await store.writePlain((sql) => sql.exec("INSERT INTO counters VALUES ('test', 1)"));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect([categories(store).all(), store.records('comments').all(), told]).toEqual([[made], [], []]);
  await store.close();
  const again = await temporaryStore({ directory });
  expect([
    categories(again).all(),
    again.records('comments').all(),
    again.sql.prepare("SELECT * FROM counters WHERE name = 'test'").all(),
  ]).toEqual([[made], [], []]);
});

test('plain tables are written through writePlain only', async () => {
  const store = await temporaryStore();
  await store.writePlain((sql) => sql.exec('CREATE TABLE tokens (hash TEXT)'));
  expect(await store.writePlain((sql) => sql.prepare('INSERT INTO tokens VALUES (?)').run('abc').changes)).toBe(1);
  expect(store.sql.prepare('SELECT hash FROM tokens').all()).toEqual([{ hash: 'abc' }]);
  expect(() => store.sql.exec("INSERT INTO tokens VALUES ('x')")).toThrow(/readonly/);
});

test('live queries of RxDB follow what records write', async () => {
  const store = await temporaryStore();
  const seen: string[][] = [];
  const query = store.collection('comments').find({ selector: { taskId: 7 }, sort: [{ at: 'desc' }] });
  const subscription = query.$.subscribe((found) => seen.push(found.map((one) => one.text)));
  await query.exec();
  const made = await store.records('comments').insert(comment(store, { taskId: 7, at: 1, text: 'one' }));
  await store
    .records('comments')
    .insertMany([comment(store, { taskId: 7, at: 2, text: 'two' }), comment(store, { taskId: 8, text: 'other' })]);
  await store.records('comments').change(made.id, (record: Comment) => ({ ...record, text: 'ONE' }));
  await store.records('comments').remove(made.id);
  await expect.poll(() => seen.at(-1)).toEqual(['two']);
  expect(seen).toContainEqual(['two', 'ONE']);
  subscription.unsubscribe();
});

test('what is written through RxDB itself is stamped too', async () => {
  const store = await temporaryStore();
  const draft = comment(store);
  const document = await store
    .collection('comments')
    .insert({ ...draft, key: '0000000001', hlc: { base: '', fields: {} } });
  const made = store.records('comments').get(draft.id)!;
  expect(made.hlc.base).toMatch(/^[0-9a-f]{16}-000/);
  await document.incrementalPatch({ text: 'Left' });
  expect(Object.keys(store.records('comments').get(draft.id)!.hlc.fields)).toEqual(['text']);
  await document.getLatest().remove();
  expect(store.records('comments').get(draft.id)).toBeUndefined();
  expect(store.feed.since('comments', 0, 9).records[0]!.record).toMatchObject({
    hlc: { fields: { '~': made.hlc.base } },
  });
});

test('writing through RxDB inside a transaction is refused instead of waiting for itself', async () => {
  const store = await temporaryStore();
  const made = await store.records('comments').insert(comment(store));
  await store.transaction(async () => {
    const document = await store.collection('comments').findOne(made.key).exec();
    await expect(document!.incrementalPatch({ text: 'Left' })).rejects.toThrow(/through its records/);
    await store.records('comments').change(made.id, (record) => ({ ...record, level: 1 }));
  });
  expect(store.records('comments').get(made.id)).toMatchObject({ text: made.text, level: 1 });
});

test('a clock set back does not make new edits lose against old ones', async () => {
  let wall = 1_700_000_000_000;
  const directory = temporaryDirectory();
  const store = await temporaryStore({ directory, now: () => wall });
  const made = await categories(store).insert(category(store));
  await store.close();
  wall -= 3_600_000;
  const again = await temporaryStore({ directory, now: () => wall });
  const changed = await categories(again).change(made.id, (record) => ({ ...record, name: 'Smoke' }));
  expect(changed.hlc.fields['name']! > made.hlc.base).toBe(true);
});
