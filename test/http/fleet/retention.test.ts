import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let home: number;
let roadsAdmin: { token: string };
const DAY = 86_400_000;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  home = (await get('/users/current')).json().organizationId;
  const roads = (await send('POST', '/organizations', { name: 'Roads' })).json();
  await send('POST', '/rights', { name: 'Local administrator', admin: true });
  roadsAdmin = await station.newUser('olga', 'Local administrator', { organizationId: roads.id });
  await send('POST', '/cars', { name: 'Van 1', glonassId: 5 });
  await send('POST', '/cars', { name: 'Van 2', glonassId: 6, organizationId: roads.id });
});
afterAll(() => station.stop());

const get = (path: string, as = admin) => station.ask('GET', path, { as });
const send = (method: string, path: string, body: unknown, as = admin) => station.ask(method, path, { as, body });

test('a rule says beforehand what it would delete, and only its own organisation’s administrators set it', async () => {
  const now = Date.now();
  for (const glonassId of [5, 6])
    await send(
      'POST',
      '/telemetry',
      [40, 35, 20, 1].map((days) => ({ glonassId, time: now - days * DAY, lat: 50, lon: 20, speed: 0 })),
    );
  expect((await get('/telemetry/retention')).json()).toEqual(
    expect.arrayContaining([{ organizationId: home, days: null, since: 0 }]),
  );
  expect((await get(`/telemetry/retention/${home}/preview`)).json()).toEqual({
    organizationId: home,
    days: null,
    before: null,
    points: 0,
    cars: [],
  });
  const preview = (await get(`/telemetry/retention/${home}/preview?days=30`)).json();
  expect(preview).toMatchObject({
    days: 30,
    points: 2,
    cars: [{ carName: 'Van 1', points: 2, oldest: now - 40 * DAY }],
  });
  expect(Math.abs(preview.before - (now - 31 * DAY))).toBeLessThan(60_000);
  expect((await send('PUT', `/telemetry/retention/${home}`, { days: 30 })).json()).toMatchObject({
    organizationId: home,
    days: 30,
  });
  expect((await get('/telemetry/retention', roadsAdmin.token)).json()).toMatchObject([{ days: null }]);
  expect((await send('PUT', `/telemetry/retention/${home}`, { days: 5 }, roadsAdmin.token)).status).toBe(403);
  expect((await get(`/telemetry/retention/${home}/preview`, roadsAdmin.token)).status).toBe(403);
  for (const days of [0, -1, 1.5, '3', undefined, 40_000])
    expect((await send('PUT', `/telemetry/retention/${home}`, { days })).status).toBe(400);
  expect((await send('PUT', '/telemetry/retention/999', { days: 5 })).status).toBe(404);
});
