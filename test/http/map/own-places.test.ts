import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let admin: string;
beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
});
afterAll(() => at.stop());

const PLACE = { lat: 47.14, lon: 9.52 };
const north = (metres: number) => ({ ...PLACE, lat: PLACE.lat + metres / 111_195 });
const ok = (method: string, path: string, body?: unknown, as = admin) => at.ok(method, path, { as, body });
const refused = async (method: string, path: string, body: unknown, as = admin) => {
  const { status, text } = await at.ask(method, path, { as, body });
  return `${status} ${text}`;
};

interface Item {
  pkid: number;
  label: string;
  kind?: string;
  point: { lat: number; lon: number };
}
async function found(query: string, as = admin, near?: { lat: number; lon: number }): Promise<Item[]> {
  const where = near ? `&lat=${near.lat}&lon=${near.lon}` : '';
  const groups: { groupName: string; items: Item[] }[] = await ok(
    'GET',
    `/geocoding?details=true&query=${encodeURIComponent(query)}${where}`,
    undefined,
    as,
  );
  return groups.find(({ groupName }) => groupName === 'OwnPlaces')?.items ?? [];
}
const labels = async (query: string, as = admin, near?: { lat: number; lon: number }) =>
  (await found(query, as, near)).map(({ label }) => label);

/** A user of another organization, and one of ours with a right that keeps places but reads no codes. */
async function userWith(login: string, capabilities: readonly number[], organizationId?: number): Promise<string> {
  const right = await ok('POST', '/rights', {
    name: login,
    accesses: [1, ...capabilities].map((capability_id) => ({ capability_id, states: null })),
    ...(organizationId && { organizationId }),
  });
  const user = { login, password: 'a long pass phrase', fio: login, groupId: right.id, enabled: true };
  await ok('POST', '/users', { ...user, ...(organizationId && { organizationId }) });
  return at.signIn(login, user.password);
}
const idOf = async (capability: string): Promise<number> => {
  const { capabilities } = await ok('GET', '/news/capabilities');
  return Number(capabilities.find(({ name }: { name: string }) => name === capability).id);
};

test('a place is made, found by each of its names, by its sort and in any alphabet, changed and removed', async () => {
  const made = await ok('POST', '/own-places', {
    name: 'Gate 4 of the plant',
    sort: 'gate',
    otherNames: ['Northern gate', 'Четвёртые ворота'],
    notes: 'Ring twice',
    ...PLACE,
  });
  expect(made).toMatchObject({ sort: 'gate', hasCode: false, accessCode: null, geometry: null, ...PLACE });
  const there = [expect.objectContaining({ pkid: made.id, kind: 'gate', point: { ...PLACE } })];
  for (const query of ['gate 4', 'GATE 4 PLANT', 'gat 4', 'ворота 4', 'chetvertye vorota', 'plant Tor'])
    expect(await found(query), query).toEqual(there);
  expect(await labels('northern gate')).toEqual(['Gate 4 of the plant (Northern gate)']);
  expect(await labels('nothern gate'), 'one letter is missing').toEqual(['Gate 4 of the plant (Northern gate)']);
  expect(await labels('gate 5')).toEqual([]);
  expect(await labels('gate 40')).toEqual([]);
  await ok('PUT', `/own-places/${made.id}`, { name: 'Gate 5', otherNames: [] });
  for (const query of ['gate 5', 'Gate 5, Bendern']) expect(await labels(query), query).toEqual(['Gate 5']);
  expect(await labels('plant')).toEqual([]);
  expect((await at.ask('DELETE', `/own-places/${made.id}`, { as: admin })).status).toBe(200);
  expect(await labels('gate 5')).toEqual([]);
  expect((await at.ask('GET', `/own-places/${made.id}`, { as: admin })).status).toBe(404);
});

