import { afterAll, beforeAll, expect, test } from 'vitest';
import { followCommits, LiveCounts } from '../../../../server/dispatch/tasks/counts/counts.ts';
import {
  countPredicate,
  listPredicate,
  workingSet,
  type ListFilter,
} from '../../../../server/dispatch/tasks/predicates/filter.ts';
import {
  TasksSql,
  type ScanBudget,
  type SortField,
  type WalkPosition,
} from '../../../../server/dispatch/tasks/lists/tasks-sql.ts';
import { countByStatus } from '../../../../server/dispatch/tasks/counts/stats-sql.ts';
import {
  all,
  any,
  inRange,
  holds,
  is,
  never,
  not,
  oneOf,
} from '../../../../server/dispatch/tasks/predicates/predicate.ts';
import { stateRule, visible } from '../../../../server/dispatch/tasks/predicates/visible.ts';
import { mayDo, type Actor } from '../../../../shared/access.ts';
import { matchesStateRule } from '../../../../shared/tasks/state-rules.ts';
import type { Task } from '../../../../shared/records/index.ts';
import { Chance } from '../../../support/chance.ts';
import { times } from '../../../support/long.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';
import { rule, newTask } from './town-hall.ts';

const chance = new Chance();
const seed = `WAYPOST_SEED=${chance.seed}`;
const NOON = Date.UTC(2026, 5, 1, 12);

let room: ControlRoom;
let people: Actor[];
let sql: TasksSql;

beforeAll(async () => {
  room = await openControlRoom();
  sql = new TasksSql(room.store.sql, room.store.table('tasks'));
  const open = await room.addRule({ field: 'assigned_status', sign: '!=', value: 4 });
  const own = await room.addRule({ field: 'user_id', sign: '=', value: null, userField: 'user_id' });
  const titled = await room.addRule({ field: 'title', sign: '=', value: 'Fire' });
  const early = await room.addRule({ field: 'status', sign: '<', value: '3' });
  const typed = await room.addRule({ field: 'news_type_id', sign: 'in', value: room.typeIds.slice(0, 2) });
  const view = (...states: { id: number }[]) => [
    { id: 1, capability: 'view', stateIds: states.map((state) => state.id) },
  ];
  people = [
    await room.person(0, { superuser: true, admin: true }),
    await room.person(0, { superuser: true }),
    await room.person(0, {}),
    await room.person(0, { admin: true, accesses: [] }),
    await room.person(1, { accesses: view(open, own) }),
    await room.person(1, { accesses: view(titled, early) }),
    await room.person(2, { accesses: view(typed) }),
    await room.person(2, { accesses: [] }),
    await room.person(1, { admin: true }),
  ];
  const tasks = room.store.records('tasks');
  await tasks.insertMany(Array.from({ length: 600 }, () => randomTask(tasks.nextId())));
});
afterAll(() => room.close());

/** Few values, so that ties are everywhere. */
function randomTask(id: number): Task {
  return newTask({
    id,
    title: chance.of(['Fire', 'Pipe', '12']),
    organizationId: chance.of(room.organizationIds),
    authorId: chance.of(people).user.id,
    typeId: chance.of(room.typeIds),
    categoryId: chance.int(3),
    status: 1 + chance.int(4),
    confirmed: chance.int(3),
    assignedOrganizationId: chance.of([0, 0, ...room.organizationIds]),
    assignedUserId: chance.of([0, 0, chance.of(people).user.id]),
    archived: chance.maybe(0.2),
    isDeleted: chance.maybe(0.1),
    date: NOON + chance.int(20) * 60_000,
    updatedAt: NOON + chance.int(20) * 60_000,
    point: chance.maybe() ? { lon: 1, lat: 2, zoom: 3 } : null,
    photos: chance.int(2),
    videos: chance.int(2),
    files: chance.int(2),
    sounds: chance.int(2),
  });
}

function everyTask(): Task[] {
  return [...room.store.records('tasks').all()];
}

