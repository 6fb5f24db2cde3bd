import { expect, test } from 'vitest';
import { crc16Ccitt, crc8 } from '../../../../../server/tracking/telemetry/decoders/checksums.ts';
import { egts } from '../../../../../server/tracking/telemetry/decoders/egts.ts';
import { faults, hear, records } from './frames.ts';
import { hex } from './hex.ts';

// EGTS: packets of other implementations.
const EGTS_POSITION = hex(
  '0100000b002300020001151800020001 40e2010002021015 00e9878b03aaaaaaaaaaaaaa2a15e80301000000000df9ad',
);

const EGTS_RESPONSE = hex('0100030b00030089 00004a15380033e8');

test('egts: the checksums are those of the standard', () => {
  expect([crc8(Buffer.from('123456789')), crc16Ccitt(Buffer.from('123456789'))]).toEqual([0xf7, 0x29b1]);
  expect(hear(egts, EGTS_RESPONSE)).toEqual([]);
});

test('egts: a position of an object', () => {
  const items = hear(egts, EGTS_POSITION);
  expect(items.map((item) => (item.kind === 'records' ? item.device : item.kind))).toEqual(['123456', 'ping']);
  expect(records(items)[0]).toMatchObject({
    time: Date.UTC(2011, 10, 20, 9, 5, 45),
    position: { lat: 60, lon: 30 },
    speed: 100,
    direction: 1,
    params: { alarm: 'sos', source: 13 },
  });
});

test('egts: a packet is confirmed by its own id, with the result of each record', () => {
  const items = hear(egts, EGTS_POSITION);
  if (items[0]!.kind === 'records') items[0].answer(1, 0);
  const answer = Buffer.from((items[1] as { answer(): Uint8Array }).answer());
  expect(hear(egts, answer)).toEqual([]); // whole, with right checksums, and an answer itself
  expect(answer[9]).toBe(0);
  expect(answer.readUInt16LE(11)).toBe(2); // our packet's id
  expect(answer[13]).toBe(0);
  expect([answer.readUInt16LE(14 + 7 + 3), answer[14 + 7 + 5]]).toEqual([2, 0]); // record 2: ok
});

test('egts: an unknown device gets that answer', () => {
  const items = hear(egts, EGTS_POSITION);
  if (items[0]!.kind === 'records') items[0].answer(0, 0);
  expect(Buffer.from((items[1] as { answer(): Uint8Array }).answer())[14 + 7 + 5]).toBe(153);
});

test('egts: a terminal that says who it is', () => {
  const identity = Buffer.concat([hex('d2040000 02'), Buffer.from('351111111111111')]);
  const items = hear(egts, packet(7, serviceRecord(1, 1, Buffer.concat([subrecord(1, identity)]))));
  expect(items[0]).toMatchObject({ kind: 'login', device: '351111111111111' });
  expect(hear(egts, packet(7, serviceRecord(1, 1, subrecord(1, hex('d204000000')))))[0]).toMatchObject({
    kind: 'login',
    device: '1234',
  });
});

test('egts: satellites, inputs, analog values and fuel beside the position', () => {
  const position = EGTS_POSITION.subarray(11 + 11 + 3, 11 + 11 + 3 + 21);
  const data = Buffer.concat([
    subrecord(16, position),
    subrecord(17, hex('0a 6400 0b')),
    subrecord(18, hex('01 05 03 ff 010000 020000')),
    subrecord(27, hex('02 0000 e8030000')),
  ]);
  const [record] = records(hear(egts, packet(1, serviceRecord(2, 5, data))));
  expect(record).toMatchObject({ gpsCount: 11, adc: [1, 2], params: { hdop: 1, outputs: 5, level_2: 1000 } });
  expect(record!.inputs & 0xff00).toBe(0xff00);
});

