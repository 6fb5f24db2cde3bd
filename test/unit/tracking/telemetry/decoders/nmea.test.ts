import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nmea } from '../../../../../server/tracking/telemetry/decoders/nmea.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { faults, hear } from './frames.ts';

const NOW = Date.UTC(2026, 2, 23, 12, 35, 20);
const HAS_GPSD = existsSync('/usr/bin/gpsdecode');
const said = (...pieces: (Buffer | string)[]) => hear(nmea, ...pieces);

/** A sentence with its check sum. */
function sentence(body: string, start = '!'): string {
  const sum = [...body].reduce((all, letter) => all ^ letter.charCodeAt(0), 0);
  return `${start}${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}\r\n`;
}

function positions(items: ReturnType<typeof said>) {
  return items.flatMap((item) =>
    item.kind === 'records'
      ? item.records.map(({ position, ...rest }) => ({ device: item.device, ...position, ...rest }))
      : [],
  );
}

test('AIS: positions of class A and B by MMSI, in pieces', () => {
  const text =
    '!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n!AIVDM,1,1,,A,B6CdCm0t3`tba35f@V9faHi7kP06,0*58\n' +
    '!AIVDM,2,1,1,A,55?MbV02;H;s<HtKR20EHE:0@T4@Dn2222222216L961O5Gf0NSQEp6ClRp8,0*1C\r\n!AIVDM,2,2,1,A,88888888880,2*25\r\n';
  expect(positions(said(text.slice(0, 20), text.slice(20)))).toMatchObject([
    {
      device: '477553000',
      lat: 47.582833,
      lon: -122.345833,
      speed: 0,
      direction: 51,
      params: { navigation_status: 5 },
    },
    { device: '423302100', lat: 40.005283, lon: 53.010997, speed: 2.593, direction: 177, params: {} },
  ]);
});

test('AIS: the time is the nearest with the second of the message, of the tag block if there is one', () => {
  const items = nmea.converse(() => NOW).push(Buffer.from('!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\n'));
  expect(positions(items)[0]!.time).toBe(NOW - 5_000);
  const tags = sentence('s:station,c:1700000000', '').trim();
  const tagged = said(`\\${tags}\\!AIVDM,1,1,,B,177KQJ5000G?tO\`K>RA1wUbN0TKH,0*5C\r\n`);
  expect(positions(tagged)[0]!.time).toBe(1_700_000_000_000 - 5_000);
});

test('RMC: a position of the source that the tag block names', () => {
  const rmc = sentence('GPRMC,123519.50,A,4807.038,N,01131.000,E,022.4,084.4,230326,003.1,W', '$');
  const tag = `\\${sentence('s:boat-7', '').trim()}\\`;
  expect(positions(said(tag + rmc))).toMatchObject([
    {
      device: 'boat-7',
      time: Date.UTC(2026, 2, 23, 12, 35, 19, 500),
      lat: 48.1173,
      lon: 11.5166667,
      speed: 41.485,
      direction: 84.4,
    },
  ]);
  expect(faults(said(rmc))).toEqual(['no tag block names the source of a position']);
  const west = sentence('GNRMC,000000,A,4807.038,S,01131.000,W,,,010126,,', '$');
  expect(positions(said(tag + west))).toMatchObject([{ lat: -48.1173, lon: -11.5166667, speed: undefined }]);
});

test('wrong sums, text and lengths are faults; a line without an end is not NMEA', () => {
  expect(faults(said('!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5D\r\n'))).toEqual(['the check sum is wrong']);
  expect(faults(said('hello\r\n'))).toEqual(['not a sentence of NMEA']);
  expect(faults(said(sentence('AIVDM,1,1,,B,177KQJ5000,0')))).toEqual(['an AIS message is shorter than its type']);
  expect(faults(said(sentence('AIVDM,1,1,,B,177KQJ,0')))).toEqual(['an AIS message is too short']);
  expect(faults(said(sentence('AIVDM,1,1,,B,17{KQJ5000G?tO,0')))).toEqual([
    'the payload of an AIS message is not six-bit text',
  ]);
  expect(faults(said(sentence('AIVDM,x,1,,B,177KQJ5000G?tO,0')))).toEqual([
    'the parts of an AIS message are not counted',
  ]);
  expect(said(sentence('GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,', '$'))).toEqual([]);
  expect(() => said('x'.repeat(1_025))).toThrow('without an end');
  expect(faults(nmea.datagram!(Buffer.from('x\n'.repeat(102)), () => NOW).items)).toEqual([
    'more than 100 sentences in one datagram',
  ]);
});

