import { expect, test } from 'vitest';
import type { Store } from '../../../server/store/index.ts';
import { stampDeletion, stampFields } from '../../../shared/merge/merge.ts';
import type { MergeRecord, Task, StatusName, Vehicle } from '../../../shared/records/index.ts';
import { comment, draftTask, temporaryDirectory, temporaryStore } from './open-store.ts';
import { peer, receive } from './receive.ts';

function merges(store: Store): readonly MergeRecord[] {
  return store.records('merges').all() as readonly MergeRecord[];
}

test('an edit that a later one overwrote without knowing it stands in merges, once', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store.records('tasks').insert(draftTask(store));
  const ours = await store.records('tasks').change(made.id, (task) => ({ ...task, title: 'Ours', status: 2 }));
  const theirs: Task = { ...made, title: 'Theirs', hlc: stampFields(made.hlc, ['title'], peer().next()) };
  await receive(store, 'tasks', [theirs]);
  expect(store.records('tasks').get(made.id)).toMatchObject({ title: 'Theirs', status: 2 });
  expect(merges(store)).toMatchObject([
    {
      recordCollection: 'tasks',
      recordKey: made.key,
      recordId: made.id,
      taskId: made.id,
      field: 'title',
      kept: { value: 'Theirs', stamp: theirs.hlc.fields['title'] },
      lost: { value: 'Ours', stamp: ours.hlc.fields['title'] },
      resolved: '',
    },
  ]);
  const head = store.feed.head();
  await receive(store, 'tasks', [theirs, ours]);
  expect([merges(store).length, store.feed.head()]).toEqual([1, head]);
});

test('an edit whose author saw what it replaced is no conflict', async () => {
  const [here, there] = [temporaryDirectory(), temporaryDirectory()];
  let first = await temporaryStore({ directory: here, stationNumber: 1 });
  const made = await first.records('tasks').insert(draftTask(first));
  const ours = await first.records('tasks').change(made.id, (task) => ({ ...task, title: 'Ours' }));
  await first.close();
  const second = await temporaryStore({ directory: there, stationNumber: 2 });
  await receive(second, 'tasks', [ours]);
  const knowing = await second.records('tasks').change(made.id, (task) => ({ ...task, title: 'Theirs' }));
  await second.close();
  first = await temporaryStore({ directory: here });
  await receive(first, 'tasks', [knowing]);
  expect(first.records('tasks').get(made.id)?.title).toBe('Theirs');
  expect(merges(first)).toEqual([]);
});

test('two stations that meet the same two edits make the same merge record, and a decision outlives the second', async () => {
  const [here, there] = [temporaryDirectory(), temporaryDirectory()];
  let first = await temporaryStore({ directory: here, stationNumber: 1 });
  const made = await first.records('tasks').insert(draftTask(first));
  await first.close();
  const second = await temporaryStore({ directory: there, stationNumber: 2 });
  await receive(second, 'tasks', [made]);
  const theirs = await second.records('tasks').change(made.id, (task) => ({ ...task, text: 'Theirs' }));
  await second.close();
  first = await temporaryStore({ directory: here });
  const ours = await first.records('tasks').change(made.id, (task) => ({ ...task, text: 'Ours' }));
  await receive(first, 'tasks', [theirs]);
  const [found] = merges(first);
  const decided = await first.records('merges').change(found!.id, (record) => ({ ...record, resolved: 'lost' }));
  await first.close();
  const again = await temporaryStore({ directory: there });
  await receive(again, 'merges', [decided]);
  await receive(again, 'tasks', [ours]);
  expect(merges(again)).toEqual([decided]);
});

test('custom fields and tags that two stations edit each keep their own', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store.records('tasks').insert(draftTask(store, { customValues: { 1: 'a', 2: 'b' } }));
  await store.records('tasks').change(made.id, (task) => ({ ...task, customValues: { 1: 'ours', 2: 'b' } }));
  const hlc = stampFields(made.hlc, ['customValues.2', 'customValues.3'], peer().next());
  await receive(store, 'tasks', [{ ...made, customValues: { 1: 'a', 2: 'theirs', 3: 'new' }, hlc } as Task]);
  expect(store.records('tasks').get(made.id)?.customValues).toEqual({ 1: 'ours', 2: 'theirs', 3: 'new' });
  expect(merges(store)).toEqual([]);

  const vehicles = store.records('vehicles');
  const van = await vehicles.insert({ id: vehicles.nextId(), name: 'Van 12', tagIds: [9, 3], driverIds: [] } as never);
  expect(van.tagIds).toEqual([3, 9]);
  await vehicles.change(van.id, (record) => ({ ...record, tagIds: [3, 5] }));
  const tagged: Vehicle = { ...van, tagIds: [3, 7, 9], hlc: stampFields(van.hlc, ['tagIds.7'], peer().next()) };
  await receive(store, 'vehicles', [tagged]);
  expect(vehicles.get(van.id)?.tagIds).toEqual([3, 5, 7]);
});

