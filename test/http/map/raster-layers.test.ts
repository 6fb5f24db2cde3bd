import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormData, fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pictureOf, writeMbTiles } from '../../unit/geo/map/raster-files.ts';
import { scratchDirectory } from '../../unit/geo/territory/extracts.ts';
import { tryStation, type TryStation } from '../try-station.ts';

const scratch = scratchDirectory();
const TILE = { z: 12, x: 2195, y: 1573, bytes: pictureOf('the harbour') };
let at: TryStation;
let admin: string;
let dispatcher: string;
let file: string;

beforeAll(async () => {
  at = await tryStation({ data: join(scratch, 'station') });
  admin = await at.signIn();
  dispatcher = (await at.newUser('dora', 'Dispatcher')).token;
  file = writeMbTiles(join(scratch, 'harbour.mbtiles'), [TILE], { attribution: 'Port authority' });
});
afterAll(() => at.stop());

const files = () => readdirSync(join(at.directory, 'map-layers'));
const layers = async () => (await at.ask('GET', '/raster-layers', { as: dispatcher })).json();

async function picture(path: string) {
  const response = await fetch(at.station.address + path, { headers: { authorization: `Bearer ${dispatcher}` } });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

test('an administrator puts a file of the station on the map, and everybody sees its pictures', async () => {
  const made = await at.ask('POST', '/raster-layers', { as: admin, body: { path: file, name: 'Harbour' } });
  expect(made.status).toBe(200);
  const { id } = made.json();
  expect(await layers()).toMatchObject([
    { id, name: 'Harbour', attribution: 'Port authority', format: 'mbtiles', minZoom: 12, maxZoom: 12 },
  ]);
  const found = await picture(`/raster-layers/${id}/12/2195/1573`);
  expect(found).toEqual({ status: 200, type: 'image/png', bytes: Buffer.from(TILE.bytes) });
  expect((await picture(`/raster-layers/${id}/12/2196/1573`)).status).toBe(204);
  expect((await picture(`/raster-layers/${id}/11/1097/786`)).status).toBe(204);
  expect((await picture(`/raster-layers/${id}/2/4/0`)).status).toBe(404);
  expect((await picture(`/raster-layers/${id}/23/4/0`)).status).toBe(400);
  expect((await picture(`/raster-layers/${id + 1}/12/2195/1573`)).status).toBe(404);
  expect(await fetch(`${at.station.address}/raster-layers/${id}/12/2195/1573`)).toMatchObject({ status: 401 });
});

test('an uploaded file is a layer under its own name', async () => {
  const form = new FormData();
  form.append('file', new Blob([readFileSync(file)]), 'pier.mbtiles');
  const sent = await fetch(`${at.station.address}/fileload?token=${admin}`, { method: 'POST', body: form });
  const uuid = ((await sent.json()) as { data: [string] }).data[0];
  const made = await at.ok('POST', '/raster-layers', { as: admin, body: { uuid } });
  expect(made).toMatchObject({ name: 'pier', attribution: 'Port authority' });
  expect((await picture(`/raster-layers/${made.id}/12/2195/1573`)).status).toBe(200);
});

test('files that are no pictures are refused by their own name and leave nothing behind', async () => {
  const before = files();
  const path = join(scratch, 'notes.mbtiles');
  writeFileSync(path, 'notes');
  const refused = await at.ask('POST', '/raster-layers', { as: admin, body: { path } });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('notes.mbtiles is neither an MBTiles file nor a PMTiles file');
  for (const body of [
    {},
    { path: 'harbour.mbtiles' },
    { path: join(scratch, 'none') },
    { path: scratch },
    { uuid: 'x' },
  ])
    expect((await at.ask('POST', '/raster-layers', { as: admin, body })).status).toBeGreaterThanOrEqual(400);
  expect(files()).toEqual(before);
});

test('a layer gets another name and words of whose it is; what is not named stays', async () => {
  const [{ id, ...others }] = await layers();
  const path = `/raster-layers/${id}`;
  const renamed = await at.ok('PUT', path, { as: admin, body: { name: 'Old harbour' } });
  expect(renamed).toEqual({ ...others, id, name: 'Old harbour' });
  expect(await at.ok('PUT', path, { as: admin, body: { attribution: '' } })).toEqual({ ...renamed, attribution: '' });
  expect(await layers()).toContainEqual({ ...renamed, attribution: '' });
  for (const body of [{ name: '' }, { name: ' ' }, { name: 'n'.repeat(101) }, { attribution: 'a'.repeat(301) }])
    expect((await at.ask('PUT', path, { as: admin, body })).status, JSON.stringify(body).slice(0, 40)).toBe(400);
  expect((await at.ask('PUT', '/raster-layers/1', { as: admin, body: { name: 'None' } })).status).toBe(404);
  expect((await at.ask('PUT', path, { as: dispatcher, body: { name: 'Mine' } })).status).toBe(403);
  expect((await picture(`${path}/12/2195/1573`)).status).toBe(200);
});

test('only administrators put and remove layers', async () => {
  expect((await at.ask('POST', '/raster-layers', { as: dispatcher, body: { path: file } })).status).toBe(403);
  const [{ id }] = await layers();
  expect((await at.ask('DELETE', `/raster-layers/${id}`, { as: dispatcher })).status).toBe(403);
});

test('layers are there after a restart, copies that did not end are not, and a removed one leaves no file', async () => {
  const [first, second] = await layers();
  await at.station.stop();
  writeFileSync(join(at.directory, 'map-layers', '17.tiles'), 'half');
  const again = await tryStation({ data: at.directory });
  admin = await again.signIn();
  dispatcher = await again.signIn('dora', 'a fine password');
  at = again;
  expect(await layers()).toEqual([first, second]);
  expect(files()).not.toContain('17.tiles');
  expect((await picture(`/raster-layers/${first.id}/12/2195/1573`)).status).toBe(200);
  expect((await at.ask('DELETE', `/raster-layers/${first.id}`, { as: admin })).status).toBe(200);
  expect((await at.ask('DELETE', `/raster-layers/${first.id}`, { as: admin })).status).toBe(404);
  expect(await layers()).toEqual([second]);
  expect((await picture(`/raster-layers/${first.id}/12/2195/1573`)).status).toBe(404);
  expect(files().sort()).toEqual([`${second.id}.json`, `${second.id}.tiles`]);
});
