import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Closures } from '../../../../../server/geo/closures/index.ts';
import {
  EventSettingsStore,
  HistoryStore,
  VehicleContextStore,
  contextAt,
} from '../../../../../server/tracking/events/index.ts';
import { TankHistory } from '../../../../../server/tracking/events/context/tank-history.ts';
import type { Actor } from '../../../../../shared/access.ts';
import type { Driver, TankEntry, TaskType } from '../../../../../shared/records/index.ts';
import { Refusal } from '../../../../../shared/refusal.ts';
import { openControlRoom, type ControlRoom } from '../../../dispatch/tasks/control-room.ts';
import { Chance } from '../../../../support/chance.ts';

const MINUTE = 60_000;
let room: ControlRoom;
let admin: Actor;
let history: HistoryStore;
let book: VehicleContextStore;
let closures: Closures;
/** What was to be computed again: whose, and from when on. */
let needs: [vehicles: readonly number[], from: number][];

const fail = (error: unknown) => {
  throw error;
};
const now = () => room.clock.now;
function open(): void {
  history = new HistoryStore({ store: room.store, now, report: fail });
  book = new VehicleContextStore({
    store: room.store,
    fleet: room.fleet,
    history,
    now,
    requests: () => [],
    roads: { from: () => [], watch: () => () => undefined },
    report: fail,
  });
}
async function close(): Promise<void> {
  await book.close();
  history.close();
}
const leftOver = () => room.store.sql.prepare('SELECT count(*) AS count FROM event_needs').get()!['count'];

beforeEach(async () => {
  room = await openControlRoom();
  admin = await room.person(0, { superuser: true, admin: true });
  closures = await Closures.open({
    store: room.store,
    now,
    applyClosures: async () => undefined,
    affectedRoads: fail,
    wideLimit: 20,
    report: fail,
  });
  needs = [];
  open();
  book.watch((vehicles, from, done) => {
    needs.push([vehicles, from]);
    done();
  });
});
afterEach(async () => {
  await close();
  await closures.close();
  await room.close();
});

const circle = (metres: number) => ({
  name: 'Yard',
  geometry: { type: 'Point', coordinates: [37, 55] },
  radius: metres,
});
const van = async (glonassId: number, more: object = {}) =>
  (
    await room.fleet.create(admin, {
      name: `Van ${glonassId}`,
      glonassId,
      organizationId: room.organizationIds[0]!,
      ...more,
    })
  ).vehicle.id;
const zonesOf = (vehicle: number, time: number) =>
  contextAt(book.context(vehicle, 0), time).zones.map(({ id, shape }) => [
    id,
    shape.kind === 'circle' ? shape.radius : 0,
  ]);

test('a vehicle that moves to another organisation leaves its past behind: zones and thresholds', async () => {
  const id = await van(1);
  const [mine, other] = [
    await room.fleet.geozones.create(admin, { ...circle(100), organizationId: room.organizationIds[0]! }),
    await room.fleet.geozones.create(admin, { ...circle(200), organizationId: room.organizationIds[1]! }),
  ];
  const settings = new EventSettingsStore(room.store, room.fleet, now);
  await settings.change(admin, room.organizationIds[1]!, { stopAfter: 7 * MINUTE });
  const moved = (room.clock.now += MINUTE);
  needs = [];
  await room.fleet.change(admin, id, { organizationId: room.organizationIds[1]! });
  expect(needs).toContainEqual([[id], moved]);
  expect([zonesOf(id, moved - 1), zonesOf(id, moved)]).toEqual([[[mine.id, 100]], [[other.id, 200]]]);
  expect([moved - 1, moved].map((time) => contextAt(book.context(id, 0), time).settings.stopAfter)).toEqual([
    3 * MINUTE,
    7 * MINUTE,
  ]);

  // What the old organisation edits is no matter of the vehicle any more; what holds from before is.
  room.clock.now += MINUTE;
  await room.fleet.geozones.change(admin, mine.id, { radius: 300 });
  await room.fleet.geozones.create(admin, {
    ...circle(400),
    organizationId: room.organizationIds[0]!,
    validFrom: moved - MINUTE,
  });
  expect([zonesOf(id, moved - 1).length, zonesOf(id, room.clock.now)]).toEqual([2, [[other.id, 200]]]);
  expect(needs.at(-1)).toEqual([[id], moved - MINUTE]);
});