test('of many of one sort the nearest come first, and a number finds the very one', async () => {
  const places = Array.from({ length: 30 }, (_, i) => ({
    name: `${i + 1}`,
    sort: 'hydrant',
    layer: 'Hydrants',
    externalId: `H-${i + 1}`,
    ...north(100 * i),
  }));
  const batch = await ok('POST', '/own-places/batch', { places });
  expect(batch).toMatchObject({ created: 30, changed: 0, removed: 0 });
  expect((await labels('hydrant', admin, north(1010)))[0]).toBe('11');
  expect(await labels('hydrant 12')).toEqual(['12']);
  expect(await labels('гидрант 12')).toEqual(['12']);
  expect((await labels('h-12'))[0]).toBe('12');
  // The newer file of the list: one moved, one is gone, one is new.
  const again = await ok('POST', '/own-places/batch', {
    places: [
      { ...places[0], ...north(5_000) },
      { ...places[1], name: '31', externalId: 'H-31' },
    ],
    remove: [batch.ids[29]],
  });
  expect(again).toMatchObject({ created: 1, changed: 1, removed: 1 });
  expect(again.ids[0]).toBe(batch.ids[0]);
  expect((await ok('GET', `/own-places/${batch.ids[0]}`)).lat).toBeCloseTo(north(5_000).lat, 9);
  expect(await ok('GET', '/own-places/layers')).toContainEqual({ layer: 'Hydrants', places: 30 });
  expect(await ok('GET', '/own-places?layer=Hydrants&limit=7')).toHaveLength(7);
  const bounds = [9.5, north(150).lat, 9.6, north(450).lat].join(',');
  expect((await ok('GET', `/own-places?bounds=${bounds}`)).map(({ name }: { name: string }) => name)).toEqual([
    '3',
    '4',
    '5',
  ]);
});

test('a batch is written whole or not at all, and says which of its places is wrong', async () => {
  const good = { name: 'Good place', ...PLACE };
  const write = (places: unknown[], remove?: unknown) => refused('POST', '/own-places/batch', { places, remove });
  expect(await write([good, { name: 'Nowhere' }])).toBe('400 places[1].lat is missing.');
  expect(await write([good, { name: 'Half', lat: 1 }])).toBe('400 places[1].lon is missing.');
  expect(await write([good, { ...good, name: ' ' }])).toBe('400 places[1].name is missing.');
  expect(await write([good, { ...good, organizationId: 999 }])).toMatch(/^400 /);
  expect(
    await write([
      { ...good, externalId: 'a' },
      { ...good, externalId: 'a' },
    ]),
  ).toBe('400 places[1].externalId a occurs twice.');
  expect(await write([good], [123_456])).toBe('404 There is no place 123456.');
  expect(await write([{ ...good, lat: 91 }])).toMatch(/^400 /);
  expect(
    await write([
      {
        name: 'x',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [1, 2],
              [2, 2],
              [1, 2],
            ],
          ],
        },
      },
    ]),
  ).toMatch(/^400 places\[0\]\.geometry is wrong/);
  expect(await write([{ name: 'x', geometry: { type: 'Polygon', coordinates: [] } }])).toMatch(/^400 /);
  expect(await labels('good place')).toEqual([]);
  expect(await write(Array.from({ length: 101 }, () => good))).toMatch(/^400 /);
});

test('an area is at the points within it, a private road along it; the most particular comes first', async () => {
  const square = (metres: number) => {
    const [lat, lon] = [metres / 111_195, metres / 75_600];
    const [s, n, w, e] = [48 - lat, 48 + lat, 10 - lon, 10 + lon];
    return {
      type: 'Polygon',
      coordinates: [
        [
          [w, s],
          [e, s],
          [e, n],
          [w, n],
          [w, s],
        ],
      ],
    };
  };
  await ok('POST', '/own-places', { name: 'Beat 7', sort: 'area', geometry: square(1_000) });
  await ok('POST', '/own-places', { name: 'Harbour', sort: 'building', geometry: square(200) });
  await ok('POST', '/own-places', {
    name: 'Mole',
    sort: 'road',
    geometry: {
      type: 'LineString',
      coordinates: [
        [10, 48],
        [10, 48.001],
      ],
    },
  });
  const namesAt = async (lat: number, lon: number) =>
    (await ok('GET', `/own-places?lat=${lat}&lon=${lon}`)).map(({ name }: { name: string }) => name);
  expect(await namesAt(48.0005, 10.0001)).toEqual(['Mole', 'Harbour', 'Beat 7']);
  expect(await namesAt(48.0005, 10.001)).toEqual(['Harbour', 'Beat 7']);
  expect(await namesAt(48.005, 10)).toEqual(['Beat 7']);
  expect(await namesAt(48.02, 10)).toEqual([]);
  const [area] = await ok('GET', '/own-places?name=beat');
  expect([area.lat, area.lon]).toEqual([48, 10]);
  const addressAt = (lat: number, lon: number) =>
    at.ask('GET', `/geocoding/reverse?lat=${lat}&lon=${lon}&details=true`, { as: admin });
  expect((await addressAt(48.0005, 10.001)).json()).toMatchObject({ label: 'Harbour', kind: 'building' });
  expect((await addressAt(48.005, 10)).status, 'a beat is no address').toBe(404);
});

