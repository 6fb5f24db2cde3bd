import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CountFilter } from '../../../../server/dispatch/tasks/index.ts';
import { countPredicate } from '../../../../server/dispatch/tasks/predicates/filter.ts';
import { readStats } from '../../../../server/dispatch/tasks/counts/stats-sql.ts';
import { mayDo, type Actor } from '../../../../shared/access.ts';
import type { Task } from '../../../../shared/records/index.ts';
import { Chance } from '../../../support/chance.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';
import { newTask } from './town-hall.ts';

const chance = new Chance();
const seed = `WAYPOST_SEED=${chance.seed}`;
const NOON = Date.UTC(2026, 5, 1, 12);

let room: ControlRoom;
let people: Actor[];

beforeAll(async () => {
  room = await openControlRoom();
  const urgent = await room.addRule({ field: 'title', sign: '=', value: 'Fire' });
  people = [
    await room.person(0, { superuser: true, admin: true }),
    await room.person(0, {}),
    await room.person(1, { admin: true, accesses: [] }),
    await room.person(2, { accesses: [{ id: 1, capability: 'view', stateIds: [urgent.id] }] }),
    await room.person(2, { accesses: [] }),
  ];
  const tasks = room.store.records('tasks');
  await tasks.insertMany(
    Array.from({ length: 500 }, () =>
      newTask({
        id: tasks.nextId(),
        title: chance.of(['Fire', 'Pipe']),
        organizationId: chance.of(room.organizationIds),
        typeId: chance.of(room.typeIds),
        categoryId: chance.int(3),
        status: 1 + chance.int(4),
        assignedOrganizationId: chance.of([0, ...room.organizationIds]),
        assignedUserId: chance.of([0, chance.of(people).user.id]),
        archived: chance.maybe(0.3),
        isDeleted: chance.maybe(0.1),
        date: NOON + chance.int(20) * 1000,
      }),
    ),
  );
});
afterAll(() => room.close());

/** The same by looking at every message, through the access rules themselves. */
function naive(actor: Actor, { from = -Infinity, until = Infinity, withArchive }: CountFilter) {
  const seen = room.store
    .records('tasks')
    .all()
    .filter(
      (task) =>
        !task.isDeleted &&
        (withArchive || !task.archived) &&
        task.date >= from &&
        task.date <= until &&
        mayDo(actor, 'view', task, room.tasks.rules()),
    );
  const byStatus = (tasks: readonly Task[]) =>
    [0, 1, 2, 3, 4].map((status) => tasks.filter((task) => task.status === status).length);
  const by = (field: 'categoryId' | 'typeId' | 'organizationId' | 'assignedOrganizationId') =>
    [...new Set(seen.map((task) => task[field]))]
      .filter((id) => id !== 0)
      .sort((a, b) => a - b)
      .map((id) => [id, byStatus(seen.filter((task) => task[field] === id))]);
  return {
    total: byStatus(seen),
    categories: by('categoryId'),
    types: by('typeId'),
    organizations: by('organizationId'),
    assignedOrganizations: by('assignedOrganizationId'),
  };
}

test('statistics are what one counts by hand, for every kind of reader and whatever the bounds', async () => {
  for (let round = 0; round < 40; round++) {
    const actor = chance.of(people);
    const bound = () => (chance.maybe() ? NOON + chance.int(20) * 1000 : undefined);
    const filter: CountFilter = { from: bound(), until: bound(), withArchive: chance.maybe() };
    expect(await room.tasks.lists.stats(actor, filter), `${seed} ${JSON.stringify(filter)}`).toEqual(
      naive(actor, filter),
    );
  }
});

test('a count with bounds of time is the same as one that is kept', async () => {
  for (const actor of people) {
    const filter: CountFilter = { typeIds: room.typeIds.slice(0, 3), statusIds: [1, 4] };
    expect(await room.tasks.lists.count(actor, { ...filter, from: 0 }), seed).toEqual(
      await room.tasks.lists.count(actor, filter),
    );
  }
});

test('what was acknowledged is counted by the next question, also while others are asked', async () => {
  const [superuser] = people as [Actor];
  for (let round = 0; round < 40; round++) {
    const before = (await room.tasks.lists.stats(superuser, {})).total[1]!;
    const busy = [
      room.tasks.lists.stats(superuser, {}),
      room.tasks.lists.stats(superuser, {}),
      room.tasks.lists.stats(superuser, {}),
    ];
    const { id } = await room.tasks.create(superuser, { title: 'New', typeId: room.typeIds[0]! });
    expect((await room.tasks.lists.stats(superuser, {})).total[1]).toBe(before + 1);
    await Promise.all(busy);
    await room.tasks.delete(superuser, id);
  }
});

test('statistics read no message: all they count by stands in one index', () => {
  const [superuser, member] = people as [Actor, Actor];
  for (const actor of [superuser, member]) {
    const program = programOf(actor);
    expect(program.filter(({ opcode, p4 }) => opcode.endsWith('Function') && String(p4).startsWith('json_'))).toEqual(
      [],
    );
    expect(program.some(({ opcode }) => opcode.startsWith('Sorter'))).toBe(false);
  }
  // A rule over the title can only be asked of the message itself.
  expect(
    programOf(people[3]!).some(
      ({ opcode, p4 }) => opcode.endsWith('Function') && String(p4).startsWith('message_passes'),
    ),
  ).toBe(true);
});

/** What SQLite would do, step by step. */
function programOf(actor: Actor): { opcode: string; p4: unknown }[] {
  const program: { opcode: string; p4: unknown }[] = [];
  const { sql } = room.store;
  const explaining = {
    function: sql.function.bind(sql),
    prepare: (text: string) => ({
      iterate: (...values: number[]) => {
        expect(text).toContain(' INDEXED BY "'); // of a table of this size SQLite would take it by itself
        for (const row of sql.prepare(`EXPLAIN ${text}`).all(...values))
          program.push({ opcode: String(row['opcode']), p4: row['p4'] });
        return [];
      },
    }),
  };
  readStats(
    explaining as never,
    room.store.table('tasks'),
    countPredicate(actor, { from: NOON, until: NOON + 1000 }, room.tasks.rules()),
  );
  return program;
}
