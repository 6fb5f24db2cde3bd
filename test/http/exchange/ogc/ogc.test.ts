import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../../support/chance.ts';
import { tryStation, type TryStation } from '../../try-station.ts';

const HAS_GDAL = existsSync('/usr/bin/ogrinfo');
const TASKS = 25;
let at: TryStation;
let admin: string;
let key: string;
let noon: number;

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  noon = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
  const type = Number((await at.ok('GET', '/newstype', { as: admin })).newstype[0].news_type_id);
  for (let index = 0; index < TASKS; index++) {
    const values = { title: `Task ${index}`, news_type_id: type };
    await at.ok('POST', '/news/', { as: admin, body: { action: 'put', values, point: [9 + index / 10, 47] } });
  }
  await at.ok('POST', '/news/', {
    as: admin,
    body: { action: 'put', values: { title: 'Nowhere', news_type_id: type } },
  });
  const { glonassId } = await at.ok('POST', '/cars', { as: admin, body: { name: 'Van' } });
  await at.ok('POST', '/cars', { as: admin, body: { name: 'Never heard' } });
  await at.ok('POST', '/telemetry', { as: admin, body: { glonassId, time: noon, lat: 47.14, lon: 9.52, speed: 42 } });
  const ring = [
    [9, 47],
    [9.1, 47],
    [9.1, 47.1],
    [9, 47],
  ];
  await at.ok('POST', '/geozones', {
    as: admin,
    body: { name: 'Depot', geometry: { type: 'Polygon', coordinates: [ring] } },
  });
  const circle = { name: 'Round', geometry: { type: 'Point', coordinates: [10, 48] }, radius: 300 };
  await at.ok('POST', '/geozones', { as: admin, body: circle });
  const line = [
    [9, 47],
    [9.2, 47.2],
  ];
  await at.ok('POST', '/closures', {
    as: admin,
    body: { name: 'Bridge', geometry: { type: 'LineString', coordinates: line }, from: noon, till: noon + 3_600_000 },
  });
  await at.ok('POST', '/own-places', { as: admin, body: { name: 'Hydrant 7', sort: 'hydrant', lat: 47.2, lon: 9.3 } });
  const access = { name: 'QGIS', scopes: ['read'], expiresAt: null };
  key = (await at.ok('POST', '/auth/keys', { as: admin, body: access })).token;
});
afterAll(() => at.stop());

interface Collection {
  readonly features: { readonly id: number; readonly properties: Record<string, never> }[];
  readonly links: { readonly rel: string; readonly href: string }[];
}
const items = async (collection: string, query = ''): Promise<Collection> =>
  (await at.ask('GET', `/ogc/collections/${collection}/items${query}`, { as: key })).json();
const countOf = async (collection: string, query = '') => (await items(collection, query)).features.length;

