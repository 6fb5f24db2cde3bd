import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BLOCK, CodedColumn, NotHeld } from '../../../../server/dispatch/tasks/counts/columns/columns.ts';
import { KeptColumns } from '../../../../server/dispatch/tasks/counts/columns/kept-columns.ts';
import { HELD, TaskColumns } from '../../../../server/dispatch/tasks/counts/columns/task-columns.ts';
import { countColumns, statsOfColumns } from '../../../../server/dispatch/tasks/counts/columns/stats-columns.ts';
import { countPredicate, listPredicate } from '../../../../server/dispatch/tasks/predicates/filter.ts';
import {
  always,
  inRange,
  holds,
  is,
  never,
  oneOf,
  type Predicate,
  type ScalarField,
} from '../../../../server/dispatch/tasks/predicates/predicate.ts';
import { ReadingThread } from '../../../../server/dispatch/tasks/threads/reading-thread.ts';
import { countByStatus, readStats } from '../../../../server/dispatch/tasks/counts/stats-sql.ts';
import type { Actor } from '../../../../shared/access.ts';
import type { Task } from '../../../../shared/records/index.ts';
import { Chance } from '../../../support/chance.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';
import { newTask } from './town-hall.ts';

const chance = new Chance();
const seed = `WAYPOST_SEED=${chance.seed}`;
const LAST_ID = 2_147_483_647;
const LAST_INSTANT = 9_007_199_254_740_990;
const NOON = Date.UTC(2026, 5, 1, 12);

let room: ControlRoom;
let superuser: Actor;
let table: string;

beforeAll(async () => {
  room = await openControlRoom();
  superuser = await room.person(0, { superuser: true, admin: true });
  table = room.store.table('tasks');
});
afterAll(() => room.close());

/** Any that the schema lets in; few values and the ends of what there is. */
function randomTask(id: number): Task {
  const someId = () => chance.of([0, 1, 2, 3, LAST_ID]);
  const number = () => chance.of([0, 0, 1, 2, 1_000_000]);
  const instant = () => chance.of([0, NOON, NOON + chance.int(20), LAST_INSTANT]);
  return newTask({
    id,
    organizationId: someId(),
    authorId: someId(),
    typeId: someId(),
    categoryId: someId(),
    status: 1 + chance.int(4),
    confirmed: chance.int(3),
    assignedOrganizationId: someId(),
    assignedUserId: someId(),
    assignedVehicleId: someId(),
    restricted: chance.maybe(),
    archived: chance.maybe(0.3),
    isDeleted: chance.maybe(0.2),
    notice: chance.int(3),
    date: instant(),
    updatedAt: instant(),
    statusSince: instant(),
    point: chance.maybe() ? { lon: 1, lat: 2, zoom: chance.int(20) } : null,
    photos: number(),
    videos: number(),
    files: number(),
    sounds: number(),
  });
}

const HELD_FIELDS = HELD.filter((field) => field !== 'has-point');
const OTHERS: readonly ScalarField[] = ['id', 'statusSince'];

function randomPredicate(depth: number, fields: readonly ScalarField[]): Predicate {
  const value = () =>
    chance.of([0, 1, 2, 3, 4, LAST_ID, NOON, NOON + chance.int(20), 1_000_000, LAST_INSTANT, -1, 1.5]);
  const parts = () => Array.from({ length: 1 + chance.int(3) }, () => randomPredicate(depth - 1, fields));
  switch (depth > 0 ? chance.int(8) : 4 + chance.int(4)) {
    case 0:
    case 1:
      return { kind: 'all', of: parts() };
    case 2:
      return { kind: 'any', of: parts() };
    case 3:
      return { kind: 'not', of: randomPredicate(depth - 1, fields) };
    case 4:
      return oneOf(chance.of(fields), [value(), value()]);
    case 5:
      return inRange(chance.of(fields), chance.maybe() ? value() : -Infinity, chance.maybe() ? value() : Infinity);
    case 6:
      return is(chance.of(fields), value());
    default:
      return chance.of([always, never, { kind: 'has-point' }]);
  }
}

