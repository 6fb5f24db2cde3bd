import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { crc16Arc } from '../../../../../server/tracking/telemetry/decoders/checksums.ts';
import { wialon } from '../../../../../server/tracking/telemetry/decoders/wialon.ts';
import { answers, faults, hear, NOW, records, text } from './frames.ts';

/** Captured, with another number; so its CRC is ours. */
const login2 = `#L#2.0;42001300083;;${crc16Arc(Buffer.from('2.0;42001300083;;')).toString(16)}\r\n`;
/** Ends a message of version 2.0 with its CRC. */
const checked = (type: string, body: string) =>
  `#${type}#${body}${crc16Arc(Buffer.from(body)).toString(16).toUpperCase()}\r\n`;

test('the CRC is the one of the text, and of devices', () => {
  expect(crc16Arc(Buffer.from('123456789'))).toBe(0xbb3d);
  expect(answers(hear(wialon, login2))).toEqual(['#AL#1\r\n']);
});

test('captured: a login of 1.1 with a password, and one with none', () => {
  const [item, none] = [hear(wialon, '#L#123456789012345;test\r\n')[0]!, hear(wialon, '#L#2002;NA\r\n')[0]!];
  expect(item).toMatchObject({ kind: 'login', device: '123456789012345', password: 'test' });
  expect(none).toMatchObject({ kind: 'login', device: '2002', password: undefined });
  if (item.kind !== 'login') throw new Error();
  expect([text(item.answer('unknown')), text(item.answer('wrong-password'))]).toEqual(['#AL#0\r\n', '#AL#01\r\n']);
});

test('captured: a login of 2.0, and data with coordinates of many decimals and a CRC without padding', () => {
  const body =
    'NA;NA;5429.681944502211763;N;02654.60403650999069;E;NA;NA;NA;NA;NA;NA;NA;1.0;NA;m1:1:9196679,d1:1:15397,t1:1:20,b1:1:162,fuel1:2:21588.0,pv1:2:35.98,finish:1:1;';
  // The CRC covers the last `;`, too: without it, it is another one.
  expect([crc16Arc(Buffer.from(body)), crc16Arc(Buffer.from(body.slice(0, -1)))]).toEqual([0x9b0, 0x7026]);
  const items = hear(wialon, login2, `#D#${body}0x9b0\r\n#D#${body}9b0\r\n#D#${body}09B0\r\n#D#${body}9b1\r\n`);
  expect(answers(items).slice(1)).toEqual(['#AD#1\r\n', '#AD#1\r\n', '#AD#1\r\n', '#AD#16\r\n']);
  expect(records(items)[0]).toMatchObject({
    time: NOW,
    position: { lat: 54.4946991, lon: 26.9100673 },
    gpsCount: undefined,
    adc: [1],
    params: { m1: 9196679, fuel1: 21588, pv1: 35.98, finish: 1 },
  });
});

test('coordinates have as many decimals as a device writes, and nothing else among them', () => {
  const place = (minutes: string) =>
    answers(hear(wialon, `#SD#270413;205601;55${minutes};N;03739.6834;E;1;2;3;4\r\n`))[0]!.trim();
  for (const digits of [1, 10, 11, 18, 19, 60])
    expect(place(`44.${'123456789'.repeat(7).slice(0, digits)}`), String(digits)).toBe('#ASD#1');
  expect(records(hear(wialon, `#SD#270413;205601;5530.${'0'.repeat(30)};N;03739.6834;E;1;2;3;4\r\n`))[0]).toMatchObject(
    { position: { lat: 55.5 } },
  );
  for (const wrong of [`44.${'1'.repeat(30)}x`, `44.${'1'.repeat(30)}.1`, '44.', '44.1 ', '60.0'])
    expect(place(wrong), wrong).toBe('#ASD#10');
});

test('a login of 2.0 with a wrong CRC', () => {
  expect(answers(hear(wialon, '#L#2.0;42001300083;;CE46\r\n'))).toEqual(['#AL#10\r\n']);
});

test('captured: short data', () => {
  const items = hear(wialon, '#SD#270413;205601;5544.6025;N;03739.6834;E;1;2;3;4\r\n');
  expect(records(items)).toEqual([
    {
      time: Date.UTC(2013, 3, 27, 20, 56, 1),
      position: { lat: 55.743375, lon: 37.66139 },
      speed: 1,
      direction: 2,
      height: 3,
      gpsCount: 4,
      glonassCount: undefined,
      inputs: 0,
      adc: [],
      params: {},
    },
  ]);
  expect([answers(items, 1), answers(items, 0)]).toEqual([['#ASD#1\r\n'], ['#ASD#0\r\n']]);
});

