import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crc16Ccitt, crc8 } from '../../../server/tracking/telemetry/decoders/checksums.ts';
import { Chance } from '../../support/chance.ts';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** EGTS over a real port, and any bytes at every port. */
let station: TryStation;
let admin: string;
let vehicle: number;
const ports: Record<string, number> = {};

beforeAll(async () => {
  station = await tryStation({
    ...{ wialonPort: 0, teltonikaPort: 0, egtsPort: 0, retranslatorPort: 0, aprsPort: 0, nmeaPort: 0, osmandPort: 0 },
  });
  admin = await station.signIn();
  vehicle = (
    await station.ask('POST', '/cars', {
      as: admin,
      body: { name: 'Van 1', glonassId: 123456, devimei: '356307042441013' },
    })
  ).json().id;
  for (const { message } of (await station.ask('GET', '/log/app?logger=telemetry', { as: admin })).json() as {
    message: string;
  }[]) {
    const found = /Listening for (\w+) devices on port (\d+)/.exec(message);
    if (found) ports[found[1]!] = Number(found[2]);
  }
});
afterAll(() => station.stop());

const track = async () =>
  (await station.ask('GET', `/cars/${vehicle}/track?from=0&till=9999999999999`, { as: admin })).json() as {
    time: number;
    lat: number;
    lon: number;
    speed: number;
  }[];
const reasons = async () =>
  ((await station.ask('GET', '/telemetry/quarantine', { as: admin })).json() as { source: string; reason: string }[])
    .filter(({ source }) => source === 'egts')
    .map(({ reason }) => reason);