function inTransaction<R>(read: () => R): R {
  room.store.sql.exec('BEGIN');
  try {
    return read();
  } finally {
    room.store.sql.exec('COMMIT');
  }
}

/** Some writes of every kind, acknowledged or undone. */
async function change(): Promise<void> {
  const tasks = room.store.records('tasks');
  const present = tasks.all().map(({ id }) => id);
  const some = () => chance.of(present);
  const writes: (() => Promise<unknown>)[] = [
    () => tasks.insertMany(Array.from({ length: 1 + chance.int(20) }, () => randomTask(tasks.nextId()))),
    () => {
      const id = some();
      return tasks.change(id, () => randomTask(id));
    },
    () => tasks.change(some(), (task) => ({ ...task, isDeleted: !task.isDeleted })),
    () => tasks.change(some(), (task) => ({ ...task, status: 1 + (task.status % 4) })),
    () => tasks.remove(some()),
    async () => {
      const id = some();
      await tasks.remove(id);
      if (chance.maybe()) await purge();
      await tasks.insert(randomTask(id));
    },
    purge,
    () =>
      room.store.transaction(async () => {
        await tasks.insert(randomTask(tasks.nextId()));
        await tasks.remove(some());
        throw new Error('taken back');
      }),
  ];
  // One may remove what another wants to change.
  for (let number = chance.int(4); number >= 0; number--)
    await chance
      .of(writes)()
      .catch(() => undefined);
}

/** Deleted messages are gone for good. */
async function purge(): Promise<void> {
  while (!(await room.store.collection('tasks').storageInstance.cleanup(-1000)));
}

test('what is counted in columns is what SQL counts, and what looking at each message gives, whatever was written meanwhile', async () => {
  const { sql, file } = room.store;
  const tasks = room.store.records('tasks');
  await tasks.insertMany(Array.from({ length: 300 }, () => randomTask(tasks.nextId())));
  const kept = new KeptColumns(sql, file, table, { mostChanged: 60 });
  let [fromColumns, readAnew] = [0, 0];
  await kept.read();
  for (let round = 0; round < 150; round++) {
    await change();
    const held = chance.maybe(0.9);
    const predicate = randomPredicate(3, held ? HELD_FIELDS : [...HELD_FIELDS, ...OTHERS]);
    inTransaction(() => {
      const columns = kept.now();
      if (!columns) return void readAnew++;
      const about = `${seed} round ${round}: ${JSON.stringify(predicate)}`;
      const [count, stats] = [countColumns(columns, predicate), statsOfColumns(columns, predicate)];
      if (held) expect(count, about).toBeDefined();
      if (!count) return;
      fromColumns++;
      expect(count, about).toEqual(countByStatus(sql, table, predicate));
      expect(stats, about).toEqual(readStats(sql, table, predicate));
      const all = tasks.all().filter((task) => holds(predicate, task));
      expect(count, about).toEqual(
        [0, 1, 2, 3, 4].map((status) => all.filter((task) => task.status === status).length),
      );
    });
    await kept.read();
  }
  expect(fromColumns, seed).toBeGreaterThan(50);
  expect(readAnew, seed).toBeGreaterThan(0); // something was purged before it was seen to be deleted
});

test('what is written while the columns are read aside is in them afterwards', async () => {
  const { sql, file } = room.store;
  const tasks = room.store.records('tasks');
  let compared = 0;
  for (let round = 0; round < 10; round++) {
    const kept = new KeptColumns(sql, file, table);
    const reading = kept.read();
    const writing = change();
    await Promise.all([reading, writing]);
    inTransaction(() => {
      const columns = kept.now();
      if (!columns) return;
      compared++;
      expect(countColumns(columns, always), seed).toEqual(
        [0, 1, 2, 3, 4].map((status) => tasks.all().filter((task) => task.status === status).length),
      );
    });
  }
  expect(compared, seed).toBeGreaterThan(0);
});

