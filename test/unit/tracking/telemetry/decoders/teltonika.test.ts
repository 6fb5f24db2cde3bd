import { expect, test } from 'vitest';
import { crc16Arc } from '../../../../../server/tracking/telemetry/decoders/checksums.ts';
import { teltonika } from '../../../../../server/tracking/telemetry/decoders/teltonika.ts';
import { answers, faults, hear, records } from './frames.ts';
import { hex } from './hex.ts';

const LOGIN = Buffer.concat([hex('000f'), Buffer.from('356307042441013')]);

// Teltonika: the frames of the maker's own description.
const CODEC_8 = hex(
  '000000000000003608010000016B40D8EA30010000000000000000000000000000000105021503010101425E0F01F10000601A014E0000000000000000010000C7CF',
);

const CODEC_8_TWO = hex(
  '000000000000004308020000016B40D57B480100000000000000000000000000000001010101000000000000016B40D5C198010000000000000000000000000000000101010101000000020000252C',
);

const CODEC_8E = hex(
  '000000000000004A8E010000016B412CEE000100000000000000000000000000000000010005000100010100010011001D00010010015E2C880002000B000000003544C87A000E000000001DD7E06A00000100002994',
);

test('teltonika: an IMEI is answered by one byte', () => {
  const [login] = hear(teltonika, LOGIN.subarray(0, 5), LOGIN.subarray(5));
  if (login?.kind !== 'login') throw new Error();
  expect(login.device).toBe('356307042441013');
  expect([[...login.answer('accepted')!], [...login.answer('unknown')!]]).toEqual([[1], [0]]);
});

test('teltonika: codec 8', () => {
  const [record] = records(hear(teltonika, LOGIN, CODEC_8));
  expect(record!.params).not.toHaveProperty('driver_key');
  expect(record).toMatchObject({
    time: 1560161086000,
    position: undefined,
    gpsCount: 0,
    inputs: 1,
    params: { event: 1, gsm: 3, power: 24079, io_241: 24602 },
  });
});

test('teltonika: two records of codec 8, in pieces and with signs of life between', () => {
  const items = hear(
    teltonika,
    LOGIN,
    Buffer.concat([hex('ffff'), CODEC_8_TWO.subarray(0, 20)]),
    Buffer.concat([CODEC_8_TWO.subarray(20), hex('ff'), CODEC_8]),
  );
  expect(items.slice(1).map((item) => (item.kind === 'records' ? item.records.length : item.kind))).toEqual([2, 1]);
  const [, two] = items;
  expect(two?.kind === 'records' && [...two.answer(2, 0)!]).toEqual([0, 0, 0, 2]);
});

test('teltonika: codec 8 extended', () => {
  expect(records(hear(teltonika, LOGIN, CODEC_8E))[0]).toMatchObject({
    time: 1560166592000,
    inputs: 1,
    adc: [],
    params: { event: 1, odometer: 22949000, io_17: 29, io_11: 893700218 },
  });
});

test('teltonika: codec 16 of the maker’s own description', () => {
  const packet = hex(
    '000000000000005F10020000016BDBC7833000000000000000000000000000000000000B05040200010000030002000B00270042563A00000000016BDBC7871800000000000000000000000000000000000B05040200010000030002000B00260042563A00000200005FB3',
  );
  expect(records(hear(teltonika, LOGIN, packet))).toMatchObject([
    { time: 1562760414000, params: { event: 11, generation: 5, io_11: 39, power: 22074 } },
    { time: 1562760415000, params: { event: 11, generation: 5, io_11: 38, power: 22074 } },
  ]);
});

test('teltonika: a datagram of the maker’s own description', () => {
  const bytes = hex(
    '003DCAFE0105000F33353230393330383634303336353508010000016B4F815B30010000000000000000000000000000000103021503010101425DBC000001',
  );
  const { device, items } = teltonika.datagram!(bytes, () => 0);
  expect(device).toBe('352093086403655');
  expect(records(items)).toMatchObject([
    { time: 1560407006000, inputs: 1, params: { event: 1, gsm: 3, power: 23996 } },
  ]);
  const [item] = items;
  expect(item?.kind === 'records' && Buffer.from(item.answer(1, 0)!).toString('hex')).toBe('0005cafe010501');
  expect(records(teltonika.reread(bytes, () => 0))).toHaveLength(1);
});

