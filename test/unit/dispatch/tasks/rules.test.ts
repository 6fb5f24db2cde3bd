import { expect, test } from 'vitest';
import { createTask } from '../../../../server/dispatch/tasks/changes/create.ts';
import { historyOf, interfaceName, oneByOne } from '../../../../server/dispatch/tasks/changes/history.ts';
import { neededCapabilities, updateTask, type UpdateOrder } from '../../../../server/dispatch/tasks/changes/update.ts';
import { markDeleted, restore } from '../../../../server/dispatch/tasks/changes/delete.ts';
import type { Task } from '../../../../shared/records/index.ts';
import { DISPATCHER, references, newTask } from './town-hall.ts';

const LATER = Date.UTC(2026, 5, 1, 13);

const update = (task: Task, order: UpdateOrder): Task => updateTask(task, order, references(), LATER);

test('a new message is new, of the author’s department, dated now', () => {
  expect(createTask(7, { title: ' Burst pipe ', typeId: 1 }, DISPATCHER, references(), LATER)).toMatchObject({
    id: 7,
    title: 'Burst pipe',
    status: 1,
    statusSince: LATER,
    date: LATER,
    updatedAt: LATER,
    organizationId: 1,
    authorId: 10,
    confirmed: 0,
    point: null,
  });
});

test.each([
  [{ title: '   ', typeId: 1 }, 'title must not be empty.'],
  [{ title: 'x', typeId: 9 }, 'news_type_id 9 does not exist.'],
  [{ title: 'x', typeId: 2 }, 'news_type_id 2 does not exist.'], // deleted
  [{ title: 'x', typeId: 1, categoryId: 9 }, 'category 9 does not exist.'],
  [{ title: 'x', typeId: 1, organizationId: 9 }, 'department_id 9 does not exist.'],
  [{ title: 'x', typeId: 1, point: { lon: 200, lat: 0 } }, 'point: the longitude is not between -180 and 180.'],
  [{ title: 'x', typeId: 1, point: { lon: 0, lat: Number.NaN } }, 'point: the latitude is not between -90 and 90.'],
  [{ title: 'x', typeId: 1, customValues: { depth: { value: 1 } } }, 'custom_fields: there is no field depth.'],
])('a message that refers to nothing is refused in words: %j', (order, message) => {
  expect(() => createTask(7, order, DISPATCHER, references(), LATER)).toThrow(message);
});

test('assigning a new message to anybody makes it assigned', () => {
  for (const order of [{ assignedOrganizationId: 2 }, { assignedUserId: 11 }, { assignedVehicleId: 21 }]) {
    expect(update(newTask(), order)).toMatchObject({ status: 2, statusSince: LATER, updatedAt: LATER });
  }
});

test('assigning says nothing about a message that is past new, and a status that is sent holds', () => {
  expect(update(newTask({ status: 3 }), { assignedVehicleId: 21 }).status).toBe(3);
  expect(update(newTask(), { assignedVehicleId: 21, status: 1 }).status).toBe(1);
  expect(update(newTask({ assignedVehicleId: 21, status: 1 }), { assignedVehicleId: 0 }).status).toBe(1);
});

test('an assigned message from which the last assignee is taken is new again', () => {
  const assigned = newTask({ assignedVehicleId: 21, assignedUserId: 11, status: 2 });
  expect(update(assigned, { assignedVehicleId: 0 }).status).toBe(2);
  expect(update(assigned, { assignedVehicleId: 0, assignedUserId: 0 })).toMatchObject({
    status: 1,
    statusSince: LATER,
  });
  expect(update(assigned, { assignedVehicleId: 0, assignedUserId: 0, status: 2 }).status).toBe(2);
  expect(update(newTask({ status: 2 }), { assignedVehicleId: 0, title: 'x' }).status).toBe(2);
  for (const status of [3, 4])
    expect(update(newTask({ assignedVehicleId: 21, status }), { assignedVehicleId: 0 }).status).toBe(status);
});

test('an update that changes nothing gives the message itself', () => {
  const task = newTask({ assignedVehicleId: 21, status: 2 });
  expect(update(task, { assignedVehicleId: 21, status: 2, title: task.title, archived: false })).toBe(task);
});

test('only a change of status sets the time of the status', () => {
  const task = newTask({ status: 2, statusSince: 5 });
  expect(update(task, { text: 'more' }).statusSince).toBe(5);
  expect(update(task, { status: 4 }).statusSince).toBe(LATER);
});

test('a clock that stepped back does not make a later update older', () => {
  expect(updateTask(newTask({ updatedAt: LATER + 60_000 }), { title: 'y' }, references(), LATER).updatedAt).toBe(
    LATER + 60_000,
  );
});

