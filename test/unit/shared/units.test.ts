import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstStamps, merge, stampFields } from '../../../shared/merge/merge.ts';
import { stampClock, stationPart } from '../../../shared/merge/stamps.ts';
import { tasks, type Task } from '../../../shared/records/index.ts';
import { ASSIGNED, DONE, NEW } from '../../../shared/tasks/status.ts';
import {
  activeUnits,
  isLeftByCrews,
  isOpenTask,
  ledBy,
  settled,
  TAKE_BACK,
  unitsOf,
  withLead,
  withoutFinished,
  withoutUnit,
  withReport,
  withRole,
  withUnits,
  withUnitsAfter,
} from '../../../shared/tasks/units.ts';
import { changedUnits } from '../../../server/store/stamping-hooks.ts';
import { times } from '../../support/long.ts';

type Step =
  | { kind: 'send'; vehicles: number[] }
  | { kind: 'release'; vehicle: number }
  | { kind: 'lead'; vehicle: number }
  | { kind: 'led-by'; vehicle: number }
  | { kind: 'report'; vehicle: number; status: number }
  | { kind: 'sent-elsewhere'; vehicle: number }
  | { kind: 'close' | 'open' | 'delete' | 'restore' };

const START = 1_800_000_000_000;
const VEHICLES = [7, 8, 9];
const FREE = 1;
const sent = (id: number) => ({ id, status: FREE });

function newTask(fields: Partial<Task> = {}): Task {
  return {
    key: 'k',
    id: 1,
    hlc: { base: '', fields: {} },
    status: NEW,
    statusSince: START,
    updatedAt: START,
    assignedVehicleId: 0,
    archived: false,
    isDeleted: false,
    units: {},
    ...fields,
  } as Task;
}

function step(task: Task, order: Step, now: number): Task {
  const close = (fields: Partial<Task>): Task => withUnitsAfter(task, { ...task, updatedAt: now, ...fields }, now);
  switch (order.kind) {
    case 'send':
      return isOpenTask(task) ? withUnits(task, order.vehicles.map(sent), '', now) : task;
    case 'release':
      return isOpenTask(task) ? withoutUnit(task, order.vehicle, now) : task;
    case 'lead':
      return isOpenTask(task) ? withLead(task, order.vehicle === 0 ? undefined : sent(order.vehicle), now) : task;
    case 'led-by':
      return ledBy(task, order.vehicle);
    case 'report':
      return isOpenTask(task) ? withReport(task, order.vehicle, order.status, now) : task;
    case 'sent-elsewhere':
      return isOpenTask(task) ? withoutFinished(task, order.vehicle) : task;
    case 'close':
      return close({ status: DONE, ...(task.status !== DONE && { statusSince: now }) });
    case 'open':
      return close({ status: ASSIGNED, ...(task.status === DONE && { statusSince: now }) });
    case 'delete':
      return close({ isDeleted: true });
    case 'restore':
      return close({ isDeleted: false });
  }
}

/** The invariants of the README of tasks, by their numbers there. */
function check(task: Task): void {
  const active = activeUnits(task);
  const vehicles = active.map(({ vehicleId }) => vehicleId);
  expect(new Set(vehicles).size, 'U1: a vehicle is at most one unit').toBe(vehicles.length);
  if (isOpenTask(task)) {
    if (active.length === 0) expect(task.assignedVehicleId, 'U2: nobody is there, so nobody leads').toBe(0);
    else expect(vehicles, 'U2: the lead is a unit').toContain(task.assignedVehicleId);
  } else expect(vehicles, 'U3: a closed task has no unit on it').toEqual([]);
  for (const unit of unitsOf(task)) {
    const reached = [unit.acknowledgedAt, unit.enRouteAt, unit.onSceneAt].filter((time) => time > 0);
    for (const time of reached)
      expect(time, 'U4: nothing happens before the sending').toBeGreaterThanOrEqual(unit.sentAt);
    if (unit.enRouteAt > 0) expect(unit.enRouteAt).toBeGreaterThanOrEqual(unit.acknowledgedAt);
    if (unit.clearAt > 0)
      expect(unit.clearAt, 'U4: nothing happens after the release').toBeGreaterThanOrEqual(
        Math.max(unit.sentAt, ...reached),
      );
  }
}

