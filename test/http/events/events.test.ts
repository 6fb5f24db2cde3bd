import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

const directory = mkdtempSync(join(tmpdir(), 'waypost-events-http-'));
let station: TryStation;
let admin: string;
let vehicles: { id: number; glonassId: number }[];
const START = Date.now() - 3 * 3_600_000;

beforeAll(async () => {
  station = await tryStation({ data: directory });
  admin = await station.signIn();
  vehicles = [];
  for (const glonassId of [101, 102])
    vehicles.push(
      (
        await station.ask('POST', '/cars', {
          as: admin,
          body: { name: `Van ${glonassId}`, glonassId, carNo: `A ${glonassId}` },
        })
      ).json(),
    );
});
afterAll(async () => {
  await station.stop();
  rmSync(directory, { recursive: true, force: true });
});

const send = (glonassId: number, minutes: number[], speed = 0) =>
  station.ask('POST', '/telemetry', {
    as: admin,
    body: minutes.map((minute) => ({ glonassId, time: START + minute * 60_000, lat: 55, lon: 37, speed })),
  });
const list = async (query = '', as = admin) =>
  (await station.ask('GET', `/events${query}`, { as })).json() as {
    id: number;
    eventId: number;
    carId: number;
    dataFrom: number;
    dataTill: number | null;
    glonassId: number;
    reason: string;
  }[];

test('a stop is sent live, listed while it lasts, and revised by a late record', async () => {
  const heard: {
    command: string;
    data: { id: number; eventId: number; dataTill: number | null; withdrawn?: boolean }[];
  }[] = [];
  const socket = new WebSocket(`${station.station.address.replace('http', 'ws')}/ws?token=${admin}`);
  await new Promise((open) => socket.once('open', open));
  socket.on('message', (data) => heard.push(JSON.parse(String(data))));
  socket.send(JSON.stringify({ command: 'SET_OBSERVABLE_CARS', data: [101] }));
  await eventually(() => expect(heard.length).toBeGreaterThan(0));
  const updates = () => heard.filter(({ command }) => command === 'EVENT_UPDATES').flatMap(({ data }) => data);

  await send(101, [0, 1, 2, 3, 4]);
  await eventually(async () =>
    expect(await list('?types=1')).toMatchObject([
      {
        eventId: 1,
        carId: vehicles[0]!.id,
        glonassId: 101,
        dataFrom: START,
        dataTill: null,
        carName: 'Van 101',
        carNo: 'A 101',
      },
    ]),
  );
  // hours ago, so that nothing has been heard since
  await eventually(() =>
    expect(updates().map(({ eventId, dataTill }) => [eventId, dataTill])).toEqual([
      [1, null],
      [2, null],
    ]),
  );

  await send(101, [5], 40);
  await eventually(async () => expect(await list('?types=1')).toMatchObject([{ dataTill: START + 5 * 60_000 }]));
  await send(101, [2.5], 40); // from a black box: it drove in between
  await eventually(async () => expect(await list('?types=1')).toEqual([]));
  await eventually(() => expect(updates().at(-1)).toMatchObject({ withdrawn: true, eventId: 1 }));
  socket.close();
});

test('lists are filtered, ordered and paged', async () => {
  await send(102, [0, 5, 20, 40, 41, 80]); // three losses of signal, one of them open, and an open stop
  await eventually(async () => expect((await list(`?cars=${vehicles[1]!.id}&types=2`)).length).toBe(4));
  const all = await list(`?cars=${vehicles[1]!.id}`);
  expect(all.slice(0, 2).map(({ dataTill }) => dataTill)).toEqual([null, null]);
  expect(all.slice(2).every(({ dataTill }) => dataTill !== null)).toBe(true);
  const begins = all.slice(2).map(({ dataFrom }) => dataFrom);
  expect(begins).toEqual([...begins].sort((a, b) => b - a));
  const paged: number[] = [];
  for (let after = ''; ;) {
    const page = await list(`?cars=${vehicles[1]!.id}&limit=1${after}`);
    if (page.length === 0) break;
    paged.push(page[0]!.id);
    after = `&after=${page[0]!.id}`;
  }
  expect(paged).toEqual(all.map(({ id }) => id));
  expect(
    (await list(`?cars=${vehicles[1]!.id}&from=${START + 30 * 60_000}&till=${START + 35 * 60_000}&types=2`)).map(
      ({ dataFrom }) => dataFrom,
    ),
  ).toEqual([START + 20 * 60_000]);
});