/** A position of 21 bytes, with three of height: 11 October 2010, 60 N 30 E, `flags` turning signs. */
const POSITION = (flags: number, speedWord: number, more = '0a0000 00 00') =>
  hex(
    `e9878b03 aaaaaaaa aaaaaa2a ${flags.toString(16).padStart(2, '0')} ${Buffer.from([speedWord & 0xff, speedWord >> 8]).toString('hex')} 10 ${more} 640000`,
  );

const fixOf = (...parts: Buffer[]) => records(hear(egts, packet(1, serviceRecord(2, 5, Buffer.concat(parts)))))[0]!;

/**
 * Captured: the first three positions of a record that holds 66, each with a part that we do not know (24)
 * and its sensors (18) behind it.
 */
const CAPTURED_GROUPS = hex(`
  101800 e19a7b0f cfb4c49a 0bfdb87a 91 1801 b7 000000 00 10 d90000 180400 021c0000 120300 000000
  101800 f39a7b0f 2fc9c39a 9bf2b87a 91 4001 b5 000000 00 10 da0000 180400 021c0000 120300 000000
  101800 fa9a7b0f c663c39a 21eeb87a 91 4001 b6 000000 00 10 da0000 180400 021c0000 120300 000000`);

test('captured: a record of EGTS that holds many positions', () => {
  expect(records(hear(egts, packet(1, serviceRecord(2, 5, CAPTURED_GROUPS))))).toMatchObject([
    {
      time: Date.UTC(2018, 2, 26, 11, 13, 37),
      position: { lat: 54.41076, lon: 86.289336 },
      speed: 28,
      direction: 183,
      height: 217,
      params: { source: 16 },
    },
    { time: Date.UTC(2018, 2, 26, 11, 13, 55), speed: 32, direction: 181, height: 218 },
    { time: Date.UTC(2018, 2, 26, 11, 14, 2), speed: 32, direction: 182, height: 218 },
  ]);
});

test('egts: each group of parts that a position begins is a record of its own, with its own inputs and satellites', () => {
  const groups = [
    subrecord(16, POSITION(0x81, 100)),
    subrecord(17, hex('08 0b')),
    subrecord(18, hex('01 01 01 ff 010000')),
    subrecord(16, POSITION(0x81, 200, '0b0000 02 00')),
    subrecord(18, hex('00 02 00')),
    subrecord(16, POSITION(0x81, 300, '0c0000 04 00')),
    subrecord(17, hex('08 05')),
    subrecord(27, hex('02 0000 e8030000')),
  ];
  const items = hear(egts, packet(1, serviceRecord(2, 5, Buffer.concat(groups))));
  expect(records(items)).toMatchObject([
    { speed: 10, inputs: 0xff00, gpsCount: 11, adc: [1], params: { outputs: 1, odometer: 1000 } },
    { speed: 20, inputs: 2, gpsCount: undefined, adc: [], params: { outputs: 2, odometer: 1100 } },
    { speed: 30, inputs: 4, gpsCount: 5, adc: [], params: { level_2: 1000, odometer: 1200 } },
  ]);
  expect(records(items)[1]!.params).not.toHaveProperty('level_2');
  expect(records(items)[2]!.params).not.toHaveProperty('outputs');
});

test('egts: a broken position among good ones keeps none of them out', () => {
  const groups = [
    subrecord(16, POSITION(0x81, 100)),
    subrecord(16, hex('0102')),
    subrecord(17, hex('08 05')),
    subrecord(16, POSITION(0x81, 300)),
  ];
  const data = serviceRecord(2, 0x105, Buffer.concat(groups));
  const items = hear(egts, packet(0x203, data));
  expect(records(items).map(({ speed, gpsCount }) => [speed, gpsCount])).toEqual([
    [10, undefined],
    [30, undefined],
  ]);
  expect(faults(items)).toEqual(['a position of fewer than 21 bytes']);
  if (items[0]!.kind === 'records') items[0].answer(2, 1);
  expect(answerOf(items[1])).toEqual(ours(0, 0, hex('0302 00 0600 0000 58 02 02 00 0300 0501 00')));
});

