import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormData, fetch } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';
import { DEMO_TOWN, scratchDirectory } from '../../unit/geo/territory/extracts.ts';
import { readTile, tileAt } from '../../unit/geo/map/drawn-map.ts';

const scratch = scratchDirectory();
let at: TryStation;
let admin: string;
let dispatcher: string;

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  dispatcher = (await at.newUser('dora', 'Dispatcher')).token;
});
afterAll(() => at.stop());

/** Waits until no import runs, and gives what `GET /territory` says then. */
async function settled() {
  for (;;) {
    const answered = (await at.ask('GET', '/territory', { as: dispatcher })).json();
    if (answered.import?.state !== 'running') return answered;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function upload(name: string, text: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([text]), name);
  const response = await fetch(`${at.station.address}/fileload?token=${admin}`, { method: 'POST', body: form });
  return ((await response.json()) as { data: [string] }).data[0];
}

async function tile(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(at.station.address + path, {
    headers: { authorization: `Bearer ${dispatcher}`, ...headers },
  });
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

test('before any import there is no territory, and the map is empty', async () => {
  expect((await at.ask('GET', '/territory', { as: dispatcher })).json()).toEqual({ import: null });
  expect((await tile('/tiles/3/1/1.mvt')).status).toBe(204);
  expect((await at.ask('GET', '/health')).json().territory).toBeNull();
  expect((await at.ask('DELETE', '/territory/import', { as: admin })).status).toBe(404);
});

test('an administrator imports a file of the station; everybody sees how it goes, and that the station has it', async () => {
  const started = await at.ask('POST', '/territory', { as: admin, body: { path: DEMO_TOWN, name: 'Demo town' } });
  expect(started.status).toBe(200);
  expect(started.json().import).toMatchObject({
    state: 'running',
    name: 'Demo town',
    file: 'town.osm.pbf',
    error: null,
  });
  expect((await at.ask('POST', '/territory', { as: admin, body: { path: DEMO_TOWN } })).status).toBe(409);
  const loaded = await settled();
  expect(loaded).toMatchObject({ name: 'Demo town', import: { state: 'done', done: 1 } });
  expect(loaded.counts.roadNodes).toBeGreaterThan(100);
  expect(loaded.profiles).toEqual(['car', 'truck', 'emergency', 'foot']);
  expect(loaded.size).toBeGreaterThan(10_000);
  expect(await vi.waitUntil(async () => (await settled()).damaged, { timeout: 60_000, interval: 20 })).toEqual([]);
  expect((await at.ask('GET', '/health')).json().territory).toEqual({
    name: 'Demo town',
    bounds: loaded.bounds,
    importedAt: loaded.importedAt,
  });
});

test('the territory before is kept, and one request of an administrator goes back to it', async () => {
  expect((await at.ask('POST', '/territory/previous', { as: admin })).status).toBe(404);
  await at.ask('POST', '/territory', { as: admin, body: { path: DEMO_TOWN, name: 'Newer town' } });
  const newer = await settled();
  expect([newer.name, newer.previous.name]).toEqual(['Newer town', 'Demo town']);
  expect((await at.ask('POST', '/territory/previous', { as: dispatcher })).status).toBe(403);
  const back = (await at.ask('POST', '/territory/previous', { as: admin })).json();
  expect([back.name, back.previous.name]).toEqual(['Demo town', 'Newer town']);
  expect((await at.ask('GET', '/health')).json().territory.name).toBe('Demo town');
});

test('an extract without roads is refused, and imported by force', async () => {
  const path = join(scratch, 'no-roads.osm');
  writeFileSync(path, '<osm><node id="1" lat="1" lon="1"><tag k="place" v="village"/></node></osm>');
  await at.ask('POST', '/territory', { as: admin, body: { path } });
  expect((await settled()).import).toMatchObject({ state: 'failed', refusal: { code: 'territory.empty' } });
  await at.ask('POST', '/territory', { as: admin, body: { path, force: true } });
  expect(await settled()).toMatchObject({ counts: { roadArcs: 0 }, previous: { name: 'Demo town' } });
  await at.ask('POST', '/territory/previous', { as: admin });
});

test('several uploads become one territory: extracts, and changes since', async () => {
  const street = (id: number, lon: number) =>
    `<osm timestamp="2024-01-01T00:00:00Z"><node id="${id}" lat="1" lon="${lon}"/><node id="${id + 1}" lat="1" lon="${lon + 0.01}"/>
    <way id="${id}"><nd ref="${id}"/><nd ref="${id + 1}"/><tag k="highway" v="residential"/></way></osm>`;
  const changes =
    '<osmChange><create><node id="9" timestamp="2024-01-02T00:00:00Z" lat="1" lon="1.005"/></create></osmChange>';
  const uuids: string[] = [];
  for (const [name, text] of [
    ['west.osm', street(1, 1)],
    ['east.osm', street(5, 1.02)],
    ['day.osc', changes],
  ] as const)
    uuids.push(await upload(name, text));
  expect((await at.ask('POST', '/territory', { as: admin, body: { uuids: [...uuids, 'none'] } })).status).toBe(400);
  expect((await at.ask('POST', '/territory', { as: admin, body: { uuids: [] } })).status).toBe(400);
  await at.ask('POST', '/territory', { as: admin, body: { uuids } });
  expect(await settled()).toMatchObject({ name: 'West, East', counts: { nodes: 5, ways: 2 }, import: { error: null } });
  await at.ask('POST', '/territory/previous', { as: admin });
});

test('tiles come packed, may be asked for again by their tag, and may be kept when the territory is named', async () => {
  const { bounds, importedAt } = await settled();
  const [z, x, y] = tileAt(14, (bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2);
  const path = `/tiles/${z}/${x}/${y}.mvt`;
  const packed = await tile(path, { 'accept-encoding': 'gzip' });
  expect(packed.status).toBe(200);
  expect(packed.headers.get('content-type')).toBe('application/vnd.mapbox-vector-tile');
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(packed.headers.get('cache-control')).toBe('private, no-cache');
  expect(new Set(readTile(packed.bytes).map(({ layer }) => layer))).toContain('road');
  const plain = await tile(path, { 'accept-encoding': 'identity' });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.bytes).toEqual(packed.bytes);

  const again = await tile(path, { 'if-none-match': `"x", W/${packed.headers.get('etag')}` });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
  expect((await tile(`${path}?territory=${importedAt}-0`)).headers.get('cache-control')).toBe('private, max-age=86400');
  expect((await tile(`${path}?territory=12345-0`)).headers.get('cache-control')).toBe('private, no-cache');
  const head = await at.ask('HEAD', path, { as: dispatcher });
  expect([head.status, head.text]).toEqual([200, '']);
});

test('a tile that cannot be is refused, one that is empty has no content', async () => {
  expect((await tile('/tiles/15/0/0.mvt')).status).toBe(204);
  for (const path of [
    '/tiles/16/0/0.mvt',
    '/tiles/3/8/0.mvt',
    '/tiles/3/0/8.mvt',
    '/tiles/1/2.mvt',
    '/tiles/1/1/1.png',
  ])
    expect((await tile(path)).status, path).toBe(404);
  for (const path of [
    '/tiles/a/0/0.mvt',
    '/tiles/1/-1/0.mvt',
    '/tiles/1/0.5/0.mvt',
    '/tiles/1/0/1e1.mvt',
    '/tiles/99999999999999999999/0/0.mvt',
    '/tiles/1/0/%00.mvt',
  ])
    expect((await tile(path)).status, path).toBe(400);
  expect((await at.ask('GET', '/tiles/0/0/0.mvt')).status).toBe(401);
});

test('callers without access, and impossible imports, are refused', async () => {
  const order = (body: unknown, as: string | null = admin) =>
    at.ask('POST', '/territory', { as: as ?? undefined, body });
  expect((await order({ path: DEMO_TOWN }, null)).status).toBe(401);
  expect((await order({ path: DEMO_TOWN }, dispatcher)).status).toBe(403);
  expect((await at.ask('DELETE', '/territory/import', { as: dispatcher })).status).toBe(403);
  for (const body of [
    {},
    { path: '' },
    { path: 'town.osm.pbf' },
    { path: '/nowhere/at/all.osm.pbf' },
    { path: '/tmp/\0' },
    { path: scratch },
    { path: 7 },
    { uuid: 'none' },
    { path: `/${'x'.repeat(4000)}` },
    [],
  ]) {
    const refused = await order(body);
    expect(refused.status, JSON.stringify(body)).toBe(400);
    expect(refused.text.length).toBeGreaterThan(5);
  }
  // A page of another site that has its name lead here.
  const rebound = request(`${at.station.address}/territory`, {
    method: 'POST',
    headers: { 'host': 'evil.example', 'authorization': `Bearer ${admin}`, 'content-type': 'application/json' },
  });
  rebound.end(JSON.stringify({ path: DEMO_TOWN }));
  const [answer] = (await once(rebound, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(403);
  // A proxy on this machine that passes on what another one asked.
  for (const headers of [{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=127.0.0.1' }] as Record<
    string,
    string
  >[]) {
    expect((await at.ask('POST', '/territory', { as: admin, body: { path: DEMO_TOWN }, headers })).status).toBe(403);
  }
});

test('a damaged file is reported, and the old territory stays in service', async () => {
  const before = await settled();
  const broken = join(scratch, 'broken.osm.pbf');
  writeFileSync(broken, readFileSync(DEMO_TOWN).subarray(0, 20_000));
  await at.ask('POST', '/territory', { as: admin, body: { path: broken } });
  const after = await settled();
  expect(after.import).toMatchObject({ state: 'failed', error: expect.stringContaining('The file is cut short') });
  expect({ ...after, import: null }).toEqual({ ...before, import: null });
  const [z, x, y] = tileAt(12, after.bounds[0], after.bounds[1]);
  expect((await tile(`/tiles/${z}/${x}/${y}.mvt`)).status).toBe(200);
});

test('an import can be cancelled', async () => {
  await at.ask('POST', '/territory', { as: admin, body: { path: DEMO_TOWN } });
  expect((await at.ask('DELETE', '/territory/import', { as: admin })).json()).toEqual({ status: 'ok' });
  const after = await settled();
  expect(after).toMatchObject({ name: 'Demo town', import: { state: 'cancelled', error: null } });
});
