import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ReplayRunner } from '../../../server/tracking/events/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/**
 * Events of a running station from what surrounds its vehicles: zones, sensors, routes, closures, tasks and
 * thresholds.
 */
let station: TryStation;
let admin: string;
let next = 300;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
});
afterAll(() => station.stop());

const MINUTE = 60_000;
const METRE = 1 / 111_195;
const east = (metres: number) => 37 + (metres * METRE) / Math.cos((55 * Math.PI) / 180);

interface Event {
  id: number;
  eventId: number;
  dataFrom: number;
  dataTill: number | null;
  info: string;
  data: Record<string, number>;
  reason: string;
  lat: number;
  lon: number;
}

async function ok<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answered = await station.ask(method, path, { as: admin, body });
  if (answered.status !== 200) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
  return answered.text === '' ? (undefined as T) : answered.json();
}
const vehicle = (more: object = {}) =>
  ok<{ id: number; glonassId: number }>('POST', '/cars', { name: `Car ${++next}`, glonassId: next, ...more });
const send = (glonassId: number, ...records: object[]) =>
  ok(
    'POST',
    '/telemetry',
    records.map((record) => ({ glonassId, lat: 55, lon: 37, speed: 40, ...record })),
  );
const events = (vehicleId: number, ...types: number[]) =>
  ok<Event[]>('GET', `/events?cars=${vehicleId}${types.length > 0 ? `&types=${types.join(',')}` : ''}`);
/** Waits until the events of these types are so many, and gives them, oldest first. */
async function happened(vehicleId: number, count: number, ...types: number[]): Promise<Event[]> {
  return eventually(async () => {
    const found = await events(vehicleId, ...types);
    expect(
      found.map(({ eventId }) => eventId),
      `types ${types.join()}`,
    ).toHaveLength(count);
    return found.sort((a, b) => a.dataFrom - b.dataFrom || a.eventId - b.eventId);
  });
}

test('a drive is without a driver unless somebody of the crew showed their key; a dismissed one keeps the drives of before', async () => {
  const anna = await ok<{ id: number }>('POST', '/drivers', { fio: 'Anna', wire: '01A2b3' });
  const { id, glonassId } = await vehicle({ driversIds: [anna.id] });
  const start = Date.now() - 60 * MINUTE;
  await ok('POST', '/sensors', {
    carId: id,
    name: 'Ignition',
    type: 'ignition',
    input: { kind: 'input', index: 0 },
    validFrom: start,
  });
  await ok('POST', '/sensors', {
    carId: id,
    name: 'Reader',
    type: 'driver-key',
    input: { kind: 'param', name: 'driver_key' },
    validFrom: start,
  });
  const drive = (minute: number, key: string) => [
    { time: start + minute * MINUTE, inputs: 1, params: { driver_key: key } },
    { time: start + (minute + 3) * MINUTE, inputs: 1 },
    { time: start + (minute + 5) * MINUTE, inputs: 0 },
    { time: start + (minute + 6) * MINUTE, inputs: 0 },
  ];
  await send(glonassId, ...drive(10, '01a2b3'));
  await happened(id, 1, 15);
  await ok('DELETE', `/drivers/${anna.id}`);
  // A drive of before that comes late is judged by the crew of its time.
  await send(glonassId, ...drive(20, '01A2B3'), ...drive(30, '77ff'));
  await happened(id, 3, 15);
  const [stranger] = await happened(id, 1, 12);
  expect(stranger).toMatchObject({
    info: 'unknown key 77FF',
    dataFrom: start + 30 * MINUTE,
    dataTill: start + 35 * MINUTE,
  });
  const now = Date.now() + 1_000;
  await eventually(() => expect(Date.now()).toBeGreaterThan(now));
  await send(glonassId, { time: now, inputs: 1, params: { driver_key: '01A2B3' } }, { time: now + 90_000, inputs: 1 });
  expect((await happened(id, 2, 12))[1]).toMatchObject({ info: 'unknown key 01A2B3', dataFrom: now });
});

