import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { crc16Arc } from '../../../server/tracking/telemetry/decoders/checksums.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** Commands to devices over their own connections. */
let station: TryStation;
let admin: string;
let lastDevice = 356_307_042_441_013;
const ports: Record<string, number> = {};

beforeAll(async () => {
  station = await tryStation({ wialonPort: 0, teltonikaPort: 0 });
  admin = await station.signIn();
  const entries: { message: string }[] = await station.ok('GET', '/log/app?logger=telemetry', { as: admin });
  for (const { message } of entries) {
    const found = /Listening for (\w+) devices on port (\d+)/.exec(message);
    if (found) ports[found[1]!] = Number(found[2]);
  }
});
afterAll(() => station.stop());

interface Command {
  id: number;
  state: string;
  failure: string | null;
  answer: string;
  protocol: string;
  sentAt: number | null;
  user: string;
}

async function newVehicle(): Promise<{ id: number; imei: string }> {
  const imei = String(++lastDevice);
  const { id } = await station.ok('POST', '/cars', { as: admin, body: { name: `Van ${imei}`, devimei: imei } });
  return { id, imei };
}
const send = (vehicle: number, text: string, as = admin): Promise<Command> =>
  station.ok('POST', `/cars/${vehicle}/commands`, { as, body: { text } });
const list = (vehicle: number): Promise<Command[]> => station.ok('GET', `/cars/${vehicle}/commands`, { as: admin });
const newest = async (vehicle: number) => (await list(vehicle))[0];

/** A tracker on its connection. */
class Tracker {
  readonly socket: Socket;
  heard = Buffer.alloc(0);

  constructor(protocol: string) {
    this.socket = connect(ports[protocol]!, '127.0.0.1').on('error', () => undefined);
    this.socket.on('data', (chunk) => (this.heard = Buffer.concat([this.heard, chunk])));
    onTestFinished(() => void this.socket.destroy());
  }

  /** Waits until the next bytes are these, and takes them. */
  async hears(bytes: Uint8Array): Promise<void> {
    const first = () => this.heard.subarray(0, bytes.length).toString('hex');
    await expect.poll(first).toBe(Buffer.from(bytes).toString('hex'));
    this.heard = this.heard.subarray(bytes.length);
  }
}

async function teltonika(imei: string): Promise<Tracker> {
  const tracker = new Tracker('teltonika');
  tracker.socket.write(Buffer.concat([Buffer.from([0, imei.length]), Buffer.from(imei)]));
  await tracker.hears(Uint8Array.of(1));
  return tracker;
}

async function wialon(login: string): Promise<Tracker> {
  const tracker = new Tracker('wialon');
  tracker.socket.write(`#L#${login}\r\n`);
  await tracker.hears(Buffer.from('#AL#1\r\n'));
  return tracker;
}

/** The example of the maker's description. */
const GETINFO = Buffer.from('000000000000000F0C010500000007676574696E666F0100004312', 'hex');
const INFO = Buffer.from(
  '00000000000000900C010600000088494E493A323031392F372F323220373A3232205254433A323031392F372F323220373A3533205253543A32204552523A312053523A302042523A302043463A302046473A3020464C3A302054553A302F302055543A3020534D533A30204E4F4750533A303A3330204750533A31205341543A302052533A332052463A36352053463A31204D443A30010000C78F',
  'hex',
);

function answerOf12(text: string): Buffer {
  const head = Buffer.from([0x0c, 1, 6, 0, 0, 0, 0]);
  head.writeUInt32BE(text.length, 3);
  const data = Buffer.concat([head, Buffer.from(text), Buffer.of(1)]);
  const [length, crc] = [Buffer.alloc(8), Buffer.alloc(4)];
  length.writeUInt32BE(data.length, 4);
  crc.writeUInt32BE(crc16Arc(data));
  return Buffer.concat([length, data, crc]);
}

