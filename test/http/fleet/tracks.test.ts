import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let vehicle: { id: number };
let stranger: { token: string };
const NOON = Date.UTC(2026, 6, 1, 12);
const SECONDS = 9000;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  const ask = async (path: string, body: unknown) => (await station.ask('POST', path, { as: admin, body })).json();
  const roads = await ask('/organizations', { name: 'Roads' });
  stranger = await station.newUser('olga', 'Dispatcher', { organizationId: roads.id });
  vehicle = await ask('/cars', { name: 'Van 1', glonassId: 5 });
  await ask(
    '/telemetry',
    Array.from({ length: SECONDS }, (_, second) => ({
      glonassId: 5,
      time: NOON + second * 1000,
      lat: 50 + second / 10_000,
      lon: 20,
      speed: 40,
      adc: [second % 2 === 0 ? second / 1800 : undefined].filter((volt) => volt !== undefined),
    })),
  );
});
afterAll(() => station.stop());

const get = (path: string, as = admin) => station.ask('GET', path, { as });

test('a long track comes whole, or simplified, in the order of time', async () => {
  const whole = (await get(`/cars/${vehicle.id}/track?from=${NOON}&till=${NOON + SECONDS * 1000}`)).json();
  expect(whole.map(({ time }: { time: number }) => (time - NOON) / 1000)).toEqual(
    Array.from({ length: SECONDS }, (_, second) => second),
  );
  const simple = (await get(`/cars/${vehicle.id}/track?from=${NOON}&till=${NOON + SECONDS * 1000}&simplify=5`)).json();
  expect(simple.length).toBeLessThan(10);
  expect([simple[0], simple.at(-1)]).toEqual([whole[0], whole.at(-1)]);
  expect((await get(`/cars/${vehicle.id}/track?from=1&till=2&simplify=5`)).json()).toEqual([]);
  expect((await get(`/cars/${vehicle.id}/track?from=1&till=2&simplify=-1`)).status).toBe(400);
});

test('values of a sensor: raw and real, by the calibration of each time, at most one in a while', async () => {
  const sensor = (
    await station.ask('POST', '/sensors', {
      as: admin,
      body: {
        carId: vehicle.id,
        name: 'Fuel',
        type: 'fuel',
        input: { kind: 'adc', index: 0 },
        calibration: [
          [0, 0],
          [5, 50],
        ],
        validFrom: NOON,
      },
    })
  ).json();
  await station.ask('PUT', `/sensors/${sensor.id}`, {
    as: admin,
    body: {
      calibration: [
        [0, 0],
        [5, 100],
      ],
      validFrom: NOON + 3600_000,
    },
  });
  const values = (await get(`/sensors/${sensor.id}/values?from=0&till=${NOON + SECONDS * 1000}`)).json();
  expect(values.length).toBe(SECONDS / 2); // every other record carries it
  expect(values[1]).toEqual({ time: NOON + 2000, raw: 2 / 1800, value: expect.closeTo(2 / 180, 12) });
  expect(values.find(({ time }: { time: number }) => time === NOON + 3_600_000)).toEqual({
    time: NOON + 3_600_000,
    raw: 2,
    value: 40,
  });
  // No 68.55999999999999.
  expect(values.filter(({ value }: { value: number }) => String(value).replace(/^0\.0*|\./, '').length > 12)).toEqual(
    [],
  );
  const thin = (await get(`/sensors/${sensor.id}/values?from=0&till=${NOON + SECONDS * 1000}&every=60000`)).json();
  expect(thin.length).toBe(SECONDS / 60);
  expect((await get(`/sensors/${sensor.id}/values?from=0&till=1`, stranger.token)).status).toBe(404);
  expect((await get(`/sensors/${sensor.id}/values?from=2&till=1`)).status).toBe(400);
});

test('what the sensors of a vehicle say now: each from the latest record that carries it', async () => {
  const van = (await station.ask('POST', '/cars', { as: admin, body: { name: 'Van 2', glonassId: 6 } })).json();
  const fit = async (order: object) =>
    (await station.ask('POST', '/sensors', { as: admin, body: { carId: van.id, validFrom: NOON, ...order } })).json();
  const fuel = await fit({
    name: 'Fuel',
    type: 'fuel',
    unit: 'l',
    input: { kind: 'adc', index: 0 },
    calibration: [
      [0, 0],
      [5, 50],
    ],
  });
  const door = await fit({ name: 'Door', type: 'digital', input: { kind: 'input', index: 2 }, inverted: true });
  const never = await fit({ name: 'Oil', type: 'analog', input: { kind: 'param', name: 'oil' } });
  const gone = await fit({ name: 'Gone', type: 'analog', input: { kind: 'adc', index: 0 } });
  await station.ask('DELETE', `/sensors/${gone.id}`, { as: admin });
  const path = `/cars/${van.id}/sensors/values`;
  const unsaid = { time: null, raw: null, value: null };
  expect((await get(path)).json()).toEqual([
    { id: fuel.id, name: 'Fuel', type: 'fuel', unit: 'l', ...unsaid },
    { id: door.id, name: 'Door', type: 'digital', unit: '', ...unsaid },
    { id: never.id, name: 'Oil', type: 'analog', unit: '', ...unsaid },
  ]);

  const record = (second: number, more: object) => ({
    glonassId: 6,
    time: NOON + second * 1000,
    lat: 50,
    lon: 20,
    speed: 0,
    ...more,
  });
  await station.ask('POST', '/telemetry', {
    as: admin,
    body: [record(10, { adc: [2] }), record(20, { inputs: 4 }), record(0, { adc: [4], params: { oil: 'x' } })],
  });
  expect((await get(path)).json()).toEqual([
    { id: fuel.id, name: 'Fuel', type: 'fuel', unit: 'l', time: NOON + 10_000, raw: 2, value: 20 },
    { id: door.id, name: 'Door', type: 'digital', unit: '', time: NOON + 20_000, raw: 1, value: 0 },
    { id: never.id, name: 'Oil', type: 'analog', unit: '', ...unsaid },
  ]);
  // A calibration holds from its own time on: what was said before keeps the one of then.
  await station.ask('PUT', `/sensors/${fuel.id}`, {
    as: admin,
    body: {
      calibration: [
        [0, 0],
        [5, 500],
      ],
      validFrom: NOON + 15_000,
    },
  });
  expect((await get(path)).json()[0]).toMatchObject({ raw: 2, value: 20 });

  expect((await get(path, stranger.token)).status).toBe(404);
  expect((await get('/cars/99999/sensors/values')).status).toBe(404);
  expect((await get('/cars/x/sensors/values')).status).toBe(400);
});

test('a client that leaves half-way, and many at once, take nothing from the others', async () => {
  const path = `/cars/${vehicle.id}/track?from=${NOON}&till=${NOON + SECONDS * 1000}`;
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const leaving = new AbortController();
      const response = await fetch(`${station.station.address}${path}`, {
        headers: { authorization: `Bearer ${admin}` },
        signal: leaving.signal,
      });
      await response.body!.getReader().read();
      leaving.abort();
    }),
  );
  const answers = await Promise.all(Array.from({ length: 20 }, () => get(path)));
  for (const answered of answers) expect(answered.json().length).toBe(SECONDS);
});