describe('zones', () => {
  test('a visit, a limit in the zone, and an edit that changes nothing of the past', async () => {
    const { id, glonassId } = await vehicle();
    const start = Date.now() - 60 * MINUTE;
    const zone = await ok<{ id: number }>('POST', '/geozones', {
      name: 'Depot',
      geometry: { type: 'Point', coordinates: [east(0), 55] },
      radius: 300,
      speedLimit: 30,
      validFrom: start - MINUTE,
    });
    const drive = (minute: number, metres: number) => ({ time: start + minute * MINUTE, lon: east(metres), speed: 45 });
    await send(glonassId, drive(0, -2000), drive(1, -100), drive(2, 100), drive(3, 2000));
    const [speeding, visit, left] = await happened(id, 3, 5, 6, 7);
    expect(visit).toMatchObject({
      eventId: 6,
      info: 'Depot',
      dataFrom: start + MINUTE,
      dataTill: start + 3 * MINUTE,
      data: { zoneId: zone.id },
    });
    expect(left).toMatchObject({ eventId: 7, dataFrom: start + 3 * MINUTE });
    expect(speeding).toMatchObject({ eventId: 5, data: { limit: 30, top: 45 } });
    const { rows } = await ok<{ rows: object[] }>(
      'GET',
      `/reports/speeding?from=${start}&till=${start + 10 * MINUTE}&cars=${id}`,
    );
    expect(rows).toEqual([
      {
        carId: id,
        carName: `Car ${glonassId}`,
        carNo: '',
        from: speeding!.dataFrom,
        till: null,
        duration: 540,
        limit: 30,
        topSpeed: 45,
        lat: speeding!.lat,
        lon: speeding!.lon,
      },
    ]);

    await ok('PUT', `/geozones/${zone.id}`, { geometry: { type: 'Point', coordinates: [east(50_000), 55] } });
    await send(glonassId, { ...drive(1.5, 0) }); // late, from the time of the old shape
    await eventually(async () =>
      expect((await ok<{ time: number }[]>('GET', `/cars/${id}/track?from=${start}&till=${Date.now()}`)).length).toBe(
        5,
      ),
    );
    expect((await happened(id, 3, 5, 6, 7)).map(({ id: one }) => one)).toEqual([speeding!.id, visit!.id, left!.id]);
  });

  test('a zone with an earlier start time exists from then on', async () => {
    const { id, glonassId } = await vehicle();
    const start = Date.now() - 30 * MINUTE;
    await send(glonassId, { time: start, lon: east(20_000) }, { time: start + MINUTE, lon: east(20_010) });
    expect(await events(id, 6)).toEqual([]);
    await ok('POST', '/geozones', {
      name: 'Yard',
      geometry: { type: 'Point', coordinates: [east(20_000), 55] },
      radius: 300,
      validFrom: start + 30_000,
    });
    expect(await happened(id, 1, 6)).toMatchObject([{ dataFrom: start + MINUTE, dataTill: null, reason: 'changed' }]);
  });
});

test('thresholds of the organisation and of one vehicle hold from when they are set', async () => {
  const { id, glonassId } = await vehicle();
  const other = await vehicle();
  const before = Date.now() - 30 * MINUTE;
  const stand = (minute: number) => ({ time: before + minute * MINUTE, speed: 0 });
  await send(glonassId, stand(0), stand(1), stand(2), { ...stand(2.5), speed: 40, lon: east(500) });
  await eventually(async () => expect(await events(id, 2)).toHaveLength(1));
  expect(await events(id, 1)).toEqual([]);

  expect((await station.ask('PUT', '/events/settings', { as: admin, body: { stopAfter: -1 } })).status).toBe(400);
  expect((await station.ask('PUT', '/events/settings', { as: admin, body: { parkingAfter: 60_000 } })).text).toMatch(
    /parkingAfter/,
  );
  expect(await ok('PUT', '/events/settings', { stopAfter: MINUTE })).toMatchObject({
    stopAfter: MINUTE,
    parkingAfter: 15 * MINUTE,
  });
  expect(await ok('PUT', `/events/settings/cars/${other.id}`, { stopAfter: 2 * MINUTE, lostAfter: 0 })).toEqual({
    stopAfter: 2 * MINUTE,
    lostAfter: 0,
  });
  expect(await events(id, 1)).toEqual([]);
  await send(glonassId, stand(1.5)); // late: the old thresholds hold for it
  const now = Date.now() + 1000; // devices may be ahead
  for (const { glonassId: each } of [{ glonassId }, other])
    await send(each, { time: now, speed: 0 }, { time: now + MINUTE, speed: 0 });
  const [stop] = await happened(id, 1, 1);
  expect(stop!.dataFrom).toBe(now);
  expect(await events(other.id, 1)).toEqual([]);

  const dispatcher = await station.newUser('thresholds', 'Dispatcher');
  expect((await station.ask('PUT', '/events/settings', { as: dispatcher.token, body: {} })).status).toBe(403);
  expect(await ok('PUT', '/events/settings', { stopAfter: null })).toMatchObject({ stopAfter: 3 * MINUTE });
});