function randomFilter(): ListFilter {
  const flag = () => (chance.maybe(0.25) ? true : undefined);
  const rules = room.tasks.rules();
  return {
    withAssigned: flag(),
    withClosed: flag(),
    withArchive: flag(),
    onlyMy: flag(),
    onlyAssigned: flag(),
    hasPoint: flag(),
    hasPhoto: flag(),
    hasVideo: flag(),
    hasFile: flag(),
    hasAudio: flag(),
    confirmed: chance.maybe(0.1) ? chance.int(3) : undefined,
    onlyStatus: chance.maybe(0.2) ? [1 + chance.int(4), 1 + chance.int(4)] : undefined,
    onlyStates: chance.maybe(0.15) ? [chance.of(rules).id, chance.of(rules).id] : undefined,
    categoryIds: chance.maybe(0.15) ? [chance.int(3), chance.int(3)] : undefined,
    typeIds: chance.maybe(0.15) ? [chance.of(room.typeIds), chance.of(room.typeIds)] : undefined,
    organizationIds: chance.maybe(0.1) ? [1 + chance.int(3), 1 + chance.int(3)] : undefined,
    assignedOrganizationIds: chance.maybe(0.1) ? [chance.int(3), 1 + chance.int(3)] : undefined,
    from: chance.maybe(0.1) ? NOON + chance.int(20) * 60_000 : undefined,
    until: chance.maybe(0.1) ? NOON + chance.int(20) * 60_000 : undefined,
    updatedAfter: chance.maybe(0.15) ? NOON + chance.int(20) * 60_000 : undefined,
    updatedBefore: chance.maybe(0.15) ? NOON + chance.int(20) * 60_000 : undefined,
  };
}

test('what a person may see is the same as a predicate, in SQL and by the access rules themselves', () => {
  const rules = room.tasks.rules();
  for (const person of people) {
    const predicate = visible(person, rules);
    const byRules = everyTask()
      .filter((task) => !task.isDeleted && mayDo(person, 'view', task, rules))
      .map((task) => task.id);
    expect(
      everyTask()
        .filter((task) => holds(predicate, task))
        .map((task) => task.id),
    ).toEqual(byRules);
    expect(
      sql
        .all(predicate)
        .map((task) => task.id)
        .sort((a, b) => a - b),
    ).toEqual(byRules);
  }
});

test('a state is the same as a predicate, in SQL and by its rule, for every sign', () => {
  const { user } = people[2]!;
  const tasks = everyTask();
  const values: [field: string, ...values: unknown[]][] = [
    ['assigned_status', 2, '3', 2.5, null],
    ['confirmed', 1],
    ['department_id', room.organizationIds[1]],
    ['archive', 't', false],
    ['title', 'Fire', '12', 12],
    [
      'news_date',
      NOON / 1000 + 300,
      `${new Date(NOON + 300_000).toISOString().slice(0, 19).replace('T', ' ')}+00`,
      NOON,
    ],
    ['assigned_to', 0, 2, 2.5, 10, null],
    ['category_id', 0, '1', 10],
    ['point', null, 1],
    ['customValues.7', 2, '2', 'x'],
    ['num_main_photo', 0, 1],
  ];
  for (const [field, ...compared] of values) {
    for (const sign of ['=', '!=', '<', '>', '<=', '>=', 'in'] as const) {
      for (const value of sign === 'in' ? [[1, 2], ['2', 'Fire'], '1,3', '0,2', [], compared] : compared) {
        const one = rule(99, field, sign, value);
        const byRule = tasks.filter((task) => matchesStateRule(one, task, user)).map((task) => task.id);
        const predicate = stateRule(one, user);
        expect(
          tasks.filter((task) => holds(predicate, task)).map((task) => task.id),
          JSON.stringify(one),
        ).toEqual(byRule);
        expect(
          sql
            .all(predicate)
            .map((task) => task.id)
            .sort((a, b) => a - b),
          JSON.stringify(one),
        ).toEqual(byRule);
      }
    }
  }
});

test('a state over a field of the user is the same as a predicate', () => {
  const { user } = people[2]!;
  for (const field of [
    'id',
    'assigned_status',
    'assigned_to',
    'assigned_user_id',
    'department_id',
    'archive',
    'news_date',
    'title',
    'point',
    'customValues.7',
    'num_main_photo',
  ]) {
    for (const ofUser of ['user_id', 'department_id', 'groupId', 'enabled', 'phone', 'fio', 'nothing']) {
      for (const sign of ['=', '!=', '<', '>', '<=', '>=', 'in'] as const) {
        const one = rule(99, field, sign, null, ofUser);
        const byRule = everyTask()
          .filter((task) => matchesStateRule(one, task, user))
          .map((task) => task.id);
        expect(
          sql
            .all(stateRule(one, user))
            .map((task) => task.id)
            .sort((a, b) => a - b),
          JSON.stringify(one),
        ).toEqual(byRule);
      }
    }
  }
});

