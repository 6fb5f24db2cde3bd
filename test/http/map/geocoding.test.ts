import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../../server/access/accounts/index.ts';
import { startGeocoder } from '../../../server/geo/geocoding/index.ts';
import type { Geocoder } from '../../../server/geo/geocoding/index.ts';
import { createApp } from '../../../server/http/app/app.ts';
import { geocodingRoutes } from '../../../server/http/map/geocoding.ts';
import type { FoundItem } from '../../../server/http/map/geocoding.ts';
import { DrawnTown, at } from '../../unit/geo/geocoding/drawn-town.ts';

interface Item {
  pkid: number;
  label: string;
  formattedLabel: string;
  zoom: number;
  point: { lon: number; lat: number };
}
type Groups = { groupName: string; items: Item[] }[];

const bugs: unknown[] = [];
let geocoder: Geocoder;
let server: Server;
let base: string;

const CALLERS = {
  dispatcher: { user: {}, token: { scopes: null } },
  reader: { user: {}, token: { scopes: ['read'] } },
  tracker: { user: {}, token: { scopes: ['telemetry'] } },
};
const VEHICLES: FoundItem[] = Array.from({ length: 12 }, (_, i) => ({
  id: 100 + i,
  label: `Mill van ${i}`,
  detail: `AB ${i}`,
  lon: 10,
  lat: 45,
}));
const TASKS: FoundItem[] = [{ id: 7, label: '#7 Fallen tree', lon: 10.001, lat: 45.001 }];