test('what an organisation sets is held against what its vehicles have of their own, and those that do not go with it are named', async () => {
  const settings = new EventSettingsStore(room.store, room.fleet, now);
  const [organization, other] = [room.organizationIds[0]!, room.organizationIds[1]!];
  const ids = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((glonassId) => van(glonassId)));
  const own = (id: number, change: object, organizationId = organization) =>
    settings.changeVehicle(admin, { id, organizationId }, change);
  await own(ids[0]!, { parkingAfter: 10 * MINUTE });
  await own(ids[1]!, { stopAfter: 12 * MINUTE });
  // Shorter parkings than the stops of a vehicle, longer stops than its parkings.
  await expect(settings.change(admin, organization, { parkingAfter: 11 * MINUTE })).rejects.toThrow(
    /shorter than stopAfter for Van 2\. Change/,
  );
  await expect(settings.change(admin, organization, { stopAfter: 11 * MINUTE })).rejects.toThrow(/for Van 1\. Change/);
  await expect(
    settings.change(admin, organization, { stopAfter: 11 * MINUTE, parkingAfter: 11 * MINUTE }),
  ).rejects.toThrow(/for Van 1, Van 2\./);
  expect(settings.of(organization)).toMatchObject({ stopAfter: 3 * MINUTE, parkingAfter: 15 * MINUTE });
  expect(
    await settings.change(admin, organization, { stopAfter: 10 * MINUTE, parkingAfter: 12 * MINUTE }),
  ).toMatchObject({ stopAfter: 10 * MINUTE });
  // A trial of the same is refused as well, where the vehicles' own stay in force.
  expect(() => settings.requireSound(organization, { stopAfter: 11 * MINUTE })).toThrow(/for Van 1\./);
  settings.requireSound(organization, { stopAfter: 11 * MINUTE }, { ofVehicles: true });
  // It is no matter of vehicles that are another's or gone.
  await settings.change(admin, other, { stopAfter: 11 * MINUTE });
  await expect(settings.change(admin, organization, { stopAfter: 11 * MINUTE })).rejects.toThrow(/for Van 1\./);
  await room.fleet.delete(admin, ids[0]!);
  await settings.change(admin, organization, { stopAfter: 11 * MINUTE });
  // Back to the usual: 3 and 15 minutes.
  for (const id of ids.slice(1)) await own(id, { stopAfter: 12 * MINUTE });
  await settings.change(admin, organization, { parkingAfter: 30 * MINUTE });
  for (const id of ids.slice(1)) await own(id, { stopAfter: 20 * MINUTE });
  await expect(settings.change(admin, organization, { parkingAfter: null })).rejects.toThrow(
    /for Van 2, Van 3, Van 4, Van 5, Van 6, \+1\./,
  );
  // A vehicle that came with thresholds that do not go with these keeps nobody from changing others.
  await own(ids[6]!, { stopAfter: null });
  await own(ids[6]!, { parkingAfter: 4 * MINUTE }, room.organizationIds[2]!);
  expect(await settings.change(admin, organization, { turnAngle: 40 })).toMatchObject({
    turnAngle: 40,
    stopAfter: 11 * MINUTE,
  });
  // At once: the second is held against the first.
  const [first, second] = await Promise.allSettled([
    settings.change(admin, organization, { stopAfter: 15 * MINUTE }),
    own(ids[1]!, { stopAfter: null, parkingAfter: 14 * MINUTE }),
  ]);
  expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
});

