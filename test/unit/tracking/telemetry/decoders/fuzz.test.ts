import { expect, test } from 'vitest';
import { ProtocolError, type Decoder } from '../../../../../server/tracking/telemetry/decoders/decoder.ts';
import { nmea } from '../../../../../server/tracking/telemetry/decoders/nmea.ts';
import { egts } from '../../../../../server/tracking/telemetry/decoders/egts.ts';
import { readOsmandForm, readOsmandJson } from '../../../../../server/tracking/telemetry/decoders/osmand.ts';
import { retranslator } from '../../../../../server/tracking/telemetry/decoders/retranslator.ts';
import { teltonika } from '../../../../../server/tracking/telemetry/decoders/teltonika.ts';
import { wialon } from '../../../../../server/tracking/telemetry/decoders/wialon.ts';
import { Fix } from '../../../../../server/tracking/telemetry/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { NOW } from './frames.ts';

const hex = (text: string) => Buffer.from(text, 'hex');

/** Good traffic of each protocol, to be bent. */
const GOOD: [Decoder, Buffer][] = [
  [
    wialon,
    Buffer.from(
      '#L#123456789012345;test\r\n#D#151216;135910;5321.1466;N;04441.7929;E;87;156;265;12;1.0;241;0;1,2;A1;odo:2:0.5,text:3:hi\r\n#B#270413;205601;5544.6025;N;03739.6834;E;1;2;3;4|270413;205602;5544.6025;N;03739.6834;E;1;2;3;4\r\n#P#\r\n',
    ),
  ],
  [
    teltonika,
    Buffer.concat([
      hex('000f'),
      Buffer.from('356307042441013'),
      hex(
        '000000000000004A8E010000016B412CEE000100000000000000000000000000000000010005000100010100010011001D00010010015E2C880002000B000000003544C87A000E000000001DD7E06A00000100002994',
      ),
      hex(
        '000000000000003608010000016B40D8EA30010000000000000000000000000000000105021503010101425E0F01F10000601A014E0000000000000000010000C7CF',
      ),
    ]),
  ],
  [
    nmea,
    Buffer.from(
      '!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n\\s:boat-7*4B\\$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230326,003.1,W*63\r\n!AIVDM,1,1,,A,B6CdCm0t3`tba35f@V9faHi7kP06,0*58\n',
    ),
  ],
  [
    retranslator,
    hex(
      '74000000333533393736303133343435343835004B0BFB70000000030BBB000000270102706F73696E666F00A027AFDF5D9848403AC7253383DD4B400000000000805A40003601460B0BBB0000001200047077725F657874002B8716D9CE973B400BBB00000011010361766C5F696E707574730000000001',
    ),
  ],
  [egts, hex('0100000b00230002000115180002000140e201000202101500e9878b03aaaaaaaaaaaaaa2a15e80301000000000df9ad')],
];

test.each(GOOD)(
  `$name: bent, cut and glued bytes are records, faults or protocol errors, never anything else (WAYPOST_SEED=${SEED})`,
  (decoder, good) => {
    const random = numbers(SEED);
    for (let round = 0; round < 4000; round++) {
      let bytes = Buffer.from(good);
      for (let i = Math.floor(random() * 6); i > 0; i--)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      if (random() < 0.3) bytes = bytes.subarray(Math.floor(random() * bytes.length));
      if (random() < 0.1) bytes = Buffer.from(Array.from({ length: 300 }, () => Math.floor(random() * 256)));
      const conversation = decoder.converse(() => NOW);
      try {
        for (let at = 0; at < bytes.length;) {
          const size = 1 + Math.floor(random() * 60);
          for (const item of conversation.push(bytes.subarray(at, at + size))) {
            if (item.kind !== 'records') continue;
            item.answer(item.records.length, item.faults.length);
            // What a decoder lets through, the intake takes.
            for (const { position, ...rest } of item.records)
              Fix.parse({ ...rest, ...(position ?? { lat: 0, lon: 0 }) });
          }
          at += size;
        }
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
      }
    }
  },
);

test.each(GOOD)('$name: the same records come out however the bytes are cut', (decoder, good) => {
  const whole = JSON.stringify(decoder.converse(() => NOW).push(good));
  const conversation = decoder.converse(() => NOW);
  expect(JSON.stringify([...good].flatMap((byte) => conversation.push(Uint8Array.of(byte))))).toBe(whole);
});

test('datagrams: bent and cut ones are records or faults, never anything else', () => {
  const random = numbers(SEED);
  const good: [Decoder, Buffer][] = [
    [
      teltonika,
      hex(
        '003DCAFE0105000F33353230393330383634303336353508010000016B4F815B30010000000000000000000000000000000103021503010101425DBC000001',
      ),
    ],
    [nmea, GOOD.find(([{ name }]) => name === 'nmea')![1]],
  ];
  for (let round = 0; round < 4000; round++)
    for (const [decoder, whole] of good) {
      let bytes = Buffer.from(whole);
      for (let i = Math.floor(random() * 6); i > 0; i--)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      if (random() < 0.3) bytes = bytes.subarray(0, Math.floor(random() * bytes.length));
      try {
        for (const item of decoder.datagram!(bytes, () => NOW).items) {
          if (item.kind !== 'records') continue;
          item.answer(item.records.length, item.faults.length);
          for (const { position, ...rest } of item.records) Fix.parse({ ...rest, ...(position ?? { lat: 0, lon: 0 }) });
        }
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
      }
    }
});

test('osmand: no form and no body make it throw', () => {
  const random = numbers(SEED);
  const values = ['', 'x', '-1', '1e9', '91', '55.5', 'NaN', '\0', 'true', '2026-11-20T10:00:00Z', '9'.repeat(400)];
  for (let round = 0; round < 4000; round++) {
    const pick = () => values[Math.floor(random() * values.length)]!;
    const form = Object.fromEntries(
      ['id', 'lat', 'lon', 'timestamp', 'speed', 'bearing', 'altitude', 'location', 'accuracy', '__proto__', 'any']
        .filter(() => random() < 0.6)
        .map((name) => [name, random() < 0.1 ? [pick(), pick()] : pick()]),
    );
    const read = readOsmandForm(form, NOW);
    if (typeof read !== 'string') {
      const { position, ...rest } = read.record;
      Fix.parse({ ...rest, ...(position ?? { lat: 0, lon: 0 }) });
    }
    readOsmandJson(
      {
        device_id: pick(),
        location: { timestamp: pick(), coords: { latitude: Number(pick()), longitude: random() * 200, speed: pick() } },
      },
      NOW,
    );
  }
});