test('a deletion that was purged before it was seen, too many changes and a sequence that went back have all read again', async () => {
  const { sql, file } = room.store;
  const tasks = room.store.records('tasks');
  const kept = new KeptColumns(sql, file, table, { mostChanged: 5 });
  const known = () => inTransaction(() => kept.now() !== undefined);
  const add = async (number: number) =>
    (await tasks.insertMany(Array.from({ length: number }, () => randomTask(tasks.nextId())))).map(({ id }) => id);
  expect(known()).toBe(false);
  await kept.read();
  const [id] = await add(5);
  expect(known()).toBe(true);
  await tasks.remove(id!);
  await purge();
  expect(known()).toBe(false);
  await kept.read();
  expect(known()).toBe(true);
  const [seen] = await add(1);
  await tasks.remove(seen!);
  expect(known()).toBe(true);
  await purge(); // of what was seen to be deleted
  expect(known()).toBe(true);
  await add(6);
  expect(known()).toBe(false);
  await kept.read();
  const heads = new DatabaseSync(file, { timeout: 5000 });
  heads.exec('UPDATE heads SET seq = seq - 100');
  expect(known()).toBe(false);
  heads.exec('UPDATE heads SET seq = seq + 100');
  heads.close();
});

test('a value that our rules do not allow is left to SQL for good, and the log says so once', async () => {
  const { sql, file } = room.store;
  const tasks = room.store.records('tasks');
  const said: string[] = [];
  const kept = new KeptColumns(sql, file, table, { warn: (message) => said.push(message), now: () => 1e9 });
  await kept.read();
  const { id } = await tasks.insert({ ...randomTask(tasks.nextId()), notice: 7 });
  expect(inTransaction(() => kept.now())).toBeUndefined();
  await kept.read();
  expect(inTransaction(() => kept.now())).toBeUndefined();
  expect(said.splice(0)).toEqual([
    'Tasks cannot be counted in memory (notice is 7). SQL counts them, more slowly, until the station restarts.',
  ]);
  const other = new KeptColumns(sql, file, table, { warn: (message) => said.push(message) });
  await other.read();
  expect(inTransaction(() => other.now())).toBeUndefined();
  expect(said).toHaveLength(1);
  await tasks.remove(id);
});

test('columns that cannot be read are retried after a minute; the log says once that they are missing, and once that they are back', async () => {
  const { sql, file } = room.store;
  const said: string[] = [];
  let now = 5_000;
  const kept = new KeptColumns(sql, file, table, { warn: (message) => said.push(message), now: () => now });
  const known = () => inTransaction(() => kept.now() !== undefined);
  await withoutIndex(file, async () => {
    await kept.read();
    expect([known(), said.splice(0)]).toEqual([
      false,
      [
        expect.stringMatching(
          /^Tasks cannot be counted in memory \(no such index: .+\)\. SQL counts them, more slowly\. Retrying every minute\.$/,
        ),
      ],
    ]);
    now += 60_000;
    await kept.read();
    expect([known(), said]).toEqual([false, []]);
  });
  now += 59_999;
  await kept.read();
  expect(known()).toBe(false);
  now += 1;
  await kept.read();
  expect([known(), said]).toEqual([true, ['Tasks are counted in memory again.']]);
});

test('codes grow from one byte to two, and no further', () => {
  const column = new CodedColumn();
  column.grow();
  column.grow();
  for (let value = 0; value < 2 ** 16; value++) column.set(value, value * 3);
  const meant = (row: number) => column.values[column.block(Math.floor(row / BLOCK))[row % BLOCK]!];
  for (const row of [0, 1, 254, 255, 256, 257, 65_535]) expect(meant(row)).toBe(row * 3);
  expect(meant(BLOCK + 7)).toBe(0);
  expect(() => column.set(3, -1)).toThrow(NotHeld);
});