test('thresholds that are changed again hold from then on; those of before, of the organisation and of the vehicle, stay in their time', async () => {
  const id = await van(1);
  const settings = new EventSettingsStore(room.store, room.fleet, now);
  const organization = room.organizationIds[0]!;
  const times = [room.clock.now];
  const steps = [
    () => settings.change(admin, organization, { stopAfter: 5 * MINUTE }),
    () => settings.changeVehicle(admin, { id, organizationId: organization }, { stopAfter: 6 * MINUTE }),
    () => settings.change(admin, organization, { stopAfter: 7 * MINUTE }),
    () => settings.changeVehicle(admin, { id, organizationId: organization }, { stopAfter: 8 * MINUTE }),
    () => settings.changeVehicle(admin, { id, organizationId: organization }, { stopAfter: null }),
    () => settings.change(admin, organization, { stopAfter: null }),
  ];
  for (const step of steps) {
    times.push((room.clock.now += MINUTE));
    needs = [];
    await step();
    expect(needs.at(-1)).toEqual([[id], room.clock.now]);
  }
  expect(times.map((time) => contextAt(book.context(id, 0), time).settings.stopAfter / MINUTE)).toEqual([
    3, 5, 6, 6, 8, 7, 3,
  ]);
  // The same once more is no change; two within one millisecond are two, of which the later holds.
  needs = [];
  await settings.change(admin, organization, { stopAfter: null });
  expect(needs).toEqual([]);
  await settings.change(admin, organization, { stopAfter: 9 * MINUTE });
  expect(contextAt(book.context(id, 0), room.clock.now + 1).settings.stopAfter).toBe(9 * MINUTE);
});

test('a tank is what the model said at each time, also when the model is edited and when the vehicle gets another one', async () => {
  const { id: makeId } = await room.fleet.makes.create(admin, { name: 'Zubr' });
  const [small, large] = [
    await room.fleet.models.create(admin, { name: 'Small', makeId, maxTank: 50 }),
    await room.fleet.models.create(admin, { name: 'Large', makeId, maxTank: 300 }),
  ];
  const id = await van(1, { modelId: small.id });
  const tankAt = (time: number) => contextAt(book.context(id, 0), time).tankLitres;
  await expect.poll(() => tankAt(room.clock.now)).toBe(50);
  const edited = (room.clock.now += MINUTE);
  await room.fleet.models.change(admin, small.id, { maxTank: 60 });
  await expect.poll(() => tankAt(edited)).toBe(60);
  const other = (room.clock.now += MINUTE);
  needs = [];
  await room.fleet.change(admin, id, { modelId: large.id });
  await expect.poll(() => needs).toContainEqual([[id], other]);
  expect([0, edited - 1, edited, other - 1, other].map(tankAt)).toEqual([50, 50, 60, 60, 300]);
  // Another name of the model is no other tank.
  room.clock.now += MINUTE;
  needs = [];
  await room.fleet.models.change(admin, large.id, { name: 'Larger' });
  await close();
  open();
  expect(room.store.kind<TankEntry>('fleet', 'tank').get(id)!.versions).toEqual([
    { validFrom: 0, litres: 50 },
    { validFrom: edited, litres: 60 },
    { validFrom: other, litres: 300 },
  ]);
});

test('a tank that cannot be noted is reported, the first note twice at once is not', async () => {
  const { id: makeId } = await room.fleet.makes.create(admin, { name: 'Zubr' });
  const small = await room.fleet.models.create(admin, { name: 'Small', makeId, maxTank: 50 });
  const reported: unknown[] = [];
  const entries = room.store.kind<TankEntry>('fleet', 'tank');
  const full = new Refusal('store.diskFull');
  const refusing = {
    onReadOnly: () => () => undefined,
    records: () => room.store.records('vehicles'),
    kind: () => ({
      get: (id: number) => entries.get(id),
      insert: (draft: never) => entries.insert(draft),
      change: () => Promise.reject(full),
    }),
  };
  // Both of them and the book of the room note the same.
  const others = [1, 2].map(
    () =>
      new TankHistory({ store: refusing as never, fleet: room.fleet, now, report: (error) => reported.push(error) }),
  );
  const id = await van(1, { modelId: small.id });
  await expect.poll(() => entries.get(id)?.versions).toEqual([{ validFrom: 0, litres: 50 }]);
  await room.fleet.models.change(admin, small.id, { maxTank: 60 });
  await expect.poll(() => reported).toEqual([full, full]);
  for (const other of others) await other.close();
});