test('sensors: the ignition, the tank by the model of the vehicle, and a calibration', async () => {
  const mark = await ok<{ id: number }>('POST', '/cars/marks', { name: 'Mark' });
  const model = await ok<{ id: number }>('POST', '/cars/models', { name: 'Model', markId: mark.id, maxTank: 50 });
  const { id, glonassId } = await vehicle({ modelId: model.id });
  const start = Date.now() - 60 * MINUTE;
  const sensor = (body: object) => ok<{ id: number }>('POST', '/sensors', { carId: id, validFrom: start, ...body });
  await sensor({ name: 'Ignition', type: 'ignition', input: { kind: 'input', index: 0 } });
  const tank = await sensor({
    name: 'Tank',
    type: 'fuel',
    input: { kind: 'adc', index: 0 },
    calibration: [
      [0, 0],
      [1000, 50],
    ],
  });
  // 5 litres are more than 8 % of a tank of 50.
  const at = (step: number, litres: number, inputs: number) => ({
    time: start + step * 30_000,
    speed: 0,
    inputs,
    adc: [litres * 20],
  });
  await send(
    glonassId,
    ...[40, 40, 40, 40, 40, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34].map((litres, step) =>
      at(step, litres, step > 1 && step < 5 ? 1 : 0),
    ),
  );
  expect(await happened(id, 1, 15)).toMatchObject([
    { info: 'Ignition', dataFrom: start + 60_000, dataTill: start + 150_000 },
  ]);
  expect(await happened(id, 1, 11)).toMatchObject([
    { data: { litres: 6, sensorId: tank.id }, dataFrom: start + 180_000 },
  ]);
});