beforeAll(async () => {
  const town = new DrawnTown();
  town.place('town', { 'name': 'Milton', 'name:ru': 'Милтон' }, [0, 0]);
  town.street('Mill Road', [0, -300], [0, 0], [0, 300]);
  town.street('Mill Street', [-300, 0], [0, 0], [300, 0]);
  town.house('Mill Road', '12', [10, 100], { 'addr:postcode': 'ML1 2AB' }).house('Mill Road', '16', [10, 140]);
  town.node({ amenity: 'pub', name: 'The Mill' }, [50, 50]);
  for (let i = 0; i < 60; i++)
    town.street(`Millrace ${'abcdefghijklmnopqrstuvwxyz'[i % 26]}${i}`, [i * 10, 3000], [i * 10 + 5, 3000]);
  geocoder = startGeocoder({ budget: 60_000 });
  await geocoder.open((await town.open()).directory);
  const found = (items: readonly FoundItem[]) => (caller: Caller, query: string, limit: number) =>
    (caller as unknown) === CALLERS.dispatcher && query.startsWith('mill') ? items.slice(0, limit) : [];
  const app = createApp({
    routes: geocodingRoutes(geocoder, {
      vehicles: found(VEHICLES),
      tasks: found(TASKS),
      places: { find: () => [], at: () => undefined },
    }),
    reportBug: (_, error) => bugs.push(error),
    checkAnswers: true,
    authenticate: (token) => CALLERS[token as keyof typeof CALLERS] as unknown as Caller,
  });
  server = createServer({ maxHeaderSize: 65536 }, app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await geocoder.close();
  expect(bugs).toEqual([]);
});

function get(path: string, query: Record<string, string | number>, token = 'dispatcher'): Promise<Response> {
  return fetch(
    `${base}${path}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`,
    { headers: token === '' ? {} : { authorization: `Bearer ${token}` } },
  );
}

async function groups(query: Record<string, string | number>, token?: string): Promise<Groups> {
  const response = await get('/geocoding', query, token);
  expect(response.status, JSON.stringify(query)).toBe(200);
  expect(response.headers.get('content-type')).toMatch('application/json');
  return response.json() as Promise<Groups>;
}

test('groups come in the order of the interface, those without items left out, all together no more than the limit', async () => {
  const found = await groups({ query: 'mill', limit: 50 });
  expect(found.map(({ groupName }) => groupName)).toEqual(
    ['Streets', 'Places', 'Objects', 'Vehicles', 'Tasks'].filter((name) =>
      found.some(({ groupName }) => groupName === name),
    ),
  );
  expect(found.map(({ groupName }) => groupName)).toEqual(expect.arrayContaining(['Streets', 'Vehicles', 'Tasks']));
  expect(found.flatMap(({ items }) => items)).toHaveLength(50);
  expect(await groups({ query: 'mill road 12', limit: 1 })).toMatchObject([{ groupName: 'Addresses', items: [{}] }]);
});

test('an item has exactly the fields of the interface', async () => {
  const [group] = await groups({ query: 'mill road 12' });
  const { lon, lat } = at([10, 100]);
  expect(group).toEqual({
    groupName: 'Addresses',
    items: [
      {
        pkid: expect.any(Number),
        label: 'Mill Road 12, Milton',
        formattedLabel: 'Mill Road 12\nMilton',
        zoom: 18,
        point: { lon: expect.closeTo(lon, 6), lat: expect.closeTo(lat, 6) },
      },
    ],
  });
});

test('with details an item says how well it matches, what it is, and its address in parts', async () => {
  const [group] = await groups({ query: 'mill road 12, flat 3', details: 'true' });
  expect(group!.items[0]).toMatchObject({
    label: 'Mill Road 12, Milton',
    score: expect.closeTo(0.95, 1),
    kind: 'house',
    match: 'exact',
    address: { street: 'Mill Road', number: '12', city: 'Milton', postcode: 'ML1 2AB', unit: 'flat 3' },
  });
  const [estimated] = await groups({ query: 'mill road 14', details: 'true' });
  expect(estimated!.items[0]).toMatchObject({ match: 'estimated', address: { number: '14' } });
  const reversed = await get('/geocoding/reverse', { ...at([10, 141]), details: 'true' });
  expect(await reversed.json()).toMatchObject({ kind: 'house', address: { street: 'Mill Road', number: '16' } });
});

test('an address may come in fields, and then only the territory is searched', async () => {
  expect(await groups({ street: 'mill road', number: '12', city: 'Milton', postcode: '99999' })).toMatchObject([
    { groupName: 'Addresses', items: [{ label: 'Mill Road 12, Milton' }] },
    { groupName: 'Streets' },
  ]);
  expect((await groups({ street: 'mil road', number: '12' }))[0]!.items[0]!.label).toBe('Mill Road 12, Milton');
  expect((await groups({ city: 'Milton' }))[0]).toMatchObject({ groupName: 'Places', items: [{ label: 'Milton' }] });
  expect(await groups({ street: 'mill road', number: '12', limit: 1 })).toHaveLength(1);
});

test('names come in the language that is asked for', async () => {
  const mill = async (lang: string) =>
    (await groups({ query: 'mill road 12, milton, Англия', details: 'true', limit: 1, ...(lang && { lang }) }))[0]!
      .items[0];
  for (const lang of ['ru', 'RU', 'ru-RU'])
    expect(await mill(lang), lang).toMatchObject({
      label: 'Mill Road 12, Милтон',
      formattedLabel: 'Mill Road 12\nМилтон',
      address: { street: 'Mill Road', number: '12', city: 'Милтон' },
    });
  for (const lang of ['', 'en', 'de', 'zh-Hant-TW'])
    expect(await mill(lang), lang).toMatchObject({ label: 'Mill Road 12, Milton', address: { city: 'Milton' } });
  const reverse = await get('/geocoding/reverse', { ...at([10, 100]), lang: 'ru' });
  expect(await reverse.json()).toMatchObject({ label: 'Mill Road 12, Милтон' });
  const [typed] = await groups({ query: 'mill road 12, Milton, Italy', details: 'true', limit: 1 });
  expect(typed!.items[0]).toMatchObject({ address: { number: '12', country: 'Italy' } });
});

test('a batch answers its questions in their order', async () => {
  const ask = (body: unknown, token = 'dispatcher') =>
    fetch(`${base}/geocoding/batch`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const queries = [
    { query: 'mill road 16' },
    { query: 'qqqqzzzz' },
    { street: 'mill road', number: '12' },
    { query: 'milton' },
  ];
  const response = await ask({ queries });
  expect(response.status).toBe(200);
  const { answers } = (await response.json()) as { answers: Item[][] };
  expect(answers.map((items) => items.map(({ label }) => label))).toEqual([
    ['Mill Road 16, Milton'],
    [],
    ['Mill Road 12, Milton'],
    ['Milton'],
  ]);
  expect(answers[0]![0]).toMatchObject({ match: 'exact', address: { number: '16' } });
  for (const body of [
    {},
    { queries: [] },
    { queries: [{}] },
    { queries: [{ query: 5 }] },
    { queries: Array.from({ length: 101 }, () => ({ query: 'mill' })) },
    { queries, limit: 11 },
    { queries, lon: 10 },
  ])
    expect((await ask(body)).status, JSON.stringify(body).slice(0, 80)).toBe(400);
  expect((await ask({ queries }, 'tracker')).status).toBe(403);
});

test('an estimated house is marked, a corner is among the streets, a place among the places', async () => {
  expect((await groups({ query: 'mill road 14' }))[0]!.items[0]!.label).toBe('Mill Road ≈14, Milton');
  const [corner] = await groups({ query: 'mill road / mill street' });
  expect(corner!.groupName).toBe('Streets');
  expect(corner!.items[0]!.label).toBe('Mill Road / Mill Street, Milton');
  expect(await groups({ query: 'milton' })).toMatchObject([{ groupName: 'Places', items: [{ label: 'Milton' }] }]);
});

test('the limit is 10 when it is not given or 0, and 50 at most', async () => {
  const count = async (query: Record<string, string | number>): Promise<number> =>
    (await groups(query, 'reader')).flatMap(({ items }) => items).length;
  expect(await count({ query: 'mill' })).toBe(10);
  expect(await count({ query: 'mill', limit: 0 })).toBe(10);
  expect(await count({ query: 'mill', limit: 3 })).toBe(3);
  expect(await count({ query: 'mill', limit: 1000 })).toBe(50);
});

test('vehicles and tasks are those of the caller, and have their share of a full answer', async () => {
  const found = await groups({ query: 'mill' });
  expect(found.find(({ groupName }) => groupName === 'Vehicles')!.items).toEqual(
    [0, 1].map((i) => ({
      pkid: 100 + i,
      label: `Mill van ${i}`,
      formattedLabel: `Mill van ${i}\nAB ${i}`,
      zoom: 16,
      point: { lon: 10, lat: 45 },
    })),
  );
  expect(found.find(({ groupName }) => groupName === 'Tasks')!.items).toHaveLength(1);
  expect(found.flatMap(({ items }) => items)).toHaveLength(10);
  expect((await groups({ query: 'mill' }, 'reader')).map(({ groupName }) => groupName)).not.toContain('Vehicles');
  // What the territory does not use goes to the vehicles.
  expect(
    (await groups({ query: 'mill road 12' })).find(({ groupName }) => groupName === 'Vehicles')!.items.length,
  ).toBeGreaterThan(2);
});

test('results near the given point come first', async () => {
  const east = await groups({ query: 'millrace', ...at([590, 3000]), limit: 1 }, 'reader');
  const west = await groups({ query: 'millrace', ...at([0, 3000]), limit: 1 }, 'reader');
  expect(east[0]!.items[0]!.point.lon).toBeGreaterThan(west[0]!.items[0]!.point.lon);
});

test('a pair of coordinates gives that point with the nearest address', async () => {
  const { lon, lat } = at([12, 101]);
  const found = await groups({ query: `${lat.toFixed(6)}, ${lon.toFixed(6)}` });
  expect(found).toMatchObject([
    {
      groupName: 'Addresses',
      items: [
        {
          label: `${lat.toFixed(6)}, ${lon.toFixed(6)} (Mill Road 12, Milton)`,
          point: { lon: expect.closeTo(lon, 5), lat: expect.closeTo(lat, 5) },
        },
      ],
    },
  ]);
});

test('no hit is an empty array', async () => {
  expect(await groups({ query: 'qqqqzzzz' })).toEqual([]);
  expect(await groups({ query: '' })).toEqual([]);
  expect(await groups({ query: '"*(' })).toEqual([]);
});

test('where the territory cannot be read a search still finds what the station has, and says so when that is nothing', async () => {
  const unreadable = startGeocoder();
  await expect(unreadable.open('/no/such/territory')).rejects.toThrow();
  const routes = geocodingRoutes(unreadable, {
    vehicles: (_, query) => (query === 'van' ? VEHICLES.slice(0, 1) : []),
    tasks: () => [],
    places: { find: () => [], at: () => undefined },
  });
  const alone = createServer(
    createApp({
      routes,
      reportBug: (_, error) => bugs.push(error),
      checkAnswers: true,
      authenticate: () => CALLERS.dispatcher as unknown as Caller,
    }),
  );
  await new Promise<void>((resolve) => alone.listen(0, '127.0.0.1', resolve));
  const ask = (query: string) =>
    fetch(`http://127.0.0.1:${(alone.address() as AddressInfo).port}/geocoding?query=${query}`, {
      headers: { authorization: 'Bearer dispatcher' },
    });
  expect(await (await ask('van')).json()).toMatchObject([{ groupName: 'Vehicles' }]);
  const refused = await ask('road');
  expect(refused.status).toBe(404);
  expect(await refused.text()).toContain('The places of the territory cannot be read: import it again.');
  alone.close();
  await unreadable.close();
});

test('reverse gives the nearest address, or 404', async () => {
  const response = await get('/geocoding/reverse', at([12, 101]));
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ label: 'Mill Road 12, Milton', zoom: 18 });
  expect((await get('/geocoding/reverse', at([50_000, 0]))).status).toBe(404);
});