const vehicle = fc.constantFrom(...VEHICLES);
const order: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('send' as const), vehicles: fc.uniqueArray(vehicle, { minLength: 1 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('release' as const), vehicle }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lead' as const), vehicle: fc.constantFrom(0, ...VEHICLES) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('led-by' as const), vehicle }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sent-elsewhere' as const), vehicle }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('report' as const), vehicle, status: fc.integer({ min: 0, max: 9 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('close' as const, 'open' as const, 'delete' as const, 'restore' as const),
    }),
  },
);
const wait = fc.constantFrom(0, 1, 5_000, TAKE_BACK - 1, TAKE_BACK, 600_000);

test('[U1–U4] no sequence of orders and reports makes units, lead and times contradict each other', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(order, wait), { maxLength: 25 }), (orders) => {
      let task = newTask();
      let now = START;
      for (const [one, pause] of orders) {
        now += pause;
        task = step(task, one, now);
        check(task);
      }
    }),
    { numRuns: times(500, 50_000) },
  );
});

test('[U5] two stations that edit while apart hold the same task after the merge, and it agrees with itself', () => {
  const at = fc.record({ station: fc.nat(1), order, wait });
  fc.assert(
    fc.property(fc.array(at, { maxLength: 16 }), fc.nat(16), (orders, split) => {
      let now = START;
      const clocks = [1, 2].map((number) => stampClock(stationPart(number, `s${number}`), () => now));
      const edit = (task: Task, station: number, one: Step): Task => {
        const next = step(task, one, now);
        const changed = changedUnits(task as never, next as never, tasks);
        return changed.length === 0 ? task : { ...next, hlc: stampFields(task.hlc, changed, clocks[station]!.next()) };
      };
      let common = newTask({ hlc: firstStamps(clocks[0]!.next()) });
      for (const { order: one, wait: pause } of orders.slice(0, split)) {
        now += pause;
        common = edit(common, 0, one);
      }
      const held = [common, common];
      for (const { station, order: one, wait: pause } of orders.slice(split)) {
        now += pause;
        held[station] = edit(held[station]!, station, one);
      }
      const [here, there] = [merge(held[0]!, held[1]!, tasks).record, merge(held[1]!, held[0]!, tasks).record];
      expect(here).toEqual(there);
      const after = settled(here);
      check(after);
      expect(settled(after)).toBe(after);
    }),
    { numRuns: times(500, 50_000) },
  );
});