test('paging visits every message of a list once, in order, for every sort and whatever the filters', async () => {
  const sorts: SortField[] = ['date', 'updatedAt', 'id', 'authorId', 'typeId', 'categoryId'];
  for (let round = 0; round < times(60, 1500); round++) {
    const person = chance.of(people);
    const filter = randomFilter();
    const [sortBy, direction, limit] = [chance.of(sorts), chance.of(['asc', 'desc'] as const), 1 + chance.int(80)];
    const sign = direction === 'asc' ? 1 : -1;
    const predicate = listPredicate(person, filter, room.tasks.rules());
    const expected = everyTask()
      .filter((task) => holds(predicate, task))
      .sort((a, b) => sign * (a[sortBy] - b[sortBy] || a.id - b.id))
      .map((task) => task.id);
    const visited: number[] = [];
    for (let after = 0; ; after = visited.at(-1)!) {
      const page = await room.tasks.lists.list(person, { ...filter, sortBy, direction, after, limit });
      expect(page.count, seed).toBe(expected.length);
      visited.push(...page.tasks.map((task) => task.id));
      if (page.tasks.length < limit) break;
    }
    expect(visited, `${seed} round ${round}: ${JSON.stringify({ filter, sortBy, direction, limit })}`).toEqual(
      expected,
    );
  }
});

/** What a list holds, as the interface says it, once more and apart from the code. */
function belongs({ user, role }: Actor, filter: ListFilter, task: Task): boolean {
  const toMe = task.assignedUserId === user.id;
  const toMine = task.assignedOrganizationId === user.organizationId;
  const done = task.status === 4;
  const own = role.superuser || task.organizationId === user.organizationId;
  const scope = filter.onlyMy
    ? task.authorId === user.id
    : (own ||
        (filter.withAssigned === true && !done && (toMe || (role.admin && toMine))) ||
        (filter.withClosed === true && done && (toMe || toMine))) &&
      (filter.onlyStatus?.includes(task.status) ?? true);
  const state = (id: number) => {
    const one = room.tasks.rules().find((rule) => rule.id === id)!;
    const values: Record<string, unknown> = {
      assigned_status: task.status,
      user_id: task.authorId,
      title: task.title,
      status: task.status,
      news_type_id: task.typeId,
    };
    const [found, asked] = [values[one.field], one.userField === 'user_id' ? user.id : one.value];
    switch (one.sign) {
      case '=':
        return found === asked;
      case '!=':
        return found !== asked;
      case '<':
        return Number(found) < Number(asked);
      case 'in':
        return (asked as number[]).includes(found as number);
      default:
        throw new Error(`no rule of the test has ${one.sign}`);
    }
  };
  return (
    scope &&
    !task.isDeleted &&
    mayDo({ user, role }, 'view', task, room.tasks.rules()) &&
    (filter.withArchive === true || !task.archived) &&
    (filter.confirmed === undefined || task.confirmed === filter.confirmed) &&
    (!filter.onlyAssigned ||
      task.status === 2 ||
      (task.status === 3 &&
        (task.assignedOrganizationId > 0 || task.assignedUserId > 0 || task.assignedVehicleId > 0))) &&
    (filter.onlyStates?.some(state) ?? true) &&
    (filter.categoryIds?.includes(task.categoryId) ?? true) &&
    (filter.typeIds?.includes(task.typeId) ?? true) &&
    (filter.organizationIds?.includes(task.organizationId) ?? true) &&
    (filter.assignedOrganizationIds?.includes(task.assignedOrganizationId) ?? true) &&
    (filter.from === undefined || task.date >= filter.from) &&
    (filter.until === undefined || task.date <= filter.until) &&
    (!filter.hasPoint || task.point !== null) &&
    (!filter.hasPhoto || task.photos > 0) &&
    (!filter.hasVideo || task.videos > 0) &&
    (!filter.hasFile || task.files > 0) &&
    (!filter.hasAudio || task.sounds > 0) &&
    (filter.updatedAfter === undefined || task.updatedAt > filter.updatedAfter) &&
    (filter.updatedBefore === undefined || task.updatedAt < filter.updatedBefore)
  );
}

const VALUES: Record<SortField, (task: Task) => number> = {
  date: (task) => task.date,
  updatedAt: (task) => task.updatedAt,
  id: (task) => task.id,
  authorId: (task) => task.authorId,
  typeId: (task) => task.typeId,
  categoryId: (task) => task.categoryId,
};