test('teltonika: a datagram that lies about its length or count is a fault, answered with none', () => {
  const bytes = hex(
    '003DCAFE0105000F33353230393330383634303336353508020000016B4F815B30010000000000000000000000000000000103021503010101425DBC000002',
  );
  const { device, items } = teltonika.datagram!(bytes, () => 0);
  expect(device).toBe('352093086403655');
  expect(faults(items)).toEqual(['the packet is shorter than it says']);
  expect(items[0]?.kind === 'fault' && Buffer.from(items[0].answer()!).toString('hex')).toBe('0005cafe010500');
  bytes[1] = 0x3e;
  expect(faults(teltonika.datagram!(bytes, () => 0).items)).toEqual(['a datagram of another length']);
});

test('teltonika: a wrong CRC, a wrong count and an unknown codec are answered with none', () => {
  const wrong = Buffer.from(CODEC_8);
  wrong[20]! ^= 1;
  const items = hear(teltonika, LOGIN, wrong);
  expect(faults(items)).toEqual(['the CRC is wrong']);
  expect(items[1]!.kind === 'fault' && [...items[1].answer()!]).toEqual([0, 0, 0, 0]);
});

test('teltonika: what cannot be a packet ends the conversation', () => {
  expect(() => hear(teltonika, LOGIN, hex('0000000100000000'))).toThrow('four zeros');
  expect(() => hear(teltonika, LOGIN, hex('000000007fffffff'))).toThrow('bytes');
  expect(() => hear(teltonika, 'GET / HTTP/1.1\r\n')).toThrow('IMEI');
});

/**
 * A packet of one record after `time`: eight bytes of it, priority, position, and the elements as they come.
 */
function teltonikaPacket(codec: number, record: string, count = 1): Buffer {
  const data = Buffer.concat([Buffer.from([codec, count]), hex(record), Buffer.from([count])]);
  const [head, tail] = [Buffer.alloc(8), Buffer.alloc(4)];
  head.writeUInt32BE(data.length, 4);
  tail.writeUInt32BE(crc16Arc(data));
  return Buffer.concat([head, data, tail]);
}

/** 55.5 N, 37.25 W, 120 m, 270°, 9 satellites, 61 km/h. */
const FIX = 'e9cc19e0 2114a0c0 0078 010e 09 003d';

test('teltonika: position, speed, course, the alarm of a panic record, analogue inputs in volts', () => {
  const [record] = records(
    hear(teltonika, LOGIN, teltonikaPacket(0x08, `0000016B40D8EA30 02 ${FIX} 00 03 01 ef01 02 092ee0 0605dc 00 00`)),
  );
  expect(record).toMatchObject({
    time: 1560161086000,
    position: { lat: 55.5, lon: -37.25 },
    height: 120,
    direction: 270,
    gpsCount: 9,
    speed: 61,
    inputs: 0x80,
    adc: [12, 1.5],
    params: { alarm: 'sos', ignition: 1 },
  });
  const [calm] = records(hear(teltonika, LOGIN, teltonikaPacket(0x08, `0000016B40D8EA30 01 ${FIX} 00 00 00 00 00 00`)));
  expect(calm!.params).toEqual({});
});

test('teltonika: codec 16, the key of the driver, a power cut, numbers beyond what is exact', () => {
  const [record] = records(
    hear(
      teltonika,
      LOGIN,
      teltonikaPacket(
        0x10,
        `0000016B40D8EA30 00 ${FIX} 0000 05 03 01 00fc01 00 00 02 004e00000000a1b2c3d4 0101ffffffffffffffff`,
      ),
    ),
  );
  expect(record!.params).toEqual({
    generation: 5,
    power_cut: true,
    driver_key: '00000000a1b2c3d4',
    io_257: '0xffffffffffffffff',
  });
  const [back] = records(
    hear(
      teltonika,
      LOGIN,
      teltonikaPacket(0x10, `0000016B40D8EA30 00 ${FIX} 0000 05 02 01 00fc00 00 00 01 004e0000000000000000`),
    ),
  );
  expect(back!.params).toEqual({ generation: 5, power_cut: false });
});

