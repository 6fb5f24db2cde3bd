import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let admin: string;
beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
});
afterAll(() => at.stop());

const put = (values: unknown, as = admin) => at.ask('PUT', '/auth/preferences', { as, body: { values } });
const get = async (as = admin) => (await at.ok('GET', '/auth/preferences', { as })).values;

test('each person has their own; a change names what changes, and null takes away', async () => {
  const { token } = await at.newUser('other', 'Viewer');
  expect(await get()).toEqual({});
  expect(
    (await put({ palette: 'night', savedViews: [{ name: 'Mine', filter: { q: 'ü' } }], rasters: { 3: 40 } })).status,
  ).toBe(200);
  expect((await put({ palette: 'dusk', rasters: null }, admin)).status).toBe(200);
  expect(await get()).toEqual({ palette: 'dusk', savedViews: [{ name: 'Mine', filter: { q: 'ü' } }] });
  expect(await get(token)).toEqual({});
  expect((await put({ palette: 'day' }, token)).status).toBe(200);
  expect([await get(token), (await get())['palette']]).toEqual([{ palette: 'day' }, 'dusk']);
});

test('nobody reads those of another person: replicas and exports do not have them', async () => {
  await put({ savedViews: ['secret-view'] });
  const { token } = await at.newUser('reader', 'Dispatcher');
  for (const path of ['/users', '/replica/accounts?limit=1000', '/users/current'])
    expect((await at.ask('GET', path, { as: token })).text, path).not.toContain('secret-view');
  expect((await at.ask('GET', '/auth/preferences')).status).toBe(401);
});

test('more than a person needs is refused, and nothing of it is kept', async () => {
  const before = await get();
  const many = Object.fromEntries(Array.from({ length: 61 }, (_, i) => [`name${i}`, i]));
  for (const values of [many, { long: 'x'.repeat(200_001) }, { 'a b': 1 }, { ['x'.repeat(41)]: 1 }, 'text', [1]])
    expect([(await put(values)).status, await get()]).toEqual([400, before]);
  expect((await at.ask('PUT', '/auth/preferences', { as: admin, body: {} })).status).toBe(400);
});

test('changes side by side are all kept', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, i) => put({ [`side${i}`]: i })));
  const values = await get();
  expect(Array.from({ length: 20 }, (_, i) => values[`side${i}`])).toEqual(Array.from({ length: 20 }, (_, i) => i));
});