test('places belong to an organization; only a right makes them, and only a right reads codes', async () => {
  const { id: other } = await ok('POST', '/organizations', { name: 'Harbour police' });
  const keeper = await userWith('keeper', [await idOf('own-places')]);
  const reader = await userWith('reader', [await idOf('place-codes')]);
  const viewer = await userWith('viewer', []);
  const stranger = await userWith('stranger', [await idOf('own-places'), await idOf('place-codes')], other);
  const depot = { name: 'Depot key box', sort: 'keyBox', ...PLACE };
  const { id } = await ok('POST', '/own-places', { ...depot, accessCode: '4711#' });
  const shownTo = (as: string) => ok('GET', `/own-places/${id}`, undefined, as);
  expect(await shownTo(viewer)).toMatchObject({ hasCode: true, accessCode: null });
  expect(await shownTo(keeper)).toMatchObject({ hasCode: true, accessCode: null });
  expect(await shownTo(reader)).toMatchObject({ hasCode: true, accessCode: '4711#' });
  expect(await labels('depot key', viewer)).toEqual(['Depot key box']);
  expect(await labels('depot key', stranger)).toEqual([]);
  expect((await at.ask('GET', `/own-places/${id}`, { as: stranger })).status).toBe(404);
  expect((await ok('GET', `/own-places?lat=${PLACE.lat}&lon=${PLACE.lon}`, undefined, stranger)) as unknown[]).toEqual(
    [],
  );
  // A console's replica holds no place, and so no code.
  const replica = await at.ask('GET', '/replica/fleet?limit=5000', { as: reader });
  expect(replica.text).not.toContain('4711#');

  expect(await refused('POST', '/own-places', depot, viewer)).toMatch(/^403 /);
  expect(await refused('PUT', `/own-places/${id}`, { name: 'x' }, viewer)).toMatch(/^403 /);
  expect(await refused('DELETE', `/own-places/${id}`, undefined, reader)).toMatch(/^403 /);
  expect(await refused('PUT', `/own-places/${id}`, { name: 'x' }, stranger)).toMatch(/^404 /);
  expect(await refused('POST', '/own-places/batch', { places: [], remove: [id] }, stranger)).toMatch(/^404 /);
  expect(await refused('POST', '/own-places/batch', { places: [depot] }, viewer)).toMatch(/^403 /);
  expect(await refused('POST', '/own-places', { ...depot, organizationId: null }, keeper)).toMatch(/^403 /);
  expect(await refused('POST', '/own-places', { ...depot, organizationId: other }, keeper)).toMatch(/^403 /);
  expect(await refused('PUT', `/own-places/${id}`, { accessCode: '1' }, keeper)).toMatch(/^403 /);
  await ok('PUT', `/own-places/${id}`, { notes: 'Behind the shed' }, keeper);
  expect(await shownTo(reader)).toMatchObject({ accessCode: '4711#', notes: 'Behind the shed' });
  await ok('POST', '/own-places', { ...depot, name: 'Siren', organizationId: null });
  expect(await labels('siren', stranger)).toEqual(['Siren']);
});

test('the card of a task and the crew that is sent there read the notes; that crew reads the code', async () => {
  const point = { lat: 47.2, lon: 9.6 };
  await ok('POST', '/own-places', {
    name: 'Pump house',
    sort: 'building',
    notes: 'Chlorine',
    accessCode: '99*',
    ...point,
  });
  const { newstype } = await ok('GET', '/newstype');
  const { newsId } = await ok('POST', '/news/', {
    action: 'put',
    values: { title: 'Leak', news_type_id: Number(newstype[0].news_type_id) },
    point: [point.lon, point.lat],
  });
  expect(await ok('GET', `/news/${newsId}/own-places`)).toMatchObject([{ name: 'Pump house', notes: 'Chlorine' }]);
  const { id: carId } = await ok('POST', '/cars', { name: 'Engine 1' });
  await ok('POST', `/news/${newsId}/units`, { carIds: [carId] });
  const { code } = await ok('POST', '/crews/codes', { carId });
  const signed = await at.ask('POST', '/crew/sign-in', { body: { code } });
  const cookie = signed.headers.get('set-cookie')!.split(';')[0]!;
  const { tasks } = (await at.ask('GET', '/crew/state', { headers: { cookie } })).json();
  expect(tasks[0].notes).toEqual([
    { name: 'Pump house', subject: 'other', text: 'Chlorine' },
    { name: 'Pump house', subject: 'code', text: '99*' },
  ]);
});