test('every filter, alone and with others, in every order, gives what looking at each message gives', async () => {
  const tasks = everyTask();
  let found = 0;
  for (let round = 0; round < times(100, 2500); round++) {
    const actor = chance.of(people);
    const filter = randomFilter();
    const sortBy = chance.of(Object.keys(VALUES) as SortField[]);
    const direction = chance.of(['asc', 'desc'] as const);
    const sign = direction === 'asc' ? 1 : -1;
    const expected = tasks
      .filter((task) => belongs(actor, filter, task))
      .sort((a, b) => sign * (VALUES[sortBy](a) - VALUES[sortBy](b) || a.id - b.id))
      .map((task) => task.id);
    const listed = await room.tasks.lists.list(actor, { ...filter, sortBy, direction, limit: 500 });
    const asked = `${seed} ${JSON.stringify({ filter, sortBy, direction, user: actor.user.id })}`;
    expect(
      listed.tasks.map((task) => task.id),
      asked,
    ).toEqual(expected.slice(0, 500));
    expect(listed.count, asked).toBe(expected.length);
    found += expected.length;
  }
  expect(found, seed).toBeGreaterThan(100);
});

test('the filters mean what the interface says', async () => {
  const [superuser, , member, admin] = people as [Actor, Actor, Actor, Actor];
  const mine = room.organizationIds[0]!;
  const current = everyTask().filter((task) => !task.archived && !task.isDeleted);
  const ids = async (actor: Actor, filter: ListFilter) =>
    (await room.tasks.lists.list(actor, { ...filter, limit: 500, sortBy: 'id', direction: 'asc' })).tasks.map(
      (task) => task.id,
    );
  const where = (test: (task: Task) => boolean) => current.filter(test).map((task) => task.id);
  expect(await ids(member, {})).toEqual(where((m) => m.organizationId === mine));
  expect(await ids(superuser, {})).toEqual(where(() => true).slice(0, 500));
  expect(await ids(member, { withAssigned: true })).toEqual(
    where((m) => m.organizationId === mine || (m.assignedUserId === member.user.id && m.status !== 4)),
  );
  expect(await ids(member, { withClosed: true })).toEqual(
    where(
      (m) =>
        m.organizationId === mine ||
        (m.status === 4 && (m.assignedUserId === member.user.id || m.assignedOrganizationId === mine)),
    ),
  );
  // An administrator without any access rule sees the own department's; what was assigned to it needs a rule.
  expect(await ids(admin, { withAssigned: true })).toEqual(where((m) => m.organizationId === mine));
  expect(await ids(member, { onlyMy: true, withAssigned: true, onlyStatus: [1] })).toEqual(
    where((m) => m.authorId === member.user.id && mayDo(member, 'view', m, [])),
  );
  expect(await ids(member, { onlyAssigned: true })).toEqual(
    where(
      (m) =>
        m.organizationId === mine &&
        (m.status === 2 || (m.status === 3 && m.assignedOrganizationId + m.assignedUserId > 0)),
    ),
  );
  // What changed at that very moment is neither before nor after it; what is dated then is in both.
  const { updatedAt, date } = current[Math.floor(current.length / 2)]!;
  expect(await ids(superuser, { updatedAfter: updatedAt })).toEqual(
    where((m) => m.updatedAt > updatedAt).slice(0, 500),
  );
  expect(await ids(superuser, { updatedBefore: updatedAt })).toEqual(
    where((m) => m.updatedAt < updatedAt).slice(0, 500),
  );
  expect(await ids(superuser, { from: date, until: date })).toEqual(where((m) => m.date === date));
  expect(await ids(member, { withArchive: true })).toEqual(
    everyTask()
      .filter((m) => !m.isDeleted && m.organizationId === mine)
      .map((m) => m.id),
  );
});

test('paging goes on behind a message that was deleted or moved meanwhile', async () => {
  const [superuser] = people as [Actor];
  const first = (await room.tasks.lists.list(superuser, { limit: 10, sortBy: 'id', direction: 'asc' })).tasks;
  const second = (
    await room.tasks.lists.list(superuser, { limit: 10, sortBy: 'id', direction: 'asc', after: first.at(-1)!.id })
  ).tasks;
  await room.tasks.delete(superuser, first.at(-1)!.id);
  expect(
    (await room.tasks.lists.list(superuser, { limit: 10, sortBy: 'id', direction: 'asc', after: first.at(-1)!.id }))
      .tasks,
  ).toEqual(second);
  await expect(room.tasks.lists.list(superuser, { after: 2_000_000_000 })).rejects.toThrow(
    'newsAfterId: there is no task 2000000000.',
  );
});