/** `ogrinfo` as QGIS's library reads the layers; the station answers in this process, so it must not block. */
async function ogrinfo(...words: string[]): Promise<string> {
  const child = spawn('/usr/bin/ogrinfo', ['-ro', `OAPIF:${at.station.address}/ogc`, ...words], {
    env: { ...process.env, GDAL_HTTP_HEADERS: `Authorization: Bearer ${key}` },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  await once(child, 'close');
  return said;
}

test.skipIf(!HAS_GDAL)('GDAL lists the layers and reads every feature, page by page', async () => {
  const layers = await ogrinfo();
  for (const name of ['tasks', 'vehicles', 'zones', 'closures', 'places']) expect(layers).toContain(name);
  expect(await ogrinfo('-so', 'tasks', '-oo', 'PAGE_SIZE=10')).toContain(`Feature Count: ${TASKS}`);
  const vehicle = await ogrinfo('-al', 'vehicles');
  expect(vehicle).toContain('POINT (9.52 47.14)');
  expect(vehicle).toContain('name (String) = Van');
  expect(await ogrinfo('-al', 'zones')).toMatch(/POLYGON \(\(9 47[\s\S]*POINT \(10 48\)|POINT \(10 48\)[\s\S]*POLYGON/);
  expect(await ogrinfo('-al', 'closures')).toContain('LINESTRING (9 47,9.2 47.2)');
  expect(await ogrinfo('-al', 'places')).toContain('Hydrant 7');
  const near = await ogrinfo('-so', 'tasks', '-spat', '9.05', '46.9', '9.35', '47.1');
  expect(near).toContain('Feature Count: 3');
});

test('pages end with the last feature, and none comes twice', async () => {
  const seen: number[] = [];
  let query = '?limit=7';
  for (let pages = 0; pages < 10; pages++) {
    const { features, links } = await items('tasks', query);
    seen.push(...features.map(({ id }) => id));
    const next = links.find(({ rel }) => rel === 'next');
    if (!next) break;
    query = new URL(next.href).search;
  }
  expect(seen).toHaveLength(TASKS);
  expect(new Set(seen).size).toBe(TASKS);
  expect(await countOf('zones', '?limit=1')).toBe(1);
  expect(await countOf('zones', '?limit=1&offset=1')).toBe(1);
  expect(await countOf('zones', '?offset=2')).toBe(0);
});

test('bbox and datetime choose; west of the date line counts', async () => {
  expect(await countOf('tasks', '?bbox=9.05,46.9,9.35,47.1')).toBe(3);
  expect(await countOf('tasks', '?bbox=9.05,46.9,0,9.35,47.1,1000')).toBe(3);
  expect(await countOf('vehicles', '?bbox=170,-90,-170,90')).toBe(0);
  expect(await countOf('vehicles', '?bbox=9.6,-90,9.55,90')).toBe(1);
  const iso = (time: number) => new Date(time).toISOString();
  expect(await countOf('vehicles', `?datetime=${iso(noon)}`)).toBe(1);
  expect(await countOf('vehicles', `?datetime=${iso(noon + 1)}/..`)).toBe(0);
  expect(await countOf('closures', `?datetime=../${iso(noon - 1)}`)).toBe(0);
  expect(await countOf('closures', `?datetime=${iso(noon + 60_000)}`)).toBe(1);
  expect(await countOf('places', `?datetime=${iso(noon)}`)).toBe(1);
});

test.each(['[', 'a b', 'station:99999', ''])('a page whose request names the host “%s” has its links', async (host) => {
  const { hostname, port } = new URL(at.station.address);
  const headers = { Host: host, Authorization: `Bearer ${key}` };
  const asked = get({ hostname, port, path: '/ogc/collections/tasks/items?limit=1', headers });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const { links } = (await json(answer)) as Collection;
  expect(answer.statusCode).toBe(200);
  expect(links.find(({ rel }) => rel === 'next')?.href).toMatch(/\/items\?limit=1&offset=\d+$/);
});

test('one feature, and what is not there', async () => {
  const [first] = (await items('tasks')).features;
  const one = await at.ask('GET', `/ogc/collections/tasks/items/${first!.id}`, { as: key });
  expect([one.type, one.json().properties.title]).toEqual([expect.stringContaining('application/geo+json'), 'Task 0']);
  for (const path of ['tasks/items/999999', 'closures/items/999999', 'nothing', 'nothing/items'])
    expect((await at.ask('GET', `/ogc/collections/${path}`, { as: key })).status).toBe(404);
  expect((await at.ask('GET', '/ogc')).status).toBe(401);
});

test('300 random wrong queries: no 5xx', async () => {
  const chance = new Chance();
  const values = [
    '',
    'x',
    '-1',
    '0',
    '1e9',
    '1,2,3',
    '9,47,9',
    '9,48,10,47',
    'NaN,1,2,3',
    '../..',
    '/',
    '..',
    '2026-13-40',
  ];
  for (let turn = 0; turn < 300; turn++) {
    const query = ['bbox', 'datetime', 'limit', 'offset', 'f'].map((name) => `${name}=${chance.of(values)}`).join('&');
    const { status } = await at.ask('GET', `/ogc/collections/${chance.of(['tasks', 'zones'])}/items?${query}`, {
      as: key,
    });
    expect(status, query).toBeLessThan(500);
  }
  expect((await at.ask('GET', '/ogc/collections/tasks/items?bbox=9,48,10,47', { as: key })).status).toBe(400);
  expect((await at.ask('GET', '/ogc/collections/tasks/items?datetime=../..', { as: key })).status).toBe(400);
  const reversed = '2026-06-02T00:00:00Z/2026-06-01T00:00:00Z';
  expect((await at.ask('GET', `/ogc/collections/tasks/items?datetime=${reversed}`, { as: key })).status).toBe(400);
  expect((await at.ask('GET', '/ogc/collections/tasks/items?limit=0', { as: key })).status).toBe(400);
});