test('teltonika: elements of any length in codec 8 extended', () => {
  const [record] = records(
    hear(
      teltonika,
      LOGIN,
      teltonikaPacket(0x8e, `0000016B40D8EA30 00 ${FIX} 0000 0001 0000 0000 0000 0000 0001 0100 0003 414243`),
    ),
  );
  expect(record!.params).toEqual({ io_256: '414243' });
});

test('teltonika: what no position is, other counts than said, and what is left over', () => {
  const spoiled = (packet: Buffer) => faults(hear(teltonika, LOGIN, packet));
  expect(spoiled(teltonikaPacket(0x08, `0000016B40D8EA30 00 ${FIX} 00 00 00 00 00 00 ff`))).toEqual([
    'the packet does not hold as many records as it says',
  ]);
  expect(spoiled(teltonikaPacket(0x08, `0000016B40D8EA30 00 ${FIX} 00 00 00 00 00 00`, 2))).toEqual([
    'the packet is shorter than it says',
  ]);
  // Only both at zero is no fix: the equator has places, too.
  expect(
    records(
      hear(
        teltonika,
        LOGIN,
        teltonikaPacket(0x08, `0000016B40D8EA30 00 2114a0c0 00000000 0000 0000 09 003d 00 00 00 00 00 00`),
      ),
    )[0]!.position,
  ).toEqual({ lat: 0, lon: 55.5 });
});

/** Records of codec 8 without elements. */
const GOOD = `0000016B40D8EA30 00 ${FIX} 00 00 00 00 00 00`;

const LATER = `0000016B40D8EE18 02 ${FIX} 00 00 00 00 00 00`;

/** 182.9 degrees to the east. */
const IMPOSSIBLE = '0000016B40D8F200 00 6d010e00 2114a0c0 0078 010e 09 003d 00 00 00 00 00 00';

test('teltonika: good records beside an impossible one are read, that one is a packet of its own, and all are answered together', () => {
  const items = hear(teltonika, LOGIN, teltonikaPacket(0x08, `${GOOD} ${IMPOSSIBLE} ${LATER}`, 3), CODEC_8);
  expect(records(items).map(({ time }) => time)).toEqual([1560161086000, 1560161087000, 1560161086000]);
  const [, packet] = items;
  if (packet?.kind !== 'records') throw new Error();
  expect(packet.faults.map(({ reason, raw }) => [reason, Buffer.from(raw)])).toEqual([
    ['the coordinates 55.5, 182.8785664 are not valid', teltonikaPacket(0x08, IMPOSSIBLE)],
  ]);
  // Only what is on disk is answered for: a device that hears of fewer records sends them all again.
  expect(
    [
      [2, 1],
      [2, 0],
      [0, 0],
    ].map(([stored, aside]) => [...packet.answer(stored!, aside!)!]),
  ).toEqual([
    [0, 0, 0, 3],
    [0, 0, 0, 2],
    [0, 0, 0, 0],
  ]);
  // What is kept aside is read by itself, for one who has learnt to read it.
  expect(faults(teltonika.reread(packet.faults[0]!.raw, () => 0))).toEqual([
    'the coordinates 55.5, 182.8785664 are not valid',
  ]);
});

test('captured: codec 7, of which each record says what it holds', () => {
  const items = hear(
    teltonika,
    LOGIN,
    hex(
      '000000000000003107024c61410b013f4231c2c141d0beb9003d000005006483ff4c6140eb013f4231c2c141d0beb9003d000005006483ff02000041df',
    ),
  );
  expect(records(items)).toMatchObject([
    {
      time: Date.UTC(2013, 6, 31, 22, 30, 35),
      position: { lat: 44.4401894, lon: 26.0931263 },
      height: 61,
      direction: 0,
      speed: 0,
      gpsCount: 5,
      inputs: 0,
      adc: [],
      params: { lac: 100, cell_id: 33791 },
    },
    { time: Date.UTC(2013, 6, 31, 22, 30, 3) },
  ]);
  expect(answers(items)[1]).toBe('\0\0\0\u0002');
});

