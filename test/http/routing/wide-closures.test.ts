import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

/** Who may close how many kilometres of road: a closure holds for every organisation. */
const WIDE = 'closures-wide';
let at: TryStation;
let admin: string;
let dispatcher: string;
/** Administers a department, and does not see the others. */
let head: string;
let headRight: number;
let town: object;
let street: object;

beforeAll(async () => {
  at = await tryStation({ demo: true, demoSpeed: 0 });
  admin = await at.signIn();
  dispatcher = (await at.newUser('dora', 'Dispatcher')).token;
  const organizationId = (await ok('POST', '/organizations', { name: 'Waterworks' })).id;
  headRight = (await ok('POST', '/rights', { name: 'Head of the waterworks', admin: true, organizationId })).id;
  head = (await at.newUser('hedda', 'Head of the waterworks', { organizationId })).token;
  const [west, south, east, north] = (await ok('GET', '/territory')).bounds;
  town = {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
  const {
    mapped_coordinate: [lat, lon],
  } = await ok('GET', `/nearest?loc=${(south + north) / 2},${(west + east) / 2}`);
  street = { type: 'Point', coordinates: [lon, lat] };
});
afterAll(() => at.stop());

const ask = (method: string, path: string, body: unknown, as = admin): Promise<TestResponse> =>
  at.ask(method, path, { as, body });
const ok = (method: string, path: string, body?: unknown, as = admin) => at.ok(method, path, { as, body });
async function lift(id: number, as = admin): Promise<void> {
  const answered = await ask('DELETE', `/closures/${id}`, undefined, as);
  expect(answered.status, answered.text).toBe(200);
}
const closed = async (): Promise<unknown[]> => ok('GET', '/closures');
const wideId = async (): Promise<number> => {
  const { capabilities }: { capabilities: { id: string; name: string }[] } = await ok('GET', '/news/capabilities');
  return Number(capabilities.find(({ name }) => name === WIDE)?.id);
};
function expectTooWide(answered: TestResponse): void {
  expect(answered.status, answered.text).toBe(403);
  expect(answered.text).toMatch(/\d km of road.*at most 20 km/);
}

test('closing or slowing a whole town needs its own capability, and a refused closure is not stored', async () => {
  for (const as of [dispatcher, head]) {
    for (const factor of [0, 0.5])
      expectTooWide(await ask('POST', '/closures', { name: 'Flood', geometry: town, factor }, as));
  }
  expect(await closed()).toEqual([]);
  const { id } = await ok('POST', '/closures', { name: 'Flood', geometry: town, factor: 0.9 });
  await lift(id);
  for (const as of [dispatcher, head]) {
    const { id } = await ok('POST', '/closures', { name: 'Pipe', geometry: street }, as);
    await lift(id, as);
  }
});

test('enlarging a closure beyond the limit, and changing a wide one, need the capability too', async () => {
  const { id } = await ok('POST', '/closures', { name: 'Pipe', geometry: street }, dispatcher);
  expectTooWide(await ask('PUT', `/closures/${id}`, { geometry: town }, dispatcher));
  expect(await ok('GET', `/closures/${id}`)).toMatchObject({ geometry: street });
  const wide = await ok('PUT', `/closures/${id}`, { geometry: town, factor: 0.9, till: 9e12 });
  for (const body of [{ factor: 0 }, { till: null }, { from: 5 }])
    expectTooWide(await ask('PUT', `/closures/${id}`, body, dispatcher));
  expect(await ok('GET', `/closures/${id}`)).toEqual(wide);
  // Consoles send back what did not change.
  const named = await ok('PUT', `/closures/${id}`, { ...wide, name: 'Flood', reason: 'The river' }, dispatcher);
  expect(named).toEqual({ ...wide, name: 'Flood', reason: 'The river' });
  await ok('PUT', `/closures/${id}`, { geometry: street }, dispatcher);
  await ok('PUT', `/closures/${id}`, { geometry: town });
  await lift(id, dispatcher);
});

test('the preview says whether the caller may save the closure', async () => {
  const preview = async (geometry: object, as: string) => ok('POST', '/closures/preview', { geometry }, as);
  const all = await preview(town, dispatcher);
  expect(all.length).toBeGreaterThan(20_000);
  expect(all).toMatchObject({ allowed: false, limit: 20 });
  expect(await preview(town, head)).toMatchObject({ allowed: false, limit: 20 });
  expect(await preview(town, admin)).toMatchObject({ allowed: true, limit: 20 });
  expect(await preview(street, dispatcher)).toMatchObject({ allowed: true, limit: 20 });
});

test('only a superuser grants the capability; administrators cannot grant it to themselves', async () => {
  const wide = await wideId();
  const { accesses } = await ok('GET', `/rights/${headRight}`);
  const more = { accesses: [...accesses, { capability_id: wide, states: null }] };
  expect((await ask('PUT', `/rights/${headRight}`, more, head)).status).toBe(403);
  expect((await ask('POST', '/rights', { name: 'Mine', ...more }, head)).status).toBe(403);
  const limited = await ask('PUT', `/rights/${headRight}`, { accesses: [{ capability_id: wide, states: [] }] });
  expect(limited.status).toBe(400);
  expect(limited.text).toContain(WIDE);
  const allowed = async (): Promise<number[]> => {
    const answer: { allowed: { capability_id: string }[] } = await ok('GET', '/news/allowed', undefined, head);
    return answer.allowed.map((one) => Number(one.capability_id));
  };
  expect(await allowed()).not.toContain(wide);
  await ok('PUT', `/rights/${headRight}`, more);
  expect(await allowed()).toContain(wide);
  // Who has it may keep it in what a department writes of its own right.
  await ok('PUT', `/rights/${headRight}`, { ...more, name: 'Head' }, head);
  expect(await ok('POST', '/closures/preview', { geometry: town }, head)).toMatchObject({ allowed: true });
  const { id } = await ok('POST', '/closures', { name: 'Flood', geometry: town, factor: 0.9 }, head);
  await lift(id, head);
  await ok('PUT', `/rights/${headRight}`, { accesses }, head);
  expectTooWide(await ask('POST', '/closures', { name: 'Flood', geometry: town }, head));
});

test('on a station without a territory there are no roads, and nothing is wide; the limit is a setting', async () => {
  await at.stop();
  at = await tryStation();
  const bare = (await at.newUser('dora', 'Dispatcher')).token;
  const { id } = await ok('POST', '/closures', { name: 'Flood', geometry: town }, bare);
  await ok('PUT', `/closures/${id}`, { factor: 0.5 }, bare);
  await at.stop();
  at = await tryStation({ 'demo': true, 'demoSpeed': 0, 'closures.wideLimit': 0 });
  const strict = (await at.newUser('dora', 'Dispatcher')).token;
  const answered = await ask('POST', '/closures', { name: 'Pipe', geometry: street }, strict);
  expect(answered.status).toBe(403);
  expect(answered.text).toContain('at most 0 km');
});