test('egts: a record of which a part is not on disk is not confirmed', () => {
  const groups = [subrecord(16, POSITION(0x81, 100)), subrecord(16, hex('0102')), subrecord(16, POSITION(0x81, 300))];
  for (const [stored, aside] of [
    [1, 1],
    [2, 0],
  ] as const) {
    const items = hear(egts, packet(0x203, serviceRecord(2, 0x105, Buffer.concat(groups))));
    if (items[0]!.kind === 'records') items[0].answer(stored, aside);
    expect(answerOf(items[1])).toEqual(ours(0, 0, hex('0302 00 0600 0000 58 02 02 00 0300 0501 9c')));
  }
});

test('egts: signs of the position and of the height, the ninth bit of the course, tenths of km/h, hundreds of metres', () => {
  expect(fixOf(subrecord(16, POSITION(0x81, 605)))).toMatchObject({
    position: { lat: 60, lon: 30 },
    speed: 60.5,
    direction: 16,
    height: 100,
    params: { odometer: 1000 },
  });
  expect(fixOf(subrecord(16, POSITION(0xe1, 605 | 0xc000)))).toMatchObject({
    position: { lat: -60, lon: -30 },
    speed: 60.5,
    direction: 272,
    height: -100,
  });
  expect(fixOf(subrecord(16, POSITION(0x01, 605)))).toMatchObject({ height: 0 });
  expect(fixOf(subrecord(16, POSITION(0x80, 605)))).toMatchObject({ position: undefined });
});

test('egts: dilution of three kinds, sensors that are not the first, a level that its sensor calls wrong', () => {
  const fix = fixOf(
    subrecord(16, POSITION(0x81, 0)),
    subrecord(17, hex('0f 6400 c800 2c01 07')),
    subrecord(18, hex('06 09 04 11 22 070000')),
    subrecord(27, hex('03 0000 05000000')),
    subrecord(27, hex('44 0000 06000000')),
  );
  expect(fix).toMatchObject({
    gpsCount: 7,
    adc: [0, 0, 7],
    params: { vdop: 1, hdop: 2, pdop: 3, outputs: 9, level_3: 5 },
  });
  expect(fix.inputs >>> 16).toBe(0x2211 & 0xffff);
  expect(fix.params).not.toHaveProperty('level_4');
});

test('egts: records of which one has no position; a packet without records; a longer header', () => {
  const data = Buffer.concat([
    serviceRecord(2, 5, subrecord(17, hex('00'))),
    serviceRecord(2, 6, subrecord(16, POSITION(0x81, 0))),
  ]);
  const items = hear(egts, packet(9, data));
  expect(records(items)).toHaveLength(1);
  expect(faults(items)).toEqual(['a record without a position']);
  expect(faults(hear(egts, packet(9, serviceRecord(2, 5, subrecord(16, hex('0102'))))))).toEqual([
    'a position of fewer than 21 bytes',
  ]);
  expect(hear(egts, packet(9, Buffer.alloc(0)))).toMatchObject([{ kind: 'ping' }]);
  expect(records(hear(egts, packet(9, data, 16)))).toHaveLength(1);
  expect(() => hear(egts, hex('0100000c000000010001ff'))).toThrow('header');
});

/** A packet of ours as the standard has it: priority of a response, our own number, type 0 for an answer. */
function ours(number: number, type: number, data: Buffer): Buffer {
  const [header, crc] = [Buffer.from([1, 0, 3, 11, 0, 0, 0, 0, 0, type]), Buffer.alloc(2)];
  header.writeUInt16LE(data.length, 5);
  header.writeUInt16LE(number, 7);
  crc.writeUInt16LE(crc16Ccitt(data));
  return Buffer.concat([header, Buffer.from([crc8(header)]), data, crc]);
}

const answerOf = (item: unknown, ...told: unknown[]) =>
  Buffer.from((item as { answer(...told: unknown[]): Uint8Array }).answer(...told));

