import { DEFAULT_WAITING_RULES } from '../../../../shared/tasks/response-targets.ts';
import { expect, test } from 'vitest';
import type { Task } from '../../../../shared/records/index.ts';
import { holdOrder } from '../../../../renderer/src/features/board/queue/held-order.ts';
import { OrderedQueue } from '../../../../renderer/src/lib/tasks/ordered-queue.ts';
import type { TaskDirectory } from '../../../../renderer/src/lib/tasks/urgency.ts';
import { makeTask } from '../task.ts';

const HOUR = 3_600_000;
const directory = {
  typeOf: (id: number) => ({ reviewSeconds: id === 2 ? 3600 : 0 }),
  categoryOf: (id: number) => ({ importance: id }),
  rulesOf: () => DEFAULT_WAITING_RULES,
} as unknown as TaskDirectory;

/** Nothing rises. */
const calm = {
  ...directory,
  rulesOf: () => ({
    ...DEFAULT_WAITING_RULES,
    targets: DEFAULT_WAITING_RULES.targets.map(() => ({ sentSeconds: 0, onSceneSeconds: 0 })),
  }),
};

const queueOf = (tasks: Task[], now = 0, by: TaskDirectory = directory) => {
  const queue = new OrderedQueue(by);
  queue.apply(
    tasks.map((task) => ({ id: task.id, task })),
    now,
  );
  return queue;
};
const ids = (queue: OrderedQueue) => queue.ordered.map((row) => row.task.id);

test('the groups are the order: emergencies, overdue, new, in work, later, done', () => {
  const queue = queueOf(
    [
      makeTask({ id: 1, status: 4, statusSince: 9 }),
      makeTask({ id: 2, status: 2, date: 5 }),
      makeTask({ id: 3, status: 2, date: 1 }),
      makeTask({ id: 4, status: 1, date: 7 }),
      makeTask({ id: 5, status: 2, typeId: 2, date: 0 }),
      makeTask({ id: 6, status: 1, categoryId: 2 }),
      makeTask({ id: 7, status: 1, categoryId: 1, date: 8 }),
      makeTask({ id: 8, status: 2, categoryId: 1, date: 2 }),
      makeTask({ id: 9, status: 2, typeId: 2, date: -HOUR }),
      makeTask({ id: 10, status: 1, date: 3 * HOUR }),
    ],
    0.8 * HOUR,
    calm,
  );
  expect(ids(queue)).toEqual([7, 8, 9, 6, 4, 5, 3, 2, 10, 1]);
  expect(queue.ordered.map(({ group }) => group)).toEqual([
    'emergency',
    'emergency',
    'overdue',
    'new',
    'new',
    'work',
    'work',
    'work',
    'later',
    'done',
  ]);
});

test('[W3, W5] who rises stands in front of the overdue ones until it is seen, and time alone moves it', () => {
  const MINUTE = 60_000;
  const waiting = makeTask({ id: 1, priority: 2 });
  const queue = queueOf([waiting, makeTask({ id: 2, status: 2, typeId: 2, date: -HOUR }), makeTask({ id: 3 })], 1);
  expect(ids(queue)).toEqual([2, 1, 3]);
  expect(queue.passTime(3 * MINUTE - 1)).toBe(false);
  expect(queue.passTime(3 * MINUTE + 1), 'it rises').toBe(true);
  expect(ids(queue)).toEqual([1, 2, 3]);
  expect(queue.get(1)!.group).toBe('overdue');
  queue.apply([{ id: 1, task: { ...waiting, riseSeenAt: 4 * MINUTE } }], 4 * MINUTE);
  expect([queue.get(1)!.group, ...ids(queue)]).toEqual(['new', 2, 1, 3]);
  expect(queue.passTime(6 * MINUTE + 1), 'the next level is unseen').toBe(true);
  expect(ids(queue)).toEqual([1, 2, 3]);
  queue.apply([{ id: 1, task: { ...waiting, status: 2 } }], 7 * MINUTE);
  expect(queue.get(1)!.group).toBe('work');
});

test('[W1] a scheduled emergency does not count as one until its lead time', () => {
  const MINUTE = 60_000;
  const queue = queueOf([makeTask({ id: 1, priority: 1, date: HOUR }), makeTask({ id: 2 })], 0);
  expect([queue.get(1)!.group, queue.get(1)!.level]).toEqual(['later', 'open']);
  expect(queue.passTime(HOUR - 5 * MINUTE)).toBe(false);
  expect(queue.passTime(HOUR - 5 * MINUTE + 1)).toBe(true);
  expect([queue.get(1)!.group, queue.get(1)!.level]).toEqual(['emergency', 'emergency']);
});

test('a category of importance 1 is P1, one of importance 2 P2, and others P3, unless the task has its own', () => {
  const priorities = queueOf([
    makeTask({ id: 1, categoryId: 1 }),
    makeTask({ id: 2, categoryId: 2 }),
    makeTask({ id: 3 }),
    { ...makeTask({ id: 4, categoryId: 1 }), priority: 4 } as Task,
  ]).ordered.map(({ task, priority }) => [task.id, priority]);
  expect(Object.fromEntries(priorities)).toEqual({ 1: 1, 2: 2, 3: 3, 4: 4 });
});

