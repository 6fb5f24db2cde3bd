import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { airDistance } from '../../../shared/geo/geometry.ts';
import { PROGRAM } from '../../support/program.ts';

/**
 * A station, and the simulator driving its vehicles, in processes of their own and from the command line, as
 * an operator starts them.
 */
const ROOT = new URL('../../..', import.meta.url).pathname;
const SPEED_UP = 40;
const directory = mkdtempSync(join(tmpdir(), 'waypost-simulate-'));
const children: ChildProcess[] = [];
let said = '';
let address: string;
let token: string;

beforeAll(async () => {
  const [code] = (await once(run('import', 'resources/demo/town.osm.pbf'), 'exit')) as [number];
  expect(code, said).toBe(0);
  await serve();
});
afterAll(async () => {
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  rmSync(directory, { recursive: true, force: true });
});

test('a vehicle that is sent to a task turns its way, arrives, works and reports, also when the station is killed meanwhile', async () => {
  const simulator = run('simulate', '--vehicles', '6', '--speed-up', String(SPEED_UP), '--rate', '4', '--seed', '3');
  const vehicles = await until('all vehicles have a position', 60, async () => {
    const list = await call<Vehicle[]>('GET', '/cars');
    return list.length === 6 && list.every((vehicle) => vehicle.lat !== null) ? list : undefined;
  });
  const place = await pointOnStreet(vehicles[0]);
  const { newsId } = await call<{ newsId: number }>('POST', '/news/', {
    values: { title: 'Water on the road', news_type_id: 1 },
    point: [place.lon, place.lat],
    pointZoom: 17,
  });
  const ranked = await call<{ carId: number; glonassId: number; available: boolean; time: number }[]>(
    'GET',
    `/news/${newsId}/recommendations`,
  );
  expect(ranked[0]).toMatchObject({ available: true });
  const { carId: vehicleId, glonassId } = ranked[0];

  const crew = follow(glonassId);
  await call('POST', `/news/${newsId}/update`, { assigned_car_id: vehicleId });
  await crew.reaches(3);
  await crew.reaches(4);
  expect(airDistance(crew.last, place)).toBeLessThan(100);

  const history = await until('the crew has reported', 60, async () => {
    const { history: entries } = await call<{ history: { field: string; to: unknown }[] }>(
      'GET',
      `/news/${newsId}/history`,
    );
    return entries.some(({ field, to }) => field === 'assigned_status' && Number(to) >= 3) ? entries : undefined;
  });
  expect(history.length).toBeGreaterThan(1);
  const { comments } = await call<{ comments: { comment: string }[] }>('GET', `/news/${newsId}/comments`);
  expect(comments.some(({ comment }) => comment.startsWith('Crew:'))).toBe(true);
  await crew.reaches(1);
  // In the order in which it went through them.
  expect(crew.statuses.slice(crew.statuses.indexOf(3))).toEqual([3, 4, 1]);
  crew.close();

  // The station is killed; the simulator finds the next one, which has another port and another token.
  children.find((child) => child.spawnargs.includes('serve'))!.kill('SIGKILL');
  await serve();
  const before = await call<Vehicle[]>('GET', '/cars');
  await until('positions come again', 60, async () => {
    const now = await call<Vehicle[]>('GET', '/cars');
    return now.every((vehicle, i) => vehicle.lastUpdate! > before[i].lastUpdate! + 1000) || undefined;
  });
  expect(simulator.exitCode, said).toBeNull();
  simulator.kill('SIGTERM');
  const [code] = (await once(simulator, 'exit')) as [number];
  expect(code, said).toBe(0);
});

test('without a station the simulator says so in a sentence', async () => {
  const empty = join(directory, 'empty');
  said = '';
  const child = start(['simulate', '--data', empty]);
  expect((await once(child, 'exit'))[0]).toBe(1);
  expect(said).toContain('No station runs on this data directory.');
  expect(said).not.toContain('at ');
});

interface Vehicle {
  id: number;
  lat: number | null;
  lon: number | null;
  lastUpdate: number | null;
}

/** The simulator's vehicles drive faster than life: their times run ahead of the station's clock. */
const ENVIRONMENT = { WAYPOST_ADMIN_PASSWORD: 'correct horse', WAYPOST_FUTURE_LIMIT: '86400' };

function run(command: string, ...words: string[]): ChildProcess {
  return start([command, ...words, '--data', join(directory, 'data')]);
}

function start(words: string[]): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...ENVIRONMENT },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  children.push(child);
  return child;
}

async function serve(): Promise<void> {
  said = '';
  for (let at = children.length - 1; at >= 0; at--)
    if (children[at].spawnargs.includes('serve')) children.splice(at, 1);
  run('serve', '--port', '0');
  address = await until('the station answers', 60, async () => /listening on (http:\S+)/.exec(said)?.[1]);
  token = (await call<{ token: string }>('POST', '/auth/login', { login: 'admin', password: 'correct horse' })).token;
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(address + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, `${method} ${path}: ${text}`).toBe(200);
  return JSON.parse(text) as T;
}

/** An address by the road some hundred metres from the vehicle. */
async function pointOnStreet(vehicle: Vehicle): Promise<{ lat: number; lon: number }> {
  const found = await call<{ mapped_coordinate: [number, number] }>(
    'GET',
    `/nearest?loc=${(vehicle.lat! + 0.008).toFixed(6)},${(vehicle.lon! + 0.009).toFixed(6)}`,
  );
  return { lat: found.mapped_coordinate[0], lon: found.mapped_coordinate[1] };
}

/** Follows one vehicle on the live socket. */
function follow(glonassId: number) {
  const statuses: number[] = [];
  let last = { lat: 0, lon: 0 };
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${token}`);
  socket.on('open', () => socket.send(JSON.stringify({ command: 'SET_OBSERVABLE_CARS', data: [glonassId] })));
  socket.on('message', (bytes) => {
    const { command, data } = JSON.parse(String(bytes)) as {
      command: string;
      data: { glonassId: number; lat: number; lon: number; unitStatus: number }[];
    };
    if (command !== 'CAR_UPDATES') return;
    for (const update of data) {
      last = { lat: update.lat, lon: update.lon };
      if (statuses.at(-1) !== update.unitStatus) statuses.push(update.unitStatus);
    }
  });
  return {
    statuses,
    get last() {
      return last;
    },
    reaches: (status: number) =>
      until(`status ${status} after ${statuses.join(', ')}`, 60, async () => statuses.at(-1) === status || undefined),
    close: () => socket.close(),
  };
}

async function until<T>(what: string, seconds: number, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Not within ${seconds} s: ${what}. Said so far:\n${said}`);
}