test('columns of several blocks count what is in each of them', () => {
  const columns = new TaskColumns();
  const made = Array.from({ length: 3 * BLOCK }, (_, row) =>
    chance.maybe(0.02) || row === BLOCK ? { row, task: randomTask(row) } : undefined,
  ).filter((one) => one !== undefined);
  const values = (task: Task) =>
    HELD.map((field) => (field === 'has-point' ? Number(task.point !== null) : Number(task[field])));
  for (const { row, task } of made) columns.set(row, values(task));
  const gone = new Set(made.filter(() => chance.maybe(0.1)));
  for (const { row } of gone) columns.remove(row);
  for (let round = 0; round < 20; round++) {
    const predicate = randomPredicate(3, HELD_FIELDS);
    const hits = made.filter((one) => !gone.has(one) && holds(predicate, one.task));
    expect(countColumns(columns, predicate), `${seed} ${JSON.stringify(predicate)}`).toEqual(
      [0, 1, 2, 3, 4].map((status) => hits.filter(({ task }) => task.status === status).length),
    );
  }
});

test('the thread that counts answers from columns, and from new ones after it ended', async () => {
  const { sql, file } = room.store;
  const tasks = room.store.records('tasks');
  const thread = new ReadingThread(room.store, { counts: true });
  const which = { actor: superuser, rules: [], count: {} };
  const expected = () => readStats(sql, table, countPredicate(superuser, {}, []));
  expect(await thread.stats(which)).toEqual(expected());
  // by now the thread reads the columns, along the index that is about to go
  expect(await thread.stats(which)).toEqual(expected());
  const before = expected();
  await withoutIndex(file, async () => {
    // SQL cannot answer any more: the columns give each answer.
    await expect.poll(() => thread.stats(which).catch(() => undefined)).toEqual(before);
    const { status } = await tasks.insert({ ...randomTask(tasks.nextId()), isDeleted: false, archived: false });
    const { total } = await thread.stats(which);
    expect(total).toEqual(before.total.map((count, at) => count + Number(at === status)));
    expect(await thread.count({ actor: superuser, rules: [], list: {} })).toEqual({
      byStatus: total,
      seq: Number(sql.prepare('SELECT seq FROM heads').get()!['seq']),
    });
  });
  await thread.kill();
  await tasks.insert({ ...randomTask(tasks.nextId()), isDeleted: false, archived: false });
  expect(await thread.stats(which)).toEqual(expected());
  await thread.close();
});

/** Does something while the index is gone by which SQL counts. */
async function withoutIndex(file: string, work: () => Promise<void>): Promise<void> {
  const sql = new DatabaseSync(file, { timeout: 5000 });
  const { name, sql: create } = sql
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND name LIKE '% by everything(%'`)
    .get() as { name: string; sql: string };
  sql.exec(`DROP INDEX "${name}"`);
  try {
    await work();
  } finally {
    sql.exec(create);
    sql.close();
  }
}

test('what columns do not hold is asked of SQL', () => {
  const columns = new TaskColumns();
  expect(countColumns(columns, is('statusSince', 1))).toBeUndefined();
  expect(countColumns(columns, { kind: 'test', name: 'x', test: () => true })).toBeUndefined();
  expect(statsOfColumns(columns, { kind: 'not', of: is('id', 1) })).toBeUndefined();
  // All that lists and counts can be narrowed by is held.
  const everything = {
    confirmed: 1,
    withAssigned: true,
    withClosed: true,
    onlyAssigned: true,
    onlyStatus: [1],
    categoryIds: [1],
    typeIds: [1],
    hasPoint: true,
    hasPhoto: true,
    hasVideo: true,
    hasFile: true,
    hasAudio: true,
    organizationIds: [1],
    assignedOrganizationIds: [1],
    from: 1,
    until: 2,
    updatedAfter: 1,
    updatedBefore: 2,
  };
  expect(
    countColumns(
      columns,
      listPredicate({ ...superuser, role: { ...superuser.role, superuser: false } }, everything, []),
    ),
  ).toEqual([0, 0, 0, 0, 0]);
  expect(countColumns(columns, countPredicate(superuser, { from: 1, until: 2, statusIds: [1] }, []))).toEqual([
    0, 0, 0, 0, 0,
  ]);
});
