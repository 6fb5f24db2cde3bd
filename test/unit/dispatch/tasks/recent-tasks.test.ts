import { afterAll, beforeAll, expect, test } from 'vitest';
import { followCommits } from '../../../../server/dispatch/tasks/counts/counts.ts';
import { TasksSql, ON_THE_EVENT_LOOP } from '../../../../server/dispatch/tasks/lists/tasks-sql.ts';
import { all, is } from '../../../../server/dispatch/tasks/predicates/predicate.ts';
import { RecentTasks } from '../../../../server/dispatch/tasks/lists/recent-tasks.ts';
import type { Actor } from '../../../../shared/access.ts';
import type { Task } from '../../../../shared/records/index.ts';
import { Chance } from '../../../support/chance.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';
import { newTask } from './town-hall.ts';

const chance = new Chance();
const seed = `WAYPOST_SEED=${chance.seed}`;

let room: ControlRoom;
let superuser: Actor;
let ids: number[];

beforeAll(async () => {
  room = await openControlRoom();
  superuser = await room.person(0, { superuser: true, admin: true });
  const tasks = room.store.records('tasks');
  ids = (
    await tasks.insertMany(
      Array.from({ length: 40 }, () => newTask({ id: tasks.nextId(), organizationId: room.organizationIds[0]! })),
    )
  ).map(({ id }) => id);
});
afterAll(() => room.close());

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const current = all(is('isDeleted', false), is('archived', false));
const page = { sortBy: 'id', direction: 'asc', after: undefined, limit: 500 } as const;

test('a page shows in every turn what the table has in that turn, whatever was changed, taken back, deleted or restored', async () => {
  const { store } = room;
  const tasks = store.records('tasks');
  const recent = new RecentTasks();
  const stop = followCommits(store, (changes) => {
    for (const { record } of changes) recent.forget(record.key);
  });
  const lists = new TasksSql(store.sql, store.table('tasks'), recent);
  const texts = store.sql.prepare(
    `SELECT data FROM ${store.table('tasks')} WHERE deleted=0 AND isDeleted=0 AND archived=0 ORDER BY key`,
  );
  let taken = 0;
  const look = () => {
    const shown = lists.within(ON_THE_EVENT_LOOP, current, page)!;
    expect(shown, seed).toEqual(texts.all().map(({ data }) => JSON.parse(String(data)) as Task));
    taken += shown.filter((task) => recent.get(task.key) === task).length;
  };
  const retitle = (id: number) => tasks.change(id, (task) => ({ ...task, title: `Title ${chance.int(1e9)}` }));
  const writes: ((id: number) => Promise<unknown>)[] = [
    retitle,
    (id) => room.tasks.delete(superuser, id),
    (id) => room.tasks.restore(superuser, id),
    (id) => room.tasks.update(superuser, id, { text: `Text ${chance.int(1e9)}` }),
    (id) =>
      store.transaction(async () => {
        await retitle(id);
        await nextTurn();
        await retitle(id);
      }),
    (id) =>
      store.transaction(async () => {
        await retitle(id);
        await nextTurn();
        throw new Error('taken back');
      }),
    async (id) => {
      await tasks.remove(id);
      await tasks.insert(newTask({ id, title: 'again', organizationId: room.organizationIds[0]! }));
    },
  ];
  for (let round = 0; round < 60; round++) {
    let open = true;
    const writing = Promise.allSettled(
      Array.from({ length: 1 + chance.int(4) }, () => chance.of(writes)(chance.of(ids))),
    ).finally(() => (open = false));
    for (look(); open; look()) await nextTurn();
    await writing;
    look();
  }
  expect(taken, seed).toBeGreaterThan(1000);
  stop();
});

test('a list shows a change in the turn after it was acknowledged', async () => {
  const id = ids[0]!;
  const title = async () =>
    (await room.tasks.lists.page(superuser, { limit: 500 })).find((task) => task.id === id)?.title;
  await room.tasks.restore(superuser, id).catch(() => undefined); // the test before may have deleted it
  await title();
  for (const text of ['Fire', 'Flood', 'Wind']) {
    await room.tasks.update(superuser, id, { title: text });
    expect(await title()).toBe(text);
  }
  await room.tasks.delete(superuser, id);
  expect(await title()).toBeUndefined();
  await room.tasks.restore(superuser, id);
  expect(await title()).toBe('Wind');
});

test('pages that are looked at again are not read again', async () => {
  const { store } = room;
  const recent = new RecentTasks();
  let read = 0;
  const counting = {
    function: () => undefined,
    prepare: (text: string) => {
      const statement = store.sql.prepare(text);
      if (!text.startsWith('SELECT rowid, data')) return statement;
      const all = statement.all.bind(statement);
      return Object.assign(statement, { all: (...values: string[]) => (read++, all(...values)) });
    },
  };
  const lists = new TasksSql(counting as never, store.table('tasks'), recent);
  const look = () => lists.within(ON_THE_EVENT_LOOP, current, page);
  const first = look();
  for (let again = 0; again < 5; again++) expect(look()).toEqual(first);
  expect(read).toBe(1);
});

test('of what was shown the messages that were not asked for longest are forgotten, and long ones are not kept', () => {
  const recent = new RecentTasks(100);
  const [a, b, c, long] = [1, 2, 3, 4].map((id) => newTask({ id })) as [Task, Task, Task, Task];
  recent.add(a, 40);
  recent.add(b, 40);
  recent.get(a.key);
  recent.add(c, 40);
  expect([a, b, c].map(({ key }) => recent.get(key))).toEqual([a, undefined, c]);
  recent.add(c, 60); // in place of the former, not beside it
  expect([a, c].map(({ key }) => recent.get(key))).toEqual([a, c]);
  const large = new RecentTasks();
  large.add(long, 50_001);
  expect(large.get(long.key)).toBeUndefined();
  large.add(long, 50_000);
  expect(large.get(long.key)).toBe(long);
  large.forget(long.key);
  expect(large.get(long.key)).toBeUndefined();
});
