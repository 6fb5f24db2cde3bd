import { expect, test } from 'vitest';
import {
  byTime,
  lineOfEntry,
  linesOfClosure,
  linesOfTask,
  type LogLine,
} from '../../../../server/dispatch/shifts/log-lines.ts';
import { wordsOfLine } from '../../../../server/dispatch/shifts/line-words.ts';
import type { LogBookEntry, RoadClosure, StoredUnit, Task } from '../../../../shared/records/index.ts';
import { DONE, NEW } from '../../../../shared/tasks/status.ts';
import { withReport, withUnits, withUnitsAfter } from '../../../../shared/tasks/units.ts';
import { ON_SCENE } from '../../../../shared/fleet/unit-status.ts';
import { Chance, SEED } from '../../../support/chance.ts';

const NAMES = { vehicle: (id: number) => `Engine ${id}`, user: () => '' };
const task = {
  ...{ id: 7, title: 'Smoke', organizationId: 1, authorId: 3, date: 1_000, status: NEW, statusSince: 1_000 },
  ...{ archived: false, isDeleted: false, assignedVehicleId: 0, updatedAt: 1_000 },
} as Task;
const stamps = (milliseconds: number) => ({
  base: `${milliseconds.toString(16).padStart(12, '0')}0000-000.a`,
  fields: {},
});

test('lines of a task have the times of its units (rule 2)', () => {
  const sent = withUnits(task, [{ id: 1, status: 1 }], '', 100_000);
  const there = withReport(sent, 1, ON_SCENE, 200_000);
  const done = withUnitsAfter(there, { ...there, status: DONE, statusSince: 300_000 }, 300_000);
  const [unit] = Object.values(done.units!) as [StoredUnit];
  expect(linesOfTask(done).map(({ at, kind }) => [at, kind])).toEqual([
    [1_000, 'task-taken'],
    [unit.sentAt, 'unit-sent'],
    [unit.onSceneAt, 'unit-on-scene'],
    [unit.clearAt, 'unit-clear'],
    [300_000, 'task-closed'],
  ]);
  expect([unit.sentAt, unit.onSceneAt, unit.clearAt]).toEqual([100_000, 200_000, 300_000]);
});

test('a unit that was taken back at once was never sent', () => {
  const sent = withUnits(task, [{ id: 1, status: 1 }], '', 100_000);
  const units = Object.fromEntries(
    Object.entries(sent.units!).map(([key, unit]) => [key, { ...unit, clearAt: 100_000 }]),
  );
  expect(linesOfTask({ ...sent, units, assignedVehicleId: 0 }).map(({ kind }) => kind)).toEqual(['task-taken']);
});

test('a closure ends when its time comes or when it is lifted', () => {
  const closure = { name: 'Bridge', from: null, until: 5_000, isDeleted: false, hlc: stamps(1_000) } as RoadClosure;
  const kinds = (change: Partial<RoadClosure>, now: number) =>
    linesOfClosure({ ...closure, ...change }, now).map(({ at, kind }) => [at, kind]);
  expect(kinds({}, 4_999)).toEqual([[1_000, 'closure-begun']]);
  expect(kinds({}, 5_000)).toContainEqual([5_000, 'closure-ended']);
  const lifted = { isDeleted: true, hlc: { ...stamps(1_000), fields: { isDeleted: stamps(3_000).base } } };
  expect(kinds(lifted, 9_000)).toContainEqual([3_000, 'closure-ended']);
  // One that was lifted before it began never was.
  expect(kinds({ ...lifted, from: 4_000 }, 9_000)).toEqual([]);
});

test('a correction names the entry that it corrects, in both languages', () => {
  const line = lineOfEntry({
    ...{
      id: 9,
      at: 1,
      organizationId: 1,
      authorId: 1,
      text: 'Two engines, not three.',
      corrects: 4,
      taskId: 0,
      vehicleId: 0,
    },
  } as LogBookEntry);
  expect(wordsOfLine(line, NAMES, 'en')).toBe('Correction of entry 4: Two engines, not three.');
  expect(wordsOfLine(line, NAMES, 'ru')).toBe('Исправление записи 4: Two engines, not three.');
  expect(
    wordsOfLine({ ...line, kind: 'alarm', corrects: 0, text: '', alarm: { en: 'Silent', ru: 'Молчит' } }, NAMES, 'en'),
  ).toBe('Alarm: Silent');
});

test(`lines that come in any order stand in one order (rule 4, seed ${SEED})`, () => {
  const chance = new Chance();
  for (let turn = 0; turn < 100; turn++) {
    const lines = Array.from({ length: 20 }, (_, id): LogLine => ({
      ...lineOfEntry({ id, at: chance.int(4), text: 'a' } as LogBookEntry),
      kind: chance.of(['entry', 'unit-sent', 'unit-clear'] as const),
      taskId: chance.int(3),
      vehicleId: chance.int(3),
      entryId: id,
    }));
    const shuffled = lines.map((line) => ({ line, by: chance.next() })).sort((a, b) => a.by - b.by);
    expect(shuffled.map(({ line }) => line).sort(byTime)).toEqual([...lines].sort(byTime));
    const [first, second] = [lines[0]!, lines[1]!];
    expect(Math.sign(byTime(first, second))).toBe(-Math.sign(byTime(second, first)));
  }
});
