import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../support/chance.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-ports.ts';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let admin: string;
let port: number;
let van: number;
/** A server of APRS-IS: it greets, hears who logs in, and says what the test wants. */
let server: Server;
const clients: Socket[] = [];
const logins: string[] = [];

beforeAll(async () => {
  server = createServer((socket) => {
    clients.push(socket);
    socket.on('error', () => undefined);
    socket.write('# aprsc 2.1.19-g730c5c0\r\n');
    socket.on('data', (bytes) => {
      logins.push(String(bytes));
      socket.write('# logresp AB1CD verified, server T2TEST\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = await freePort();
  at = await tryStation({
    'aprsPort': port,
    'aprs.url': `aprs://AB1CD:12345@127.0.0.1:${(server.address() as AddressInfo).port}`,
    'aprs.filter': 'b/AB1CD-*',
  });
  admin = await at.signIn();
  van = (await at.ok('POST', '/cars', { as: admin, body: { name: 'Van', devimei: 'AB1CD-9' } })).id;
});
afterAll(async () => {
  await at.stop();
  server.close();
});

const track = (): Promise<{ lat: number; lon: number }[]> =>
  at.ok('GET', `/cars/${van}/track?from=0&till=${Date.now() + 60_000}`, { as: admin });
const packet = (minutes: string, source = 'AB1CD-9') => `${source}>APRS,TCPIP*:=47${minutes}N/00931.00E>088/036\r\n`;

test('a gateway that connects is greeted, and its packets move the vehicle with that call sign', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('user AB1CD-1 pass 12345 vers aprx 2.9.1\r\n');
  const [greeting] = (await once(socket, 'data')) as [Buffer];
  expect(String(greeting)).toBe('# logresp AB1CD-1 verified, server WAYPOST\r\n');
  socket.write(`${packet('08.00', 'ZZ9ZZ')}${packet('08.10')}`);
  await eventually(async () => expect(await track()).toMatchObject([{ lat: 47.135, lon: 9.5166667 }]));
  socket.destroy();
  expect(await at.ok('GET', '/telemetry/quarantine', { as: admin })).toEqual([]);
});

test('the station follows a server with its call sign and filter, and comes back when the line breaks', async () => {
  await eventually(() => expect(logins[0]).toMatch(/^user AB1CD pass 12345 vers Waypost \S+ filter b\/AB1CD-\*\r\n$/));
  clients[0]!.write(`# 20 s\r\n${packet('08.20')}`);
  await eventually(async () => expect(await track()).toHaveLength(2));
  clients[0]!.destroy();
  await eventually(() => expect(logins).toHaveLength(2));
  clients[1]!.write(packet('08.30'));
  await eventually(async () => expect(await track()).toHaveLength(3));
});

test('a server that says what is wrong is followed all the same', async () => {
  clients.at(-1)!.write(`no packet\r\nAB1CD-9>APRS:!no place\r\n${'x'.repeat(300)}\r\n${packet('08.40')}`);
  await eventually(async () => expect(await track()).toHaveLength(4));
  const aside: { source: string }[] = await at.ok('GET', '/telemetry/quarantine', { as: admin });
  expect(aside.map(({ source }) => source)).toEqual(['aprs', 'aprs', 'aprs']);
});

test('3,000 random wrong lines of the server, in pieces: the next right packet is stored, and gateways are unharmed', async () => {
  const chance = new Chance();
  const pieces = [
    ...[
      'AB1CD-9>APRS,TCPIP*:',
      '!4903.50N/07201.75W>088/036',
      '=/5L!!<*e7>{?!',
      ';LEADER   *092345z4903.50N/07201.75W>',
    ],
    ...[
      ')AID #2!4903.50N/07201.75WA',
      '`(_fn"Oj/',
      "'\x1c\x1d\x1e\x1f!!",
      '}AB1CD-9>APRS:}',
      '# ',
      '\0',
      ':',
      '>',
      'x'.repeat(600),
    ],
    String.fromCharCode(...Array.from({ length: 40 }, () => chance.int(256))),
  ];
  const before = await track();
  const gateway = connect(port, '127.0.0.1');
  gateway.on('error', () => undefined);
  gateway.write('user AB1CD-1 pass 12345 vers aprx 2.9.1\r\n');
  for (let turn = 0; turn < 30; turn++) {
    const lines = Array.from({ length: 100 }, () => `${chance.of(pieces)}${chance.of(pieces)}${chance.of(pieces)}\r\n`);
    const bytes = Buffer.from(lines.join(''), 'latin1');
    const cut = chance.int(bytes.length);
    // The station may hang up; it comes back to the server.
    await eventually(() => expect(clients.at(-1)!.writable).toBe(true));
    for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) clients.at(-1)!.write(part);
  }
  // A line that never ends.
  clients.at(-1)!.write('A'.repeat(200_000));
  gateway.write(packet('09.10'));
  const note = `WAYPOST_SEED=${chance.seed}`;
  await eventually(async () =>
    expect(
      (await track()).map(({ lat }) => lat),
      note,
    ).toContain(47.1516667),
  );
  await eventually(async () => {
    if (clients.at(-1)!.writable) clients.at(-1)!.write(`\r\n${packet('09.20')}`);
    expect(
      (await track()).map(({ lat }) => lat),
      note,
    ).toContain(47.1533333);
  });
  expect((await track()).length).toBeGreaterThanOrEqual(before.length + 2);
  expect((await at.ask('GET', '/health')).status).toBe(200);
  gateway.destroy();
}, 60_000);