/** A conversation on one connection. */
class Line {
  readonly #socket: Socket;
  #heard = Buffer.alloc(0);
  closed = false;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .on('close', () => (this.closed = true));
    this.#socket.on('data', (chunk) => (this.#heard = Buffer.concat([this.#heard, chunk])));
    this.#socket.setNoDelay(true);
  }
  say(bytes: Uint8Array): Promise<void> {
    return new Promise((said) => this.#socket.write(bytes, () => said()));
  }
  /** Waits for so many EGTS packets, and takes them. */
  async hear(count: number): Promise<Answer[]> {
    const answers: Answer[] = [];
    await eventually(() => {
      for (
        let length;
        this.#heard.length >= 10 && this.#heard.length >= (length = lengthOf(this.#heard));
        this.#heard = this.#heard.subarray(length)
      )
        answers.push(answerOf(this.#heard.subarray(0, length)));
      expect(answers).toHaveLength(count);
    });
    return answers;
  }
  end(): void {
    this.#socket.destroy();
  }
}

interface Answer {
  readonly confirms: number;
  readonly code: number;
  readonly records: readonly (readonly [record: number, code: number])[];
}

/** Header, and a body with its checksum when there is one. */
const lengthOf = (bytes: Buffer) => bytes[3]! + (bytes.readUInt16LE(5) > 0 ? bytes.readUInt16LE(5) + 2 : 0);

/**
 * EGTS_PT_RESPONSE (GOST R 54619): id of the packet, result; then records of service data, of which those
 * with EGTS_SR_RECORD_RESPONSE count.
 */
function answerOf(packet: Buffer): Answer {
  const head = packet[3]!;
  expect(packet[head - 1]).toBe(crc8(packet.subarray(0, head - 1)));
  expect(packet[9]).toBe(0);
  const body = packet.subarray(head, packet.length - 2);
  expect(packet.readUInt16LE(packet.length - 2)).toBe(crc16Ccitt(body));
  const records: [number, number][] = [];
  for (let at = 3; at < body.length;) {
    const length = body.readUInt16LE(at);
    const fields = body[at + 4]!;
    const data = at + 5 + (fields & 1 ? 4 : 0) + (fields & 2 ? 4 : 0) + (fields & 4 ? 4 : 0) + 2;
    expect(body[data]).toBe(0);
    records.push([body.readUInt16LE(data + 3), body[data + 5]!]);
    at = data + length;
  }
  return { confirms: body.readUInt16LE(0), code: body[2]!, records };
}

/**
 * A packet of another implementation, with one position of the object 123456, its ids and its time made what
 * is asked for.
 */
const CAPTURED = Buffer.from(
  '0100000b00230002000115180002000140e201000202101500e9878b03aaaaaaaaaaaaaa2a15e80301000000000df9ad',
  'hex',
);
const SINCE_2010 = Date.UTC(2010, 0, 1);
const NAVIGATION = 11 + 14;
function position(packetId: number, recordId: number, time: number, objectId = 123456): Buffer {
  const packet = Buffer.from(CAPTURED);
  packet.writeUInt16LE(packetId, 7);
  packet[10] = crc8(packet.subarray(0, 10));
  packet.writeUInt16LE(recordId, 13);
  packet.writeUInt32LE(objectId, 16);
  packet.writeUInt32LE((time - SINCE_2010) / 1000, NAVIGATION);
  packet.writeUInt16LE(crc16Ccitt(packet.subarray(11, packet.length - 2)), packet.length - 2);
  return packet;
}
const at = (minute: number) => Date.UTC(2026, 8, 20, 12, minute);

/** A packet whose one record of service data holds a position for each time, as black boxes send them. */
function positions(packetId: number, recordId: number, times: readonly number[]): Buffer {
  const parts = times.map((time) => position(packetId, recordId, time).subarray(NAVIGATION - 3, -2));
  const record = Buffer.concat([position(packetId, recordId, times[0]!).subarray(11, NAVIGATION - 3), ...parts]);
  record.writeUInt16LE(record.length - 11, 0);
  const [header, crc] = [Buffer.from(CAPTURED.subarray(0, 11)), Buffer.alloc(2)];
  header.writeUInt16LE(record.length, 5);
  header.writeUInt16LE(packetId, 7);
  header[10] = crc8(header.subarray(0, 10));
  crc.writeUInt16LE(crc16Ccitt(record));
  return Buffer.concat([header, record, crc]);
}

describe('EGTS over its port', () => {
  test('the captured packet is what `position` makes', () => {
    expect(position(2, 2, Date.UTC(2011, 10, 20, 9, 5, 45)).equals(CAPTURED)).toBe(true);
  });

  test('a packet in single bytes, and three in one piece: each is confirmed by its own id, and in the track by then', async () => {
    const line = new Line(ports['egts']!);
    for (const byte of position(10, 100, at(0))) await line.say(Buffer.from([byte]));
    expect(await line.hear(1)).toEqual([{ confirms: 10, code: 0, records: [[100, 0]] }]);
    expect(await track()).toMatchObject([{ time: at(0), lat: 60, lon: 30, speed: 100 }]);
    await line.say(Buffer.concat([position(11, 101, at(1)), position(12, 102, at(2)), position(13, 103, at(3))]));
    expect(await line.hear(3)).toEqual([11, 12, 13].map((id) => ({ confirms: id, code: 0, records: [[id + 90, 0]] })));
    expect((await track()).map(({ time }) => time)).toEqual([0, 1, 2, 3].map(at));
    line.end();
  });

  test('a record that holds many positions is confirmed when all of them are in the track', async () => {
    const line = new Line(ports['egts']!);
    const times = [4, 5, 6, 7].map(at);
    await line.say(positions(14, 104, times));
    expect(await line.hear(1)).toEqual([{ confirms: 14, code: 0, records: [[104, 0]] }]);
    expect((await track()).map(({ time }) => time)).toEqual(expect.arrayContaining(times));
    line.end();
  });

  test('a device that got no answer sends again, and is confirmed again; it is one record', async () => {
    const before = (await track()).length;
    for (const packetId of [20, 21]) {
      const line = new Line(ports['egts']!);
      await line.say(position(packetId, 200, at(10)));
      expect(await line.hear(1)).toEqual([{ confirms: packetId, code: 0, records: [[200, 0]] }]);
      line.end();
    }
    expect(await track()).toHaveLength(before + 1);
  });

  test('a body with a wrong checksum is answered with 138, kept, and does not keep the next one', async () => {
    const line = new Line(ports['egts']!);
    const wrong = position(30, 300, at(20));
    wrong[20]! ^= 1;
    await line.say(Buffer.concat([wrong, position(31, 301, at(21))]));
    const [refused, taken] = await line.hear(2);
    expect(refused).toEqual({ confirms: 30, code: 138, records: [] });
    expect(taken).toEqual({ confirms: 31, code: 0, records: [[301, 0]] });
    expect((await track()).map(({ time }) => time)).not.toContain(at(20));
    expect((await reasons()).join()).toMatch(/CRC/);
    line.end();
  });

  test('what nobody knows is not stored, and told so by its record', async () => {
    const line = new Line(ports['egts']!);
    await line.say(position(40, 400, at(30), 999_999));
    const [answer] = await line.hear(1);
    expect(answer!.confirms).toBe(40);
    expect(answer!.records[0]![1]).not.toBe(0);
    line.end();
  });
});

test('3,000 connections of any bytes at any port, and 200 that stall: devices are confirmed meanwhile', async () => {
  const chance = new Chance();
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => chance.int(256)));
  const starts: Record<string, Buffer[]> = {
    egts: [Buffer.alloc(0), CAPTURED.subarray(0, 11), Buffer.from([1, 0, 0, 11])],
    wialon: [Buffer.alloc(0), Buffer.from('#L#123456;NA\r\n#B#'), Buffer.from([0xff, 200, 0])],
    teltonika: [
      Buffer.alloc(0),
      Buffer.from('000f333536333037303432343431303133', 'hex'),
      Buffer.from('000f33353633303730343234343130313300000000000000ff08', 'hex'),
    ],
    retranslator: [
      Buffer.alloc(0),
      Buffer.from([0xff, 0xff, 0, 0]),
      Buffer.from('7400000033353633303730343234343130313300'),
    ],
    aprs: [Buffer.alloc(0), Buffer.from('user AB1CD pass -1\r\n'), Buffer.from('AB1CD-9>APRS:!4903.50N/07201.75W')],
    nmea: [Buffer.alloc(0), Buffer.from('!AIVDM,9,9,,A,'), Buffer.from('$GPRMC,,,')],
    osmand: [
      Buffer.alloc(0),
      Buffer.from('POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n'),
      Buffer.from('GET /?id='),
    ],
  };
  const protocols = Object.keys(starts);
  const stalled = Array.from({ length: 200 }, (_, nth) => {
    const protocol = protocols[nth % protocols.length]!;
    const line = new Line(ports[protocol]!);
    void line.say(chance.of(starts[protocol]!));
    return line;
  });
  for (let turn = 0; turn < 60; turn++) {
    const wrong = Array.from({ length: 50 }, async () => {
      const protocol = chance.of(protocols);
      const line = new Line(ports[protocol]!);
      await line.say(Buffer.concat([chance.of(starts[protocol]!), bytes(chance.int(600))]));
      if (chance.maybe()) await line.say(bytes(1 + chance.int(50)));
      line.end();
    });
    const honest = new Line(ports['egts']!);
    await honest.say(position(100 + turn, 1_000 + turn, at(100 + turn)));
    expect(await honest.hear(1), `WAYPOST_SEED=${chance.seed}`).toEqual([
      { confirms: 100 + turn, code: 0, records: [[1_000 + turn, 0]] },
    ]);
    honest.end();
    await Promise.all(wrong);
  }
  const times = new Set((await track()).map(({ time }) => time));
  for (let turn = 0; turn < 60; turn++) expect(times).toContain(at(100 + turn));
  expect((await station.ask('GET', '/health')).status).toBe(200);
  for (const line of stalled) line.end();
  const note = `WAYPOST_SEED=${chance.seed}`;
  const line = new Line(ports['egts']!);
  await line.say(position(50, 500, at(40)));
  expect(await line.hear(1), note).toEqual([{ confirms: 50, code: 0, records: [[500, 0]] }]);
  line.end();
  for (const [protocol, hello, answer] of [
    ['wialon', Buffer.from('#L#123456;NA\r\n'), '#AL#1\r\n'],
    ['teltonika', Buffer.from('000f333536333037303432343431303133', 'hex'), '\u0001'],
  ] as const) {
    const heard = await new Promise<string>((done, failed) => {
      const socket = connect(ports[protocol]!, '127.0.0.1', () => socket.write(hello));
      socket.once('data', (chunk) => socket.end(() => done(String(chunk)))).once('error', failed);
    });
    expect(heard, `${protocol}, ${note}`).toBe(answer);
  }
}, 120_000);
