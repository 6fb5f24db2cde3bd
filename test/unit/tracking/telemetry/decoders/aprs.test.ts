import { aprsParser } from 'js-aprs-fap';
import { describe, expect, test } from 'vitest';
import { aprs } from '../../../../../server/tracking/telemetry/decoders/aprs.ts';
import { Chance, SEED } from '../../../../support/chance.ts';
import { faults, hear } from './frames.ts';

const NOW = Date.UTC(2026, 10, 28, 12, 35, 20);
const said = (...lines: string[]) =>
  aprs.converse(() => NOW).push(Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1'));
const positions = (...lines: string[]) =>
  said(...lines).flatMap((item) =>
    item.kind === 'records'
      ? item.records.map(({ time, position, speed, direction, height, params }) => ({
          ...{ device: item.device, time, ...position, speed, direction, height, params },
        }))
      : [],
  );
const ONE = 'AB1CD-9>APRS,TCPIP*:!4903.50N/07201.75W>088/036/A=001234 on duty';

describe('a packet of APRS', () => {
  test('has the position, speed, course and height of its station', () => {
    expect(positions(ONE)).toEqual([
      {
        ...{
          device: 'AB1CD-9',
          time: NOW,
          lat: 49.0583333,
          lon: -72.0291667,
          speed: 66.672,
          direction: 88,
          height: 376,
        },
        params: { aprs_symbol: '/>' },
      },
    ]);
  });

  test('of a gateway, of an object and of an item is of whom it is about', () => {
    expect(positions(`GATE>APRS,TCPIP*:}${ONE}`)[0]).toMatchObject({ device: 'AB1CD-9', lat: 49.0583333 });
    expect(positions('AB1CD>APRS:;LEADER   *281230z4903.50N/07201.75W>')[0]).toMatchObject({
      device: 'LEADER',
      time: Date.UTC(2026, 10, 28, 12, 30),
    });
    expect(positions('AB1CD>APRS:)AID #2!4903.50N/07201.75WA')[0]).toMatchObject({ device: 'AID #2', direction: 0 });
    expect(
      positions('AB1CD>APRS:;LEADER   _281230z4903.50N/07201.75W>', 'AB1CD>APRS:)AID #2_4903.50N/07201.75WA'),
    ).toEqual([]);
    expect(positions(`A>B:}A>B:}A>B:}A>B:}A>B:}${ONE}`)).toEqual([]);
  });

  test('has the nearest time that it can mean', () => {
    const timeAt = (clock: string) => positions(`AB1CD>APRS:@${clock}4903.50N/07201.75W>`)[0]!.time;
    expect(timeAt('123000h')).toBe(Date.UTC(2026, 10, 28, 12, 30));
    expect(timeAt('233000h')).toBe(Date.UTC(2026, 10, 27, 23, 30));
    expect(timeAt('133000h')).toBe(Date.UTC(2026, 10, 28, 13, 30));
    expect(timeAt('281200z')).toBe(Date.UTC(2026, 10, 28, 12));
    expect(timeAt('301200z')).toBe(Date.UTC(2026, 9, 30, 12));
    for (const none of ['281200/', '991200z', '259999h', 'xxxxxxx']) expect(timeAt(none)).toBe(NOW);
  });

  test('a packet without a position is ignored; one with an invalid position goes to the quarantine', () => {
    for (const text of ['>on duty', ':AB1CD    :hello{1', 'T#005,199,000', '_10090556c220s004', '?APRS?', ''])
      expect([text, said(`AB1CD>APRS:${text}`)]).toEqual([text, []]);
    for (const line of [
      'no packet',
      'AB1CD>APRS:!no place',
      'AB1CD>APRS:!9903.50N/07201.75W>',
      'AB CD>APRS:!x',
      '>A:!x',
    ])
      expect([line, faults(said(line)).length]).toEqual([line, 1]);
    expect(said('# aprsc 2.1.10', '')).toEqual([]);
  });

  test('comes in pieces; a gateway that logs in is answered as by a server', () => {
    expect(hear(aprs, `${ONE.slice(0, 20)}`, `${ONE.slice(20)}\r`, '\n')).toHaveLength(1);
    const [login] = said('user AB1CD-1 pass 12345 vers aprx 2.9 filter r/49/-72/10');
    expect(login?.kind === 'ping' && String(login.answer())).toBe('# logresp AB1CD-1 verified, server WAYPOST\r\n');
    expect(() => aprs.converse(() => NOW).push(Buffer.alloc(1_100, 65))).toThrow('without an end');
  });
});

const two = (number: number, digits = 2) => String(number).padStart(digits, '0');
const base91 = (value: number, digits: number): string =>
  digits === 0 ? '' : base91(Math.floor(value / 91), digits - 1) + String.fromCharCode((value % 91) + 33);

function uncompressed(chance: Chance): string {
  const open = chance.maybe(0.4) ? chance.int(5) : 0;
  const blank = (text: string) =>
    [...text]
      .reverse()
      .reduce<string[]>((all, character) => {
        const left = open - all.filter((one) => one === ' ').length;
        return [/\d/.test(character) && left > 0 ? ' ' : character, ...all];
      }, [])
      .join('');
  const lat = blank(`${two(chance.int(90))}${two(chance.int(60))}.${two(chance.int(100))}`);
  const lon = blank(`${two(chance.int(180), 3)}${two(chance.int(60))}.${two(chance.int(100))}`);
  const extension = chance.maybe() ? `${two(1 + chance.int(360), 3)}/${two(chance.int(200), 3)}` : '';
  const height = chance.maybe() ? `/A=${two(chance.int(30_000), 6)}` : '';
  return `AB1CD-9>APRS:!${lat}${chance.of(['N', 'S'])}/${lon}${chance.of(['E', 'W'])}>${extension}${height}`;
}

function compressed(chance: Chance): string {
  // Higher numbers lie beyond the poles and the date line.
  const place = base91(chance.int(68_566_680), 4) + base91(chance.int(68_566_680), 4);
  const type = String.fromCharCode(33 + chance.of([0x18 + 0x20, 0x10 + 0x20, 0x08 + 0x20]));
  const extension = chance.maybe(0.2) ? ' s' : base91(1 + chance.int(89), 1) + base91(chance.int(91), 1);
  return `AB1CD-9>APRS:!/${place}>${extension}${type}`;
}

function micE(chance: Chance): string {
  const digits = [...two(chance.int(90)), ...two(chance.int(60)), ...two(chance.int(100))].map(Number);
  const to = digits.map((digit, index) =>
    String.fromCharCode((index < 3 ? chance.of([48, 65, 80]) : chance.of([48, 80])) + digit),
  );
  const isEast = to[4]! < 'P';
  const bytes = [
    isEast ? 10 + chance.int(90) : chance.int(10) + 80 + 10,
    chance.int(60),
    chance.int(100),
    chance.int(20),
    chance.int(10) * 10 + chance.int(3),
    1 + chance.int(50),
  ].map((value) => String.fromCharCode(value + 28));
  const height = chance.maybe() ? `${base91(10_000 + chance.int(5_000), 3)}}` : '';
  return `AB1CD-9>${to.join('')}:\`${bytes.join('')}>/${height}`;
}

test(`3,000 packets have the positions that another parser finds (WAYPOST_SEED=${SEED})`, () => {
  const chance = new Chance();
  const other = new aprsParser();
  const compared = { uncompressed: 0, compressed: 0, micE: 0 };
  for (let round = 0; round < 3_000; round++) {
    const kind = chance.of(['uncompressed', 'compressed', 'micE'] as const);
    const line = { uncompressed, compressed, micE }[kind](chance);
    const theirs = other.parseaprs(line);
    const [ours] = positions(line);
    if (theirs.resultCode !== undefined && ours === undefined) continue;
    expect([line, theirs.resultCode]).toEqual([line, undefined]);
    compared[kind]++;
    const close = (mine: number | undefined, of: number | undefined, within: number) =>
      (mine === undefined && of === undefined) || Math.abs((mine ?? NaN) - (of ?? NaN)) <= within;
    const course = theirs.course === undefined || theirs.course === 0 ? 0 : theirs.course % 360;
    expect([
      line,
      close(ours!.lat, theirs.latitude, 1e-6),
      close(ours!.lon, theirs.longitude, 1e-6),
      theirs.speed === undefined || close(ours!.speed, theirs.speed, 0.01),
      close(ours!.direction, course, 0),
      theirs.altitude === undefined || close(ours!.height, theirs.altitude, 0.51),
    ]).toEqual([line, true, true, true, true, true]);
  }
  for (const count of Object.values(compared)) expect(count).toBeGreaterThan(300);
});

test(`10,000 damaged packets are read, passed over or kept aside (WAYPOST_SEED=${SEED})`, () => {
  const chance = new Chance();
  for (let round = 0; round < 10_000; round++) {
    const line = [...chance.of([uncompressed, compressed, micE])(chance)];
    for (let cuts = chance.int(4); cuts >= 0; cuts--)
      line.splice(
        chance.int(line.length),
        chance.int(3),
        ...(chance.maybe() ? [String.fromCharCode(chance.int(256))] : []),
      );
    for (const item of said(line.join('').replace(/\n/g, ''))) {
      if (item.kind !== 'records') continue;
      const [{ time, position }] = item.records as [(typeof item.records)[number]];
      expect([Number.isFinite(time), Math.abs(position!.lat) <= 90, Math.abs(position!.lon) <= 180]).toEqual([
        true,
        true,
        true,
      ]);
    }
  }
});