test('a task becomes due, then overdue, as time goes by, and only then the order changes', () => {
  const queue = queueOf([
    makeTask({ id: 1, status: 1 }),
    makeTask({ id: 2, status: 2, date: -1 }),
    makeTask({ id: 3, status: 2, typeId: 2, date: 0 }),
  ]);
  expect(ids(queue)).toEqual([1, 2, 3]);
  expect(queue.passTime(0.7 * HOUR)).toBe(false);
  expect(queue.passTime(0.76 * HOUR)).toBe(true);
  expect(ids(queue)).toEqual([1, 3, 2]);
  expect(queue.passTime(0.99 * HOUR)).toBe(false);
  expect(queue.passTime(1.01 * HOUR)).toBe(true);
  expect(ids(queue)).toEqual([3, 1, 2]);
});

test('a task for later is new when its time comes', () => {
  const queue = queueOf([makeTask({ id: 1, status: 1, categoryId: 1, date: HOUR })]);
  expect(queue.ordered[0]!.group).toBe('later');
  expect(queue.passTime(HOUR - 299_000)).toBe(true);
  expect(queue.ordered[0]!.group).toBe('emergency');
});

test('a done task leaves after a day', () => {
  const queue = queueOf([makeTask({ id: 1, status: 4, statusSince: HOUR })], HOUR);
  expect(queue.passTime(24 * HOUR)).toBe(false);
  expect(queue.passTime(26 * HOUR)).toBe(true);
  expect(ids(queue)).toEqual([]);
});

test('deleted and archived tasks leave', () => {
  const queue = queueOf([makeTask({ id: 1 }), makeTask({ id: 2 }), makeTask({ id: 3 })]);
  queue.apply(
    [
      { id: 1, task: makeTask({ id: 1, isDeleted: true }) },
      { id: 2, task: undefined },
    ],
    0,
  );
  expect(ids(queue)).toEqual([3]);
});

test('changes one by one give the same order as all at once', () => {
  const seed = Number(process.env['WAYPOST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`WAYPOST_SEED=${seed}`);
  let state = seed;
  const chance = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const tasks = new Map<number, Task>();
  const queue = new OrderedQueue(directory);
  for (let step = 0; step < 2_000; step++) {
    const id = 1 + chance(120);
    const task =
      chance(8) === 0
        ? undefined
        : makeTask({
            id,
            status: 1 + chance(4),
            categoryId: chance(6),
            typeId: 1 + chance(2),
            date: chance(5) * HOUR,
            statusSince: chance(1000),
          });
    if (task) tasks.set(id, task);
    else tasks.delete(id);
    queue.apply([{ id, task }], 3 * HOUR);
  }
  expect(ids(queue)).toEqual(ids(queueOf([...tasks.values()], 3 * HOUR)));
});

test('batches that are merged, and time that passes, give the same order as judging everything again', () => {
  const seed = Number(process.env['WAYPOST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`WAYPOST_SEED=${seed}`);
  let state = seed;
  const chance = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const tasks = new Map<number, Task>();
  const queue = new OrderedQueue(directory);
  let now = 0;
  for (let round = 0; round < 30; round++) {
    const batch = Array.from({ length: 201 + chance(300) }, () => {
      const id = 1 + chance(900);
      return {
        id,
        task:
          chance(6) === 0
            ? undefined
            : makeTask({
                id,
                status: 1 + chance(4),
                categoryId: chance(6),
                typeId: 1 + chance(2),
                date: now - chance(3) * HOUR,
                statusSince: now - chance(30) * HOUR,
              }),
      };
    });
    for (const { id, task } of batch) {
      if (task) tasks.set(id, task);
      else tasks.delete(id);
    }
    queue.apply(batch, now);
    now += chance(4 * HOUR);
    queue.passTime(now);
    expect(ids(queue), `WAYPOST_SEED=${seed} round ${round}`).toEqual(ids(queueOf([...tasks.values()], now)));
  }
});

test('a change among 100,000 tasks costs a frame at most a fraction of a sort', () => {
  const tasks = Array.from({ length: 100_000 }, (_, index) =>
    makeTask({ id: index + 1, status: 1 + (index % 4), date: (index * 7919) % 100_003 }),
  );
  const queue = new OrderedQueue(directory);
  const started = performance.now();
  queue.apply(
    tasks.map((task) => ({ id: task.id, task })),
    0,
  );
  const whole = performance.now() - started;
  const changes = Array.from({ length: 20 }, (_, index) => {
    const again = performance.now();
    queue.apply([{ id: index + 1, task: makeTask({ id: index + 1, status: 2, date: (index + 1) * 5 }) }], 0);
    return performance.now() - again;
  });
  // The usual one: something else may come in between at any time.
  expect(changes.sort((a, b) => a - b)[10]).toBeLessThan(whole / 4);
  expect(queue.ordered).toHaveLength(100_000);
});

test('while somebody is choosing rows keep their places and newcomers are counted', () => {
  expect(holdOrder([3, 1, 2], [9, 2, 1, 8], true)).toEqual({ shown: [3, 1, 2], waiting: [9, 8] });
  expect(holdOrder([3, 1, 2], [9, 2, 1, 8], false)).toEqual({ shown: [9, 2, 1, 8], waiting: [] });
});
