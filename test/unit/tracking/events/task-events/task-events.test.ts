import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  eventOf,
  timelineOf,
  HistoryStore,
  deriveTaskEvents,
  TaskEvents,
  requestPlacesOf,
  type Revised,
} from '../../../../../server/tracking/events/index.ts';
import type { Actor } from '../../../../../shared/access.ts';
import type { Driver, HistoryEntry, TaskType } from '../../../../../shared/records/index.ts';
import type { UpdateOrder } from '../../../../../server/dispatch/tasks/index.ts';
import { openControlRoom, type ControlRoom } from '../../../dispatch/tasks/control-room.ts';
import { Chance } from '../../../../support/chance.ts';

const MINUTE = 60_000;

let room: ControlRoom;
let book: TaskEvents;
let history: HistoryStore;
let told: Revised[];
let requestsFrom: [number, number][];
let requestsChanged: number[];
let placeAt: (vehicleId: number, time: number) => { lat: number; lon: number } | undefined;

beforeEach(async () => {
  room = await openControlRoom();
  history = new HistoryStore({
    store: room.store,
    now: () => room.clock.now,
    report: (error) => {
      throw error;
    },
  });
  told = [];
  requestsFrom = [];
  requestsChanged = [];
  placeAt = () => undefined;
  open();
});
afterEach(async () => {
  await book.close();
  history.close();
  await room.close();
});

function open(): void {
  book = new TaskEvents({
    store: room.store,
    history,
    now: () => room.clock.now,
    placeAt: (...asked) => placeAt(...asked),
    requestsChange: (vehicleId, from) => requestsFrom.push([vehicleId, from]),
    requestsChanged: (vehicleIds) => requestsChanged.push(...vehicleIds),
    revised: (revised) => told.push(revised),
    report: (error) => {
      throw error;
    },
  });
  book.start();
}

async function vans(by: Actor, count: number): Promise<number[]> {
  return Promise.all(
    Array.from(
      { length: count },
      async (_, i) => (await room.fleet.create(by, { name: `Van ${i}`, glonassId: 100 + i })).vehicle.id,
    ),
  );
}

/** What is kept of tasks, without when and why it was noted. */
function kept() {
  return room.store
    .records('events')
    .all()
    .map(eventOf)
    .sort((a, b) => a.id - b.id);
}

/** What held from when on, noted by the test itself. */
type Held<T> = { at: number; value: T }[];
const heldAt = <T>(held: Held<T>, time: number) => held.findLast(({ at }) => at <= time)!.value;

/** What the messages say, worked out in one piece. */
function expected(driverId: number, driven: Held<number>, periods: ReadonlyMap<number, Held<number>>) {
  return room.store
    .records('tasks')
    .all()
    .flatMap((task) => {
      const history = room.store
        .records('history')
        .all()
        .filter(({ taskId }) => taskId === task.id) as HistoryEntry[];
      const { events } = deriveTaskEvents(
        timelineOf(task, history),
        {
          vehiclesOf: (userId, at) => (userId === driverId && heldAt(driven, at) > 0 ? [heldAt(driven, at)] : []),
          reviewSeconds: (id, at) => heldAt(periods.get(id)!, at),
          changesOf: (_userId, id) => [...driven, ...periods.get(id)!].map(({ at }) => at),
        },
        room.clock.now,
      );
      return events.map(({ vehicleId, type, subject, from, until, info, data }) => ({
        vehicleId,
        type,
        subject,
        from,
        until,
        info,
        data,
      }));
    });
}

