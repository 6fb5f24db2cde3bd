import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../support/chance.ts';
import { eventually } from '../../support/eventually.ts';
import { GATEWAY_LOGIN } from '../../support/sms-gateway.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** A message centre that does not keep to SMPP 3.4, in bytes: a library would not send these. */
const BIND = 0x09;
const DELIVER = 0x05;
const ANSWER = 0x8000_0000;
let station: TryStation;
let admin: string;
let line: Socket | undefined;
let lines = 0;
/** Right texts, each from a number of its own. */
let rights = 0;
/** Sequence numbers of deliveries that the station confirmed. */
const confirmed = new Set<number>();
const chance = new Chance();

const server = createServer((socket) => {
  let heard: Buffer = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    heard = Buffer.concat([heard, chunk]);
    while (heard.length >= 16 && heard.length >= heard.readUInt32BE(0)) {
      const [length, command, status, sequence] = [0, 4, 8, 12].map((at) => heard.readUInt32BE(at)) as Header;
      heard = heard.subarray(length);
      if (command === BIND) {
        socket.write(pdu(ANSWER + BIND, sequence, Buffer.from('centre\0')));
        [line, lines] = [socket, lines + 1];
      } else if (command === ANSWER + DELIVER && status === 0) confirmed.add(sequence);
      else if (command < ANSWER) socket.write(pdu(ANSWER + command, sequence, Buffer.of(0)));
    }
  });
});
type Header = [length: number, command: number, status: number, sequence: number];

function pdu(command: number, sequence: number, body: Uint8Array, length = 16 + body.length): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(length >>> 0, 0);
  head.writeUInt32BE(command >>> 0, 4);
  head.writeUInt32BE(sequence, 12);
  return Buffer.concat([head, body]);
}

/** The body of a text from a telephone. */
function text(from: string, message: string): Buffer {
  const bytes = Buffer.from(message, 'latin1');
  return Buffer.concat([
    Buffer.from([0, 1, 1, ...Buffer.from(`${from}\0`), 1, 1, ...Buffer.from('700\0')]),
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, bytes.length]),
    bytes,
  ]);
}

const bytes = (length: number) => Buffer.from(Array.from({ length }, () => chance.int(256)));
const ok = (method: string, path: string, body?: unknown) => station.ok(method, path, { as: admin, body });
const unknownTexts = async (): Promise<string[]> =>
  (await ok('GET', '/sms/unknown')).map(({ text: words }: { text: string }) => words);

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  station = await tryStation();
  admin = await station.signIn();
  await ok('PUT', '/sms/settings', {
    ...{ gateway: 'smpp', ...GATEWAY_LOGIN, perMinute: 6_000, language: 'en' },
    smpp: {
      ...{ host: '127.0.0.1', port: (server.address() as AddressInfo).port, tls: false },
      ...{ systemType: '', source: '700', reportIds: 'same' },
    },
  });
  await eventually(async () => expect(line).toBeDefined());
});
afterAll(async () => {
  await station.stop();
  line?.destroy();
  server.close();
});

/** A right text is confirmed, so it is stored; and the interface answers. */
async function goesOn(): Promise<void> {
  const note = `WAYPOST_SEED=${chance.seed}`;
  const from = 1_000_000 + ++rights;
  // A line that has just ended takes it and loses it: a centre sends again what nobody confirmed.
  const send = () => {
    if (line?.writable) line.write(pdu(DELIVER, from, text(`7999${from}`, `still here ${from}`)));
    return confirmed.has(from);
  };
  await expect.poll(send, { message: note, interval: 300, timeout: 60_000 }).toBe(true);
  expect(await unknownTexts(), note).toContain(`still here ${from}`);
  expect((await station.ask('GET', '/health')).status, note).toBe(200);
}

test('3,000 messages of random commands and bytes: the next right text is stored and confirmed', async () => {
  const commands = [DELIVER, 0x15, 0x102, 0x103, 0x777, 0, ANSWER + 4, ANSWER + DELIVER, ANSWER, 0x04, 0x06, 0x0b];
  const whole = text('79990001122', 'whole');
  const bodies = [
    () => bytes(chance.int(80)),
    () => whole.subarray(0, chance.int(whole.length)),
    () => Buffer.concat([whole.subarray(0, -6), Buffer.of(200 + chance.int(56)), Buffer.from('short')]),
    () => Buffer.concat([whole, Buffer.from([4, 0x24, 0xff, 0xff, 1, 2])]),
    // A header of parts that says more than there is.
    () => Buffer.concat([Buffer.of(0x40), whole.subarray(1, -6), Buffer.from([3, chance.int(256), 0, 3])]),
  ];
  const before = lines;
  for (let sent = 0; sent < 3_000; sent++) {
    if (!line?.writable) await expect.poll(() => line?.writable, { timeout: 60_000 }).toBe(true);
    line!.write(pdu(chance.of(commands), 10_000 + sent, chance.of(bodies)()));
    if (sent % 100 === 99) await new Promise((later) => setImmediate(later));
  }
  expect(lines - before).toBeLessThan(50);
  await goesOn();
}, 120_000);

test.each([
  ['of nothing', 0],
  ['shorter than a head', 5],
  ['of 4 GB', 0xffff_ffff],
  ['longer than what follows', 16_000],
])(
  'a message with a length %s: the line may end, and what comes after it is stored',
  async (_, length) => {
    const broken = line!;
    broken.write(pdu(DELIVER, 2, text('79990001122', 'lie'), length));
    expect((await station.ask('GET', '/health')).status).toBe(200);
    broken.destroy();
    await goesOn();
  },
  120_000,
);

test('repeated and reordered deliveries are confirmed each time and stored once', async () => {
  const messages = [1, 2, 3].map((nth) => pdu(DELIVER, 200 + nth, text('79990001123', `nth ${nth}`)));
  for (const nth of [2, 0, 1, 2, 0]) line!.write(messages[nth]!);
  await expect.poll(() => [201, 202, 203].every((sequence) => confirmed.has(sequence))).toBe(true);
  expect(new Set((await unknownTexts()).filter((words) => words.startsWith('nth')))).toEqual(
    new Set(['nth 1', 'nth 2', 'nth 3']),
  );
});