test('captured: short data of 2.0, with degrees of two digits and fields that are missing', () => {
  expect(
    records(hear(wialon, login2, '#SD#300924;154245;5554.350052;N;3644.670410;E;2.92;NA;NA;NA;7A01\r\n'))[0],
  ).toMatchObject({
    position: { lat: 55.9058342, lon: 36.7445068 },
    speed: 2.92,
    direction: 0,
    height: 0,
    gpsCount: undefined,
  });
});

test('captured: full data of 1.1 and of 2.0', () => {
  expect(
    records(
      hear(
        wialon,
        '#D#151216;135910;5321.1466;N;04441.7929;E;87;156;265.000000;12;1.000000;241;NA;NA;NA;odo:2:0.000000,total_fuel:1:430087\r\n',
      ),
    )[0],
  ).toMatchObject({
    time: Date.UTC(2016, 11, 15, 13, 59, 10),
    speed: 87,
    direction: 156,
    height: 265,
    gpsCount: 12,
    inputs: 241,
    params: { hdop: 1, odo: 0, total_fuel: 430087 },
  });
  expect(
    records(
      hear(
        wialon,
        login2,
        '#D#220323;114150;2234.80479;N;11354.87786;E;0;NA;59;11;NA;NA;NA;;NA;d_battr:1:94,d_csq:1:21,di_light:1:1;E7C9\r\n',
      ),
    )[0],
  ).toMatchObject({ params: { d_battr: 94, d_csq: 21, di_light: 1 }, adc: [] });
});

test('captured: data without a position', () => {
  expect(
    records(
      hear(
        wialon,
        login2,
        '#D#120319;112003;NA;NA;NA;NA;0.000;NA;NA;0;NA;NA;NA;NA;NA;101_521347:1:521246,101_158:1:510,101_521055:1:510,101_521055_2.9:1:509,101_521056:1:3;626B\r\n',
      ),
    )[0],
  ).toMatchObject({ position: undefined, gpsCount: 0, params: { '101_158': 510 } });
});

test("no time is now, an alarm is one, a key is the driver's", () => {
  const [record] = records(
    hear(wialon, '#D#NA;NA;5355.0;S;02732.5;W;60;90;10;7;0.9;3;1;1.5,NA,12;0000A1B2;SOS:1:1,text:3:a:b\r\n'),
  );
  expect(record).toMatchObject({
    time: NOW,
    inputs: 3,
    adc: [1.5, 0, 12],
    params: { hdop: 0.9, outputs: 1, driver_key: '0000A1B2', alarm: 'sos', text: 'a:b' },
  });
  expect(record!.position!.lat).toBeLessThan(0);
  expect(record!.position!.lon).toBeLessThan(0);
});

const short = '270413;205601;5544.6025;N;03739.6834;E';
test.each([
  ['#SD#1;2;3', '#ASD#-1'],
  ['#SD#', '#ASD#-1'],
  ['#SD#310213;205601;5544.6;N;03739.6;E;1;2;3;4', '#ASD#0'],
  ['#SD#270413;256001;5544.6;N;03739.6;E;1;2;3;4', '#ASD#0'],
  ['#SD#270413;205601;9544.6;N;03739.6;E;1;2;3;4', '#ASD#10'],
  ['#SD#270413;205601;5544.6;X;03739.6;E;1;2;3;4', '#ASD#10'],
  ['#SD#270413;205601;5564.6;N;03739.6;E;1;2;3;4', '#ASD#10'],
  [`#SD#${short};fast;2;3;4`, '#ASD#11'],
  [`#SD#${short};-5;2;3;4`, '#ASD#11'],
  [`#SD#${short};1;2;3;-4`, '#ASD#12'],
  ['#D#1;2', '#AD#-1'],
  [`#D#${short};1;2;3;4;x;0;0;;NA;`, '#AD#12'],
  [`#D#${short};1;2;3;4;1;-1;0;;NA;`, '#AD#13'],
  [`#D#${short};1;2;3;4;1;0;99999999999;;NA;`, '#AD#13'],
  [`#D#${short};1;2;3;4;1;0;0;a,b;NA;`, '#AD#14'],
  [`#D#${short};1;2;3;4;1;0;0;;NA;x:1:1.5`, '#AD#15'],
  [`#D#${short};1;2;3;4;1;0;0;;NA;x:4:1`, '#AD#15'],
  [`#D#${short};1;2;3;4;1;0;0;;NA;${'n'.repeat(39)}:1:1`, '#AD#15'],
  [`#D#${short};1;2;3;4;1;0;0;;NA;t:3:${'x'.repeat(1345)}`, '#AD#15'],
  [`#D#${short};1;2;3;4;1;0;0;;NA;${Array.from({ length: 201 }, (_, i) => `p${i}:1:1`).join(',')}`, '#AD#15'],
])('%s… is answered %s and kept aside', (frame, answer) => {
  const items = hear(wialon, `${frame}\r\n`);
  expect(answers(items)).toEqual([`${answer}\r\n`]);
  expect(faults(items)).toHaveLength(1);
});

