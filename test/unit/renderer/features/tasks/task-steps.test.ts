import { expect, test } from 'vitest';
import type { StoredUnit, Task } from '../../../../../shared/records/index.ts';
import { targetsOf, DEFAULT_WAITING_RULES } from '../../../../../shared/tasks/response-targets.ts';
import { shownUnitTime } from '../../../../../renderer/src/features/board/card/unit-times.ts';
import { inReadingOrder, type NoteOfPlace } from '../../../../../renderer/src/features/task/premise-notes.ts';
import { taskSteps } from '../../../../../renderer/src/features/task/task-steps.ts';

const CALL = 1_000_000;
const SECOND = 1_000;
const at = (seconds: number) => CALL + seconds * SECOND;
const unit = (vehicleId: number, sent: number, there?: number): StoredUnit => ({
  vehicleId,
  role: '',
  sentAt: at(sent),
  acknowledgedAt: 0,
  enRouteAt: 0,
  onSceneAt: there === undefined ? 0 : at(there),
  clearAt: 0,
  status: there === undefined ? 3 : 4,
  statusSince: at(there ?? sent),
  statusBefore: 1,
});
const task = (parts: Partial<Task>): Task =>
  ({
    date: CALL,
    status: 2,
    statusSince: CALL,
    assignedVehicleId: 0,
    archived: false,
    isDeleted: false,
    ...parts,
  }) as Task;
const said = (one: Task, seconds: number) =>
  taskSteps(one, targetsOf(1, DEFAULT_WAITING_RULES), at(seconds)).map(
    ({ after, state }) => `${after === undefined ? '-' : after / SECOND} ${state}`,
  );

test('the first unit that was sent and the first that is there count, whatever the order of the units', () => {
  const units = { 7: unit(7, 50, 500), 8: unit(8, 44, 130), 9: unit(9, 90) };
  expect(said(task({ units, assignedVehicleId: 7 }), 600)).toEqual(['44 kept', '130 kept', '- open']);
});

test('a step runs until its target, and is late from then on; the one after it waits', () => {
  expect(said(task({ status: 1 }), 60)).toEqual(['- running', '- open', '- open']);
  expect(said(task({ status: 1 }), 61)).toEqual(['- late', '- open', '- open']);
  const sent = task({ units: { 7: unit(7, 61) }, assignedVehicleId: 7 });
  expect(said(sent, 480)).toEqual(['61 late', '- running', '- open']);
  expect(said(sent, 481)).toEqual(['61 late', '- late', '- open']);
  expect(taskSteps(sent, targetsOf(1, DEFAULT_WAITING_RULES), at(120))[1]!.share).toBe(0.25);
});

test('a closed task has its end, and nothing runs any more', () => {
  expect(said(task({ status: 4, statusSince: at(900) }), 5_000)).toEqual(['- open', '- open', '900 open']);
});

test('planned and ordinary tasks have no targets of seconds', () => {
  expect(
    [1, 2, 3, 4].map((priority) => targetsOf(priority as 1 | 2 | 3 | 4, DEFAULT_WAITING_RULES) !== undefined),
  ).toEqual([true, true, false, false]);
  expect(taskSteps(task({ status: 1 }), undefined, at(900)).map(({ state }) => state)).toEqual([
    'open',
    'open',
    'open',
  ]);
});

test('the time of a unit is since when it is there, else when it will be, else nothing', () => {
  const arrivals = new Map([[7, at(300)]]);
  expect(shownUnitTime(unit(7, 10, 200), arrivals)).toEqual({ kind: 'here', since: at(200) });
  expect(shownUnitTime(unit(7, 10), arrivals)).toEqual({ kind: 'comes', at: at(300) });
  expect(shownUnitTime(unit(8, 10), arrivals)).toBeUndefined();
  const free = { ...unit(7, 10, 200), status: 1, statusSince: at(260) };
  expect(shownUnitTime(free, arrivals), 'it has reported free').toEqual({ kind: 'free', since: at(260) });
});

test('hazards are read before keys, keys before codes, and the nearest first among equals', () => {
  const notes = ['other', 'code', 'hazard', 'key', 'hazard'].map((subject, id) => ({ id, subject }) as NoteOfPlace);
  expect(inReadingOrder(notes).map(({ id }) => id)).toEqual([2, 4, 3, 1, 0]);
});
