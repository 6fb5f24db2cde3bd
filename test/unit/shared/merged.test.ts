import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstStamps, merge, stampFields } from '../../../shared/merge/merge.ts';
import { stampClock, stationPart } from '../../../shared/merge/stamps.ts';
import { tasks as shape, type Task } from '../../../shared/records/index.ts';
import { ASSIGNED, DONE, NEW } from '../../../shared/tasks/status.ts';
import { isMerged, rootOf, settleMerged, withMerge, withoutMerge } from '../../../shared/tasks/merged.ts';
import {
  activeUnits,
  isOpenTask,
  settled,
  unitsOf,
  withoutUnit,
  withReport,
  withUnits,
  withUnitsAfter,
} from '../../../shared/tasks/units.ts';
import { changedUnits } from '../../../server/store/stamping-hooks.ts';
import { times } from '../../support/long.ts';

/** Rules M1 to M6 of the README of tasks. */
const START = 1_800_000_000_000;
const MINUTE = 60_000;
const IDS = [1, 2, 3];
const VEHICLES = [7, 8];

type Order =
  | { kind: 'send' | 'release'; task: number; vehicle: number }
  | { kind: 'report'; vehicle: number; status: number }
  | { kind: 'close' | 'open' | 'unmerge'; task: number }
  | { kind: 'merge'; task: number; into: number };

/** The tasks of a station, as they are stored. */
type Held = ReadonlyMap<number, Task>;

function newTask(id: number, fields: Partial<Task> = {}): Task {
  return {
    ...{ key: `k${id}`, id, hlc: firstStamps('0'), status: NEW, statusSince: START, updatedAt: START },
    ...{ assignedVehicleId: 0, assignedUserId: 0, assignedOrganizationId: 0 },
    ...{ archived: false, isDeleted: false, units: {}, ...fields },
  } as unknown as Task;
}

/** What a station does on an order, without what follows for other tasks. */
function step(held: Held, order: Order, now: number): Task[] {
  const task = 'task' in order ? held.get(order.task)! : undefined;
  switch (order.kind) {
    case 'send': {
      if (!isOpenTask(task!)) return [];
      const sent = withUnits(task!, [{ id: order.vehicle, status: 1 }], '', now);
      return [sent.status === NEW ? { ...sent, status: ASSIGNED } : sent];
    }
    case 'release':
      return isOpenTask(task!) ? [withoutUnit(task!, order.vehicle, now)] : [];
    case 'report':
      return [...held.values()].filter(isOpenTask).map((one) => withReport(one, order.vehicle, order.status, now));
    case 'close':
      return [withUnitsAfter(task!, { ...task!, status: DONE, statusSince: now, updatedAt: now }, now)];
    case 'open':
      if (isMerged(task!)) return [withoutMerge(task!, undefined, now)];
      return [withUnitsAfter(task!, { ...task!, status: ASSIGNED, statusSince: now, updatedAt: now }, now)];
    case 'unmerge':
      return isMerged(task!) ? [withoutMerge(task!, undefined, now)] : [];
    case 'merge':
      return order.task !== order.into && isOpenTask(task!) && isOpenTask(held.get(order.into)!)
        ? [withMerge(task!, order.into, now)]
        : [];
  }
}

/** One station: it stamps what it writes, and settles after each order and each batch from the other one. */
class Station {
  held: Held;
  readonly #clock;
  constructor(number: number, held: Held, now: () => number) {
    this.held = held;
    this.#clock = stampClock(stationPart(number, `s${number}`), now);
  }
  write(changed: readonly Task[]): void {
    const held = new Map(this.held);
    for (const task of changed) {
      const before = held.get(task.id)!;
      const fields = changedUnits(before as never, task as never, shape);
      if (fields.length === 0) continue;
      held.set(task.id, { ...task, hlc: stampFields(before.hlc, fields, this.#clock.next()) });
    }
    this.held = held;
  }
  order(order: Order, now: number): void {
    this.write(step(this.held, order, now));
    this.settle();
  }
  settle(): void {
    this.write(settleMerged(this.held.values()));
  }
  pull(other: Held): void {
    this.held = new Map([...this.held].map(([id, task]) => [id, merge(task, other.get(id)!, shape).record]));
    this.settle();
  }
}

/** The rules that hold at a station after each step. */
function check(held: Held): void {
  const find = (id: number) => held.get(id);
  for (const stored of held.values()) {
    const task = settled(stored); // as U5 reads it
    const active = activeUnits(task);
    if (isMerged(task)) {
      expect(rootOf(task.id, find), 'M3: no task is a duplicate of itself').not.toBe(task.id);
      expect(isMerged(find(rootOf(task.id, find))!), 'M3: the root is none').toBe(false);
      const left = Object.values(stored.units ?? {}).filter(({ clearAt }) => clearAt === 0);
      expect(left, 'M5: no unit is left behind').toEqual([]);
    } else expect(task.mergedInto ?? 0, 'M4: an open task is no duplicate').toBe(0);
    if (!isOpenTask(task)) expect(active, 'U3, M5: a closed task has no unit').toEqual([]);
    const vehicles = active.map(({ vehicleId }) => vehicleId);
    expect(new Set(vehicles).size, 'U1').toBe(vehicles.length);
    if (isOpenTask(task) && active.length > 0)
      expect(vehicles, 'U2: the lead is a unit').toContain(task.assignedVehicleId);
    for (const unit of active)
      expect(rootOf(unit.fromTaskId || task.id, find), 'M5: a unit is where its task is').toBe(task.id);
    for (const unit of unitsOf(task)) {
      const reached = [unit.acknowledgedAt, unit.enRouteAt, unit.onSceneAt].filter((time) => time > 0);
      for (const time of reached) expect(time, 'U4').toBeGreaterThanOrEqual(unit.sentAt);
      if (unit.clearAt > 0) expect(unit.clearAt, 'U4').toBeGreaterThanOrEqual(Math.max(unit.sentAt, ...reached));
    }
  }
}

const task = fc.constantFrom(...IDS);
const vehicle = fc.constantFrom(...VEHICLES);
const order: fc.Arbitrary<Order> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), task, vehicle }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), task, vehicle }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('report' as const), vehicle, status: fc.constantFrom(1, 3, 4, 9) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('close' as const, 'open' as const), task }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('merge' as const), task, into: task }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('unmerge' as const), task }) },
);
const wait = fc.constantFrom(1, 5_000, MINUTE);
const fresh = (): Held => new Map(IDS.map((id) => [id, newTask(id)]));