test.each([
  [{ assignedVehicleId: 22 }, 'assigned_car_id: Van 22 is in maintenance.'],
  [{ assignedVehicleId: 23 }, 'assigned_car_id: Van 23 is out of service.'],
  [{ assignedVehicleId: 99 }, 'assigned_car_id 99 does not exist.'],
  [{ assignedUserId: 12 }, 'assigned_user_id: Boris is disabled.'],
  [{ assignedUserId: 99 }, 'assigned_user_id 99 does not exist.'],
  [{ assignedOrganizationId: 99 }, 'assigned_organization_id 99 does not exist.'],
  [{ typeId: 2 }, 'news_type_id 2 does not exist.'],
])('who cannot go is not sent: %j', (order, message) => {
  expect(() => update(newTask(), order)).toThrow(message);
});

test('what a message has may stay though it was deleted since', () => {
  expect(
    update(newTask({ typeId: 2, assignedVehicleId: 22 }), { typeId: 2, assignedVehicleId: 22, title: 'y' }).title,
  ).toBe('y');
});

test('a point keeps its zoom when only the place moves, and null asks for the default', () => {
  const task = newTask({ point: { lon: 1, lat: 2, zoom: 12 } });
  expect(update(task, { point: { lon: 3, lat: 4 } }).point).toEqual({ lon: 3, lat: 4, zoom: 12 });
  expect(update(task, { zoom: null }).point).toEqual({ lon: 1, lat: 2, zoom: 16 });
  expect(update(task, { point: null }).point).toBeNull();
});

test('each field that changed is one entry of the history, from and to', () => {
  const before = newTask();
  const after = update(before, { assignedVehicleId: 21, text: 'Bring a pump' });
  let id = 0;
  const entries = historyOf(before, after, { userId: 10, station: 3, at: LATER }, () => ++id);
  expect(entries.map(({ field, from, to, userId, station, at }) => [field, from, to, userId, station, at])).toEqual([
    ['text', '', 'Bring a pump', 10, 3, LATER],
    ['status', 1, 2, 10, 3, LATER],
    ['assignedVehicleId', 0, 21, 10, 3, LATER],
  ]);
});

test('each changed custom field is one entry, and an old entry of all of them is shown as one', () => {
  const before = newTask({ customValues: { 1: 3, 2: 'same', 7: 'gone' } });
  const after = newTask({ customValues: { 1: 4, 2: 'same', 5: true } });
  let id = 0;
  const changes = [
    ['customValues.1', 3, 4],
    ['customValues.5', null, true],
    ['customValues.7', 'gone', null],
  ];
  const told = ({ field, from, to }: { field: string; from?: unknown; to?: unknown }) => [field, from, to];
  const entries = historyOf(before, after, { userId: 10, station: 3, at: LATER }, () => ++id);
  expect(entries.map(told)).toEqual(changes);
  expect(entries.map((entry) => entry.id)).toEqual([1, 2, 3]);
  expect(
    oneByOne({ ...entries[0]!, field: 'customValues', from: before.customValues, to: after.customValues }).map(told),
  ).toEqual(changes);
  expect(entries.flatMap(oneByOne)).toEqual(entries);
  const slugOf = (field: number) => (field === 1 ? 'callers' : undefined);
  expect(['customValues.1', 'customValues.5', 'typeId', 'title'].map((field) => interfaceName(field, slugOf))).toEqual([
    'custom_fields.callers',
    'custom_fields.5',
    'news_type_id',
    'title',
  ]);
});

test('what one must be allowed to follows from what changes', () => {
  const needs = (task: Task, order: UpdateOrder) => [...neededCapabilities(task, update(task, order), order)].sort();
  expect(needs(newTask(), { assignedVehicleId: 21 })).toEqual(['assign']); // that it becomes assigned belongs to it
  expect(needs(newTask(), { assignedVehicleId: 21, status: 2 })).toEqual(['assign', 'change_status']);
  expect(needs(newTask(), { title: 'y', confirmed: 1, archived: true })).toEqual(['archive', 'confirm', 'edit']);
  expect(needs(newTask({ status: 4 }), { status: 4 })).toEqual([]);
});

test('a deleted message can be restored once', () => {
  const gone = markDeleted(newTask(), LATER);
  expect(gone).toMatchObject({ isDeleted: true, updatedAt: LATER });
  expect(markDeleted(gone, LATER + 1)).toBe(gone);
  expect(restore(gone, LATER)).toMatchObject({ isDeleted: false });
  expect(() => restore(newTask(), LATER)).toThrow('is not deleted');
});
