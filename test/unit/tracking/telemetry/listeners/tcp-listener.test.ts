import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Decoder, Item } from '../../../../../server/tracking/telemetry/decoders/decoder.ts';
import { teltonika } from '../../../../../server/tracking/telemetry/decoders/teltonika.ts';
import { wialon } from '../../../../../server/tracking/telemetry/decoders/wialon.ts';
import {
  LIMITS,
  listenForDevices,
  type Listener,
} from '../../../../../server/tracking/telemetry/listeners/tcp-listener.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { eventually } from '../../../../support/eventually.ts';
import { FakeGateway } from './device-gateway.ts';

let gateway: FakeGateway;
let listener: Listener;
const sockets: Socket[] = [];
beforeEach(async () => {
  gateway = new FakeGateway();
  listener = await listenForDevices(
    wialon,
    gateway,
    { host: '127.0.0.1', port: 0 },
    { ...LIMITS, connectionsPerAddress: 3 },
  );
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.close();
});

function device(at = listener): { send(text: string | Uint8Array): void; heard: () => string; closed: () => boolean } {
  let heard = '';
  let closed = false;
  const socket = connect(at.port, '127.0.0.1');
  sockets.push(socket);
  socket
    .on('data', (bytes) => (heard += bytes.toString('latin1')))
    .on('close', () => (closed = true))
    .on('error', () => undefined);
  return { send: (text) => void socket.write(text), heard: () => heard, closed: () => closed };
}

/** Tries to be answered, one connection after the other: one that finds no room is closed by the listener. */
async function isHeardAtLast(): Promise<void> {
  await eventually(async () => {
    const one = device();
    one.send('#P#\r\n');
    await eventually(() => expect(one.heard() !== '' || one.closed()).toBe(true));
    expect(one.heard()).toBe('#AP#\r\n');
  });
}

const SHORT = '#SD#270413;205601;5544.6025;N;03739.6834;E;1;2;3;4\r\n';

test('a record is answered only when it is stored', async () => {
  let release = () => {};
  gateway.stored = new Promise((done) => (release = done));
  const van = device();
  van.send(`#L#123456789012345;x\r\n${SHORT}`);
  await eventually(() => expect(van.heard()).toBe('#AL#1\r\n'));
  expect(gateway.taken).toEqual([]);
  release();
  await eventually(() => expect(van.heard()).toBe('#AL#1\r\n#ASD#1\r\n'));
  expect(gateway.taken).toMatchObject([{ glonassId: 77, lat: 55.743375, gpsCount: 4 }]);
});

test('what comes while a record is being stored waits, however much it is, and is answered in turn', async () => {
  let release = () => {};
  gateway.stored = new Promise((done) => (release = done));
  const van = device();
  const box = (minute: number) =>
    `#B#${Array.from({ length: 400 }, (_, i) => `270413;20${String(minute).padStart(2, '0')}${String(i % 60).padStart(2, '0')};5544.6025;N;03739.6834;E;1;2;3;4`).join('|')}|\r\n`;
  van.send('#L#123456789012345;x\r\n');
  for (let minute = 0; minute < 20; minute++) van.send(box(minute)); // some 400 KB
  van.send('#P#\r\n');
  await eventually(() => expect(van.heard()).toBe('#AL#1\r\n'));
  expect(gateway.taken).toEqual([]);
  release();
  await eventually(() => expect(van.heard()).toBe(`#AL#1\r\n${'#AB#400\r\n'.repeat(20)}#AP#\r\n`));
  expect(gateway.taken.map(({ time }) => Math.floor((time as number) / 60_000) % 60)).toEqual(
    Array.from({ length: 20 * 400 }, (_, i) => Math.floor(i / 400)),
  );
});

test('who ends right after its last record is answered when that is stored', async () => {
  let release = () => {};
  gateway.stored = new Promise((done) => (release = done));
  let heard = '';
  const closed = new Promise((done) => {
    const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true })
      .on('data', (bytes) => (heard += bytes.toString()))
      .on('end', () => socket.end())
      .on('close', done);
    sockets.push(socket);
    socket.end(`#L#123456789012345;x\r\n${SHORT}`);
  });
  await eventually(() => expect(heard).toBe('#AL#1\r\n'));
  release();
  await closed;
  expect(heard).toBe('#AL#1\r\n#ASD#1\r\n');
});

