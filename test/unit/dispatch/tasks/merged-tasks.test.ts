import { afterEach, beforeEach, expect, test } from 'vitest';
import { MergedTasks } from '../../../../server/dispatch/tasks/merging/merged-tasks.ts';
import type { Actor } from '../../../../shared/access.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';

/** Rule M6 of the README of tasks over a real store. */
let room: ControlRoom;
let dispatcher: Actor;
beforeEach(async () => {
  room = await openControlRoom();
  dispatcher = await room.person(0, { admin: true, accesses: [] });
});
afterEach(() => room.close());

const DONE = 4;
const newTask = async (title: string) =>
  (await room.tasks.create(dispatcher, { title, typeId: room.typeIds[0]!, date: room.clock.now })).id;
/** Two stations merged the tasks into each other while apart: so it comes out of the merge of their records. */
async function circle(one: number, other: number): Promise<void> {
  const tasks = room.store.records('tasks');
  const closed = (into: number) => ({ mergedInto: into, status: DONE, statusSince: room.clock.now });
  await room.store.transaction(async () => {
    await tasks.change(one, (task) => ({ ...task, ...closed(other) }));
    await tasks.change(other, (task) => ({ ...task, ...closed(one) }));
  });
}
const stateOf = (id: number) => {
  const { status, mergedInto } = room.tasks.stored(id)!;
  return { status, mergedInto };
};

test('[M3, M6] records that contradict each other are settled when they arrive', async () => {
  const [low, high] = [await newTask('Fire'), await newTask('Smoke')];
  await circle(low, high);
  await expect.poll(() => stateOf(low)).toEqual({ status: 1, mergedInto: 0 });
  expect(stateOf(high)).toEqual({ status: DONE, mergedInto: low });
  expect(room.tasks.merging.related(dispatcher, low).parts.map(({ id }) => id)).toEqual([high]);
});

test('[M6] what came while nobody listened is settled at the start', async () => {
  const [low, high] = [await newTask('Fire'), await newTask('Smoke')];
  await room.tasks.merged.close();
  await circle(low, high);
  expect(stateOf(low)).toEqual({ status: DONE, mergedInto: high });
  const failed: unknown[] = [];
  const merged = new MergedTasks({
    store: room.store,
    now: () => room.clock.now,
    report: (error) => failed.push(error),
  });
  await expect.poll(() => stateOf(low)).toEqual({ status: 1, mergedInto: 0 });
  await merged.close();
  expect(failed).toEqual([]);
});

test('[M1] a chain of duplicates is read at its end, and a part of it is taken out with its own', async () => {
  const [first, second, third] = [await newTask('Fire'), await newTask('Smoke'), await newTask('Smell')];
  await room.tasks.merging.merge(dispatcher, third, second);
  await room.tasks.merging.merge(dispatcher, second, first);
  const partsOf = (id: number) => room.tasks.merging.related(dispatcher, id).parts.map((task) => task.id);
  expect(partsOf(first)).toEqual([second, third]);
  expect(room.tasks.merging.related(dispatcher, third).into?.id).toBe(first);
  await room.tasks.merging.unmerge(dispatcher, second);
  expect([partsOf(first), partsOf(second)]).toEqual([[], [third]]);
});
