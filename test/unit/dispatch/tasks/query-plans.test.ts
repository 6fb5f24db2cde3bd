import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { listPredicate } from '../../../../server/dispatch/tasks/predicates/filter.ts';
import { Budget } from '../../../../server/dispatch/tasks/lists/query-plans.ts';
import {
  FIRST_LOOK,
  TasksSql,
  ON_THE_EVENT_LOOP,
  type ScanBudget,
  type Page,
} from '../../../../server/dispatch/tasks/lists/tasks-sql.ts';
import { all, inRange, holds, is } from '../../../../server/dispatch/tasks/predicates/predicate.ts';
import { ReadingThread } from '../../../../server/dispatch/tasks/threads/reading-thread.ts';
import type { Actor } from '../../../../shared/access.ts';
import { Chance } from '../../../support/chance.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';
import { newTask } from './town-hall.ts';

const chance = new Chance();
const seed = `WAYPOST_SEED=${chance.seed}`;

let room: ControlRoom;
let member: Actor;

beforeAll(async () => {
  room = await openControlRoom();
  member = await room.person(0, {});
  const tasks = room.store.records('tasks');
  await tasks.insertMany(
    Array.from({ length: 400 }, () =>
      newTask({
        id: tasks.nextId(),
        organizationId: chance.of(room.organizationIds),
        typeId: chance.of(room.typeIds),
        categoryId: chance.int(3),
        status: 1 + chance.int(4),
        assignedUserId: chance.of([0, member.user.id]),
        assignedOrganizationId: chance.of([0, ...room.organizationIds]),
        archived: chance.maybe(0.2),
        date: chance.int(50),
        updatedAt: chance.int(50),
        photos: chance.int(2),
      }),
    ),
  );
});
afterAll(() => room.close());

/** What a thread has that reads messages, and how many statements it was asked so far. */
function thread(): { pages: TasksSql; asked: () => number } {
  const { sql } = room.store;
  let asked = 0;
  const counting = {
    function: () => undefined,
    prepare: (text: string) => {
      const statement = sql.prepare(text);
      return {
        setReturnArrays: (arrays: boolean) => statement.setReturnArrays(arrays),
        all: (...values: never[]) => (asked++, statement.all(...values)),
        get: (...values: never[]) => (asked++, statement.get(...values)),
      };
    },
  };
  return { pages: new TasksSql(counting as never, room.store.table('tasks')), asked: () => asked };
}

function randomPage(): Page {
  return {
    sortBy: chance.of(['date', 'updatedAt', 'id', 'authorId', 'typeId', 'categoryId'] as const),
    direction: chance.of(['asc', 'desc'] as const),
    after: chance.maybe(0.3) ? chance.of(room.store.records('tasks').all()) : undefined,
    limit: 1 + chance.int(30),
  };
}

test('a way that another thread found is taken at once, and leads to the same page', () => {
  const efforts: ScanBudget[] = [
    { walk: 20, read: 2, narrow: 60 },
    { walk: 200, read: 20, narrow: 1000 },
  ];
  let learned = 0;
  for (let round = 0; round < 120; round++) {
    const filter = {
      withAssigned: chance.maybe(),
      withClosed: chance.maybe(),
      withArchive: chance.maybe(),
      ...(chance.maybe() && { typeIds: [chance.of(room.typeIds)] }),
      ...(chance.maybe(0.3) && { hasPhoto: true }),
      ...(chance.maybe(0.3) && { updatedAfter: chance.int(50) }),
    };
    const predicate = listPredicate(member, filter, []);
    const page = randomPage();
    const [eventLoop, other] = [thread(), thread()];
    const about = `${seed} ${JSON.stringify({ filter, page })}`;
    expect(eventLoop.pages.within(efforts, predicate, page, new Budget(0)), about).toBeUndefined();
    expect(eventLoop.asked(), about).toBe(0);
    const { tasks, way } = other.pages.readWithPlan(efforts, predicate, page);
    const sign = page.direction === 'asc' ? 1 : -1;
    const compare = (a: (typeof tasks)[0], b: (typeof tasks)[0]) =>
      sign * (a[page.sortBy] - b[page.sortBy] || a.id - b.id);
    const { after } = page;
    const expected = room.store
      .records('tasks')
      .all()
      .filter(
        (task) =>
          holds(predicate, task) &&
          (!after || sign * (task[page.sortBy] - after[page.sortBy] || task.id - Number(after.key)) > 0),
      )
      .sort(compare)
      .slice(0, page.limit);
    expect(
      tasks.map(({ id }) => id),
      about,
    ).toEqual(expected.map(({ id }) => id));
    eventLoop.pages.learn(efforts, predicate, page, structuredClone(way)); // as it comes from another thread
    const found = eventLoop.pages.within(efforts, predicate, page, new Budget(0));
    if (way.kind === 'none') expect(found, about).toBeUndefined();
    else expect(found, about).toEqual(tasks);
    if (way.kind !== 'none') learned++;
  }
  expect(learned, seed).toBeGreaterThan(30);
});

test('looking for a way ends with the budget, and is not taken for there being none', () => {
  const { pages, asked } = thread();
  const predicate = all(is('isDeleted', false), is('archived', false), inRange('photos', 1));
  const page = { sortBy: 'date', direction: 'desc', after: undefined, limit: 500 } as const;
  const enough = [{ walk: 10_000, read: 1000, narrow: 10_000 }];
  expect(pages.within(enough, predicate, page, new Budget(15_000))).toBeUndefined();
  expect(asked()).toBeLessThan(3);
  expect(pages.within(enough, predicate, page)?.length).toBeGreaterThan(10);
});

test('what is not known yet costs the event loop no more than its budget, however many alternatives a list has', () => {
  const { pages, asked } = thread();
  const looks = { withAssigned: true, withClosed: true, withArchive: true, hasVideo: true, updatedBefore: 1 };
  expect(
    pages.within(
      ON_THE_EVENT_LOOP,
      listPredicate(member, looks, []),
      { sortBy: 'date', direction: 'desc', after: undefined, limit: 50 },
      new Budget(FIRST_LOOK),
    ),
  ).toBeUndefined();
  expect(asked()).toBeLessThanOrEqual(FIRST_LOOK / 500);
});

test('a list for which the event loop has no time comes from the thread that reads, and the next time from the way that was found there', async () => {
  const asked = vi.spyOn(ReadingThread.prototype, 'page');
  onTestFinished(() => asked.mockRestore());
  const query = { withAssigned: true, withClosed: true, withArchive: true, hasPhoto: true, limit: 20 };
  const predicate = listPredicate(member, query, []);
  const expected = room.store
    .records('tasks')
    .all()
    .filter((task) => holds(predicate, task))
    .sort((a, b) => b.date - a.date || b.id - a.id)
    .slice(0, 20);
  expect(expected).toHaveLength(20);
  expect(await room.tasks.lists.page(member, query)).toEqual(expected);
  expect(asked).toHaveBeenCalledTimes(1);
  for (let again = 0; again < 3; again++) expect(await room.tasks.lists.page(member, query)).toEqual(expected);
  expect(asked).toHaveBeenCalledTimes(1);
});