describe('planned routes', () => {
  const line = {
    type: 'LineString',
    coordinates: [
      [east(0), 55.2],
      [east(5000), 55.2],
    ],
  };
  const along =
    (start: number) =>
    (seconds: number, metres: number, aside = 0) => ({
      time: start + seconds * 1000,
      lon: east(metres),
      lat: 55.2 + aside * METRE,
    });
  test('joined, a control point passed, off the route and back', async () => {
    const { id, glonassId } = await vehicle();
    const start = Date.now() - 60 * MINUTE;
    const on = along(start);
    await ok('POST', '/routes', {
      name: 'Round',
      line,
      points: [{ name: 'Gate', lon: east(1000), lat: 55.2, radius: 60 }],
      carsIds: [id],
      validFrom: start - MINUTE,
    });
    await send(
      glonassId,
      on(0, 0),
      on(15, 200),
      on(60, 800),
      on(90, 1200),
      on(150, 2000, 600),
      on(170, 2200, 600),
      on(230, 3000),
      on(250, 3200),
    );
    const found = await happened(id, 3, 13, 16, 24);
    expect(found.map(({ eventId, info }) => [eventId, info])).toEqual([
      [16, 'Round'],
      [13, 'Gate'],
      [24, 'Round'],
    ]);
    expect(found[2]).toMatchObject({ dataFrom: start + 150_000, dataTill: start + 230_000 });
  });
  test('a control point and its report show the delay; an edited plan applies from then on', async () => {
    const { id, glonassId } = await vehicle();
    const unheard = await vehicle();
    const start = Date.now() - 180 * MINUTE;
    const on = along(start);
    const [gate, bridge] = [
      { name: 'Gate', lon: east(1000), lat: 55.2, radius: 60, arriveAfter: 30 },
      { name: 'Bridge', lon: east(4000), lat: 55.2, radius: 60, arriveAfter: 600 },
    ];
    const route = await ok<{ id: number; points: { id: number }[] }>('POST', '/routes', {
      name: 'Round',
      line,
      points: [gate, bridge],
      carsIds: [id, unheard.id],
      from: start,
      validFrom: start - MINUTE,
    });
    await send(glonassId, on(0, 0), on(15, 200), on(60, 800), on(90, 1200));
    const [passed] = await happened(id, 1, 13);
    expect(passed).toMatchObject({
      info: 'Gate',
      dataFrom: start + 75_000,
      data: { routeId: route.id, planned: start + 30_000, late: 45 },
    });
    const report = (vehicle = id) =>
      ok<{ rows: object[] }>('GET', `/reports/routes?from=${start}&till=${start + 120 * MINUTE}&cars=${vehicle}`);
    const row = { carId: id, routeName: 'Round' };
    expect((await report()).rows).toEqual([
      expect.objectContaining({
        ...row,
        pointName: 'Gate',
        planned: start + 30_000,
        arrived: start + 75_000,
        left: start + 75_000,
        late: 0.8,
        missed: false,
      }),
      expect.objectContaining({
        ...row,
        pointName: 'Bridge',
        planned: start + 10 * MINUTE,
        arrived: null,
        left: null,
        late: null,
        missed: true,
      }),
    ]);
    // Nobody knows where it was; of the other one its events tell it also when its track is no longer kept.
    expect((await report(unheard.id)).rows).toMatchObject([
      { pointName: 'Gate', late: null, missed: false },
      { pointName: 'Bridge', late: null, missed: false },
    ]);
    const tracks = new DatabaseSync(join(station.directory, 'tracks.db'));
    tracks.prepare('DELETE FROM tracks WHERE vehicle = ?').run(id);
    tracks.close();
    await ok('PUT', `/routes/${route.id}`, {
      points: route.points.map(({ id: point }, index) => ({
        ...[gate, bridge][index]!,
        id: point,
        arriveAfter: 5 * 3600,
      })),
    });
    expect((await report()).rows).toMatchObject([
      { pointName: 'Gate', late: 0.8 },
      { pointName: 'Bridge', missed: true },
    ]);
    expect((await events(id, 13))[0]).toMatchObject({ data: { late: 45 } });
  });
  test('a detour around a closure is not off the route', async () => {
    const { id, glonassId } = await vehicle();
    const start = Date.now() - 60 * MINUTE;
    const on = along(start);
    const closure = await ok<{ id: number }>('POST', '/closures', {
      name: 'Works',
      geometry: { type: 'Point', coordinates: [east(2100), 55.2] },
      from: start - MINUTE,
    });
    await ok('POST', '/routes', { name: 'Round', line, points: [], carsIds: [id], validFrom: start - MINUTE });
    await send(
      glonassId,
      on(0, 0),
      on(15, 200),
      on(90, 1200),
      on(150, 2000, 600),
      on(170, 2200, 600),
      on(230, 3000),
      on(250, 3200),
    );
    expect((await happened(id, 1, 16, 24))[0]!.eventId).toBe(16);
    await ok('DELETE', `/closures/${closure.id}`);
    // It is lifted now; then, it was there.
    await send(glonassId, on(160, 2100, 600));
    await eventually(async () =>
      expect((await ok<unknown[]>('GET', `/cars/${id}/track?from=${start}&till=${Date.now()}`)).length).toBe(8),
    );
    await happened(id, 1, 16, 24);
  });
});