test('a planned route is in the context with all that it says, for its vehicles and in its time', async () => {
  const [id, other] = [await van(1), await van(2)];
  const begin = room.clock.now + MINUTE;
  const line: [number, number][] = [
    [37, 55],
    [37.1, 55],
  ];
  const points = [
    { name: 'Gate', lon: 37, lat: 55, radius: 60, arriveAfter: 30 },
    { name: 'Quay', lon: 37.1, lat: 55, radius: 80, arriveAfter: null },
  ];
  const route = await room.fleet.routes.create(admin, {
    name: 'Round',
    line: { type: 'LineString', coordinates: line },
    points,
    vehicleIds: [id],
    from: begin,
    until: begin + 60 * MINUTE,
    corridor: 40,
    organizationId: room.organizationIds[0]!,
  });
  const routesAt = (vehicle: number, time: number) => contextAt(book.context(vehicle, 0), time).routes;
  const planned = [
    { id: 1, name: 'Gate', lon: 37, lat: 55, radius: 60, planned: begin + 30_000 },
    { id: 2, name: 'Quay', lon: 37.1, lat: 55, radius: 80, planned: null },
  ];
  expect(routesAt(id, begin)).toEqual([
    {
      id: route.id,
      name: 'Round',
      line,
      points: planned,
      corridor: 40,
      validFrom: begin,
      validUntil: begin + 60 * MINUTE,
    },
  ]);
  expect([routesAt(id, begin - 1), routesAt(id, begin + 60 * MINUTE), routesAt(other, begin)]).toEqual([[], [], []]);
});

test('what an organisation edits concerns its own vehicles', async () => {
  const here = await van(1);
  await van(2, { organizationId: room.organizationIds[1]! });
  needs = [];
  const zone = await room.fleet.geozones.create(admin, { ...circle(100), organizationId: room.organizationIds[0]! });
  await room.fleet.geozones.change(admin, zone.id, { radius: 200 });
  expect(needs.map(([vehicles]) => vehicles)).toEqual([[here], [here]]);
});

test('a zone that goes to another organisation is that one’s from then on', async () => {
  const [here, there] = [await van(1), await van(2, { organizationId: room.organizationIds[1]! })];
  const { id } = await room.fleet.geozones.create(admin, { ...circle(100), organizationId: room.organizationIds[0]! });
  const moved = (room.clock.now += MINUTE);
  needs = [];
  await room.fleet.geozones.change(admin, id, { organizationId: room.organizationIds[1]! });
  expect([zonesOf(here, moved - 1), zonesOf(here, moved), zonesOf(there, moved - 1), zonesOf(there, moved)]).toEqual([
    [[id, 100]],
    [],
    [],
    [[id, 100]],
  ]);
  expect(new Set(needs.flatMap(([vehicles]) => vehicles))).toEqual(new Set([here, there]));
  expect(Math.min(...needs.map(([, from]) => from))).toBe(moved);
});

test('a closure that is changed was where it was before', async () => {
  const id = await van(1);
  const made = room.clock.now;
  const at = (lon: number) => ({ type: 'Point', coordinates: [lon, 55] });
  const closure = await closures.create(admin, { name: 'Works', geometry: at(37), from: made - 10 * MINUTE });
  const changed = (room.clock.now += 5 * MINUTE);
  await closures.change(admin, closure.id, { geometry: at(38) });
  const slower = (room.clock.now += 5 * MINUTE);
  await closures.change(admin, closure.id, { factor: 1 });
  const again = (room.clock.now += 5 * MINUTE);
  await closures.change(admin, closure.id, { factor: 0, until: again + 5 * MINUTE });
  const where = (time: number) =>
    contextAt(book.context(id, 0), time).closures!.map(({ shape }) => (shape.kind === 'circle' ? shape.center[0] : 0));
  expect(
    [
      made - 10 * MINUTE - 1,
      made - 10 * MINUTE,
      changed - 1,
      changed,
      slower - 1,
      slower,
      again - 1,
      again,
      again + 5 * MINUTE,
    ].map(where),
  ).toEqual([[], [37], [37], [38], [38], [], [], [38], []]);
});

