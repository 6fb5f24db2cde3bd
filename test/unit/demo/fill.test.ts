import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { Accounts } from '../../../server/access/accounts/index.ts';
import { DEMO_LOGINS, fillDemo, publicLogins, type DemoRooms } from '../../../server/demo/index.ts';
import { demoActor } from '../../../server/demo/demo-user.ts';
import { Fleet, seedVehicleKinds } from '../../../server/dispatch/fleet/index.ts';
import { Attachments, Files } from '../../../server/dispatch/files/index.ts';
import { openStore } from '../../../server/store/index.ts';
import { seedTasks, Tasks } from '../../../server/dispatch/tasks/index.ts';
import { openTelemetry } from '../../../server/tracking/telemetry/index.ts';
import { openTerritory } from '../../../server/geo/territory/index.ts';
import { maySharePresets } from '../../../shared/access.ts';
import { ASSIGNED, DONE, FEEDBACK, NEW } from '../../../shared/tasks/status.ts';

const EXTRACT = fileURLToPath(new URL('../../../resources/demo/town.osm.pbf', import.meta.url));
const NOW = Date.UTC(2026, 3, 14, 9, 30);
const HOURS = 3_600_000;

/** The rooms that the demo fills, open on a directory; `close` in turn. */
async function openRooms(directory: string): Promise<DemoRooms & { tasks: Tasks; close(): Promise<void> }> {
  const now = (): number => NOW;
  const store = await openStore({ directory, now });
  const accounts = await Accounts.open({
    store,
    clock: now,
    adminPassword: 'admin',
    passwordCost: { memoryCost: 8, timeCost: 1 },
  });
  await seedTasks(store);
  await seedVehicleKinds(store);
  const fleet = new Fleet({ store, now });
  const files = new Files({
    directory: join(directory, 'files'),
    store,
    limit: 10_000_000,
    now,
    organizationOf: () => undefined,
  });
  const attachments = new Attachments({ store, files, now });
  files.keepReferenced((sha256) => attachments.has(sha256));
  const tasks = new Tasks({ store, fleet, attachments, now });
  const telemetry = openTelemetry({
    directory,
    now,
    findVehicle: (device) => fleet.withDevice(device),
    publish: (states) => fleet.states.take(states),
  });
  const territory = await openTerritory(join(directory, 'territory'), { now, lookEvery: 0 });
  return {
    store,
    accounts,
    fleet,
    files,
    tasks,
    telemetry,
    territory,
    close: async () => {
      await territory.close();
      await telemetry.close();
      tasks.close();
      await fleet.close();
      accounts.close();
      await store.close();
    },
  };
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-demo-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const fill = (rooms: DemoRooms): Promise<boolean> => fillDemo(rooms, { extract: EXTRACT, now: NOW });

test('an empty station becomes a control room at work', async () => {
  const rooms = await openRooms(newDirectory());
  onTestFinished(() => rooms.close());
  expect(await publicLogins(rooms)).toEqual([]);
  expect(await fill(rooms)).toBe(true);
  const everybodys = DEMO_LOGINS.map(({ login }) => login);
  expect(await publicLogins(rooms)).toEqual(everybodys);
  const dispatcher = demoActor(rooms.accounts, 'dispatcher');
  expect(maySharePresets(dispatcher)).toBe(true);

  expect(rooms.territory.info?.counts.addresses).toBeGreaterThan(3000);
  const vehicles = rooms.fleet.list(dispatcher);
  expect(vehicles.length).toBeGreaterThanOrEqual(40);
  expect(new Set(vehicles.map(({ vehicle }) => vehicle.plate)).size).toBe(vehicles.length);
  expect(new Set(rooms.fleet.geozones.current().map(({ versions }) => versions[0]!.shape.kind))).toEqual(
    new Set(['circle', 'polygon', 'corridor']),
  );
  for (const { versions } of rooms.fleet.routes.current())
    expect(versions[0]).toMatchObject({
      vehicleIds: [expect.any(Number)],
      points: [{ name: 'Start' }, { name: 'Half way' }, { name: 'End' }],
    });
  expect(rooms.fleet.routes.current().length).toBe(3);
  for (const { vehicle, state, drivers, group, model, make } of vehicles) {
    expect(drivers.length, vehicle.name).toBe(1);
    expect(
      [group, model, make].every((one) => one !== undefined),
      vehicle.name,
    ).toBe(true);
    expect(state.time, vehicle.name).toBeGreaterThan(0);
    expect(
      rooms.fleet.sensors
        .current()
        .filter((sensor) => sensor.vehicleId === vehicle.id)
        .map(({ name }) => name)
        .sort(),
      vehicle.name,
    ).toEqual(['Fuel', 'Ignition']);
  }

  const typeId = [...rooms.tasks.types.values()].find(({ name }) => name === 'Fire')!.id;
  const categoryId = [...rooms.tasks.categories.values()].find(({ name }) => name === 'Emergency')!.id;
  const call = { typeId, categoryId, priority: 1, organizationIds: [dispatcher.user.organizationId] };
  const place = vehicles.find(({ vehicle }) => vehicle.name === 'Lift 1')!.state;
  const options = { travelTimes: async () => 'no-territory' as const, busy: new Map(), call };
  const kitchenFire = await rooms.fleet.proposals.propose(dispatcher, place, options);
  expect(kitchenFire.plan?.name).toBe('Fire in a building');
  const sent = kitchenFire.units.map(({ entry }) => entry.candidate.vehicle.name.split(' ')[0]);
  expect(sent.sort()).toEqual(['Engine', 'Engine', 'Ladder', 'Medic']);
  const [first] = await rooms.fleet.proposals.recommend(dispatcher, place, options);
  expect(['Engine', 'Ladder', 'Medic']).toContain(first!.candidate.vehicle.name.split(' ')[0]);

  const { tasks, count } = await rooms.tasks.lists.list(dispatcher, {
    limit: 500,
    withAssigned: true,
    withClosed: true,
  });
  expect(count).toBeGreaterThanOrEqual(140);
  for (const status of [NEW, ASSIGNED, FEEDBACK, DONE])
    expect(tasks.filter((task) => task.status === status).length, `status ${status}`).toBeGreaterThan(5);
  for (const task of tasks) {
    expect(task.point, task.title).not.toBeNull();
    expect(task.title.endsWith(task.address)).toBe(true);
    expect(task.date).toBeGreaterThan(NOW - 37 * HOURS);
    expect(task.updatedAt).toBeLessThanOrEqual(NOW);
    const times = rooms.tasks.historyOf(dispatcher, task.id).map((entry) => entry.at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    if (task.status !== NEW) expect(times.length, task.title).toBeGreaterThan(0);
  }
  const asked = new Set(
    tasks.flatMap((task) =>
      Object.entries(task.customValues)
        .filter(([, value]) => value !== null)
        .map(([key]) => key),
    ),
  );
  expect(asked).toEqual(new Set(rooms.tasks.customFieldDefinitions.all().map(({ id }) => String(id))));
  expect(new Set(rooms.tasks.customFieldDefinitions.all().map(({ format }) => format)).size).toBe(7);
  const busy = tasks
    .filter((task) => task.status === ASSIGNED && task.assignedVehicleId !== 0)
    .map((task) => task.assignedVehicleId);
  expect(new Set(busy).size).toBe(busy.length);
  expect(
    tasks.some((task) => /\p{Script=Cyrillic}/u.test(task.title)) &&
      tasks.some((task) => /^[\p{ASCII}’]+$/u.test(task.title)),
  ).toBe(true);
  expect(
    tasks.flatMap((task) => rooms.tasks.comments.of(dispatcher, task.id)).some((comment) => comment.level === 1),
  ).toBe(true);
  const photographed = tasks.filter((task) => task.photos > 0);
  expect(photographed.length).toBeGreaterThan(10);
  for (const { id } of photographed)
    for (const { sha256 } of rooms.tasks.attachments.of(dispatcher, id, 'photo'))
      expect(await rooms.files.look(sha256)).toMatchObject({ width: 800, height: 600, turned: false });
  for (const { login, password } of DEMO_LOGINS)
    expect((await rooms.accounts.signIn(login, password, { address: 'test' })).caller.user.login).toBe(login);
  const [one, other] = everybodys.map((login) => rooms.accounts.credentials.userByLogin(login)!.id);
  await rooms.accounts.administration.changeUser(rooms.accounts.stationActor(), one!, { password: 'of their own' });
  await rooms.accounts.administration.changeUser(rooms.accounts.stationActor(), other!, { enabled: false });
  expect(await publicLogins(rooms)).toEqual(everybodys.slice(2));
});

test('a filled station is not filled again, and two fills of one seed are alike', async () => {
  const directory = newDirectory();
  const titles: string[][] = [];
  for (const where of [directory, newDirectory()]) {
    const rooms = await openRooms(where);
    await fill(rooms);
    const { tasks } = await rooms.tasks.lists.list(rooms.accounts.stationActor(), { limit: 500, sortBy: 'id' });
    titles.push(tasks.map((task) => `${task.id} ${task.title} ${task.status} ${task.updatedAt}`));
    await rooms.close();
  }
  expect(titles[1]).toEqual(titles[0]);
  const again = await openRooms(directory);
  onTestFinished(() => again.close());
  const before = again.store.records('tasks').count();
  expect(await fill(again)).toBe(true);
  expect(again.store.records('tasks').count()).toBe(before);
});

test('a station that somebody works with is left alone', async () => {
  const rooms = await openRooms(newDirectory());
  onTestFinished(() => rooms.close());
  await rooms.fleet.create(rooms.accounts.stationActor(), { name: 'Our only van' });
  expect(await fill(rooms)).toBe(false);
  expect(rooms.store.records('tasks').count()).toBe(0);
  expect(rooms.accounts.credentials.userByLogin('dispatcher')).toBeUndefined();
});

test('a fill that was broken off is finished by the next start', async () => {
  const directory = newDirectory();
  const first = await openRooms(directory);
  const failing: DemoRooms = { ...first, telemetry: { ingest: () => Promise.reject(new Error('The power went.')) } };
  await expect(fill(failing)).rejects.toThrow('power');
  await first.close();
  const second = await openRooms(directory);
  onTestFinished(() => second.close());
  expect(await fill(second)).toBe(true);
  expect(second.fleet.list(second.accounts.stationActor()).length).toBeGreaterThanOrEqual(40);
  expect(second.store.records('tasks').count()).toBeGreaterThanOrEqual(150);
});