/** Fields of random reports, as bits, by the tables of ITU-R M.1371. */
function randomReport(random: () => number): string {
  const type = [1, 2, 3, 9, 18, 19, 27][Math.floor(random() * 7)]!;
  const below = (most: number) => Math.floor(random() * most);
  const bits = (value: number, length: number) =>
    (value < 0 ? value + 2 ** length : value).toString(2).padStart(length, '0');
  const lon = (per: number, length: number) => bits(below(360 * per) - 180 * per, length);
  const lat = (per: number, length: number) => bits(below(180 * per) - 90 * per, length);
  const noise = (length: number) => Array.from({ length }, () => below(2)).join('');
  const head = bits(type, 6) + '00' + bits(below(1e9), 30);
  const place = lon(600_000, 28) + lat(600_000, 27) + bits(below(3601), 12);
  const body =
    type === 27
      ? `${noise(2)}${bits(below(16), 4)}${lon(600, 18)}${lat(600, 17)}${bits(below(64), 6)}${bits(below(360), 9)}00`
      : type === 9
        ? `${bits(below(4096), 12)}${bits(below(1024), 10)}0${place}${bits(below(64), 6)}${noise(34)}`
        : type < 4
          ? `${noise(4)}${bits(below(256), 8)}${bits(below(1024), 10)}0${place}${bits(below(360), 9)}${bits(below(64), 6)}${noise(25)}`
          : `${noise(8)}${bits(below(1024), 10)}0${place}${bits(below(360), 9)}${bits(below(64), 6)}${type === 18 ? noise(29) : `${'0'.repeat(160)}${noise(13)}`}`;
  const all = head + body;
  const payload = all.match(/.{1,6}/g)!.map((six) => {
    const value = Number.parseInt(six.padEnd(6, '0'), 2);
    return String.fromCharCode(value < 40 ? value + 48 : value + 56);
  });
  return sentence(`AIVDM,1,1,,A,${payload.join('')},${(6 - (all.length % 6)) % 6}`);
}

test.skipIf(!HAS_GPSD)(`600 random reports are what gpsdecode reads (WAYPOST_SEED=${SEED})`, () => {
  const random = numbers(SEED);
  const text = Array.from({ length: 600 }, () => randomReport(random)).join('');
  // Unscaled: as text of degrees, gpsdecode rounds long-range positions to a tenth.
  const { stdout } = spawnSync('/usr/bin/gpsdecode', ['-u'], { input: text });
  interface Decoded {
    readonly type: number;
    readonly mmsi: number;
    readonly lat: number;
    readonly lon: number;
    readonly speed: number;
    readonly course: number;
  }
  const theirs = stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Decoded);
  expect(theirs).toHaveLength(600);
  const ours = new Map(positions(said(text)).map((position) => [Number(position.device), position]));
  for (const { type, mmsi, lat, lon, speed, course } of theirs) {
    const own = ours.get(mmsi)!;
    const told = `type ${type} of ${mmsi}`;
    const [perDegree, knots, degrees, noSpeed] =
      type === 27 ? [600, 1, 1, 63] : [600_000, type === 9 ? 1 : 10, 10, 1023];
    expect(Math.abs(own.lat! - lat / perDegree), told).toBeLessThan(1e-6);
    expect(Math.abs(own.lon! - lon / perDegree), told).toBeLessThan(1e-6);
    if (speed === noSpeed) expect(own.speed, told).toBeUndefined();
    else expect(own.speed! / 1.852, told).toBeCloseTo(speed / knots, 2);
    if (course < 360 * degrees) expect(own.direction, told).toBe(course / degrees);
    else expect(own.direction, told).toBe(0);
  }
});