describe('who drove, and how much time a type gave', () => {
  const driverOf = async (login: string) => {
    const drivers = room.store.kind<Driver>('fleet', 'driver');
    return (
      await drivers.insert({
        id: drivers.nextId(),
        kind: 'driver',
        name: login,
        ...{ isDeleted: false, phone: '', notes: '', photo: null },
        ...{ organizationId: room.organizationIds[0]!, wire: '', extId: login },
      })
    ).id;
  };
  const served = (userId: number) =>
    history.drivingPeriodsOf(userId).map(({ vehicleId, validFrom, validUntil }) => [vehicleId, validFrom, validUntil]);

  test('a driver who gets another vehicle, another external id, or whose vehicle is deleted', async () => {
    const user = await room.person(0, {});
    const driver = await driverOf(user.user.login.toUpperCase());
    const [one, two] = [await van(1, { driverIds: [driver] }), await van(2)];
    expect(served(user.user.id)).toEqual([[one, 0, null]]);
    const at1 = (room.clock.now += MINUTE);
    await room.fleet.change(admin, one, { driverIds: [] });
    await room.fleet.change(admin, two, { driverIds: [driver] });
    expect(served(user.user.id)).toEqual([
      [one, 0, at1],
      [two, at1, null],
    ]);
    const at2 = (room.clock.now += MINUTE);
    await room.store
      .kind<Driver>('fleet', 'driver')
      .change(driver, (record) => ({ ...record, extId: 'somebody else' }));
    expect(served(user.user.id)).toEqual([
      [one, 0, at1],
      [two, at1, at2],
    ]);
    const at3 = (room.clock.now += MINUTE);
    await room.store
      .kind<Driver>('fleet', 'driver')
      .change(driver, (record) => ({ ...record, extId: user.user.login }));
    const at4 = (room.clock.now += MINUTE);
    await room.fleet.delete(admin, two);
    expect(served(user.user.id)).toEqual([
      [one, 0, at1],
      [two, at1, at2],
      [two, at3, at4],
    ]);
    await close();
    open();
    expect(served(user.user.id)).toEqual([
      [one, 0, at1],
      [two, at1, at2],
      [two, at3, at4],
    ]);
  });

  test('a change that concerns no user leaves the history of tasks the same object, which is not sent again', async () => {
    await van(1, { driverIds: [await driverOf((await room.person(0, {})).user.login)] });
    const before = history.forTasks();
    await room.fleet.delete(admin, await van(2, { driverIds: [await driverOf('nobody')] }));
    expect(history.forTasks()).toBe(before);
  });

  test('a user whose login becomes that of a driver, and is so no longer', async () => {
    const user = await room.person(0, {});
    const one = await van(1, { driverIds: [await driverOf('ivan')] });
    const users = room.store.kind('accounts', 'user') as unknown as {
      change(id: number, rule: (record: Actor['user']) => Actor['user']): Promise<unknown>;
    };
    expect(served(user.user.id)).toEqual([]);
    const at1 = (room.clock.now += MINUTE);
    await users.change(user.user.id, (record) => ({ ...record, login: 'Ivan' }));
    const at2 = (room.clock.now += MINUTE);
    await users.change(user.user.id, (record) => ({ ...record, login: 'peter' }));
    expect(served(user.user.id)).toEqual([[one, at1, at2]]);
  });

  test('a period that is changed twice', async () => {
    const typeId = room.typeIds[0]!;
    const types = room.store.kind<TaskType>('directories', 'type');
    const before = types.get(typeId)!.reviewSeconds;
    for (const reviewSeconds of [100, 100, 0]) {
      room.clock.now += MINUTE;
      await types.change(typeId, (type) => ({ ...type, reviewSeconds }));
    }
    expect(history.periodsOf(typeId)).toEqual([
      { validFrom: 0, seconds: before },
      { validFrom: now() - 2 * MINUTE, seconds: 100 },
      { validFrom: now(), seconds: 0 },
    ]);
  });
});

