import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_WAITING_RULES } from '../../../../shared/tasks/response-targets.ts';
import { riseOf, risesAt, waitsSince } from '../../../../shared/tasks/waiting.ts';
import type { Task } from '../../../../shared/records/index.ts';
import { WaitingTasks, type WaitingStep } from '../../../../server/dispatch/tasks/index.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';

/** Rules W1 to W6 of the README of tasks. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let room: ControlRoom;
let waiting: WaitingTasks;
let heard: string[];
beforeEach(async () => {
  room = await openControlRoom();
  heard = [];
});
afterEach(async () => {
  await waiting.close();
  await room.close();
});

function watchTasks(raised: Iterable<number> = [], tells = true): void {
  const said = (task: Task, { level }: WaitingStep) => `${task.title} ${level}`;
  waiting = new WaitingTasks(
    {
      store: room.store,
      rules: room.tasks.dispatchRules,
      now: () => room.clock.now,
      priorityOf: (task) => room.tasks.priorityOf(task),
      raise: async (task, step) => void heard.push(said(task, step)),
      end: async (taskId) => void heard.push(`end ${taskId}`),
      tell: async (task, step) => (tells && heard.push(`tell ${said(task, step)}`), tells),
      report: (error) => {
        throw error;
      },
    },
    raised,
  );
}

/** What was heard until then, a second at a time. */
async function after(ms: number): Promise<string[]> {
  heard.length = 0;
  for (const end = room.clock.now + ms; room.clock.now < end;) {
    room.clock.now = Math.min(end, room.clock.now + SECOND);
    await waiting.check();
  }
  return [...heard];
}

async function reportTask(title: string, fields: { priority?: number; date?: number } = {}) {
  const dispatcher = await room.person(0, { admin: true, accesses: [] });
  const task = await room.tasks.create(dispatcher, { title, typeId: room.typeIds[0]!, ...fields });
  return { task, dispatcher };
}

test('[W3, W4] a task rises once to each level, at its target and again after the same time', async () => {
  watchTasks();
  const { task } = await reportTask('Fire', { priority: 1 });
  expect(await after(MINUTE - SECOND)).toEqual([]);
  expect(await after(SECOND)).toEqual(['Fire 1', 'tell Fire 1']);
  expect(await after(MINUTE - SECOND)).toEqual([]);
  expect(await after(SECOND)).toEqual(['Fire 2', 'tell Fire 2']);
  expect(await after(10 * MINUTE)).toEqual([]);
  const stored = room.tasks.stored(task.id)!;
  expect(riseOf(stored, 1, DEFAULT_WAITING_RULES, room.clock.now)).toMatchObject({ level: 2, isSeen: false });
});

test('[W4] neither a restart nor another edit raises or tells a level again', async () => {
  watchTasks();
  const { task, dispatcher } = await reportTask('Fire', { priority: 1 });
  await after(MINUTE);
  await room.tasks.update(dispatcher, task.id, { title: 'Fire, spreading' });
  expect(await after(SECOND)).toEqual([]);
  await waiting.close();
  watchTasks([task.id]);
  // Alarms know the step; nobody is notified again, because the task says so.
  expect(await after(SECOND)).toEqual(['Fire, spreading 1']);
  expect(await after(2 * SECOND)).toEqual([]);
});

test('[W5] sending or acknowledging undoes the rise, and a task that is left again begins again', async () => {
  watchTasks();
  const { task, dispatcher } = await reportTask('Fire', { priority: 1 });
  await after(MINUTE);
  await waiting.acknowledge(task.id, room.clock.now);
  const seen = () => riseOf(room.tasks.stored(task.id)!, 1, DEFAULT_WAITING_RULES, room.clock.now);
  expect(seen()).toMatchObject({ level: 1, isSeen: true });
  expect(await after(MINUTE)).toEqual(['Fire 2', 'tell Fire 2']);
  expect(seen(), 'the next level is unseen').toMatchObject({ level: 2, isSeen: false });
  await room.tasks.update(dispatcher, task.id, { assignedUserId: dispatcher.user.id });
  expect(await after(SECOND)).toEqual([`end ${task.id}`]);
  expect(seen()).toBeUndefined();
  await room.tasks.update(dispatcher, task.id, { assignedUserId: 0 });
  expect(await after(MINUTE - SECOND)).toEqual([]);
  expect(await after(2 * SECOND)).toEqual(['Fire 1', 'tell Fire 1']);
});

test('[W1, W2] a scheduled task rests until its lead time, begins once, and rises from then on', async () => {
  const { dispatcher } = await reportTask('First');
  watchTasks();
  const organizationId = dispatcher.user.organizationId;
  await room.tasks.dispatchRules.set(dispatcher, organizationId, { ...DEFAULT_WAITING_RULES, leadSeconds: 600 });
  const date = room.clock.now + 60 * MINUTE;
  const { task } = await reportTask('Transport', { priority: 2, date });
  expect(waitsSince(task, { leadSeconds: 600 })).toBe(date - 10 * MINUTE);
  expect(await after(50 * MINUTE - SECOND)).toEqual([]);
  expect(await after(SECOND)).toEqual(['Transport 0']);
  expect(await after(3 * MINUTE)).toEqual(['Transport 1', 'tell Transport 1']);
  await room.tasks.update(dispatcher, task.id, { date: room.clock.now + 60 * MINUTE });
  expect(await after(SECOND), 'it rests again').toEqual([`end ${task.id}`]);
});

test('[W4] what is older than the time in which alarms alert is not raised after a rest of the station', async () => {
  const { task } = await reportTask('Fire', { priority: 1 });
  room.clock.now += 60 * MINUTE;
  watchTasks();
  expect(await after(SECOND)).toEqual([]);
  expect(risesAt(task, 1, DEFAULT_WAITING_RULES)).toHaveLength(2);
  expect(risesAt(task, 3, DEFAULT_WAITING_RULES), 'no target').toEqual([]);
});