test('wrong requests are refused, never a failure of the server', async () => {
  for (const [path, query, status] of [
    ['/geocoding', {}, 400],
    ['/geocoding', { query: 'a'.repeat(1001) }, 400],
    ['/geocoding', { query: 'mill', limit: -1 }, 400],
    ['/geocoding', { query: 'mill', limit: 'ten' }, 400],
    ['/geocoding', { query: 'mill', lon: 10 }, 400],
    ['/geocoding', { query: 'mill', lon: 'x', lat: 1 }, 400],
    ['/geocoding', { query: 'mill', lon: 181, lat: 0 }, 400],
    ['/geocoding', { query: 'mill', lon: 0, lat: 91 }, 400],
    ['/geocoding', { query: 'mill', lang: '' }, 400],
    ['/geocoding', { query: 'mill', lang: 'russian' }, 400],
    ['/geocoding', { query: 'mill', lang: "ru' OR 1" }, 400],
    ['/geocoding/reverse', { ...at([0, 0]), lang: 'r' }, 400],
    ['/geocoding/reverse', {}, 400],
    ['/geocoding/reverse', { lon: 10 }, 400],
    ['/geocoding/reverse', { lon: 10, lat: 'NaN' }, 400],
    ['/geocoding/elsewhere', {}, 404],
  ] as const) {
    const response = await get(path, query as Record<string, string | number>);
    expect(response.status, `${path} ${JSON.stringify(query).slice(0, 60)}`).toBe(status);
    expect((await response.text()).length).toBeGreaterThan(5);
  }
});

test('a token is needed, and one that may read is enough', async () => {
  for (const path of ['/geocoding', '/geocoding/reverse']) {
    expect((await get(path, { query: 'mill', ...at([0, 0]) }, '')).status).toBe(401);
    expect((await get(path, { query: 'mill', ...at([0, 0]) }, 'wrong')).status).toBe(401);
    expect((await get(path, { query: 'mill', ...at([0, 0]) }, 'tracker')).status).toBe(403);
    expect((await get(path, { query: 'mill', ...at([0, 0]) }, 'reader')).status).toBe(200);
  }
  expect((await fetch(`${base}/geocoding?query=mill&token=dispatcher`)).status).toBe(200);
});