test('a page behind a message that one may not see is refused as behind one that does not exist', async () => {
  const [, , member] = people as [Actor, Actor, Actor];
  const hidden = everyTask().find((task) => !task.isDeleted && !mayDo(member, 'view', task, []))!;
  await expect(room.tasks.lists.list(member, { after: hidden.id })).rejects.toMatchObject({
    kind: 'invalid',
    message: `newsAfterId: there is no task ${hidden.id}.`,
  });
});

test('counts stay right while messages come, change and go', async () => {
  const tasks = room.store.records('tasks');
  const check = async (round: string) => {
    for (const person of people) {
      for (const filter of [{}, { withAssigned: true, withClosed: true }, { withArchive: true, hasPoint: true }]) {
        const predicate = listPredicate(person, filter, room.tasks.rules());
        expect((await room.tasks.lists.list(person, { ...filter, limit: 1 })).count, `${seed} ${round}`).toBe(
          everyTask().filter((task) => holds(predicate, task)).length,
        );
      }
      const { total, byStatus } = await room.tasks.lists.count(person, {});
      const seen = everyTask().filter((task) => holds(countPredicate(person, {}, room.tasks.rules()), task));
      expect([total, ...[1, 2, 3, 4].map((status) => byStatus[status])], `${seed} ${round}`).toEqual([
        seen.length,
        ...[1, 2, 3, 4].map((status) => seen.filter((task) => task.status === status).length),
      ]);
    }
  };
  await check('before');
  for (let round = 0; round < times(5, 120); round++) {
    const ids = everyTask().map((task) => task.id);
    await Promise.all([
      tasks.insertMany(Array.from({ length: chance.int(5) }, () => randomTask(tasks.nextId()))),
      ...Array.from({ length: 15 }, () => {
        const id = chance.of(ids);
        return tasks.change(id, () => randomTask(id));
      }),
    ]);
    await tasks.remove(chance.of(ids));
    await check(`round ${round}`);
  }
});

/**
 * Counts at the moment at which it is asked, and answers some turns of the event loop later, as a worker
 * does.
 */