test('egts: each record is answered for itself: taken, without a position, of a service that we do not know, of a device that nobody knows', () => {
  const data = Buffer.concat([
    serviceRecord(2, 0x105, subrecord(16, POSITION(0x81, 0))),
    serviceRecord(2, 0x106, subrecord(17, hex('00'))),
    serviceRecord(9, 0x107, subrecord(16, POSITION(0x81, 0))),
  ]);
  const result = (number: string, service: string, code: string, our: number) =>
    `0600 0${our}00 58 ${service} ${service} 00 0300 ${number} ${code}`;
  const answered = (stored: number) => {
    const items = hear(egts, packet(0x203, data));
    expect(items.map(({ kind }) => kind)).toEqual(['records', 'ping']);
    if (items[0]!.kind === 'records') items[0].answer(stored, 1);
    return answerOf(items[1]);
  };
  expect(answered(1)).toEqual(
    ours(
      0,
      0,
      hex(`0302 00 ${result('0501', '02', '00', 0)} ${result('0601', '02', '84', 1)} ${result('0701', '09', '96', 2)}`),
    ),
  );
  expect(answered(0)).toEqual(
    ours(
      0,
      0,
      hex(`0302 00 ${result('0501', '02', '99', 0)} ${result('0601', '02', '84', 1)} ${result('0701', '09', '96', 2)}`),
    ),
  );
});

test('egts: the result of an authorisation is a packet of its own, before the answer to the packet', () => {
  const identity = packet(7, serviceRecord(1, 1, subrecord(1, hex('d204000000'))));
  const results = (['accepted', 'unknown', 'wrong-password'] as const).map((result) =>
    answerOf(hear(egts, identity)[0], result),
  );
  expect(results).toEqual(['00', '99', '97'].map((code) => ours(0, 1, hex(`0400 0000 58 01 01 09 0100 ${code}`))));
  // Of a terminal with a home: its IMEI stands two bytes further on; without digits it is its number.
  const withHome = Buffer.concat([hex('d2040000 03 0100'), Buffer.from('351111111111119')]);
  expect(hear(egts, packet(7, serviceRecord(1, 1, subrecord(1, withHome))))[0]).toMatchObject({
    kind: 'login',
    device: '351111111111119',
  });
  expect(
    hear(egts, packet(7, serviceRecord(1, 1, subrecord(1, Buffer.concat([hex('d2040000 02'), Buffer.alloc(15)])))))[0],
  ).toMatchObject({ device: '1234' });
  expect(
    hear(egts, packet(7, serviceRecord(1, 1, subrecord(1, hex('d2040000 02 33'))))).map((item) =>
      item.kind === 'login' ? item.device : item.kind,
    ),
  ).toEqual(['1234', 'ping']);
  // Neither another part of the record nor one that is too short says who it is.
  for (const part of [subrecord(2, hex('d204000000')), subrecord(1, hex('d2040000'))])
    expect(hear(egts, packet(7, serviceRecord(1, 1, part))).map(({ kind }) => kind)).toEqual(['ping']);
});

test('egts: an object, an event and a time may stand before a record; those of one object come together', () => {
  const of = (flags: number, before: string, number: number) => {
    const fields = subrecord(16, POSITION(0x81, 0));
    const head = Buffer.alloc(4);
    head.writeUInt16LE(fields.length, 0);
    head.writeUInt16LE(number, 2);
    return Buffer.concat([head, Buffer.from([flags]), hex(before), Buffer.from([2, 2]), fields]);
  };
  const items = hear(
    egts,
    packet(
      1,
      Buffer.concat([
        of(7, '2a000000 01000000 02000000', 1),
        of(6, '01000000 02000000', 2),
        of(1, '2a000000', 3),
        of(0, '', 4),
      ]),
    ),
  );
  expect(items.map((item) => (item.kind === 'records' ? [item.device, item.records.length] : item.kind))).toEqual([
    ['42', 2],
    [undefined, 2],
    'ping',
  ]);
});