test('[M3–M6] no sequence of orders, merges and undo makes tasks, units and times contradict each other', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(order, wait), { maxLength: 25 }), (orders) => {
      let now = START;
      const station = new Station(1, fresh(), () => now);
      for (const [one, pause] of orders) {
        now += pause;
        station.order(one, now);
        check(station.held);
        expect(settleMerged(station.held.values()), 'settled once is settled').toEqual([]);
      }
    }),
    { numRuns: times(500, 50_000) },
  );
});

test('[M6] stations that merged while apart hold the same tasks once they have heard each other', () => {
  const at = fc.record({ who: fc.nat(1), order, wait, meet: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(at, { maxLength: 20 }), (orders) => {
      let now = START;
      const stations = [1, 2].map((number) => new Station(number, fresh(), () => now)) as [Station, Station];
      const meet = () => {
        const [here, there] = [stations[0].held, stations[1].held];
        stations[0].pull(there);
        stations[1].pull(here);
      };
      for (const { who, order: one, wait: pause, meet: chance } of orders) {
        now += pause;
        stations[who]!.order(one, now);
        check(stations[who]!.held);
        if (chance === 0) meet();
      }
      // What one settles reaches the other, until nobody has anything to say.
      for (let round = 0; round < 6; round++) meet();
      expect(stations[0].held).toEqual(stations[1].held);
      check(stations[0].held);
    }),
    { numRuns: times(500, 50_000) },
  );
});

/** After these orders at one station, a minute apart. */
function after(...orders: Order[]): Held {
  let now = START;
  const station = new Station(1, fresh(), () => now);
  for (const one of orders) station.order(one, (now += MINUTE));
  return station.held;
}
const send = (id: number, vehicleId: number): Order => ({ kind: 'send', task: id, vehicle: vehicleId });

test('[M5] units of a duplicate go on at the other task with their times, and undo brings them back', () => {
  const merged = after(send(2, 7), { kind: 'report', vehicle: 7, status: 4 }, { kind: 'merge', task: 2, into: 1 });
  expect(activeUnits(merged.get(1)!)).toMatchObject([
    { vehicleId: 7, sentAt: START + MINUTE, onSceneAt: START + 2 * MINUTE, fromTaskId: 2 },
  ]);
  expect(merged.get(1)!).toMatchObject({ status: ASSIGNED, assignedVehicleId: 7 });
  expect(merged.get(2)!).toMatchObject({ status: DONE, mergedInto: 1, assignedVehicleId: 0 });
  const back = after(
    send(2, 7),
    { kind: 'merge', task: 2, into: 1 },
    { kind: 'report', vehicle: 7, status: 4 },
    { kind: 'unmerge', task: 2 },
  );
  expect(activeUnits(back.get(1)!)).toEqual([]);
  expect(activeUnits(back.get(2)!)).toMatchObject([{ vehicleId: 7, onSceneAt: START + 3 * MINUTE }]);
  expect(back.get(2)!).toMatchObject({ status: ASSIGNED, mergedInto: 0, assignedVehicleId: 7 });
});

test('[M5] who was released after the merge does not come back with the undo', () => {
  const held = after(
    send(2, 7),
    { kind: 'merge', task: 2, into: 1 },
    { kind: 'release', task: 1, vehicle: 7 },
    { kind: 'unmerge', task: 2 },
  );
  expect(IDS.flatMap((id) => activeUnits(held.get(id)!))).toEqual([]);
});

test('[M3] two stations that merge two tasks into each other keep the one with the lower id open, with all units', () => {
  let now = START;
  const stations = [1, 2].map((number) => new Station(number, fresh(), () => now)) as [Station, Station];
  now += MINUTE;
  stations[0].order(send(1, 7), now);
  stations[0].order(send(2, 8), now);
  stations[1].pull(stations[0].held);
  now += MINUTE;
  stations[0].order({ kind: 'merge', task: 1, into: 2 }, now);
  stations[1].order({ kind: 'merge', task: 2, into: 1 }, now);
  for (let round = 0; round < 3; round++) {
    const [here, there] = [stations[0].held, stations[1].held];
    stations[0].pull(there);
    stations[1].pull(here);
  }
  expect(stations[0].held).toEqual(stations[1].held);
  expect(stations[0].held.get(1)!).toMatchObject({ status: ASSIGNED, mergedInto: 0 });
  expect(stations[0].held.get(2)!).toMatchObject({ status: DONE, mergedInto: 1 });
  expect(
    activeUnits(stations[0].held.get(1)!)
      .map(({ vehicleId }) => vehicleId)
      .toSorted(),
  ).toEqual([7, 8]);
});