async function countLater(predicate: ReturnType<typeof is>) {
  const counted = {
    byStatus: countByStatus(room.store.sql, room.store.table('tasks'), predicate),
    seq: Number(room.store.sql.prepare('SELECT seq FROM heads').get()!['seq']),
  };
  for (let turn = chance.int(6); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
  return counted;
}

test('what is counted aside is right though messages change meanwhile', async () => {
  const tasks = room.store.records('tasks');
  await tasks.insertMany(Array.from({ length: 500 }, () => randomTask(tasks.nextId())));
  for (let round = 0; round < times(15, 400); round++) {
    const predicate = all(is('confirmed', chance.int(3)), is('typeId', chance.of(room.typeIds)));
    const counts = new LiveCounts();
    const stop = followCommits(room.store, (changes, seq) => counts.follow(changes, seq));
    const ids = everyTask().map((task) => task.id);
    const counting = counts.count(predicate, async () => {
      for (let turn = chance.int(4); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
      return countLater(predicate);
    });
    for (let index = 0; index < 10; index++) {
      const id = chance.of(ids);
      void tasks.change(id, () => randomTask(id));
      if (chance.maybe()) await new Promise((resolve) => setImmediate(resolve));
    }
    await counting;
    await tasks.insert(randomTask(tasks.nextId())); // everything before it is committed, too
    expect((await counts.count(predicate, () => countLater(never))).total, `${seed} round ${round}`).toBe(
      everyTask().filter((task) => holds(predicate, task)).length,
    );
    stop();
  }
});

test('of many filters only those in use are kept counted', async () => {
  let asked = 0;
  const counts = new LiveCounts();
  const count = (type: number) =>
    counts.count(is('typeId', type), async () => (asked++, { byStatus: [0, 1, 0, 0, 0], seq: 0 }));
  for (let type = 0; type < 64; type++) await count(type);
  await count(0);
  expect(asked).toBe(64);
  await count(100); // the 65th: number 1, not asked for longest, is forgotten
  await count(0);
  expect(asked).toBe(65);
  await count(1);
  expect(asked).toBe(66);
});

test('a count that fails is tried again', async () => {
  const counts = new LiveCounts();
  await expect(counts.count(is('typeId', 0), () => Promise.reject(new Error('The disk is gone.')))).rejects.toThrow(
    'The disk is gone.',
  );
  expect(await counts.count(is('typeId', 0), async () => ({ byStatus: [0, 1, 2, 0, 0], seq: 0 }))).toMatchObject({
    total: 3,
  });
});

test('predicates leave out what says nothing', () => {
  const mine = is('organizationId', 1);
  expect(all(mine, any(mine, is('assignedUserId', 7)))).toEqual(mine);
  expect(all(mine, never)).toEqual(never);
  expect(any(never, mine)).toEqual(mine);
  expect(oneOf('typeId', [])).toEqual(never);
  expect(not(not(mine))).toEqual({ kind: 'not', of: { kind: 'not', of: mine } });
  expect(holds(inRange('date', 5), newTask({ date: 5 }))).toBe(true);
});

test('a page is the same however it is come by: along its order, from few candidates, or by looking at everything', () => {
  const ways: ScanBudget[] = [
    { walk: 100_000, read: 10000, narrow: 0 },
    { walk: 1, read: 1, narrow: 100_000 },
    { walk: 300, read: 30, narrow: 2000 },
    { walk: 40, read: 4, narrow: 300 },
    { walk: 1, read: 1, narrow: 0 },
  ];
  const pages = new TasksSql(room.store.sql, room.store.table('tasks'));
  const found = ways.map(() => 0);
  const rounds = 100;
  const tasks = everyTask();
  for (let round = 0; round < rounds; round++) {
    const predicate = listPredicate(chance.of(people), randomFilter(), room.tasks.rules());
    const page = {
      sortBy: chance.of(Object.keys(VALUES) as SortField[]),
      direction: chance.of(['asc', 'desc'] as const),
      after: chance.maybe() ? chance.of(tasks) : undefined,
      limit: 1 + chance.int(60),
    };
    const whole = pages.read(predicate, page).map((task) => task.id);
    for (const [index, way] of ways.entries()) {
      const ids = pages.within([way], predicate, page)?.map((task) => task.id);
      if (ids) found[index]!++;
      expect(ids ?? whole, `${seed} ${JSON.stringify({ predicate, page, way })}`).toEqual(whole);
    }
    const byHand = tasks.filter((task) => holds(predicate, task));
    const sign = page.direction === 'asc' ? 1 : -1;
    const value = VALUES[page.sortBy];
    const order = (a: Task, b: Task) => sign * (value(a) - value(b) || a.id - b.id);
    expect(whole, `${seed} ${JSON.stringify({ predicate, page })}`).toEqual(
      byHand
        .sort(order)
        .filter((task) => !page.after || order(task, page.after) > 0)
        .slice(0, page.limit)
        .map((task) => task.id),
    );
  }
  // Along the order everything is found in the end; from few only where a part of the filter names some; with
  // hardly any effort hardly ever.
  expect(found[0], `${seed} ${found}`).toBe(rounds);
  expect(found[1], `${seed} ${found}`).toBeGreaterThan(rounds / 10);
  expect(found[4], `${seed} ${found}`).toBeLessThan(found[2]!);
});

/** The plans of all that is asked of SQLite. */
function plansOf(ask: (pages: TasksSql) => void): string[] {
  const plans: string[] = [];
  const { sql } = room.store;
  const explain = (text: string, values: (number | string)[]) => {
    // in a table of this size SQLite would find it by itself
    if (text.includes('WHERE deleted=0')) expect(text).toContain(' INDEXED BY "');
    plans.push(
      sql
        .prepare(`EXPLAIN QUERY PLAN ${text}`)
        .all(...values)
        .map((row) => String(row['detail']))
        .join('; '),
    );
  };
  const spying = {
    function: () => undefined,
    prepare: (text: string) => ({
      setReturnArrays: () => undefined,
      all: (...values: number[]) => (explain(text, values), []),
      get: (...values: number[]) => (explain(text, values), sql.prepare(text).get(...values)),
    }),
  };
  ask(new TasksSql(spying as never, room.store.table('tasks')));
  return plans;
}

test('pages are read along an index, without sorting, in every order', () => {
  const orders = ['date', 'updatedAt', 'id', 'authorId', 'typeId', 'categoryId'] as const;
  for (const person of [people[0]!, people[2]!]) {
    for (const filter of [{}, { withAssigned: true, withClosed: true, withArchive: true, categoryIds: [1] }]) {
      for (const sortBy of orders) {
        const plans = plansOf((pages) =>
          pages.within([{ walk: 100_000, read: 10000, narrow: 0 }], listPredicate(person, filter, []), {
            sortBy,
            direction: 'desc',
            after: everyTask()[5],
            limit: 50,
          }),
        );
        expect(plans.length).toBeGreaterThan(0);
        for (const plan of plans) {
          expect(plan).toMatch(/SEARCH .* USING ((COVERING )?INDEX|INTEGER PRIMARY KEY)/);
          expect(plan).not.toContain('TEMP B-TREE');
        }
      }
    }
  }
});

test('a walk gives each message of a working set once, the newest first, a few at a time', () => {
  for (const actor of people) {
    for (const limit of [7, 100]) {
      const predicate = workingSet(actor, room.tasks.rules(), NOON);
      const walked: number[] = [];
      let last: WalkPosition | undefined;
      do {
        const step = sql.walk(predicate, last, limit);
        expect(step.tasks.length).toBeLessThanOrEqual(limit);
        walked.push(...step.tasks.map((task) => task.id));
        last = step.last;
      } while (last);
      const expected = everyTask()
        .filter((task) => holds(predicate, task))
        .sort((a, b) => b.date - a.date || b.id - a.id);
      expect(walked, seed).toEqual(expected.map((task) => task.id));
    }
  }
});

test('a working set holds what is open, and what was done within a day; nothing of the archive', () => {
  const day = 24 * 3_600_000;
  const kept = (more: Partial<Task>) =>
    holds(workingSet(people[0]!, [], NOON), newTask({ date: 0, statusSince: 0, ...more }));
  expect([
    kept({ status: 1 }),
    kept({ status: 3 }),
    kept({ status: 4, statusSince: NOON - day }),
    kept({ status: 4, statusSince: NOON - day - 1 }),
    kept({ status: 1, archived: true }),
    kept({ status: 1, isDeleted: true }),
  ]).toEqual([true, true, true, false, false, false]);
});

test('a page has 50 messages when no number is asked for, and 500 at most', async () => {
  const [superuser] = people as [Actor];
  const pageOf = async (limit: number) =>
    (await room.tasks.lists.list(superuser, { limit, withArchive: true })).tasks.length;
  expect([await pageOf(0), await pageOf(500), await pageOf(501), await pageOf(100_000)]).toEqual([50, 500, 500, 500]);
});

test('an organization with few messages gets them without reading those of others', async () => {
  const { user } = await room.person(0, {});
  const tasks = room.store.records('tasks');
  await tasks.insertMany(
    [1, 2, 3].map(() => ({
      ...randomTask(tasks.nextId()),
      assignedUserId: user.id,
      isDeleted: false,
      archived: false,
    })),
  );
  const mine = all(is('isDeleted', false), is('archived', false), is('assignedUserId', user.id));
  const page = { sortBy: 'updatedAt', direction: 'desc', after: undefined, limit: 50 } as const;
  expect(plansOf((pages) => pages.within([{ walk: 300, read: 30, narrow: 300 }], mine, page)).join('\n')).toMatch(
    /by assignedUserId.*assignedUserId=\?/,
  );
  expect(
    new TasksSql(room.store.sql, room.store.table('tasks')).within([{ walk: 300, read: 30, narrow: 300 }], mine, page),
  ).toHaveLength(3);
});

test('along an order only those messages are read that the index does not rule out', async () => {
  const tasks = room.store.records('tasks');
  const rare = { categoryId: 77, isDeleted: false, archived: false, updatedAt: NOON };
  for (let number = 0; number < 4; number++)
    await tasks.insert({ ...randomTask(tasks.nextId()), ...rare, date: NOON + number * 60_000 });
  await tasks.insert({ ...randomTask(tasks.nextId()), ...rare, updatedAt: NOON + 1 });
  const pages = new TasksSql(room.store.sql, room.store.table('tasks'));
  const predicate = all(
    is('isDeleted', false),
    is('archived', false),
    is('categoryId', 77),
    inRange('updatedAt', NOON, NOON),
  );
  const page = { sortBy: 'date', direction: 'asc', after: undefined, limit: 4 } as const;
  const walk = everyTask().length + 1;
  // Six may be read: more than the five that the index leaves.
  expect(
    pages.within([{ walk, read: 6, narrow: 0 }], predicate, page)?.map(({ categoryId, date }) => [categoryId, date]),
  ).toEqual([0, 1, 2, 3].map((minute) => [77, NOON + minute * 60_000]));
  // With fewer to be read than there are, the page is not said to be whole.
  expect(
    pages.within(
      [{ walk: 40, read: 4, narrow: 0 }],
      all(is('isDeleted', false), is('archived', false), inRange('updatedAt', NOON, NOON), inRange('categoryId', 77)),
      { ...page, sortBy: 'categoryId', limit: 5 },
    ),
  ).toBeUndefined();
});

test('what an index alone can decide is tried before messages are read', () => {
  const predicate = all(
    is('isDeleted', false),
    is('archived', false),
    is('categoryId', 1),
    inRange('updatedAt', NOON, NOON + 5 * 60_000),
  );
  const enough = [{ walk: 100_000, read: 10000, narrow: 100_000 }];
  const page = { direction: 'desc', after: undefined, limit: 50 } as const;
  // The index of the times of change has the ids, but not the dates.
  const [byId, byDate] = (['id', 'date'] as const).map((sortBy) =>
    plansOf((pages) => pages.within(enough, predicate, { ...page, sortBy })).join('\n'),
  ) as [string, string];
  expect(byId).toMatch(/by updatedAt\(/);
  expect(byId).not.toMatch(/by id\(/);
  expect(byDate).toMatch(/by date\(/);
});

test('a list that is asked for again is read at once the way it was found, with what was written since', async () => {
  const { user } = await room.person(0, {});
  const tasks = room.store.records('tasks');
  const add = (more: Partial<Task>) =>
    tasks.insert({ ...randomTask(tasks.nextId()), isDeleted: false, archived: false, ...more });
  for (let number = 0; number < 3; number++) await add({ assignedUserId: user.id });
  const { sql } = room.store;
  let asked = 0;
  const counted = (name: string) => (name === 'all' || name === 'get' ? 1 : 0);
  const counting = {
    function: () => undefined,
    prepare: (text: string) =>
      new Proxy(sql.prepare(text), {
        get:
          (statement, name) =>
          (...values: never[]) => {
            asked += counted(String(name));
            return (statement as never as Record<string, (...values: never[]) => unknown>)[String(name)]!(...values);
          },
      }),
  };
  const pages = new TasksSql(counting as never, room.store.table('tasks'));
  const efforts: ScanBudget[] = [
    { walk: 1, read: 1, narrow: 2 },
    { walk: 1, read: 1, narrow: 300 },
  ];
  const mine = all(is('isDeleted', false), is('archived', false), is('assignedUserId', user.id));
  const statementsFor = (expected: number) => {
    const before = asked;
    expect(
      pages.within(efforts, mine, { sortBy: 'updatedAt', direction: 'desc', after: undefined, limit: 50 }),
    ).toHaveLength(expected);
    return asked - before;
  };
  const first = statementsFor(3);
  expect(first).toBeGreaterThan(4);
  for (let use = 0; use < 256; use++) {
    if (use === 30) await add({ assignedUserId: user.id });
    expect(statementsFor(use < 30 ? 3 : 4)).toBe(2); // those that match, and the messages themselves
  }
  expect(statementsFor(4)).toBe(first); // looked again how many there are
});

test('lists stay right while messages come, however often they were asked for', async () => {
  const pages = new TasksSql(room.store.sql, room.store.table('tasks'));
  const efforts: ScanBudget[] = [
    { walk: 20, read: 2, narrow: 60 },
    { walk: 200, read: 20, narrow: 1000 },
  ];
  const tasks = room.store.records('tasks');
  const lists = Array.from({ length: 40 }, () => ({
    predicate: listPredicate(chance.of(people), randomFilter(), room.tasks.rules()),
    sortBy: chance.of(['date', 'updatedAt', 'id', 'authorId', 'typeId', 'categoryId'] as const),
    direction: chance.of(['asc', 'desc'] as const),
    limit: 1 + chance.int(40),
  }));
  let found = 0;
  for (let round = 0; round < 4; round++) {
    const all = everyTask();
    for (const { predicate, ...order } of lists) {
      for (const after of [undefined, chance.of(all)]) {
        const page = { ...order, after };
        const ids = pages.within(efforts, predicate, page)?.map((task) => task.id);
        if (!ids) continue;
        found++;
        const sign = page.direction === 'asc' ? 1 : -1;
        const compare = (a: Task, b: Task) => sign * (a[page.sortBy] - b[page.sortBy] || a.id - b.id);
        const expected = all
          .filter((task) => holds(predicate, task) && (!after || compare(task, after) > 0))
          .sort(compare)
          .slice(0, page.limit);
        expect(ids, `${seed} round ${round}: ${JSON.stringify({ predicate, page })}`).toEqual(
          expected.map((task) => task.id),
        );
      }
    }
    await tasks.insertMany(Array.from({ length: 40 }, () => randomTask(tasks.nextId())));
  }
  expect(found, seed).toBeGreaterThan(100);
});