describe('a unit', () => {
  test('is taken back until 15 s after it was sent, and released from then on', () => {
    const task = withUnits(newTask(), [sent(7)], '', START);
    const takenBack = withoutUnit(task, 7, START + TAKE_BACK - 1);
    expect(unitsOf(takenBack)).toEqual([]);
    expect(takenBack.assignedVehicleId).toBe(0);
    const released = withoutUnit(task, 7, START + TAKE_BACK);
    expect(unitsOf(released)).toMatchObject([{ vehicleId: 7, clearAt: START + TAKE_BACK }]);
  });

  test('that is sent again within 15 s of its release goes on as it was, later as a new sending', () => {
    const there = withReport(withUnits(newTask(), [sent(7)], '', START), 7, 4, START + 60_000);
    const released = withoutUnit(there, 7, START + 100_000);
    expect(unitsOf(withUnits(released, [sent(7)], '', START + 100_000 + TAKE_BACK - 1))).toMatchObject([
      { sentAt: START, onSceneAt: START + 60_000, clearAt: 0 },
    ]);
    expect(unitsOf(withUnits(released, [sent(7)], '', START + 100_000 + TAKE_BACK))).toMatchObject([
      { sentAt: START, clearAt: START + 100_000 },
      { sentAt: START + 100_000 + TAKE_BACK, clearAt: 0 },
    ]);
  });

  test('that is free where it was the last leaves when it is sent elsewhere, and the crews have left', () => {
    const fields = { status: ASSIGNED, assignedUserId: 0, assignedOrganizationId: 0 };
    const there = withReport(withUnits(newTask(fields), [sent(7)], '', START), 7, 4, START + 60_000);
    expect(withoutFinished(there, 7), 'it is at work').toBe(there);
    const free = withReport(there, 7, FREE, START + 90_000);
    expect([activeUnits(free).length, isLeftByCrews(free)]).toEqual([1, false]);
    const left = withoutFinished(free, 7);
    expect(unitsOf(left)).toMatchObject([{ vehicleId: 7, clearAt: START + 90_000 }]);
    expect([left.status, left.assignedVehicleId, isLeftByCrews(left)]).toEqual([ASSIGNED, 0, true]);
    expect(isLeftByCrews(newTask(fields)), 'nobody was sent').toBe(false);
  });

  test('has the times of its own reports, and is clear when its crew is free after it was there', () => {
    let task = withUnits(newTask(), [sent(7), sent(8)], 'fire', START);
    for (const [status, at] of [
      [9, 10],
      [3, 20],
      [4, 300],
      [1, 900],
    ] as const)
      task = withReport(task, 7, status, START + at * 1000);
    expect(unitsOf(task)[0]).toMatchObject({
      role: 'fire',
      acknowledgedAt: START + 10_000,
      enRouteAt: START + 20_000,
      onSceneAt: START + 300_000,
      clearAt: START + 900_000,
    });
    expect(task.assignedVehicleId, 'U2: the unit sent first of the rest leads').toBe(8);
    expect(withReport(task, 8, 4, START - 1), 'a report from before the sending').toBe(task);
  });

  test('whose lead a program without units set counts as sent when the status changed', () => {
    const old = newTask({ units: undefined, assignedVehicleId: 9, status: ASSIGNED, statusSince: START + 5 });
    expect(activeUnits(old)).toMatchObject([{ vehicleId: 9, sentAt: START + 5 }]);
    expect(activeUnits(withUnits(old, [sent(7)], '', START + 9))).toMatchObject([{ vehicleId: 9 }, { vehicleId: 7 }]);
    expect(unitsOf(withRole(old, 9, 'pump'))).toMatchObject([{ vehicleId: 9, role: 'pump' }]);
  });

  test('that two stations sent while apart, one of them again, is one until it is released, and then none', () => {
    const first = withUnits(newTask(), [sent(7)], '', START + 20_000);
    const again = withUnits(
      withoutUnit(withUnits(newTask(), [sent(7)], '', START), 7, START),
      [sent(7)],
      '',
      START + 20_000,
    );
    const both = { ...first, units: { ...again.units, 7: first.units!['7']! } };
    expect(Object.keys(both.units), 'two entries').toHaveLength(2);
    expect(activeUnits(both)).toHaveLength(1);
    expect(activeUnits(withoutUnit(both, 7, START + 90_000))).toEqual([]);
    expect(unitsOf(withoutUnit(both, 7, START + 90_000))).toMatchObject([{ clearAt: START + 90_000 }]);
  });

  test('that acknowledged at one station after it drove at another acknowledged when it drove', () => {
    const task = withUnits(newTask(), [sent(7)], '', START);
    const [unit] = unitsOf(withReport(task, 7, 3, START + 1_000));
    const merged = { ...task, units: { '7': { ...unit!, acknowledgedAt: START + 2_000 } } };
    expect(unitsOf(merged)).toMatchObject([{ acknowledgedAt: START + 1_000, enRouteAt: START + 1_000 }]);
    expect(settled(merged)).toBe(merged);
    const done = step(merged, { kind: 'close' }, START + 9_000);
    expect(unitsOf(done)).toMatchObject([{ clearAt: START + 9_000 }]);
  });

  test('that was released does not return as a lead that a merge left', () => {
    const task = withUnits(newTask(), [sent(7), sent(8)], '', START);
    const released = withoutUnit(withoutUnit(task, 7, START + 60_000), 8, START + 60_000);
    expect(settled({ ...released, assignedVehicleId: 8 })).toMatchObject({ assignedVehicleId: 0 });
  });

  test('that becomes the lead by the field of the interface is sent now, not when the status changed', () => {
    const task = newTask({ status: ASSIGNED, statusSince: START });
    expect(unitsOf(withLead(task, sent(9), START + 40_000))).toMatchObject([{ sentAt: START + 40_000 }]);
  });

  test('that closing the task released goes on when it is opened again, and no other one', () => {
    let task = withUnits(newTask(), [sent(7), sent(8)], '', START);
    task = withoutUnit(task, 8, START + 60_000);
    const done = step(task, { kind: 'close' }, START + 90_000);
    expect(unitsOf(done)).toMatchObject([{ clearAt: START + 90_000 }, { clearAt: START + 60_000 }]);
    expect(activeUnits(step(done, { kind: 'open' }, START + 95_000))).toMatchObject([{ vehicleId: 7 }]);
  });
});