test('the latest of each vehicle, one by its id, and the types', async () => {
  const latest = (await station.ask('GET', '/events/last', { as: admin })).json() as { carId: number; id: number }[];
  expect(latest.map(({ carId: vehicleId }) => vehicleId)).toEqual([
    ...new Set(latest.map(({ carId: vehicleId }) => vehicleId)),
  ]);
  const one = (await station.ask('GET', `/events/${latest[0]!.id}`, { as: admin })).json();
  expect(one).toEqual({
    id: latest[0]!.id,
    dataFrom: expect.any(Number),
    dataTill: null,
    lat: 55,
    lon: 37,
    description: expect.stringMatching(/./),
  });
  expect((await station.ask('GET', '/events/1', { as: admin })).status).toBe(404);
  const types = (await station.ask('GET', '/events/types', { as: admin })).json() as { id: number }[];
  expect(types.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
  const text = expect.stringMatching(/./);
  for (const type of types)
    expect(type).toEqual({
      id: type.id,
      name: text,
      defaultMessage: text,
      title: text,
      iconList: text,
      iconMap: text,
      view: expect.any(Boolean),
      isModul: expect.any(Boolean),
      notifiable: expect.any(Boolean),
    });
});

test('events of another organisation are not seen', async () => {
  const organization = (await station.ask('POST', '/organizations', { as: admin, body: { name: 'Elsewhere' } })).json();
  const stranger = await station.newUser('stranger', 'Dispatcher', { organizationId: organization.id });
  expect(await list('', stranger.token)).toEqual([]);
  const [event] = await list();
  expect((await station.ask('GET', `/events/${event!.id}`, { as: stranger.token })).status).toBe(404);
});

test('of each vehicle the latest is that of the last 24 hours', async () => {
  const vehicle = (await station.ask('POST', '/cars', { as: admin, body: { name: 'Van 103', glonassId: 103 } })).json();
  await station.ask('PUT', `/events/settings/cars/${vehicle.id}`, { as: admin, body: { lostAfter: 0 } });
  const ofLast = async () =>
    (await station.ask('GET', '/events/last', { as: admin }))
      .json()
      .filter(({ carId: vehicleId }: { carId: number }) => vehicleId === vehicle.id)
      .map(({ eventId }: { eventId: number }) => eventId);
  const day = 24 * 60;
  await send(103, [-day, -day + 5, -day + 10]); // it stood a day and three hours ago
  await send(103, [-day + 11], 40);
  await eventually(async () =>
    expect(await list(`?cars=${vehicle.id}&types=1`)).toMatchObject([{ dataTill: START + (-day + 11) * 60_000 }]),
  );
  expect(await ofLast()).toEqual([]);
  await send(103, [170, 175]);
  await eventually(async () => expect(await ofLast()).toEqual([1]));
});

test('events of a deleted vehicle are listed only on request', async () => {
  const vehicle = (
    await station.ask('POST', '/cars', { as: admin, body: { name: 'Van 104', glonassId: 104, carNo: 'A 104' } })
  ).json();
  await send(104, [0, 5, 10]);
  const its = () => list(`?cars=${vehicle.id}&types=1`);
  await eventually(async () => expect(await its()).toHaveLength(1));
  const [stop] = await its();
  expect((await station.ask('DELETE', `/cars/${vehicle.id}`, { as: admin })).status).toBe(200);
  expect(await its()).toEqual([stop]);
  expect(stop).toMatchObject({ carName: 'Van 104', carNo: 'A 104', glonassId: 104 });
  expect((await station.ask('GET', `/events/${stop!.id}`, { as: admin })).status).toBe(200);
  expect((await list()).map(({ carId: vehicleId }) => vehicleId)).not.toContain(vehicle.id);
  expect(
    (await station.ask('GET', '/events/last', { as: admin }))
      .json()
      .map(({ carId: vehicleId }: { carId: number }) => vehicleId),
  ).not.toContain(vehicle.id);
  const { token } = await station.newUser('stranger2', 'Dispatcher', {
    organizationId: (await station.ask('POST', '/organizations', { as: admin, body: { name: 'Yonder' } })).json().id,
  });
  expect(await list(`?cars=${vehicle.id}`, token)).toEqual([]);
  expect((await station.ask('GET', `/events/${stop!.id}`, { as: token })).status).toBe(404);
});

test('after a restart they are there, and go on', async () => {
  const before = await list();
  await station.stop();
  station = await tryStation({ data: directory });
  admin = await station.signIn();
  expect(await list()).toEqual(before);
  await send(102, [81], 50);
  await eventually(async () => expect((await list(`?cars=${vehicles[1]!.id}`)).length).toBeGreaterThan(0));
});