test('the events on disk are those that the histories say, through restarts, deaths of the thread and whatever happens at once', async () => {
  const chance = new Chance();
  const dispatcher = await room.person(0, { superuser: true, admin: true });
  const vehicles = await vans(dispatcher, 4);
  const driver = await room.person(0, { superuser: true, admin: true });
  const drivers = room.store.kind<Driver>('fleet', 'driver');
  const { id: driverId } = await drivers.insert({
    id: drivers.nextId(),
    kind: 'driver',
    name: 'Ivan',
    isDeleted: false,
    phone: '',
    notes: '',
    photo: null,
    organizationId: room.organizationIds[0]!,
    wire: '',
    extId: driver.user.login,
  });
  await room.store.records('vehicles').change(vehicles[0]!, (vehicle) => ({ ...vehicle, driverIds: [driverId] }));
  const driven: Held<number> = [{ at: 0, value: vehicles[0]! }];
  const types = room.store.kind<TaskType>('directories', 'type');
  const periods = new Map(
    room.typeIds.map((id): [number, Held<number>] => [id, [{ at: 0, value: types.get(id)!.reviewSeconds }]]),
  );
  /** Somebody else gets the driver, or a type another period: between two moments at which tasks change. */
  const surroundOtherwise = async () => {
    const at = ++room.clock.now;
    if (chance.maybe()) {
      const had = driven.at(-1)!.value;
      const vehicle = chance.of([0, ...vehicles].filter((one) => one !== had));
      if (had > 0) await room.store.records('vehicles').change(had, (one) => ({ ...one, driverIds: [] }));
      if (vehicle > 0)
        await room.store.records('vehicles').change(vehicle, (one) => ({ ...one, driverIds: [driverId] }));
      driven.push({ at, value: vehicle });
    } else {
      const [typeId, seconds] = [chance.of(room.typeIds), 60 * chance.int(120)];
      await types.change(typeId, (type) => ({ ...type, reviewSeconds: seconds }));
      periods.get(typeId)!.push({ at, value: seconds });
    }
    room.clock.now++;
  };

  const actions: (() => UpdateOrder)[] = [
    () => ({ assignedVehicleId: chance.of([0, ...vehicles]) }),
    () => ({ assignedVehicleId: chance.of(vehicles) }),
    () => ({ assignedUserId: chance.of([0, driver.user.id]) }),
    () => ({ status: 1 + chance.int(4) }),
    () => ({ confirmed: chance.int(3) }),
    () => ({ archived: chance.maybe(0.3) }),
    () => ({ typeId: chance.of(room.typeIds) }),
    () => ({ title: `Task ${chance.int(1000)}` }),
    () => ({ date: room.clock.now - chance.int(60) * MINUTE }),
    () => ({ point: chance.maybe(0.3) ? null : { lon: 37 + chance.next(), lat: 55 } }),
  ];
  for (let i = 0; i < 12; i++)
    await room.tasks.create(dispatcher, {
      title: `Task ${i}`,
      typeId: chance.of(room.typeIds),
      point: chance.maybe() ? { lon: 37, lat: 55 } : null,
    });
  for (let step = 0; step < 200; step++) {
    room.clock.now += chance.int(4) * MINUTE;
    const some = Array.from({ length: 1 + chance.int(3) }, () =>
      room.tasks
        .update(chance.of([dispatcher, driver]), 1 + chance.int(12), chance.of(actions)())
        .catch((refusal: Error) => expect(refusal.name).toBe('Refusal')),
    );
    await Promise.all(some);
    if (chance.maybe(0.2)) await surroundOtherwise();
    if (chance.maybe(0.1)) book.tick();
    if (chance.maybe(0.1)) await book.idle();
    if (chance.maybe(0.05)) void book.kill();
    if (chance.maybe(0.05)) {
      await book.close();
      open();
    }
  }
  // What chance may have left out: the driver accepts a task, and it is done.
  const accepted = await room.tasks.create(dispatcher, { title: 'Accepted', typeId: room.typeIds[0]! });
  room.clock.now++;
  for (const vehicle of vehicles)
    await room.store
      .records('vehicles')
      .change(vehicle, (one) =>
        one.driverIds.length === Number(vehicle === vehicles[0])
          ? one
          : { ...one, driverIds: vehicle === vehicles[0] ? [driverId] : [] },
      );
  driven.push({ at: room.clock.now, value: vehicles[0]! });
  for (const [by, order] of [
    [dispatcher, { assignedVehicleId: vehicles[0]! }],
    [driver, { status: 3 }],
    [dispatcher, { status: 4 }],
  ] as const) {
    room.clock.now += MINUTE;
    await room.tasks.update(by, accepted.id, order);
  }
  book.tick();
  await book.idle();
  const bare = (
    events: readonly {
      vehicleId: number;
      type: number;
      subject: string;
      from: number;
      until: number | null;
      info: string;
      data: unknown;
    }[],
  ) =>
    events
      .map(({ vehicleId, type, subject, from, until, info, data }) =>
        JSON.stringify([vehicleId, subject, type, from, until, info, data]),
      )
      .sort();
  expect(bare(kept()), `WAYPOST_SEED=${chance.seed}`).toEqual(bare(expected(driver.user.id, driven, periods)));
  expect(new Set(kept().map(({ type }) => type))).toEqual(new Set([18, 19, 20, 21, 22, 23]));
});

