import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Errands } from '../../../server/demo/simulate/errands.ts';
import { simulate } from '../../../server/demo/simulate/simulate.ts';
import {
  StationAway,
  StationClient,
  StationRefused,
  type FixSent,
  type Pulled,
  type TaskSeen,
} from '../../../server/demo/simulate/station-client.ts';
import { RouteCache } from '../../../server/demo/simulate/ways.ts';
import { chanceFrom } from '../../../server/demo/chance.ts';

/** Something that speaks HTTP as a station does, where a real one cannot be made to behave like this. */
async function speaker(
  answer: (request: IncomingMessage, body: string) => { status?: number; body?: unknown },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (bytes) => (body += bytes));
    request.on('end', () => {
      const said = answer(request, body);
      response
        .writeHead(said.status ?? 200, { 'content-type': 'application/json' })
        .end(said.body === undefined ? '' : JSON.stringify(said.body));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const task = (id: number, change: Partial<TaskSeen> = {}): TaskSeen => ({
  key: String(id),
  id,
  status: 2,
  statusSince: id,
  assignedVehicleId: 5,
  archived: false,
  isDeleted: false,
  point: { lat: 56, lon: 18 },
  ...change,
});

test('errands follow what is assigned, taken away, moved, done, deleted and deleted', async () => {
  const pages: Pulled[] = [];
  const page = (...documents: TaskSeen[]): number =>
    pages.push({ epoch: 'one', documents, checkpoint: pages.length + 1, more: false });
  const { url } = await speaker(() => ({
    body: pages.shift() ?? { epoch: 'one', documents: [], checkpoint: 0, more: false },
  }));
  const errands = new Errands(new StationClient(() => ({ url, token: 'key' })));
  const ids = (vehicle: number): number[] => errands.of(vehicle).map((errand) => errand.taskId);

  page(task(1), task(2, { assignedVehicleId: 0 }), task(3, { status: 4 }), task(4, { point: null }));
  expect(await errands.follow()).toEqual(new Set([5]));
  expect(ids(5)).toEqual([1]);

  page(task(1, { assignedVehicleId: 6 }));
  expect(await errands.follow()).toEqual(new Set([5, 6]));
  expect([ids(5), ids(6)]).toEqual([[], [1]]);

  for (const gone of [{ status: 3 }, { isDeleted: true }, { archived: true }, { _deleted: true }]) {
    page(task(1));
    await errands.follow();
    expect(ids(5)).toEqual([1]);
    page(task(1, gone));
    expect(await errands.follow()).toEqual(new Set([5]));
    expect(ids(5), JSON.stringify(gone)).toEqual([]);
  }
});

test('a restored station is followed from the beginning', async () => {
  const asked: string[] = [];
  const pages: Pulled[] = [
    { epoch: 'one', documents: [task(1)], checkpoint: '3~9', more: true },
    { epoch: 'one', documents: [task(2, { assignedVehicleId: 6 })], checkpoint: 9, more: false },
    { epoch: 'two', reset: true, documents: [], checkpoint: 0, more: true },
    { epoch: 'two', documents: [task(2, { assignedVehicleId: 6 })], checkpoint: 4, more: false },
  ];
  const { url } = await speaker((request) => {
    asked.push(request.url ?? '');
    return { body: pages.shift() };
  });
  const errands = new Errands(new StationClient(() => ({ url, token: 'key' })));
  await errands.follow();
  expect(await errands.follow()).toEqual(new Set([5, 6]));
  expect(errands.of(5)).toEqual([]);
  expect(errands.of(6)).toHaveLength(1);
  expect(asked.map((path) => new URL(path, url).searchParams.get('after'))).toEqual(['0', '3~9', '9', '0']);
});

test('a station that is not there, or is unwell, is away; one that says no has refused', async () => {
  let status = 200;
  const { url, close } = await speaker(() => ({ status, body: [] }));
  const client = new StationClient(() => ({ url, token: 'key' }));
  expect(await client.vehicles()).toEqual([]);
  for (status of [500, 503, 429]) await expect(client.vehicles()).rejects.toThrow(StationAway);
  for (status of [400, 401, 403, 404]) await expect(client.vehicles()).rejects.toThrow(StationRefused);
  await close();
  await expect(client.vehicles()).rejects.toThrow(StationAway);
});

test('a new token is found when the station has forgotten the old one', async () => {
  const { url } = await speaker((request) =>
    request.headers.authorization === 'Bearer new' ? { body: [] } : { status: 401 },
  );
  const tokens = ['old', 'new'];
  const client = new StationClient(() => ({ url, token: tokens.length > 1 ? tokens.shift()! : tokens[0] }));
  await expect(client.vehicles()).rejects.toThrow(StationAway);
  expect(await client.vehicles()).toEqual([]);
});

test('ways to tasks go before ways to roam on, and the router is asked a few times a second at most', async () => {
  const asked: string[] = [];
  const { url } = await speaker((request) => {
    asked.push(new URL(request.url ?? '', 'http://x').searchParams.getAll('loc')[1]);
    return {
      body: {
        status: 0,
        route_geometry: [
          [56, 18],
          [56.001, 18],
        ],
        route_instructions: [],
      },
    };
  });
  const ways = new RouteCache(new StationClient(() => ({ url, token: '' })), chanceFrom(1));
  onTestFinished(() => ways.close());
  const from = { lat: 56, lon: 18 };
  const roams = Array.from({ length: 40 }, (_, i) => ways.toRoam({ lat: 56 + i / 100, lon: 18 }, { lat: 57, lon: 18 }));
  expect(roams.filter((way) => way === undefined).length).toBe(28);
  const began = performance.now();
  await ways.toTask(from, { lat: 58, lon: 18 });
  expect(asked[0]).toMatch(/^58/);
  await Promise.all(roams);
  expect(performance.now() - began).toBeGreaterThan(1500);
  expect(asked.length).toBe(13);
  // From a spot from which some ways are known, others drive those.
  expect(await ways.toRoam(from, { lat: 57, lon: 18 })).toBe(await roams[0]);
});

test('what trackers could not send while the station was away is sent when it is back, in order', async () => {
  let away = true;
  const taken: FixSent[] = [];
  const { url } = await speaker((request, body) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    if (path === '/cars')
      return {
        body: [
          {
            id: 1,
            name: 'Van 1',
            glonassId: 71,
            groupId: null,
            lat: 56,
            lon: 18,
            lastUpdate: 1,
            onService: true,
            unitStatus: 6,
          },
        ],
      };
    if (path === '/territory/limits') return { status: 404 };
    if (path === '/sensors') return { body: [] };
    if (path === '/nearest') return { body: { status: 0, mapped_coordinate: [56, 18] } };
    if (path.startsWith('/replica')) return { body: { epoch: 'one', documents: [], checkpoint: 0, more: false } };
    if (away) return { status: 503 };
    taken.push(...(JSON.parse(body) as FixSent[]));
    return { body: {} };
  });
  const ending = new AbortController();
  const said: string[] = [];
  const driving = simulate(
    { station: () => ({ url, token: '' }), rate: 10, seed: 1, say: (message) => said.push(message) },
    ending.signal,
  );
  await expect.poll(() => said.length).toBe(2);
  expect(taken).toEqual([]);
  away = false;
  await expect.poll(() => taken.length).toBeGreaterThan(6);
  ending.abort();
  await driving;
  const times = taken.map((fix) => fix.time);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  expect(taken.every((fix) => fix.glonassId === 71 && fix.params.unit_status === 6)).toBe(true);
  expect(said.filter((message) => message.includes('503'))).toHaveLength(1);
  expect(said).toContain('The station is back.');
});