test('captured: codec 7 with elements, and records without a position', () => {
  const [first, second, third, fourth] = records(
    hear(
      teltonika,
      LOGIN,
      hex(
        '0000000000000055070450aa14320201f00150aa17f3031f42332a4c4193d68c008d00020901f00150aa1b6a031f423383f54193624f009d00000a01f00150aa1c230fc01a0000552b040164f400dd00f0010143100c0105000000050400006846',
      ),
    ),
  );
  expect(first).toMatchObject({
    time: Date.UTC(2015, 10, 10, 21, 35, 46),
    position: undefined,
    speed: undefined,
    gpsCount: 0,
    params: { motion: 1 },
  });
  expect(second).toMatchObject({
    time: Date.UTC(2015, 10, 10, 21, 51, 47),
    position: { lat: 44.7913055, lon: 18.4797592 },
    height: 141,
    direction: 0,
    speed: 2,
    gpsCount: 9,
    params: { motion: 1 },
  });
  expect(third).toMatchObject({ speed: 0, gpsCount: 10 });
  expect(fourth).toMatchObject({
    position: undefined,
    params: { gsm: 26, operator: 21803, battery_level: 100, io_244: 0, io_221: 0, motion: 1, battery: 4108, io_5: 5 },
  });
});

test('teltonika: codec 7 with an alarm, a course, invalid numbers, and a truncated record', () => {
  const record = (priority: string, position: string, elements = '') =>
    records(hear(teltonika, LOGIN, teltonikaPacket(0x07, `${priority}c61410b ${position} ${elements}`)))[0]!;
  expect(record('8', '01 04 40').params).toEqual({ alarm: 'sos' });
  expect(record('4', '03 04 40', '01 de01')).toMatchObject({ direction: 90, params: { alarm: 'sos' } });
  expect(record('4', '03 04 40', '01 de00').params).toEqual({});
  expect(faults(hear(teltonika, LOGIN, teltonikaPacket(0x07, '4c61410b 01 01 7fc00000 41d0beb9')))).toEqual([
    'the coordinates NaN, 26.0931263 are not valid',
  ]);
  expect(faults(hear(teltonika, LOGIN, teltonikaPacket(0x07, '4c61410b 01 01 7fc0')))).toEqual([
    'the packet is shorter than it says',
  ]);
});

test('teltonika: without a position there are no satellites', () => {
  expect(
    records(
      hear(
        teltonika,
        LOGIN,
        teltonikaPacket(0x08, '0000016B40D8EA30 00 00000000 00000000 0000 0000 09 003d 00 00 00 00 00 00'),
      ),
    )[0],
  ).toMatchObject({ position: undefined, gpsCount: 0 });
});

test('teltonika: an answer to a command is passed over; a packet is read again without a login', () => {
  const items = hear(teltonika, LOGIN, teltonikaPacket(0x0c, '05 00000000'));
  expect(items[1]).toMatchObject({ kind: 'ping' });
  expect((items[1] as { answer(): unknown }).answer()).toBeUndefined();
  expect(faults(hear(teltonika, LOGIN, teltonikaPacket(0x06, '')))).toEqual(['codec 6 is not taken']);
  expect(records(teltonika.reread!(CODEC_8, () => 0))).toHaveLength(1);
  for (const imei of ['000401020304', '0015313233343536373839303132333435363738393031'])
    expect(() => hear(teltonika, hex(imei))).toThrow('IMEI');
});

test('teltonika: codec 12 carries commands and their answers, as in the maker’s example', () => {
  expect(Buffer.from(teltonika.converse(() => 0).command!('getinfo')).toString('hex')).toBe(
    '000000000000000f0c010500000007676574696e666f0100004312',
  );
  const answer =
    '00000000000000370C01060000002F4449313A31204449323A30204449333A302041494E313A302041494E323A313639323420444F313A3020444F323A3101000066E3';
  expect(hear(teltonika, LOGIN, hex(answer)).at(-1)).toEqual({
    kind: 'answer',
    text: 'DI1:1 DI2:0 DI3:0 AIN1:0 AIN2:16924 DO1:0 DO2:1',
    isRefusal: false,
  });
});