test('an event lies where the task is; else where the vehicle was then, also when that is known late', async () => {
  const dispatcher = await room.person(0, { superuser: true, admin: true });
  const [vehicle] = await vans(dispatcher, 1);
  const typeId = room.typeIds.at(-1)!;
  const withPlace = await room.tasks.create(dispatcher, { title: 'Here', typeId, point: { lon: 37, lat: 55 } });
  const without = await room.tasks.create(dispatcher, { title: 'Somewhere', typeId });
  for (const { id } of [withPlace, without]) await room.tasks.update(dispatcher, id, { assignedVehicleId: vehicle! });
  await book.idle();
  const placed = () => Object.fromEntries(kept().map(({ info, lon, lat }) => [info, [lon, lat]]));
  expect(placed()).toEqual({ Here: [37, 55], Somewhere: [0, 0] });
  placeAt = (vehicleId, time) => (vehicleId === vehicle && time >= room.clock.now ? { lon: 38, lat: 56 } : undefined);
  book.trackChanged(vehicle!, room.clock.now + 1); // after it: nothing to do with it
  await book.idle();
  expect(placed()['Somewhere']).toEqual([0, 0]);
  book.trackChanged(vehicle!, room.clock.now - 1000);
  await book.idle();
  expect(placed()).toEqual({ Here: [37, 55], Somewhere: [38, 56] });
});

test('a track that changes while its events are placed is looked at again', async () => {
  const dispatcher = await room.person(0, { superuser: true, admin: true });
  const [vehicle] = await vans(dispatcher, 1);
  const { id } = await room.tasks.create(dispatcher, { title: 'Somewhere', typeId: room.typeIds[0]! });
  await room.tasks.update(dispatcher, id, { assignedVehicleId: vehicle! });
  await book.idle();
  const before = room.clock.now - 1000;
  placeAt = () => {
    placeAt = () => ({ lon: 38, lat: 56 });
    book.trackChanged(vehicle!, before); // a late point, just now
    return { lon: 37, lat: 55 };
  };
  book.trackChanged(vehicle!, before);
  await book.idle();
  expect(kept()).toMatchObject([{ lon: 38, lat: 56 }]);
});

test('a vehicle is asked for its requests with the times at which they were its own', async () => {
  const dispatcher = await room.person(0, { superuser: true, admin: true });
  const [vehicle, other] = await vans(dispatcher, 2);
  const { id } = await room.tasks.create(dispatcher, {
    title: 'Fire',
    typeId: room.typeIds[0]!,
    point: { lon: 37, lat: 55 },
  });
  const start = room.clock.now;
  await room.tasks.update(dispatcher, id, { assignedVehicleId: vehicle! });
  await book.idle();
  expect(requestsFrom).toEqual([[vehicle, start]]);
  room.clock.now += 10 * MINUTE;
  await room.tasks.update(dispatcher, id, { assignedVehicleId: other! });
  await book.idle();
  expect(requestPlacesOf(room.store)(vehicle!, 0)).toEqual([
    { id, title: 'Fire', lat: 55, lon: 37, validFrom: start, validUntil: start + 10 * MINUTE },
  ]);
  expect(requestPlacesOf(room.store)(vehicle!, start + 10 * MINUTE)).toEqual([]);
  expect(requestPlacesOf(room.store)(other!, 0)).toMatchObject([{ validFrom: start + 10 * MINUTE, validUntil: null }]);
  expect(requestsFrom.slice(1).sort((a, b) => a[0] - b[0])).toEqual(
    [
      [vehicle, start + 10 * MINUTE],
      [other, start + 10 * MINUTE],
    ].sort((a, b) => a[0]! - b[0]!),
  );
  expect(told.at(-1)!.reason).toBe('task');
});

