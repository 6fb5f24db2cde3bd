import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../support/chance.ts';
import { eventually } from '../../support/eventually.ts';
import { freePorts } from '../../support/free-ports.ts';
import { tryStation, type TryStation } from '../try-station.ts';

const TELTONIKA =
  '003DCAFE0105000F33353230393330383634303336353508010000016B4F815B30010000000000000000000000000000000103021503010101425DBC000001';
const VESSEL = '!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n';
const OTHER = '!AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0*24\r\n';
/** The tag block of NMEA 4.10 with the time when the receiver heard the sentence. */
function tagBlock(time: number): string {
  const text = `c:${Math.floor(time / 1000)}`;
  const sum = [...text].reduce((sum, letter) => sum ^ letter.charCodeAt(0), 0);
  return `\\${text}*${sum.toString(16).toUpperCase().padStart(2, '0')}\\`;
}
let at: TryStation;
let admin: string;
let nmeaPort: number;
let teltonikaPort: number;
let wialonPort: number;
let boat: number;
let van: number;

beforeAll(async () => {
  [nmeaPort, teltonikaPort, wialonPort] = (await freePorts(3)) as [number, number, number];
  at = await tryStation({ nmeaPort, teltonikaPort, wialonPort });
  admin = await at.signIn();
  const newVehicle = async (name: string, devimei: string): Promise<number> =>
    (await at.ok('POST', '/cars', { as: admin, body: { name, devimei } })).id;
  boat = await newVehicle('Boat', '477553000');
  van = await newVehicle('Van', '352093086403655');
});
afterAll(() => at.stop());

const track = (id: number, from = 0, until = Date.now() + 60_000): Promise<{ time: number }[]> =>
  at.ok('GET', `/cars/${id}/track?from=${from}&till=${until}`, { as: admin });

test('a Teltonika device over UDP is answered when its record is stored', async () => {
  const socket = createSocket('udp4');
  const answered = once(socket, 'message');
  socket.send(Buffer.from(TELTONIKA, 'hex'), teltonikaPort, '127.0.0.1');
  const [answer] = (await answered) as [Buffer];
  expect(answer.toString('hex')).toBe('0005cafe010501');
  expect(await track(van)).toMatchObject([{ time: 1560407006000 }]);
  socket.close();
});

test('AIS over UDP moves the vehicle with that MMSI; other vessels are no news', async () => {
  const socket = createSocket('udp4');
  socket.send(`${OTHER}${VESSEL}`, nmeaPort, '127.0.0.1');
  await eventually(async () => expect(await track(boat)).toMatchObject([{ lat: 47.582833, lon: -122.345833 }]));
  socket.close();
  expect(await at.ok('GET', '/telemetry/quarantine', { as: admin })).toEqual([]);
});

test('3,000 random wrong lines over UDP and TCP: the next right one is stored, and other ports are unharmed', async () => {
  const chance = new Chance();
  const words = [
    VESSEL.trim(),
    OTHER.trim(),
    '!AIVDM,9,1,,',
    '$GPRMC,',
    '\\s:x*00\\',
    '*5C',
    '\0',
    '!'.repeat(300),
    ',,,,,',
  ];
  const wrong = () => `${chance.of(words)}${chance.of(words)}\n`;
  const tcp = connect(nmeaPort, '127.0.0.1');
  tcp.on('error', () => undefined);
  const socket = createSocket('udp4');
  for (let i = 0; i < 1_500; i++) {
    tcp.write(wrong());
    socket.send(wrong(), nmeaPort, '127.0.0.1');
    if (i % 100 === 0) await new Promise((later) => setTimeout(later, 5)); // the system holds only so many
  }
  // A report names only the second of its minute, so another one of this minute would be the same position.
  // The tag block has whole seconds, so half a minute is measured from one.
  const earlier = Math.floor(Date.now() / 1_000) * 1_000 - 5 * 60_000;
  await eventually(async () => {
    tcp.write(`${tagBlock(earlier)}${VESSEL}`);
    expect((await track(boat)).map(({ time }) => Math.abs(time - earlier) <= 30_000)).toContain(true);
  });
  const answered = once(socket, 'message');
  socket.send(Buffer.from(TELTONIKA, 'hex'), teltonikaPort, '127.0.0.1');
  expect(((await answered)[0] as Buffer).toString('hex')).toBe('0005cafe010501');
  tcp.destroy();
  socket.close();
});

test('3,000 wrong datagrams to the ports of Wialon and Teltonika: the next right one is answered, and so are others', async () => {
  const chance = new Chance();
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => chance.int(256)));
  const sound: [port: number, start: Buffer][] = [
    [teltonikaPort, Buffer.from(TELTONIKA, 'hex')],
    [wialonPort, Buffer.from('2.0;123456#SD#;NA;NA;4708.1;N;00931.0;E;36;90;400;7;0000\r\n')],
    [wialonPort, Buffer.from('123456#B#;|;;;|NA\r\n')],
  ];
  const socket = createSocket('udp4');
  for (let sent = 0; sent < 3_000; sent++) {
    const [to, start] = chance.of(sound);
    const bent = Buffer.concat([start.subarray(0, chance.int(start.length)), bytes(chance.int(60))]);
    // The length, the number of records and the identity lie, too.
    for (let change = chance.int(4); change > 0 && bent.length > 0; change--)
      bent[chance.int(bent.length)] = chance.int(256);
    socket.send(bent, to, '127.0.0.1');
    if (sent % 100 === 0) await new Promise((later) => setTimeout(later, 5)); // the system holds only so many
  }
  const right = Buffer.from(TELTONIKA, 'hex');
  const answers: string[] = [];
  socket.on('message', (answer) => answers.push(answer.toString('hex')));
  await eventually(() => {
    socket.send(right, teltonikaPort, '127.0.0.1');
    expect(answers, `WAYPOST_SEED=${chance.seed}`).toContain('0005cafe010501');
  });
  const earlier = Math.floor(Date.now() / 1_000) * 1_000 - 8 * 60_000;
  await eventually(async () => {
    socket.send(`${tagBlock(earlier)}${VESSEL}`, nmeaPort, '127.0.0.1');
    expect((await track(boat)).map(({ time }) => Math.abs(time - earlier) <= 30_000)).toContain(true);
  });
  expect((await at.ask('GET', '/health')).status).toBe(200);
  socket.close();
});