describe('tasks', () => {
  const newTask = async (more: object = {}): Promise<number> => {
    const { newstype } = await ok<{ newstype: { news_type_id: string; name: string }[] }>('GET', '/newstype');
    const type = newstype.find(({ name }) => name === 'Fire')!;
    return (
      await ok<{ newsId: number }>('POST', '/news/', {
        action: 'put',
        values: { title: 'Smoke', news_type_id: Number(type.news_type_id), ...more },
        point: [east(40_000), 55],
      })
    ).newsId;
  };
  test('assigned, reached, done: from the message and from the track', async () => {
    const { id, glonassId } = await vehicle();
    const newsId = await newTask();
    await ok('POST', `/news/${newsId}/update`, { assigned_car_id: id });
    const [assigned] = await happened(id, 1, 18);
    expect(assigned).toMatchObject({ info: 'Smoke', data: { newsId }, lat: 55, reason: 'task' });
    expect(assigned!.dataTill).toBe(assigned!.dataFrom);
    const arrival = assigned!.dataFrom + 1000;
    await send(
      glonassId,
      { time: arrival, lon: east(40_000), speed: 0 },
      { time: arrival + 40_000, lon: east(40_020), speed: 0 },
    );
    expect(await happened(id, 1, 14)).toMatchObject([{ dataFrom: arrival, data: { newsId } }]);
    await ok('POST', `/news/${newsId}/update`, { assigned_status: 4 });
    await happened(id, 2, 18, 19, 23);
    expect((await events(id, 19))[0]).toMatchObject({ data: { newsId } });
  });
  test('a place where the vehicle has been before the task was its own is no arrival; taken away and overdue', async () => {
    const { id, glonassId } = await vehicle();
    await send(
      glonassId,
      { time: Date.now() - 10 * MINUTE, lon: east(40_000), speed: 0 },
      { time: Date.now() - 5 * MINUTE, lon: east(40_000), speed: 0 },
    );
    const yesterday = new Intl.DateTimeFormat('de', { day: '2-digit', month: '2-digit', year: 'numeric' }).format(
      Date.now() - 24 * 60 * MINUTE,
    );
    const newsId = await newTask({ news_date: yesterday });
    await ok('POST', `/news/${newsId}/update`, { assigned_car_id: id });
    const [overdue] = await happened(id, 1, 20); // ten minutes for a fire, and it was yesterday
    expect(overdue!.dataTill).toBeNull();
    await ok('POST', `/news/${newsId}/update`, { assigned_car_id: 0 });
    await happened(id, 1, 23);
    expect((await events(id, 20))[0]!.dataTill).not.toBeNull();
    expect(await events(id, 14)).toEqual([]);
  });
  test('the driver of the vehicle, a user by their external id, accepts and gives back', async () => {
    const user = await station.newUser('driver-ivan', 'Dispatcher');
    const driver = await ok<{ id: number }>('POST', '/drivers', { fio: 'Ivan', extId: 'Driver-Ivan' });
    const { id } = await vehicle({ driversIds: [driver.id] });
    const newsId = await newTask();
    await ok('POST', `/news/${newsId}/update`, { assigned_car_id: id });
    for (const body of [{ assigned_status: 3 }, { assigned_car_id: 0 }])
      expect((await station.ask('POST', `/news/${newsId}/update`, { as: user.token, body })).status).toBe(200);
    expect((await happened(id, 3, 18, 21, 22, 23)).map(({ eventId }) => eventId)).toEqual([18, 22, 21]);
  });
});

test('thresholds and alarm rules are of organisations that there are', async () => {
  for (const path of ['/events/settings', '/alarms/rules']) {
    const rules = await ok<object>('GET', path);
    for (const method of ['GET', 'PUT'])
      expect(
        await station.ask(method, `${path}?organizationId=999`, {
          as: admin,
          ...(method === 'PUT' && { body: rules }),
        }),
      ).toMatchObject({ status: 404, text: 'There is no organisation 999.' });
  }
});