test('the place of a request that is moved is another one from then on, also after a restart', async () => {
  const dispatcher = await room.person(0, { superuser: true, admin: true });
  const [vehicle] = await vans(dispatcher, 1);
  const { id } = await room.tasks.create(dispatcher, {
    title: 'Fire',
    typeId: room.typeIds[0]!,
    point: { lon: 37, lat: 55 },
  });
  const start = room.clock.now;
  await room.tasks.update(dispatcher, id, { assignedVehicleId: vehicle! });
  await book.idle();
  const moved = (room.clock.now += MINUTE);
  requestsChanged = [];
  await room.tasks.update(dispatcher, id, { point: { lon: 38, lat: 56 } });
  await book.idle();
  expect(requestsChanged).toEqual([vehicle]);
  const places = [
    { id, title: 'Fire', lat: 55, lon: 37, validFrom: start, validUntil: moved },
    { id, title: 'Fire', lat: 56, lon: 38, validFrom: moved, validUntil: null },
  ];
  expect(requestPlacesOf(room.store)(vehicle!, 0)).toEqual(places);
  await book.close();
  open();
  expect(requestPlacesOf(room.store)(vehicle!, 0)).toEqual(places);
  expect(requestsFrom).toEqual([
    [vehicle, start],
    [vehicle, moved],
  ]);
});

test('what the history of another station takes back is withdrawn', async () => {
  const dispatcher = await room.person(0, { superuser: true, admin: true });
  const [vehicle, other] = await vans(dispatcher, 2);
  const { id } = await room.tasks.create(dispatcher, { title: 'Fire', typeId: room.typeIds[0]! });
  room.clock.now += 10 * MINUTE;
  await room.tasks.update(dispatcher, id, { assignedVehicleId: vehicle! });
  await book.idle();
  const said = () =>
    kept()
      .map(({ vehicleId, type }) => [type, vehicleId])
      .sort();
  expect(said()).toEqual([[18, vehicle]]);
  // Two stations while apart: at the other one it was given away and taken back before, and that it is the
  // vehicle's was said there, too.
  const history = room.store.records('history');
  const assigned = history.all().find(({ field }) => field === 'assignedVehicleId')!;
  await history.change(assigned.id, (entry) => ({ ...entry, at: entry.at - 5 * MINUTE, from: 0, to: other! }));
  await room.store.records('tasks').change(id, (task) => ({ ...task, assignedVehicleId: other!, units: {} }));
  await book.idle();
  expect(said()).toEqual([[18, other]]);
  expect(told.at(-1)).toMatchObject({ withdrawn: expect.anything() });
  expect(told.flatMap(({ withdrawn }) => withdrawn).map(({ vehicleId }) => vehicleId)).toEqual([vehicle]);
});