test('a device that nobody knows is refused and counted, one with a wrong password refused', async () => {
  const stranger = device();
  stranger.send('#L#999;x\r\n');
  await eventually(() => expect([stranger.heard(), stranger.closed()]).toEqual(['#AL#0\r\n', true]));
  expect(gateway.unknowns).toEqual(['999']);
  const thief = device();
  thief.send('#L#secret;guess\r\n');
  await eventually(() => expect([thief.heard(), thief.closed()]).toEqual(['#AL#01\r\n', true]));
});

test('records before a login are not stored, and told so', async () => {
  const eager = device();
  eager.send(SHORT);
  await eventually(() => expect(eager.heard()).toBe('#ASD#0\r\n'));
  expect(gateway.taken).toEqual([]);
});

test('a record without a position is taken as one, also of a vehicle that was nowhere yet', async () => {
  const van = device();
  van.send('#L#123456789012345;\r\n#SD#270413;205601;NA;NA;NA;NA;0;0;0;0\r\n');
  await eventually(() => expect(van.heard()).toBe('#AL#1\r\n#ASD#1\r\n'));
  expect(gateway.taken).toMatchObject([{ lat: NaN, lon: NaN, gpsCount: 0 }]);
  van.send('#B#270413;205602;NA;NA;NA;NA;0;0;0;7|270413;205603;NA;NA;NA;NA;0;0;0;0\r\n');
  await eventually(() => expect(van.heard()).toContain('#AB#2'));
  expect(gateway.taken.slice(1)).toMatchObject([
    { lat: NaN, lon: NaN, gpsCount: 0 },
    { lat: NaN, lon: NaN, gpsCount: 0 },
  ]);
  expect(gateway.faults).toEqual([]);
});

test('bytes that are no Wialon end the connection and are kept, and others go on', async () => {
  const van = device();
  van.send('#L#123456789012345;x\r\n');
  const browser = device();
  browser.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await eventually(() => expect(browser.closed()).toBe(true));
  expect(gateway.faults.map(({ reason }) => reason)).toEqual(['not a Wialon frame']);
  van.send('#P#\r\n');
  await eventually(() => expect(van.heard()).toBe('#AL#1\r\n#AP#\r\n'));
});

test('an address has so many connections and no more; one that ends makes room', async () => {
  const three = [device(), device(), device()];
  for (const one of three) one.send('#P#\r\n');
  await eventually(() => expect(three.map((one) => one.heard())).toEqual(['#AP#\r\n', '#AP#\r\n', '#AP#\r\n']));
  const fourth = device();
  await eventually(() => expect(fourth.closed()).toBe(true));
  sockets[0]!.destroy();
  await isHeardAtLast();
});

test('what comes byte by byte is understood as if it had come at once', async () => {
  const van = device();
  for (const byte of Buffer.from(`#L#123456789012345;x\r\n${SHORT}#P#\r\n`)) {
    van.send(Uint8Array.of(byte));
    await new Promise((turn) => setImmediate(turn));
  }
  await eventually(() => expect(van.heard()).toBe('#AL#1\r\n#ASD#1\r\n#AP#\r\n'));
});

test('a connection that sends much before its login is closed', async () => {
  const stranger = device();
  stranger.send(`#L#${'1'.repeat(60_000)}`);
  stranger.send('2'.repeat(60_000));
  await eventually(() => expect(stranger.closed()).toBe(true));
});

test('incomplete packets of all connections are bounded: the one that holds much and sends more is closed, one that holds little is not', async () => {
  const bounded = await listenForDevices(wialon, gateway, { host: '127.0.0.1', port: 0 }, { ...LIMITS, held: 200_000 });
  onTestFinished(() => bounded.close());
  const [first, second, small] = [device(bounded), device(bounded), device(bounded)];
  for (const one of [first, second, small]) one.send('#L#123456789012345;x\r\n');
  await eventually(() => expect([first, second, small].map((one) => one.heard())).toEqual(Array(3).fill('#AL#1\r\n')));
  first.send(`#M#${'a'.repeat(150_000)}`);
  first.send('#P#'); // no end yet
  await eventually(() => expect(first.closed()).toBe(false));
  second.send(`#M#${'b'.repeat(150_000)}`);
  await eventually(() => expect([first.closed(), second.closed()].filter(Boolean)).toHaveLength(1));
  small.send(SHORT.slice(0, 20));
  small.send(SHORT.slice(20));
  await eventually(() => expect(small.heard()).toBe('#AL#1\r\n#ASD#1\r\n'));
  // Who is closed makes room.
  const third = device(bounded);
  third.send(`#L#123456789012345;x\r\n#M#${'c'.repeat(40_000)}\r\n`);
  await eventually(() => expect(third.heard()).toBe('#AL#1\r\n#AM#1\r\n'));
});