test('[sync 33] a custom field that two stations edit goes to the later edit, and the other one stands in merges', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store.records('tasks').insert(draftTask(store, { customValues: { 1: 'a' } }));
  await store.records('tasks').change(made.id, (task) => ({ ...task, customValues: { 1: 'ours' } }));
  const hlc = stampFields(made.hlc, ['customValues.1'], peer().next());
  await receive(store, 'tasks', [{ ...made, customValues: { 1: 'theirs' }, hlc } as Task]);
  expect(merges(store)).toMatchObject([
    { field: 'customValues.1', kept: { value: 'theirs' }, lost: { value: 'ours' } },
  ]);
});

test('what older programs stored, custom fields stamped as one, merges with new edits', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store.records('tasks').insert(draftTask(store, { customValues: { 1: 'a' } }));
  const old: Task = {
    ...made,
    customValues: { 1: 'a', 2: 'old' },
    hlc: { base: made.hlc.base, fields: { customValues: peer().next() } },
  };
  await receive(store, 'tasks', [old]);
  const edited = await store.records('tasks').change(made.id, (task) => ({
    ...task,
    customValues: { ...task.customValues, 2: 'new' },
  }));
  await receive(store, 'tasks', [old, made]);
  expect(store.records('tasks').get(made.id)).toEqual(edited);
  expect(edited.customValues).toEqual({ 1: 'a', 2: 'new' });
  expect(merges(store)).toEqual([]);
});

test('[sync 34] an edit that a logical deletion did not see brings the record back and says so', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store.records('tasks').insert(draftTask(store));
  const deleted = await store.records('tasks').change(made.id, (task) => ({ ...task, isDeleted: true }));
  const edited: Task = { ...made, text: 'Two trees', hlc: stampFields(made.hlc, ['text'], peer().next()) };
  await receive(store, 'tasks', [edited]);
  expect(store.records('tasks').get(made.id)).toMatchObject({ text: 'Two trees', isDeleted: false });
  expect(merges(store)).toMatchObject([
    { field: 'isDeleted', kept: { value: false }, lost: { value: true, stamp: deleted.hlc.fields['isDeleted'] } },
  ]);
  await store.records('tasks').change(made.id, (task) => ({ ...task, isDeleted: true }));
  await receive(store, 'tasks', [edited]);
  expect(store.records('tasks').get(made.id)?.isDeleted).toBe(true);
});

test('a physical deletion that an edit survives stands in merges', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store.records('comments').insert(comment(store));
  await store.records('comments').change(made.id, (record) => ({ ...record, text: 'Left' }));
  await receive(store, 'comments', [{ ...made, hlc: stampDeletion(made.hlc) }]);
  expect(merges(store)).toMatchObject([{ recordCollection: 'comments', field: '', taskId: 1, lost: { value: true } }]);
});

test('a bulk in which hundreds of edits are lost reports each of them', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store
    .records('tasks')
    .insertMany(Array.from({ length: 120 }, (_, number) => draftTask(store, { title: `Task ${number}` })));
  await store.records('tasks').changeMany(
    made.map(({ id }) => id),
    (task) => ({ ...task, title: 'Ours', text: 'Ours' }),
  );
  const clock = peer();
  await receive(
    store,
    'tasks',
    made.map((task) => {
      const hlc = stampFields(task.hlc, ['title', 'text'], clock.next());
      return { ...task, title: 'Theirs', text: 'Theirs', hlc };
    }),
  );
  expect(merges(store).length).toBe(240);
});

test('[sync 36] what every station begins with is no conflict, and older than every edit', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const statuses = store.kind<StatusName>('directories', 'status');
  const seed = { id: 1, kind: 'status', name: 'New', isDeleted: false, visible: true } as const;
  const mine = await statuses.insert(seed, 'seed');
  const clock = peer();
  const renamed: StatusName = { ...mine, name: 'Reported', hlc: stampFields(mine.hlc, ['name'], clock.next()) };
  await receive(store, 'directories', [mine, renamed]);
  expect(statuses.get(1)?.name).toBe('Reported');
  expect(merges(store)).toEqual([]);
});

test('stamps that are malformed are refused', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store.records('tasks').insert(draftTask(store));
  const hlc = { base: made.hlc.base, fields: { '^title': 'x' } };
  const refused = await receive(store, 'tasks', [{ ...made, hlc }]);
  expect(refused).toMatchObject([{ status: 422 }]);
});

test('stamps of a record that one station edits do not grow', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const made = await store.records('tasks').insert(draftTask(store));
  for (const title of ['One', 'Two', 'Three'])
    await store.records('tasks').change(made.id, (task) => ({ ...task, title }));
  expect(Object.keys(store.records('tasks').get(made.id)!.hlc.fields)).toEqual(['title']);
});

test('a station whose clock was set back still reports edits that it made before', async () => {
  let wall = Date.now() + 3 * 3_600_000;
  const store = await temporaryStore({ stationNumber: 1, now: () => wall });
  const made = await store.records('tasks').insert(draftTask(store));
  await store.records('tasks').change(made.id, (task) => ({ ...task, title: 'Ours' }));
  wall -= 3 * 3_600_000;
  const early: Task = { ...made, title: 'Theirs', hlc: stampFields(made.hlc, ['title'], peer().next()) };
  const before = { ...early, hlc: { base: early.hlc.fields['title']!, fields: {} } };
  expect(await receive(store, 'tasks', [before])).toEqual([]);
  expect(merges(store)).toMatchObject([{ field: 'title', lost: { value: 'Theirs' }, kept: { value: 'Ours' } }]);
});
