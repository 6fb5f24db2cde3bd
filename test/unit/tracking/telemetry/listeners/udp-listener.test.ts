import { createSocket } from 'node:dgram';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  Datagrams,
  listenForDatagrams,
  type DatagramLimits,
  type DroppedDatagrams,
} from '../../../../../server/tracking/telemetry/listeners/udp-listener.ts';
import { wialon } from '../../../../../server/tracking/telemetry/decoders/wialon.ts';
import { eventually } from '../../../../support/eventually.ts';
import { FakeGateway } from './device-gateway.ts';

const KNOWN = '123456789012345';
const SHORT = '#SD#270413;205601;5544.6025;N;03739.6834;E;1;2;3;4\r\n';
const LIMITS: DatagramLimits = { inFlight: 100, bytes: 1_000_000, quarantined: 10, window: 60_000 };

let gateway: FakeGateway;
let told: DroppedDatagrams[];
beforeEach(() => {
  gateway = new FakeGateway();
  told = [];
  gateway.datagramsDropped = (counts) => void told.push(counts);
});

/** Datagrams that come without a socket, and what was answered. */
function datagrams(limits: Partial<DatagramLimits> = {}) {
  const all = new Datagrams(wialon, gateway, { ...LIMITS, ...limits });
  onTestFinished(() => all.close());
  const heard: string[] = [];
  return {
    heard,
    send: (...texts: string[]) => {
      for (const text of texts)
        all.receive(Buffer.from(text), '127.0.0.1', (answer) => heard.push(Buffer.from(answer).toString()));
    },
    /** ends the span */
    close: () => all.close(),
  };
}

/** What can be done without the disk is done by then. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A gateway that waits for its disk. */
function standingDisk(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  gateway.stored = promise;
  return resolve;
}

test('unreadable datagrams of unknown devices are quarantined up to a number, the others counted; known devices are answered meanwhile', async () => {
  const flooded = await listenForDatagrams(wialon, gateway, { host: '127.0.0.1', port: 0 }, LIMITS);
  onTestFinished(() => flooded.close());
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  let heard = '';
  socket.on('message', (bytes) => (heard += bytes.toString()));
  for (let i = 0; i < 300; i++) {
    socket.send(i % 2 ? `junk ${i}` : `nobody${i}#X#${i}\r\n`, flooded.port, '127.0.0.1');
    if (i % 50 === 49) await new Promise((later) => setTimeout(later, 5)); // the system holds only so many
  }
  for (let sent = 1; sent <= 3; sent++) {
    socket.send(`${KNOWN}${SHORT}`, flooded.port, '127.0.0.1');
    await eventually(() => expect(heard).toBe('#ASD#1\r\n'.repeat(sent)));
  }
  expect(gateway.faults).toHaveLength(10);
  // What cannot be read of a device that is known is always kept.
  for (let i = 0; i < 20; i++) socket.send(`${KNOWN}#SD#broken ${i}\r\n`, flooded.port, '127.0.0.1');
  await eventually(() => expect(gateway.faults).toHaveLength(30));
  flooded.close();
  expect(told).toEqual([{ unreadable: 290, waiting: 0 }]);
});

test('of nobody known a datagram is one entry of the quarantine and one answer, whatever it holds', async () => {
  const { send, heard, close } = datagrams();
  for (let i = 0; i < 15; i++)
    send(`nobody#P#\r\n${Array.from({ length: 90 }, (_, packet) => `#SD#broken ${i} ${packet}\r\n`).join('')}`);
  await turn();
  expect(gateway.faults.map(({ raw }) => Buffer.from(raw).toString())).toEqual(
    Array.from({ length: 10 }, (_, i) => `#SD#broken ${i} 0`),
  );
  expect(heard).toEqual(Array(10).fill('#ASD#-1\r\n'));
  heard.length = 0;
  send(`nobody${'#P#\r\n'.repeat(90)}`);
  await turn();
  expect(heard).toEqual(['#AP#\r\n']);
  close();
  expect(told).toEqual([{ unreadable: 5, waiting: 0 }]);
});

test('a datagram of a hundred packets is taken; one that holds more is kept aside whole, and not read', async () => {
  const { send, heard } = datagrams();
  send(`${KNOWN}${'#P#\r\n'.repeat(99)}${SHORT}`);
  await turn();
  expect(heard).toEqual([...Array<string>(99).fill('#AP#\r\n'), '#ASD#1\r\n']);
  const more = `${KNOWN}${'#P#\r\n'.repeat(100)}${SHORT}`;
  send(more);
  await turn();
  expect(heard).toHaveLength(100);
  expect(gateway.taken).toHaveLength(1);
  expect(gateway.faults.map(({ reason, raw }) => [reason, Buffer.from(raw).toString()])).toEqual([
    ['more than 100 packets in one datagram', more],
  ]);
});

test('a new span begins with new room for what cannot be read', async () => {
  const flooded = await listenForDatagrams(
    wialon,
    gateway,
    { host: '127.0.0.1', port: 0 },
    { ...LIMITS, quarantined: 1, window: 50 },
  );
  onTestFinished(() => flooded.close());
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  let sent = 0;
  const sending = setInterval(() => socket.send(`junk ${sent++}`, flooded.port, '127.0.0.1'), 5);
  onTestFinished(() => clearInterval(sending));
  await eventually(() => expect(told.length).toBeGreaterThan(3));
  expect(gateway.faults.length).toBeGreaterThan(2);
  expect(gateway.faults.length).toBeLessThan(sent);
});

const one = `${KNOWN}${SHORT}`;
test.each([
  ['datagrams', { inFlight: 5 }, one, 5],
  ['packets of them', { inFlight: 5 }, `${one}${SHORT}${SHORT}`, 2],
  ['bytes', { bytes: 400 }, one, Math.floor(400 / one.length)],
])('while the disk is waited for so many %s are held, and no more', async (_what, limits, datagram, held) => {
  const resume = standingDisk();
  const { send, heard, close } = datagrams(limits);
  for (let i = 0; i < 20; i++) send(datagram);
  await turn();
  expect([heard, gateway.taken]).toEqual([[], []]);
  resume();
  await turn();
  const answers = held * (datagram.split('\r\n').length - 1);
  expect(heard).toEqual(Array(answers).fill('#ASD#1\r\n'));
  // There is room again.
  send(`${KNOWN}#P#`);
  await turn();
  expect(heard.slice(answers)).toEqual(['#AP#\r\n']);
  close();
  expect(told).toEqual([{ unreadable: 0, waiting: 20 - held }]);
});

test('datagrams dropped while the disk is slow are not read, and take no room of unreadable ones', async () => {
  const resume = standingDisk();
  const read = vi.spyOn(wialon, 'datagram');
  onTestFinished(() => read.mockRestore());
  const { send, close } = datagrams({ inFlight: 1, quarantined: 1 });
  send(one, 'junk', 'junk', 'junk');
  expect(read).toHaveBeenCalledTimes(1);
  resume();
  await turn();
  send('junk', 'junk');
  await turn();
  expect(gateway.faults).toHaveLength(1);
  close();
  expect(told).toEqual([{ unreadable: 0, waiting: 3 + 1 }]);
});
