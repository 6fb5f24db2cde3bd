import { afterAll, beforeAll, expect, test } from 'vitest';
import { readResponseRows, readResponses } from '../../../../server/dispatch/tasks/responses/read-responses.ts';
import { STAGES, type ResponseStage } from '../../../../server/dispatch/tasks/responses/response-times.ts';
import { covered } from '../../../../server/dispatch/tasks/responses/summary.ts';
import { countPredicate } from '../../../../server/dispatch/tasks/predicates/filter.ts';
import { mayDo, type Actor } from '../../../../shared/access.ts';
import type { StoredUnit, Task } from '../../../../shared/records/index.ts';
import { DEFAULT_WAITING_RULES } from '../../../../shared/tasks/response-targets.ts';
import { Chance } from '../../../support/chance.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';
import { newTask } from './town-hall.ts';

const chance = new Chance();
const seed = `WAYPOST_SEED=${chance.seed}`;
const NOON = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;
const NOW = NOON + 400 * MINUTE;
const question = {
  from: NOON + 200 * MINUTE,
  until: NOON + 390 * MINUTE,
  now: NOW,
  zone: 'Europe/Berlin',
  rules: { targets: {}, defaults: DEFAULT_WAITING_RULES, importance: {} },
};

let room: ControlRoom;
let people: Actor[];

/** Two units at most, so that none is sent twice; each step may be missing. */
function unitsAfter(date: number): Record<string, StoredUnit> {
  return Object.fromEntries(
    [1, 2].flatMap((vehicleId) => {
      if (chance.maybe(0.4)) return [];
      let at = date + (chance.int(12) - 1) * MINUTE;
      const sentAt = at;
      const step = () => (chance.maybe(0.3) ? 0 : (at += chance.int(10) * MINUTE));
      const unit = {
        ...{ vehicleId, role: '', status: 1, statusSince: sentAt, statusBefore: 1, sentAt },
        ...{
          acknowledgedAt: step(),
          enRouteAt: step(),
          onSceneAt: step(),
          clearAt: (at += MINUTE + chance.int(9) * MINUTE),
        },
      };
      return [[`${vehicleId}`, unit]];
    }),
  );
}

beforeAll(async () => {
  room = await openControlRoom();
  people = [
    await room.person(0, { superuser: true, admin: true }),
    await room.person(0, {}),
    await room.person(2, { accesses: [] }),
  ];
  const tasks = room.store.records('tasks');
  await tasks.insertMany(
    Array.from({ length: 600 }, () => {
      const date = NOON + chance.int(400) * MINUTE;
      return newTask({
        id: tasks.nextId(),
        organizationId: chance.of(room.organizationIds),
        typeId: chance.of(room.typeIds),
        status: chance.of([1, 4]),
        archived: chance.maybe(0.2),
        isDeleted: chance.maybe(0.1),
        mergedInto: chance.maybe(0.05) ? 1 : 0,
        priority: chance.int(5),
        date,
        units: unitsAfter(date),
        point: chance.maybe(0.5) ? { lat: 50 + chance.int(9) / 100, lon: 20, zoom: 16 } : null,
      });
    }),
  );
});
afterAll(() => room.close());

const read = (actor: Actor, more: Partial<typeof question & { vehicleIds: number[]; priorities: number[] }> = {}) =>
  readResponses(
    room.store.sql,
    room.store.table('tasks'),
    countPredicate(actor, { withArchive: true }, room.tasks.rules()),
    { ...question, ...more },
  );

/** The same by looking at every task, through the access rules themselves, straight from the definitions. */
function seenTasks(actor: Actor, from: number, until: number): Task[] {
  return room.store
    .records('tasks')
    .all()
    .filter((task) => !task.isDeleted && !task.mergedInto && task.date >= from && task.date < until)
    .filter((task) => mayDo(actor, 'view', task, room.tasks.rules()));
}
function naiveTimes(task: Task, stage: ResponseStage, only?: number): number[] {
  const units = Object.values(task.units ?? {}).filter(({ vehicleId }) => !only || vehicleId === only);
  if (stage === 'sent' || stage === 'response') {
    const times = units.map(({ sentAt, onSceneAt }) => (stage === 'sent' ? sentAt : onSceneAt)).filter((at) => at > 0);
    const took = Math.min(...times) - task.date;
    return times.length > 0 && took >= 0 ? [took] : [];
  }
  return units
    .filter((unit) => unit[`${stage}At`] > 0 && (stage !== 'clear' || unit.onSceneAt > 0))
    .map((unit) => unit[`${stage}At`] - unit.sentAt);
}
/** The least value for which enough values are not greater. */
function naivePercentile(values: readonly number[], share: number): number | null {
  const enough = (value: number) => values.filter((other) => other <= value).length * 100 >= share * values.length;
  return values.length === 0 ? null : Math.min(...values.filter(enough));
}