test('a driver who gets another vehicle takes the task along, and a shorter period makes it overdue from then on', async () => {
  const dispatcher = await room.person(0, { superuser: true, admin: true });
  const driver = await room.person(0, {});
  const [one, two] = await vans(dispatcher, 2);
  const drivers = room.store.kind<Driver>('fleet', 'driver');
  const { id: driverId } = await drivers.insert({
    id: drivers.nextId(),
    kind: 'driver',
    name: 'Ivan',
    isDeleted: false,
    phone: '',
    notes: '',
    photo: null,
    organizationId: room.organizationIds[0]!,
    wire: '',
    extId: driver.user.login,
  });
  const drives = (vehicle: number, driverIds: number[]) =>
    room.store.records('vehicles').change(vehicle, (record) => ({ ...record, driverIds }));
  await drives(one!, [driverId]);
  const typeId = room.typeIds[0]!;
  const start = room.clock.now;
  const { id } = await room.tasks.create(dispatcher, { title: 'Fire', typeId, point: { lon: 37, lat: 55 } });
  await room.tasks.update(dispatcher, id, { assignedUserId: driver.user.id });
  const moved = (room.clock.now += 2 * MINUTE);
  await drives(one!, []);
  await drives(two!, [driverId]);
  await book.idle();
  const type = room.store.kind<TaskType>('directories', 'type');
  const shortened = (room.clock.now += 2 * MINUTE);
  await type.change(typeId, (record) => ({ ...record, reviewSeconds: 60 }));
  await book.idle();
  room.clock.now += MINUTE;
  book.tick();
  await book.idle();
  const told = () =>
    kept()
      .map(({ vehicleId, type: kind, from, until }) => [kind, vehicleId, from, until])
      .sort((a, b) => a[2]! - b[2]! || a[0]! - b[0]!);
  const events = [
    [18, one, start, start],
    [18, two, moved, moved],
    [23, one, moved, moved],
    [20, two, shortened, null],
  ];
  expect(told()).toEqual(events);
  expect(requestPlacesOf(room.store)(one!, 0)).toMatchObject([{ validFrom: start, validUntil: moved }]);
  expect(requestPlacesOf(room.store)(two!, 0)).toMatchObject([{ validFrom: moved, validUntil: null }]);

  // Given more time, it is overdue no longer; what it was stays.
  const longer = (room.clock.now += MINUTE);
  await type.change(typeId, (record) => ({ ...record, reviewSeconds: 7200 }));
  await book.idle();
  expect(told()).toEqual([...events.slice(0, 3), [20, two, shortened, longer]]);
});

test('the event loop does not work through past messages itself', async () => {
  const dispatcher = await room.person(0, { superuser: true, admin: true });
  const { id } = await room.tasks.create(dispatcher, {
    title: 'First',
    typeId: room.typeIds[0]!,
    text: 'Water comes up through the road surface. '.repeat(20),
  });
  await book.idle();
  await book.close();
  const tasks = room.store.records('tasks');
  const { key: _key, hlc: _hlc, ...first } = tasks.get(id)!;
  await tasks.insertMany(Array.from({ length: 10_000 }, () => ({ ...first, id: tasks.nextId() })));
  const worked = async (work: () => unknown) => {
    const begun = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  };
  const readingOnce = await worked(() => tasks.all());
  const working = await worked(() => {
    open();
    return book.idle();
  });
  expect(working, `ms on the event loop; reading each message once takes ${readingOnce.toFixed(0)}`).toBeLessThan(
    readingOnce / 2,
  );
}, 60_000);

test('many messages of the past get the same events as a few, and those left at a restart get theirs', async () => {
  const dispatcher = await room.person(0, { superuser: true, admin: true });
  const vehicles = await vans(dispatcher, 3);
  await book.close();
  for (let i = 0; i < 400; i++) {
    const { id } = await room.tasks.create(dispatcher, {
      title: `Task ${i}`,
      typeId: room.typeIds[i % room.typeIds.length]!,
      point: { lon: 37, lat: 55 },
    });
    if (i % 3 > 0) await room.tasks.update(dispatcher, id, { assignedVehicleId: vehicles[i % 3]! });
    room.clock.now += MINUTE;
    if (i % 9 === 1) await room.tasks.update(dispatcher, id, { status: 4 });
  }
  open();
  await expect.poll(() => kept().length).toBeGreaterThan(0);
  await book.close();
  const before = kept().length;
  open();
  await book.idle();
  expect(before).toBeLessThan(kept().length);
  const said = Map.groupBy(kept(), ({ type }) => type);
  expect(said.get(18)).toHaveLength(266);
  expect(said.get(19)).toHaveLength(45);
  // Nothing is there twice, and nobody works through it again.
  told = [];
  await book.close();
  open();
  await book.idle();
  expect(told).toEqual([]);
});
