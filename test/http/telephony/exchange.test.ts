import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../support/chance.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** An exchange out of order: it signs everybody in, and then the test writes what it likes. */
let station: TryStation;
let server: Server;
let line: Socket | undefined;
let admin: string;
let orgId: number;

const ok = (method: string, path: string, body?: unknown) => station.ok(method, path, { as: admin, body });
const settings = () => ok('GET', '/telephony/settings');
const connected = () => expect.poll(async () => (await settings()).connected, { timeout: 20_000 }).toBe(true);
const ring = (id: number) =>
  `Event: Newchannel\r\nUniqueid: f.${id}\r\nContext: in\r\nExten: 112\r\nCallerIDNum: 7912${id}\r\n\r\n`;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  server = createServer((socket) => {
    line = socket;
    socket.on('error', () => undefined);
    socket.write('Asterisk Call Manager/11.0.0\r\n');
    socket.on('data', (bytes) => {
      for (const [, id] of bytes.toString().matchAll(/ActionID: (\S+)/g))
        socket.write(`Response: Success\r\nActionID: ${id}\r\nChallenge: 1\r\n\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ orgId } = await ok('POST', '/calls', { number: '1000' }));
});
afterAll(async () => {
  await station.stop();
  line?.destroy();
  server.close();
});

test('without an exchange nobody calls, and everybody hears why', async () => {
  const desk = await station.newUser('desk', 'Dispatcher');
  const dial = (number: string) => station.ask('POST', '/telephony/dial', { as: desk.token, body: { number } });
  expect((await dial('112')).text).toMatch(/No telephone exchange is set up/);
  const { port } = server.address() as AddressInfo;
  await ok('PUT', '/telephony/settings', {
    ...{ enabled: true, host: '127.0.0.1', port, login: 'waypost', secret: 'secret' },
    lines: [{ context: 'in', extension: '', orgId }],
  });
  await connected();
  const noTelephone = await dial('112');
  expect([noTelephone.status, noTelephone.text]).toEqual([409, expect.stringMatching(/No telephone is set for you/)]);
  const noNumber = await dial('call me');
  expect([noNumber.status, noNumber.text]).toEqual([400, expect.stringMatching(/is not a telephone number/)]);
  expect((await settings()).secret).toBeUndefined();
  const { id } = await ok('POST', '/rights', { name: 'Guest', accesses: [] });
  expect(id).toBeGreaterThan(0);
  const guest = await station.newUser('guest', 'Guest');
  expect((await station.ask('POST', '/telephony/dial', { as: guest.token, body: { number: '112' } })).status).toBe(403);
});

test('settings that are no settings are refused', async () => {
  const put = async (body: object) =>
    (await station.ask('PUT', '/telephony/settings', { as: admin, body: { enabled: true, ...body } })).status;
  for (const body of [
    { channel: 'PJSIP/101' },
    { channel: 'PJSIP/{extension}\r\nAction: Command' },
    { dialContext: 'a b' },
    { dialPrefix: '9\n' + 'x' },
    { port: 0 },
    { lines: [{ context: 'in', extension: '', orgId: 999_999 }] },
    { plus: 'zero' },
  ])
    expect(await put(body), JSON.stringify(body)).toBe(400);
});

test('an exchange that floods makes no more calls than it may, and the station answers meanwhile', async () => {
  await connected();
  let id = 0;
  const began = performance.now();
  for (let times = 0; times < 50; times++) line!.write(Array.from({ length: 100 }, () => ring(id++)).join(''));
  let asked = 0;
  await expect
    .poll(async () => {
      asked++;
      expect((await station.ask('GET', '/health')).status).toBe(200);
      return (await ok('GET', '/calls?limit=500')).length;
    })
    .toBeGreaterThan(150);
  expect(asked).toBeGreaterThan(0);
  // All of it was read when the last one is known: 5,000 rang, and far fewer are calls.
  line!.write('Event: Hangup\r\nUniqueid: f.0\r\n\r\n');
  await expect
    .poll(async () => (await ok('GET', '/calls?number=79120')).map((call: { state: string }) => call.state))
    .toEqual(['missed']);
  const most = 200 + 20 * Math.ceil((performance.now() - began) / 1000);
  const { length } = await ok('GET', '/calls?limit=500');
  expect(length).toBeLessThanOrEqual(Math.min(499, most));
});

test('three thousand wrong messages: no 5xx, and the next call still rings', async () => {
  const { next: random, seed } = new Chance();
  console.log(`WAYPOST_SEED=${seed}`);
  const words = [
    'Event',
    'Newchannel',
    'Uniqueid',
    'Hangup',
    'DialEnd',
    ':',
    '\r\n',
    '\r\n\r\n',
    'Context: in',
    '\0',
    'é',
  ];
  for (let times = 0; times < 3_000; times++) {
    if (!line || line.destroyed) await connected();
    const length = Math.floor(random() * 12);
    line!.write(Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(''));
  }
  expect((await station.ask('GET', '/health')).status).toBe(200);
  await connected();
  line!.write(`\r\n\r\n${ring(77_777_777)}`);
  await expect
    .poll(
      async () => {
        line!.write(`\r\n\r\n${ring(77_777_777)}`);
        return (await ok('GET', '/calls?number=791277777777')).length;
      },
      { timeout: 30_000 },
    )
    .toBe(1);
}, 60_000);