test('a wrong CRC of 2.0 has a code of its own in each packet', () => {
  expect(
    answers(
      hear(
        wialon,
        login2,
        `#SD#${short};1;2;3;4;0000\r\n#D#${short};1;2;3;4;1;0;0;;NA;;0000\r\n#M#hello;0000\r\n#B#${short};1;2;3;4|0000\r\n`,
      ),
    ).slice(1),
  ).toEqual(['#ASD#13\r\n', '#AD#16\r\n', '#AM#01\r\n', '#AB#\r\n']);
});

test('a CRC may come without its zeros, in small letters and with 0x', () => {
  const body = `${short};1;2;3;4;`;
  const crc = crc16Arc(Buffer.from(body)).toString(16);
  for (const form of [crc, crc.toUpperCase().padStart(4, '0'), `0x${crc}`])
    expect(answers(hear(wialon, login2, `#SD#${body}${form}\r\n`))[1]).toBe('#ASD#1\r\n');
});

test('a black box counts what is stored, and keeps the broken records aside', () => {
  const items = hear(wialon, `#B#${short};1;2;3;4|nonsense|${short};1;2;3;4;1;0;0;;NA;a:1:2\r\n`);
  expect(records(items)).toHaveLength(2);
  expect(faults(items)).toEqual(['a short record has 10 fields, this one 1']);
  expect(answers(items, 2)).toEqual(['#AB#2\r\n']);
  expect(answers(hear(wialon, login2, checked('B', `${short};1;2;3;4|`)))[1]).toBe('#AB#1\r\n');
});

test('a ping, a message, a picture and what we do not know', () => {
  expect(
    answers(hear(wialon, '#P#\r\n#M#where to?\r\n#I#5;0;1;270413;205601;a.jpg\r\n\r\n#P##P#\r\n#US#x\r\n')),
  ).toEqual(['#AP#\r\n', '#AM#1\r\n', undefined, '#AI#0;0\r\n', '#AP#\r\n', undefined].filter((_, i) => i !== 9));
});

test('bounds of fields: a device of 40 characters, the last day of February, the edges of the earth, a key of zeros', () => {
  expect(hear(wialon, `#L#${'1'.repeat(40)};NA\r\n`)[0]).toMatchObject({ kind: 'login' });
  for (const login of [`#L#${'1'.repeat(41)};NA`, '#L#;NA', '#L#'])
    expect(answers(hear(wialon, `${login}\r\n`)), login).toEqual(['#AL#0\r\n']);
  expect(hear(wialon, '#L#1;\r\n')[0]).toMatchObject({ kind: 'login', password: undefined });
  const said = (date: string, clock: string, place = '5544.6;N;03739.6;E') =>
    answers(hear(wialon, `#SD#${date};${clock};${place};1;2;3;4\r\n`))[0]!.trim();
  expect([
    said('290224', '235959'),
    said('290223', '235959'),
    said('310123', '000000'),
    said('010023', '000000'),
    said('001223', '000000'),
    said('010113', '236000'),
    said('010113', '235960'),
  ]).toEqual(['#ASD#1', '#ASD#0', '#ASD#1', '#ASD#0', '#ASD#0', '#ASD#0', '#ASD#0']);
  expect([said('NA', '120000'), said('270413', 'NA')]).toEqual(['#ASD#0', '#ASD#0']);
  expect([
    said('270413', '120000', '9000.0;S;18000.0;W'),
    said('270413', '120000', '5544.6;N;18000.1;E'),
    said('270413', '120000', '5560.0;N;03739.6;E'),
    said('270413', '120000', 'NA;NA;03739.6;E'),
  ]).toEqual(['#ASD#1', '#ASD#10', '#ASD#10', '#ASD#10']);
  const full = (rest: string) =>
    records(hear(wialon, `#D#270413;205601.25;5544.6025;N;03739.6834;E;1;2;3;4;1;0;0;${rest}\r\n`))[0]!;
  expect(full(';0000;SOS:1:1')).toMatchObject({
    time: Date.UTC(2013, 3, 27, 20, 56, 1, 250),
    params: { alarm: 'sos', hdop: 1 },
  });
  expect(full(';0000;SOS:1:1').params).not.toHaveProperty('SOS');
  expect(full(';0000;').params).not.toHaveProperty('driver_key');
  expect(full(`;${'a'.repeat(70)};${'n'.repeat(38)}:1:5`).params).toMatchObject({
    driver_key: 'a'.repeat(64),
    ['n'.repeat(38)]: 5,
  });
});