test('while all connections hold too much, one that holds at most 66,000 bytes stays, one that holds more is closed', async () => {
  const bounded = await listenForDevices(wialon, gateway, { host: '127.0.0.1', port: 0 }, { ...LIMITS, held: 100_000 });
  onTestFinished(() => bounded.close());
  const [first, second, small] = [device(bounded), device(bounded), device(bounded)];
  for (const one of [first, second, small]) one.send('#L#123456789012345;x\r\n');
  await eventually(() => expect([first, second, small].map((one) => one.heard())).toEqual(Array(3).fill('#AL#1\r\n')));
  /** Begins a message of so many bytes whose end is still to come. */
  const begin = (bytes: number) => `#M#${'a'.repeat(bytes - 3)}`;
  first.send(begin(66_000));
  second.send(begin(66_000));
  // Each piece is read before the next: the small one holds a part of a packet while all hold 132,000 bytes.
  small.send(`#P#\r\n${SHORT.slice(0, 20)}`);
  await eventually(() => expect(small.heard()).toBe('#AL#1\r\n#AP#\r\n'));
  small.send(SHORT.slice(20));
  await eventually(() => expect(small.heard()).toBe('#AL#1\r\n#AP#\r\n#ASD#1\r\n'));
  expect([first, second, small].map((one) => one.closed())).toEqual([false, false, false]);
  await eventually(() => {
    second.send('a');
    expect(second.closed()).toBe(true);
  });
  first.send('\r\n');
  await eventually(() => expect(first.heard()).toBe('#AL#1\r\n#AM#1\r\n'));
});

test('a device that does not read its answers is not read from; once it reads, all answers come', async () => {
  // Each byte that comes is a question with a long answer.
  const ANSWER = Buffer.alloc(64 * 1024, '.');
  const QUESTIONS = 1_000;
  let answered = 0;
  const ask: Item = { kind: 'ping', answer: () => (answered++, ANSWER) };
  const chatty: Decoder = {
    name: 'chatty',
    transport: 'tcp',
    devices: 'chatty trackers',
    passwords: false,
    reread: () => [],
    converse: () => ({ held: 0, push: (bytes) => Array.from(bytes, () => ask) }),
  };
  const listening = await listenForDevices(chatty, gateway, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listening.close());
  let heard = 0;
  const socket = connect(listening.port, '127.0.0.1').on('data', (bytes) => (heard += bytes.length));
  sockets.push(socket);
  socket.pause();
  socket.write(Buffer.alloc(QUESTIONS));
  // It stands when what the system takes on the way is full.
  let before = -1;
  await vi.waitFor(
    () => {
      const now = answered;
      const stands = now > 0 && now === before;
      before = now;
      expect(stands).toBe(true);
    },
    { interval: 300, timeout: 60_000 },
  );
  expect(answered).toBeLessThan(QUESTIONS);
  socket.resume();
  await eventually(() => expect(heard).toBe(QUESTIONS * ANSWER.length));
});

test('datagrams are answered to where they came from', async () => {
  const socket = createSocket('udp4');
  const heard = new Promise<string>((done) => socket.on('message', (bytes) => done(bytes.toString())));
  socket.send(`123456789012345${SHORT}`, listener.port, '127.0.0.1');
  expect(await heard).toBe('#ASD#1\r\n');
  expect(gateway.taken).toHaveLength(1);
  socket.close();
});

test(`whatever bytes come, the listener listens (WAYPOST_SEED=${SEED})`, async () => {
  const random = numbers(SEED);
  const binary = await listenForDevices(teltonika, gateway, { host: '127.0.0.1', port: 0 });
  for (let round = 0; round < 40; round++) {
    const socket = connect(round % 2 ? binary.port : listener.port, '127.0.0.1').on('error', () => undefined);
    socket.write(Buffer.from(Array.from({ length: 1 + Math.floor(random() * 500) }, () => Math.floor(random() * 256))));
    await new Promise<void>((done) => (random() < 0.5 ? socket.end(() => done()) : (socket.destroy(), done())));
  }
  await binary.close();
  await isHeardAtLast();
});