test('percentiles, load and the period before are those of a look at every task', () => {
  for (const actor of people)
    for (const only of [undefined, 1]) {
      const found = read(actor, only ? { vehicleIds: [only] } : {});
      const { from, until } = question;
      for (const [priorities, begin, end] of [
        [found.priorities, from, until],
        [found.before, from - (until - from), from],
      ] as const) {
        const tasks = seenTasks(actor, begin, end).filter(
          ({ units }) => !only || Object.values(units ?? {}).some(({ vehicleId }) => vehicleId === only),
        );
        for (const { priority, tasks: count, stages } of priorities) {
          const of = tasks.filter((task) => priority === 0 || (task.priority || 3) === priority);
          expect(count, seed).toBe(of.length);
          for (const { stage, percentiles } of stages) {
            const times = of.flatMap((task) => naiveTimes(task, stage, only));
            const expected = [50, 80, 90, 95].map((share) => naivePercentile(times, share));
            expect(percentiles, `${stage} of P${priority}, ${seed}`).toEqual(expected);
          }
        }
        if (begin !== from) continue;
        expect(
          found.hours.flat().reduce((sum, one) => sum + one),
          seed,
        ).toBe(tasks.length);
        expect(
          found.places.reduce((sum, { tasks: one }) => sum + one, 0),
          seed,
        ).toBe(tasks.filter(({ point }) => point).length);
      }
    }
});

test('targets: kept, missed while it is still waited for, and nothing of what nobody was sent to', () => {
  const actor = people[0]!;
  const expected = { kept: 0, missed: 0 };
  for (const task of seenTasks(actor, question.from, question.until)) {
    if (task.priority !== 1) continue;
    const [took] = naiveTimes(task, 'response');
    const isEarly = Object.values(task.units ?? {}).some(({ sentAt }) => sentAt < task.date);
    const isOpen = task.status !== 4 && !task.archived && !isEarly;
    if (took !== undefined) expected[took <= 8 * MINUTE ? 'kept' : 'missed']++;
    else if (isOpen && NOW - task.date > 8 * MINUTE) expected.missed++;
  }
  const { stages } = read(actor).priorities[1]!;
  expect(
    stages.find(({ stage }) => stage === 'response'),
    seed,
  ).toMatchObject(expected);
});

test('every figure has its tasks behind it, page by page', () => {
  const actor = people[1]!;
  const found = read(actor);
  const table = room.store.table('tasks');
  const predicate = countPredicate(actor, { withArchive: true }, room.tasks.rules());
  const idsOf = (pick: object, limit: number) => {
    const ids: number[] = [];
    for (let after: { date: number; key: string } | undefined; ;) {
      const page = readResponseRows(room.store.sql, table, predicate, question, { pick, limit, after });
      ids.push(...page.rows.map(({ id }) => id));
      after = page.rows.at(-1);
      if (!page.more) return ids;
    }
  };
  const all = idsOf({}, 7);
  expect(all.length, seed).toBe(found.priorities[0]!.tasks);
  expect(new Set(all).size, seed).toBe(all.length);
  expect(idsOf({ unsent: true }, 5).length, seed).toBe(found.priorities[0]!.unsent);
  for (const stage of ['sent', 'response'] as const) {
    const { count, missed } = found.priorities[0]!.stages[STAGES.indexOf(stage)]!;
    expect(idsOf({ stage }, 500).length, seed).toBe(count);
    expect(idsOf({ missed: stage }, 500).length, seed).toBe(missed);
  }
  found.hours.forEach((hours, weekday) =>
    hours.forEach((count, hour) => expect(idsOf({ weekday, hour }, 500).length, seed).toBe(count)),
  );
});

test('a unit that serves two tasks at once is busy once', () => {
  for (let round = 0; round < 200; round++) {
    const intervals = Array.from({ length: chance.int(5) }, (): [number, number] => {
      const from = chance.int(30);
      return [from, from + chance.int(10) - 1];
    });
    const minutes = Array.from({ length: 60 }, (_, minute) => minute);
    const naive = minutes.filter((minute) =>
      intervals.some(([from, until]) => minute >= from && minute < until),
    ).length;
    expect(covered(intervals), `${JSON.stringify(intervals)} ${seed}`).toBe(naive);
  }
});