test('a command waits for a Teltonika tracker, and ends with its answer', async () => {
  const { id, imei } = await newVehicle();
  expect(await send(id, 'getinfo')).toMatchObject({ state: 'queued', sentAt: null, protocol: '' });
  const tracker = await teltonika(imei);
  await tracker.hears(GETINFO);
  expect(await newest(id)).toMatchObject({ state: 'sent', protocol: 'teltonika', sentAt: expect.any(Number) });
  tracker.socket.write(INFO);
  await expect.poll(() => newest(id)).toMatchObject({ state: 'answered', failure: null });
  expect((await newest(id))!.answer).toMatch(/^INI:2019\/7\/22 7:22 RTC:.* MD:0$/);
});

test('commands are sent one after the other, each after the answer to the one before', async () => {
  const { id, imei } = await newVehicle();
  const tracker = await teltonika(imei);
  await send(id, 'getinfo');
  await tracker.hears(GETINFO);
  await send(id, 'getver');
  expect((await list(id)).map(({ state }) => state)).toEqual(['queued', 'sent']);
  expect(tracker.heard).toHaveLength(0);
  tracker.socket.write(answerOf12('first'));
  await expect.poll(() => tracker.heard.toString('latin1')).toContain('getver');
  tracker.socket.write(answerOf12('second'));
  await expect.poll(async () => (await list(id)).map(({ answer }) => answer)).toEqual(['second', 'first']);
});

test('a tracker that goes before it answers leaves a command that failed and is not sent again', async () => {
  const { id, imei } = await newVehicle();
  const tracker = await teltonika(imei);
  await send(id, 'getinfo');
  await tracker.hears(GETINFO);
  tracker.socket.write(INFO.subarray(0, 40));
  tracker.socket.destroy();
  await expect.poll(() => newest(id)).toMatchObject({ state: 'failed', failure: 'disconnected', answer: '' });
  const again = await teltonika(imei);
  await send(id, 'getver');
  await expect.poll(() => again.heard.toString('latin1')).toContain('getver');
  expect(again.heard.toString('latin1')).not.toContain('getinfo');
});

test('an answer of a length that lies is set aside, and the command still waits', async () => {
  const { id, imei } = await newVehicle();
  const tracker = await teltonika(imei);
  await send(id, 'getinfo');
  await tracker.hears(GETINFO);
  const data = Buffer.from([0x0c, 1, 6, 0x7f, 0xff, 0xff, 0xff, 65, 1]);
  const [length, crc] = [Buffer.alloc(8), Buffer.alloc(4)];
  length.writeUInt32BE(data.length, 4);
  crc.writeUInt32BE(crc16Arc(data));
  tracker.socket.write(Buffer.concat([length, data, crc]));
  await expect
    .poll(async () => (await station.ok('GET', '/telemetry/quarantine', { as: admin }))[0]?.reason)
    .toBe('a text of another length');
  expect(await newest(id)).toMatchObject({ state: 'sent' });
  tracker.socket.write(answerOf12('there'));
  await expect.poll(() => newest(id)).toMatchObject({ state: 'answered', answer: 'there' });
});

test('Wialon trackers get messages, with a check sum in version 2, and accept or refuse them', async () => {
  const [old, newer] = [await newVehicle(), await newVehicle()];
  const tracker = await wialon(`${old.imei};NA`);
  await send(old.id, 'Поворот');
  await tracker.hears(Buffer.from('#M#Поворот\r\n'));
  tracker.socket.write('#AM#1\r\n');
  await expect.poll(() => newest(old.id)).toMatchObject({ state: 'answered', protocol: 'wialon' });

  const login = `2.0;${newer.imei};NA;`;
  const checked = await wialon(login + crc16Arc(Buffer.from(login)).toString(16));
  await send(newer.id, 'reboot');
  const crc = crc16Arc(Buffer.from('reboot;')).toString(16).toUpperCase().padStart(4, '0');
  await checked.hears(Buffer.from(`#M#reboot;${crc}\r\n`));
  checked.socket.write('#AM#0\r\n');
  await expect.poll(() => newest(newer.id)).toMatchObject({ state: 'failed', failure: 'refused' });
});