test('whatever is edited, the context of the past stays as it was', async () => {
  const chance = new Chance();
  const { fleet, store, organizationIds } = room;
  const vehicles = await Promise.all(
    [1, 2, 3].map((glonassId) => van(glonassId, { organizationId: chance.of(organizationIds) })),
  );
  const zones = await Promise.all(
    [1, 2, 3, 4].map(() =>
      fleet.geozones.create(admin, { ...circle(100), organizationId: chance.of(organizationIds) }),
    ),
  );
  const closed = await Promise.all(
    [1, 2].map((i) =>
      closures.create(admin, { name: `Works ${i}`, geometry: { type: 'Point', coordinates: [37, 55] } }),
    ),
  );
  const sensors = await Promise.all(
    vehicles.map((vehicleId) =>
      fleet.sensors.create(admin, { vehicleId, name: 'Tank', type: 'fuel', input: { kind: 'adc', index: 0 } }),
    ),
  );
  const settings = new EventSettingsStore(store, fleet, now);
  const refused = (error: Error) => expect(error.name).toBe('Refusal');
  const actions: (() => Promise<unknown>)[] = [
    () => fleet.change(admin, chance.of(vehicles), { organizationId: chance.of(organizationIds) }),
    () =>
      fleet.geozones.change(admin, chance.of(zones).id, { radius: 1 + chance.int(900), speedLimit: chance.int(90) }),
    () => fleet.geozones.change(admin, chance.of(zones).id, { organizationId: chance.of(organizationIds) }),
    () => fleet.geozones.delete(admin, chance.of(zones).id),
    () =>
      closures.change(admin, chance.of(closed).id, {
        geometry: { type: 'Point', coordinates: [37 + chance.next(), 55] },
        factor: chance.of([0, 0.5, 1]),
        until: chance.maybe() ? null : now() + chance.int(30) * MINUTE,
      }),
    () =>
      fleet.sensors.change(admin, chance.of(sensors).id, {
        calibration: [
          [0, 0],
          [1000, 1 + chance.int(100)],
        ],
      }),
    () => settings.change(admin, chance.of(organizationIds), { speedLimit: chance.int(120) }),
    () =>
      settings.changeVehicle(
        admin,
        { id: chance.of(vehicles), organizationId: organizationIds[0]! },
        { speedLimit: chance.maybe(0.3) ? null : chance.int(120) },
      ),
  ];
  const seen = new Map<string, string>();
  const picture = (vehicle: number, time: number) => {
    const {
      zones: zonesThen,
      sensors: sensorsThen,
      closures: closedThen,
      settings: settingsThen,
      tankLitres,
    } = contextAt(book.context(vehicle, 0), time);
    const plain = (list: readonly object[]) =>
      list
        .map((one) => ({ ...one, validFrom: 0, validUntil: 0 }))
        .map((one) => JSON.stringify(one))
        .sort();
    return JSON.stringify([plain(zonesThen), plain(sensorsThen), plain(closedThen ?? []), settingsThen, tankLitres]);
  };
  for (let step = 0; step < 80; step++) {
    room.clock.now += 1 + chance.int(3 * MINUTE);
    for (const vehicle of vehicles) seen.set(`${vehicle} ${now() - 1}`, picture(vehicle, now() - 1));
    await chance.of(actions)().catch(refused);
    if (chance.maybe(0.1)) {
      await close();
      open();
      book.watch((_vehicles, _from, done) => done());
    }
    for (const [at, was] of seen) {
      const [vehicle, time] = at.split(' ').map(Number);
      expect(picture(vehicle!, time!), `WAYPOST_SEED=${chance.seed}, step ${step}, ${at}`).toBe(was);
    }
  }
  expect(new Set(seen.values()).size).toBeGreaterThan(30);
});

test('what is to be computed again is written with the edit, and gone when that is done', async () => {
  const id = await van(1);
  await close();
  open(); // nobody takes anything up
  const begun = room.clock.now - 5 * MINUTE;
  await room.fleet.geozones.create(admin, {
    ...circle(100),
    organizationId: room.organizationIds[0]!,
    validFrom: begun,
  });
  expect(leftOver()).toBe(1);
  // An edit that is undone leaves nothing.
  await room.store
    .transaction(async () => {
      await room.fleet.geozones.create(admin, { ...circle(100), organizationId: room.organizationIds[0]! });
      throw new Error('undone');
    })
    .catch(() => undefined);
  expect(leftOver()).toBe(1);

  await close();
  open();
  let finish: (() => void) | undefined;
  needs = [];
  book.watch((vehicles, from, done) => {
    needs.push([vehicles, from]);
    finish = done;
  });
  expect(needs).toEqual([[[id], begun]]);
  expect(leftOver()).toBe(1);
  finish!();
  await book.close();
  expect(leftOver()).toBe(0);
});