test('egts: packets in pieces, also of their longer headers; signed ones are not taken', () => {
  const whole = packet(9, serviceRecord(2, 5, subrecord(16, POSITION(0x81, 0))), 16);
  for (let cut = 1; cut < whole.length; cut++)
    expect(records(hear(egts, whole.subarray(0, cut), whole.subarray(cut))), String(cut)).toHaveLength(1);
  const signed = packet(9, hex('00'));
  signed[9] = 2;
  signed[10] = crc8(signed.subarray(0, 10));
  const [item] = hear(egts, signed);
  expect(faults([item!])).toEqual(['signed packets are not taken']);
  expect(answerOf(item)).toEqual(ours(0, 0, hex('0900 83')));
});

test('egts: parts that are shorter than they should be add nothing', () => {
  const fix = fixOf(
    subrecord(16, POSITION(0x81, 0)),
    subrecord(17, Buffer.alloc(0)),
    subrecord(17, hex('08')),
    subrecord(18, hex('0101')),
    subrecord(27, hex('010000')),
    subrecord(99, hex('01000001000000')),
  );
  expect(fix).toMatchObject({ gpsCount: undefined, adc: [], inputs: 0, params: { odometer: 1000 } });
  expect(Object.keys(fix.params)).toEqual(['odometer']);
  const bare = fixOf(subrecord(16, hex('e9878b03 aaaaaaaa aaaaaa2a 01 0000 10 400d03 21 00')));
  expect(bare).toMatchObject({ inputs: 0x21, params: { odometer: 20_000_000 } });
});

test('egts: our packets are counted, each an answer of its own', () => {
  const conversation = egts.converse(() => 0);
  const numbers = [1, 2].map((id) =>
    Buffer.from((conversation.push(packet(id, Buffer.alloc(0)))[0] as { answer(): Uint8Array }).answer()),
  );
  expect(numbers.map((answer) => [answer.readUInt16LE(7), answer[9], answer.readUInt16LE(11)])).toEqual([
    [0, 0, 1],
    [1, 0, 2],
  ]);
});

test('egts: records and what is in them are never read beyond their end', () => {
  for (const wrong of ['0500', '0800 0100 00 02 02 100100', '0300 0100 01 02 02 00', '0200 0100 00 02 02 1001'])
    expect(faults(hear(egts, packet(3, hex(wrong)))), wrong).toEqual(['the records do not fill the packet']);
});

test('egts: wrong checksums and lengths', () => {
  const header = Buffer.from(EGTS_POSITION);
  header[5]! ^= 1;
  expect(() => hear(egts, header)).toThrow('CRC of the header');
  const body = Buffer.from(EGTS_POSITION);
  body[30]! ^= 1;
  expect(faults(hear(egts, body))).toEqual(['the CRC of the data is wrong']);
  expect(faults(hear(egts, packet(3, hex('ff00 0100 00 02 02 00'))))).toEqual(['the records do not fill the packet']);
});

/** @param headerLength 16 with the addresses of a packet that was passed on */
function packet(id: number, data: Buffer, headerLength = 11): Buffer {
  const header = Buffer.alloc(headerLength);
  header.set([1, 0, 0, headerLength, 0]);
  header.writeUInt16LE(data.length, 5);
  header.writeUInt16LE(id, 7);
  header[9] = 1;
  header[headerLength - 1] = crc8(header.subarray(0, headerLength - 1));
  if (data.length === 0) return header;
  const crc = Buffer.alloc(2);
  crc.writeUInt16LE(crc16Ccitt(data));
  return Buffer.concat([header, data, crc]);
}

function serviceRecord(service: number, number: number, data: Buffer): Buffer {
  const head = Buffer.alloc(7);
  head.writeUInt16LE(data.length, 0);
  head.writeUInt16LE(number, 2);
  head.set([0, service, service], 4);
  return Buffer.concat([head, data]);
}

function subrecord(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(3);
  head[0] = type;
  head.writeUInt16LE(data.length, 1);
  return Buffer.concat([head, data]);
}