test('a picture block of no sensible size ends the conversation', () => {
  for (const size of ['-1', 'x', '1.5', '99999999999'])
    expect(() => hear(wialon, `#I#${size};0;1;270413;205601;a.jpg\r\n`), size).toThrow('picture');
  expect(answers(hear(wialon, '#I#0;7;9;270413;205601;a.jpg\r\n'))).toEqual([undefined, '#AI#7;0\r\n']);
});

test('a compression container holds one packet', () => {
  const packed = deflateSync(Buffer.from(`#SD#${short};1;2;3;4`));
  const length = Buffer.alloc(2);
  length.writeUInt16LE(packed.length);
  const frame = Buffer.concat([Buffer.from([0xff]), length, packed]);
  expect(records(hear(wialon, frame, frame.subarray(0, 7), frame.subarray(7)))).toHaveLength(2);
  const broken = Buffer.concat([Buffer.from([0xff]), length, Buffer.alloc(packed.length, 7)]);
  expect(faults(hear(wialon, broken))).toEqual(['the compression container does not unpack']);
});

test('datagrams name their device', () => {
  const read = wialon.datagram!(Buffer.from(`123456789012345#SD#${short};1;2;3;4\r\n`), () => NOW);
  expect([read.device, records(read.items).length]).toEqual(['123456789012345', 1]);
  const newer = wialon.datagram!(Buffer.from(`2.0;42001300083${checked('SD', `${short};1;2;3;4;`)}`), () => NOW);
  expect([newer.device, records(newer.items).length]).toEqual(['42001300083', 1]);
  expect(faults(wialon.datagram!(Buffer.from([1, 2, 3]), () => NOW).items)).toEqual(['not a Wialon datagram']);
});

test('what was kept aside with more packets than a datagram may hold is not read again either', () => {
  const packet = `#SD#${short};1;2;3;4\r\n`;
  expect(records(wialon.reread(Buffer.from(packet.repeat(100)), () => NOW))).toHaveLength(100);
  expect(faults(wialon.reread(Buffer.from(packet.repeat(101)), () => NOW))).toEqual([
    'more than 100 packets in one datagram',
  ]);
});

test('a large black box is read in parts, when they have their turn, and answered once; what is more than it may hold is a fault', () => {
  const record = (second: number) =>
    `270413;${new Date(second * 1000).toISOString().slice(11, 19).replaceAll(':', '')};5544.6025;N;03739.6834;E;1;2;3;4`;
  const items = hear(
    wialon,
    `${login2}${checked('B', `${Array.from({ length: 5_002 }, (_, second) => record(second)).join('|')}|`)}`,
  ).slice(1);
  expect(items).toHaveLength(11);
  const told: (string | undefined)[] = [];
  const read: number[] = [];
  let faulty = 0;
  for (const item of items) {
    if (item.kind !== 'records') throw new Error(item.kind);
    read.push(...item.records.map(({ time }) => time!));
    faulty += item.faults.length;
    expect(item.records.length + item.faults.length).toBeLessThanOrEqual(500);
    told.push(text(item.answer(item.records.length, item.faults.length)));
  }
  expect(read).toEqual(Array.from({ length: 5_000 }, (_, second) => Date.UTC(2013, 3, 27, 0, 0, second)));
  expect(faulty).toBe(2);
  expect(told.filter(Boolean)).toEqual(['#AB#5000\r\n']);
});

test('a black box with nothing in it is answered, and bars with nothing between them are no records', () => {
  expect(answers(hear(wialon, '#B#\r\n'), 0)).toEqual(['#AB#0\r\n']);
  expect(records(hear(wialon, '#B#||270413;205601;5544.6025;N;03739.6834;E;1;2;3;4||\r\n'))).toHaveLength(1);
});
