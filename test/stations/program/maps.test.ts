import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROGRAM } from '../../support/program.ts';
import { serve, type Served } from '../harness/served.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const data = mkdtempSync(join(tmpdir(), 'waypost-maps-'));
const children: ChildProcess[] = [];
let station: Served;
let maps: string[];

function run(...words: readonly string[]): ChildProcess {
  const env = { ...process.env, WAYPOST_DATA: data };
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

/** Resolves with the address. */
async function serveMaps(...words: readonly string[]): Promise<string> {
  const child = run('serve', '--role', 'maps', '--port', '0', ...words);
  let said = '';
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (bytes) => {
      said += bytes;
      const found = /^Waypost is listening on (http:\/\/\S+)$/m.exec(said)?.[1];
      if (found) resolve(found);
    });
    child.stderr!.on('data', (bytes) => (said += bytes));
    child.once('exit', () => reject(new Error(said)));
  });
}

beforeAll(async () => {
  maps = [await serveMaps()];
});
afterAll(async () => {
  await station?.end('SIGKILL');
  for (const child of children) child.kill('SIGKILL');
  rmSync(data, { recursive: true, force: true });
});

const TRIP = '/viaroute?loc=47.1,9.5&loc=47.11,9.51';

test('without a territory it lives, is not ready, and finds no way', async () => {
  const health = await fetch(`${maps[0]}/health`);
  expect(health.status).toBe(200);
  expect(await health.json()).toMatchObject({ status: 'degraded', problems: [{ code: 'territory.none' }] });
  expect((await fetch(`${maps[0]}/ready`)).status).toBe(503);
  const { status } = await fetch(maps[0] + TRIP);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
});

test('two of them serve a territory that was imported meanwhile, and answer as a station does', async () => {
  const [code] = (await once(run('import', 'resources/demo/town.osm.pbf'), 'exit')) as [number];
  expect(code).toBe(0);
  maps.push(await serveMaps());
  await expect
    .poll(async () => (await Promise.all(maps.map((one) => fetch(`${one}/ready`)))).map(({ status }) => status))
    .toEqual([200, 200]);
  station = await serve(data);
  const { territory } = await station.ask<{ territory: { bounds: readonly number[] } }>('GET', '/health');
  const [west, south, east, north] = territory.bounds as [number, number, number, number];
  const at = (share: number) => `${south + (north - south) * share},${west + (east - west) * share}`;
  const [lat, lon] = at(0.5).split(',') as [string, string];
  const column = Math.floor(((Number(lon) + 180) / 360) * 2 ** 14);
  const radians = (Number(lat) * Math.PI) / 180;
  const row = Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * 2 ** 14);
  const headers = { authorization: `Bearer ${station.token}` };
  for (const path of [
    `/viaroute?loc=${at(0.4)}&loc=${at(0.6)}&instructions=true`,
    `/table?loc=${at(0.4)}&loc=${at(0.5)}&loc=${at(0.6)}`,
    `/route/v1/driving/${[at(0.4), at(0.6)].map((point) => point.split(',').toReversed().join(',')).join(';')}`,
    '/geocoding?query=harbour',
    `/geocoding/reverse?lon=${lon}&lat=${lat}`,
    `/tiles/14/${column}/${row}.mvt`,
  ]) {
    const expected = await fetch(station.address + path, { headers });
    expect(expected.status, path).toBe(200);
    const bytes = Buffer.from(await expected.arrayBuffer());
    expect(bytes.length, path).toBeGreaterThan(20);
    for (const one of maps) {
      const answer = await fetch(one + path);
      expect(answer.status, path).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes), path).toBe(true);
    }
  }
});

test('it has nothing of a station: neither records nor accounts nor the map of crews', async () => {
  for (const path of ['/cars', '/users', '/auth/login', '/crew/tiles/0/0/0.mvt', '/']) {
    const { status } = await fetch(maps[0] + path);
    expect(status, path).toBeGreaterThanOrEqual(400);
    expect(status, path).toBeLessThan(500);
  }
  const text = await (await fetch(`${maps[0]}/metrics`)).text();
  expect(text).toContain('waypost_maps_ready 1');
  expect(text).toContain('waypost_http_requests_total{method="GET",path="/viaroute",status="200"}');
});

test('a signal ends it, and its port is free', async () => {
  const child = children[0]!;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await expect(fetch(`${maps[0]}/ready`)).rejects.toThrow();
});