test('a tracker whose vehicle got another IMEI gets no command', async () => {
  const { id, imei } = await newVehicle();
  const tracker = await teltonika(imei);
  await station.ok('PUT', `/cars/${id}`, { as: admin, body: { devimei: '990000000000001' } });
  await send(id, 'getinfo');
  const other = await teltonika('990000000000001');
  await other.hears(GETINFO);
  expect(tracker.heard).toHaveLength(0);
});

test('a command that waits can be cancelled, a sent one cannot; only so many wait', async () => {
  const { id, imei } = await newVehicle();
  const first = await send(id, 'getver');
  expect(await station.ok('DELETE', `/cars/${id}/commands/${first.id}`, { as: admin })).toMatchObject({
    state: 'cancelled',
  });
  for (let i = 0; i < 20; i++) await send(id, `command ${i}`);
  const over = await station.ask('POST', `/cars/${id}/commands`, { as: admin, body: { text: 'more' } });
  expect([over.status, over.text]).toEqual([
    409,
    expect.stringContaining('20 commands are already waiting for this tracker'),
  ]);
  const tracker = await teltonika(imei);
  await expect.poll(() => tracker.heard.toString('latin1')).toContain('command 0');
  const sent = (await list(id)).at(-2)!;
  expect(sent.state).toBe('sent');
  const refused = await station.ask('DELETE', `/cars/${id}/commands/${sent.id}`, { as: admin });
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('is no longer waiting')]);
  const other = await newVehicle();
  expect((await station.ask('DELETE', `/cars/${other.id}/commands/${sent.id}`, { as: admin })).status).toBe(404);
});

test.each(['', 'two\nlines', '#M#a\r\n#L#b', '\u0000', 'a'.repeat(1001), 7, null])(
  'the text %j is refused',
  async (text) => {
    const { id } = await newVehicle();
    expect((await station.ask('POST', `/cars/${id}/commands`, { as: admin, body: { text } })).status).toBe(400);
    expect(await list(id)).toEqual([]);
  },
);

test('who sends commands has the capability and sees the vehicle; each is in the audit trail', async () => {
  const { id } = await newVehicle();
  await station.ok('POST', '/rights', { as: admin, body: { name: 'Clerk' } });
  const clerk = await station.newUser('clerk', 'Clerk');
  const command = (as: string) => station.ask('POST', `/cars/${id}/commands`, { as, body: { text: 'getver' } });
  const refused = await command(clerk.token);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('may not send commands')]);
  expect((await station.ask('GET', `/cars/${id}/commands`, { as: clerk.token })).status).toBe(403);

  const { id: role } = await station.ok('POST', '/rights', { as: admin, body: { name: 'Technician' } });
  const { capabilities } = await station.ok('GET', '/news/capabilities', { as: admin });
  const { id: capability } = capabilities.find(({ name }: { name: string }) => name === 'device-commands');
  await station.ok('PUT', `/rights/${role}`, {
    as: admin,
    body: { name: 'Technician', accesses: [{ capability_id: capability, states: null }] },
  });
  const technician = await station.newUser('technician', 'Technician');
  expect((await command(technician.token)).json()).toMatchObject({ state: 'queued', user: 'technician' });
  const entries = await station.ok('GET', '/audit?kind=deviceCommand', { as: admin });
  expect(entries[0]).toMatchObject({ action: 'created', login: 'technician', subject: `/cars/${id}/commands` });
});

test.each([
  ['setparam 2001:secret', 'setparam…', 20],
  ['getver', 'getver…', 6],
  ['reboot123456', '…', 12],
  ['W123456,001', '…', 11],
])('the audit trail has the name and the length of %j, and not its passwords', async (text, named, length) => {
  const { id } = await newVehicle();
  await send(id, text);
  const [entry] = await station.ok('GET', '/audit?kind=deviceCommand', { as: admin });
  expect(entry).toMatchObject({ subject: `/cars/${id}/commands`, details: { text: named, length } });
  expect(await newest(id)).toMatchObject({ text });
});