describe('trying other thresholds', () => {
  test('counts before and after, and names what differs; nothing is written', async () => {
    const { id, glonassId } = await vehicle();
    const start = Date.now() - 5 * 60 * MINUTE;
    // Two minutes of standing, and four.
    const at = (minute: number, speed: number) => ({
      time: start + minute * MINUTE,
      lon: east(70_000 + minute),
      speed,
    });
    await send(
      glonassId,
      at(0, 40),
      at(1, 0),
      at(2, 0),
      at(3, 0),
      at(4, 40),
      at(5, 0),
      at(6, 0),
      at(7, 0),
      at(8, 0),
      at(9, 0),
      at(10, 40),
    );
    await happened(id, 1, 1);
    const before = await events(id);
    const ask = (settings: object, more: object = {}) =>
      station.ask('POST', '/events/replay', {
        as: admin,
        body: { settings, cars: [id], from: start, till: start + 11 * MINUTE, ...more },
      });
    const tried = (await ask({ stopAfter: 2 * MINUTE })).json();
    expect(tried).toMatchObject({
      records: 11,
      before: [{ eventId: 1, count: 1 }],
      after: [{ eventId: 1, count: 2 }],
      differing: 1,
    });
    expect(tried.events).toMatchObject([
      {
        change: 'created',
        before: null,
        after: { eventId: 1, carId: id, dataFrom: start + MINUTE, dataTill: start + 4 * MINUTE },
      },
    ]);
    expect((await ask({ stopAfter: 10 * MINUTE })).json().events).toMatchObject([
      { change: 'withdrawn', before: { dataFrom: start + 5 * MINUTE }, after: null },
    ]);
    expect((await ask({ parkingAfter: 3 * MINUTE })).json().events).toMatchObject([
      { change: 'changed', before: { info: 'stop' }, after: { info: 'parking' } },
    ]);
    expect((await ask({})).json()).toMatchObject({ differing: 0, events: [] });
    expect(await events(id)).toEqual(before);

    expect((await ask({}, { till: start - 1 })).status).toBe(400);
    expect((await ask({}, { cars: [999_999] })).text).toMatch(/cars/);
    expect((await ask({ stopAfter: 'soon' })).text).toMatch(/stopAfter/);
    // What could not be set cannot be tried, and a vehicle that is named twice is gone over once.
    expect(await ask({ stopAfter: 5000, parkingAfter: 1000 })).toMatchObject({
      status: 400,
      text: 'parkingAfter must not be shorter than stopAfter.',
    });
    expect(await ask({ parkingAfter: MINUTE })).toMatchObject({ status: 400 });
    expect((await ask({}, { cars: [id, id] })).json()).toMatchObject({
      records: 11,
      before: [{ eventId: 1, count: 1 }],
    });
    const dispatcher = await station.newUser('replay', 'Dispatcher');
    expect(
      (await station.ask('POST', '/events/replay', { as: dispatcher.token, body: { settings: {}, from: 0, till: 1 } }))
        .status,
    ).toBe(403);
  });
  test('a running trial reports its progress', async () => {
    const progress = () => ok<{ running: boolean; done: number | null }>('GET', '/events/replay');
    expect(await progress()).toEqual({ running: false, done: null });
    const body = { settings: { stopAfter: 1 }, from: Date.now() - 86_400_000, till: Date.now() };
    for (let seen: Awaited<ReturnType<typeof progress>> | undefined; !seen?.running;) {
      const trial = ok('POST', '/events/replay', body).then(() => undefined);
      do seen = await Promise.race([trial, progress()]);
      while (seen && !seen.running);
      if (seen) expect(seen.done).toBeGreaterThanOrEqual(0);
      await trial;
    }
    expect(await progress()).toEqual({ running: false, done: null });
    const dispatcher = await station.newUser('replay-watch', 'Dispatcher');
    expect((await station.ask('GET', '/events/replay', { as: dispatcher.token })).status).toBe(403);
  });
  test('it ends when its client leaves', async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    // In place of the thread, which may have come to its end by itself by then.
    const run = vi.spyOn(ReplayRunner.prototype, 'run').mockImplementationOnce(
      (_question, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Refusal('events.trialEnded')));
          begun.resolve(signal);
        }),
    );
    onTestFinished(() => run.mockRestore());
    const client = new AbortController();
    const left = fetch(`${station.station.address}/events/replay`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${admin}`, 'content-type': 'application/json' },
      signal: client.signal,
      body: JSON.stringify({ settings: { stopAfter: MINUTE }, from: 0, till: 1 }),
    }).catch((error: Error) => error.name);
    const signal = await begun.promise;
    expect(signal.aborted).toBe(false);
    client.abort();
    expect(await left).toBe('AbortError');
    await eventually(() => expect(signal.aborted).toBe(true));
  });
  test('one that is broken off ends without an answer, and makes room for the next', async () => {
    const replays = new ReplayRunner(join(station.directory, 'tracks.db'));
    const question = { vehicles: [], from: 0, until: 1, change: {}, of: 'organization' } as const;
    const client = new AbortController();
    const brokenOff = replays.run(question, client.signal);
    expect(replays.progress).toBe(0);
    client.abort();
    await expect(brokenOff).rejects.toThrow('The test was cancelled');
    expect(replays.progress).toBeUndefined();
    expect(await replays.run(question, new AbortController().signal)).toMatchObject({ records: 0, events: [] });
  });
  test('one at a time, and the next one after it', async () => {
    const body = { settings: { stopAfter: 1 }, from: Date.now() - 86_400_000, till: Date.now() };
    const both = async () =>
      (await Promise.all([0, 1].map(() => station.ask('POST', '/events/replay', { as: admin, body }))))
        .map(({ status }) => status)
        .sort();
    // Where one is over before the other comes, both are answered.
    let statuses = await both();
    for (let again = 0; again < 20 && statuses[1] === 200; again++) statuses = await both();
    expect(statuses).toEqual([200, 409]);
    expect((await station.ask('POST', '/events/replay', { as: admin, body })).status).toBe(200);
  });
});

describe('thresholds of single vehicles', () => {
  test('are held against those of their organisation, and listed', async () => {
    const { id } = await vehicle();
    await ok('PUT', '/events/settings', { stopAfter: 5 * MINUTE, parkingAfter: 60 * MINUTE });
    expect(await ok('PUT', `/events/settings/cars/${id}`, { stopAfter: 30 * MINUTE })).toEqual({
      stopAfter: 30 * MINUTE,
    });
    const refused = await station.ask('PUT', `/events/settings/cars/${id}`, {
      as: admin,
      body: { stopAfter: 61 * MINUTE },
    });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('parkingAfter')]);
    expect(
      (await ok<{ carId: number }[]>('GET', '/events/settings/cars')).find(({ carId: vehicleId }) => vehicleId === id),
    ).toEqual({
      carId: id,
      settings: { stopAfter: 30 * MINUTE },
    });
    await ok('PUT', `/events/settings/cars/${id}`, { stopAfter: null });
    expect(
      (await ok<{ carId: number }[]>('GET', '/events/settings/cars')).map(({ carId: vehicleId }) => vehicleId),
    ).not.toContain(id);
    await ok('PUT', '/events/settings', { stopAfter: null, parkingAfter: null });
  });

  test('vehicle thresholds stay in force in a trial of the organization’s, and the trial says so', async () => {
    const [plain, own] = [await vehicle(), await vehicle()];
    await ok('PUT', `/events/settings/cars/${own.id}`, { stopAfter: 10 * MINUTE });
    const start = Date.now() + MINUTE;
    for (const { glonassId } of [plain, own])
      await send(glonassId, ...[0, 1, 2, 3, 4].map((minute) => ({ time: start + minute * MINUTE, speed: 0 })), {
        time: start + 5 * MINUTE,
        speed: 40,
        lon: east(500),
      });
    const trial = (more: object) =>
      ok<{ own: object[]; events: { after: { carId: number; eventId: number } | null }[] }>('POST', '/events/replay', {
        settings: { stopAfter: MINUTE, turnAngle: 40 },
        cars: [plain.id, own.id],
        from: start,
        till: start + 6 * MINUTE,
        ...more,
      });
    await happened(plain.id, 1, 1);
    const stops = (answer: Awaited<ReturnType<typeof trial>>) =>
      answer.events.filter(({ after }) => after?.eventId === 1).map(({ after }) => after!.carId);
    const ofOrganization = await trial({ settings: { stopAfter: MINUTE, turnAngle: 40 } });
    expect([ofOrganization.own, stops(ofOrganization)]).toEqual([[{ carId: own.id, settings: ['stopAfter'] }], []]);
    const ofVehicle = await trial({ of: 'vehicle' });
    expect([ofVehicle.own, stops(ofVehicle)]).toEqual([[], [own.id]]);
  });
});
