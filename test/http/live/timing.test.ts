import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Live } from '../../../server/http/live/live.ts';
import { DEFAULT_TIMINGS, type LiveTimings } from '../../../server/http/live/timings.ts';
import type { Caller } from '../../../server/access/accounts/index.ts';
import { unknownState } from '../../../shared/fleet/last-state.ts';
import { BLANK_VEHICLE } from '../../support/blank-vehicle.ts';
import { openControlRoom, type ControlRoom } from '../../unit/dispatch/tasks/control-room.ts';

/** The socket at another pace than a minute's: what happens to clients that are silent, or do not read. */
let room: ControlRoom;
let server: Server;
let live: Live;
let callers: Map<string, Caller>;
const sockets: WebSocket[] = [];

beforeEach(async () => {
  room = await openControlRoom();
  callers = new Map();
  server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await live.close();
  await new Promise((resolve) => server.close(resolve));
  await room.close();
});

function open(pace: Partial<LiveTimings>): void {
  live = new Live({
    authenticate: (token) => callers.get(token),
    renew: (caller) => [...callers.values()].find((one) => one.user.id === caller.user.id),
    fleet: room.fleet,
    feed: room.store.feed,
    units: room.tasks.units,
    router: { closuresInForce: [], onConditions: () => () => {} },
    sync: { state: () => ({ digest: '' }), links: () => [], onChange: () => () => {} },
    rules: () => room.tasks.rules(),
    tasks: { maySee: () => true, onChange: () => () => {} },
    now: () => Date.now(),
    timings: pace,
  });
  server.on('upgrade', live.upgrade);
}

async function connect(token: string, options: { autoPong?: boolean } = {}): Promise<WebSocket> {
  const actor = await room.person(0, { superuser: true });
  callers.set(token, { ...actor, token: { id: 1, kind: 'session', scopes: null } });
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws?token=${token}`, options);
  sockets.push(socket);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

/** One that is to stop reading, and the station's end of its connection, where one sees what waits for it. */
async function connectSlow(): Promise<{ slow: WebSocket; end: Socket }> {
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  return { slow: await connect('slow'), end: await accepted };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const closing = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve));

test('the default timings: four updates a second, a ping every 30 s, 90 s of silence, 8 MB of unread data', () => {
  open({});
  expect(DEFAULT_TIMINGS).toMatchObject({
    carUpdates: 250,
    ping: 30_000,
    idleTimeout: 90_000,
    maxBuffered: 8 * 1024 * 1024,
  });
});

test('a client that is silent is closed; one that answers pings stays', async () => {
  open({ ping: 100, idleTimeout: 5000 });
  const alive = await connect('alive');
  await closing(await connect('silent', { autoPong: false }));
  expect(alive.readyState).toBe(alive.OPEN);
});

test('a client that does not read is closed with 1013, and the others get every message', async () => {
  open({ maxBuffered: 1_000_000 });
  const { slow, end } = await connectSlow();
  const quick = await connect('quick');
  const heard: number[] = [];
  const commands = new Set<string>();
  quick.on('message', (data) => {
    const said = JSON.parse(String(data)) as { command: string; data: { n: number } };
    commands.add(said.command);
    heard.push(said.data.n);
  });
  slow.pause();
  const text = 'x'.repeat(100_000);
  let sent = 0;
  const say = async () => {
    live.broadcast('TERRITORY_PROGRESS', { n: sent++, text });
    await turn();
    while (heard.length < sent - 1) await turn();
  };
  // The system's buffers take some megabytes first.
  while (end.writableLength <= 1_000_000) await say();
  for (let more = 0; more < 10; more++) await say();
  const closed = closing(slow);
  slow.resume();
  expect(await closed).toBe(1013);
  while (heard.length < sent) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(heard).toEqual(Array.from({ length: sent }, (_, n) => n));
  expect([...commands]).toEqual(['TERRITORY_PROGRESS']);
});

test('while a client lags, newer positions take the place of older ones instead of piling up', async () => {
  open({ carUpdates: 5, positionsHighWater: 0, maxBuffered: 1_000_000_000 });
  const vehicles = room.store.records('vehicles');
  const van = await vehicles.insert({
    ...BLANK_VEHICLE,
    id: vehicles.nextId(),
    name: 'Van',
    glonassId: 77,
    organizationId: room.organizationIds[0]!,
  });
  const { slow, end } = await connectSlow();
  const positions: number[] = [];
  slow.on('message', (data) => {
    const said = JSON.parse(String(data)) as { command: string; data: { data: number }[] };
    if (said.command === 'CAR_UPDATES') positions.push(...said.data.map((one) => one.data));
  });
  slow.send(JSON.stringify({ command: 'SET_OBSERVABLE_CARS', data: [77] }));
  await new Promise((resolve) => slow.once('message', resolve));
  slow.pause();
  // The line is full when what is sent waits in the station itself.
  while (end.writableLength < 5_000_000) {
    live.broadcast('TERRITORY_PROGRESS', { text: 'x'.repeat(100_000) });
    await turn();
  }
  for (let n = 1; n <= 50; n++) {
    room.fleet.states.take([{ ...unknownState(van.id), time: n * 1000, storedAt: n * 1000, lat: 50, lon: 20 }]);
    await new Promise((resolve) => setTimeout(resolve, 6));
  }
  slow.resume();
  while (positions.at(-1) !== 50_000) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(positions).toEqual([50_000]);
});

test('events go to those who follow the vehicle and may see it', async () => {
  open({});
  const vehicles = room.store.records('vehicles');
  const [one, two] = await vehicles.insertMany(
    [1, 2].map((n) => ({
      ...BLANK_VEHICLE,
      id: vehicles.nextId(),
      name: `Van ${n}`,
      glonassId: n,
      organizationId: room.organizationIds[0]!,
    })),
  );
  const client = await connect('one');
  const heard: { command: string; data: unknown }[] = [];
  client.on('message', (data) => heard.push(JSON.parse(String(data)) as (typeof heard)[number]));
  client.send(JSON.stringify({ command: 'SET_OBSERVABLE_CARS', data: [1] }));
  while (heard.length < 1) await new Promise((resolve) => setTimeout(resolve, 2));
  live.sendEvents([
    { vehicleId: one!.id, record: { id: 5 } },
    { vehicleId: two!.id, record: { id: 6 } },
  ]);
  while (heard.length < 2) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(heard[1]).toEqual({ command: 'EVENT_UPDATES', data: [{ id: 5 }] });
});
