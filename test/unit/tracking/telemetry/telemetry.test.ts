import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { crc16Arc } from '../../../../server/tracking/telemetry/decoders/checksums.ts';
import { openTelemetry, type FindVehicle, type Telemetry } from '../../../../server/tracking/telemetry/index.ts';
import type { LastState } from '../../../../shared/fleet/last-state.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const VEHICLES = [
  { id: 7, glonassId: 107, imei: '356000000000007' },
  { id: 8, glonassId: 108, imei: '' },
];

let directory: string;
let now: number;
let published: Map<number, LastState>;
let opened: Telemetry[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-telemetry-'));
  now = NOON + 3_600_000;
  published = new Map();
  opened = [];
});
afterEach(async () => {
  for (const one of opened) await one.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(
  more: {
    futureLimit?: number;
    quarantineLimit?: number;
    quarantine?: { entries: number; age: number; bytes: number };
    vehicles?: typeof VEHICLES;
    findVehicle?: FindVehicle;
    log?(level: string, message: string): void;
  } = {},
): Telemetry {
  const telemetry = openTelemetry({
    directory,
    now: () => now,
    findVehicle:
      more.findVehicle ??
      ((device) =>
        (more.vehicles ?? VEHICLES).find(
          (vehicle) => vehicle.glonassId === device.glonassId || (device.imei && vehicle.imei === device.imei),
        )),
    publish: (states) => states.forEach((state) => published.set(state.id, state)),
    ...(more.log && { log: more.log }),
    ...(more.quarantineLimit !== undefined && { quarantineLimit: more.quarantineLimit }),
    ...(more.futureLimit !== undefined && { futureLimit: more.futureLimit }),
    ...(more.quarantine ? { quarantine: more.quarantine } : {}),
  });
  opened.push(telemetry);
  return telemetry;
}

async function close(telemetry: Telemetry): Promise<void> {
  opened = opened.filter((one) => one !== telemetry);
  await telemetry.close();
}

/** `seconds` after noon, `metres` east of the start. */
function record(seconds: number, metres: number, more: object = {}): object {
  return {
    glonassId: 107,
    time: NOON + seconds * 1000,
    lat: 50,
    lon: 20 + metres / 71_695,
    speed: 50,
    direction: 90,
    ...more,
  };
}

test('a record is stored, moves its vehicle, and is there after a restart', async () => {
  const telemetry = open();
  expect(await telemetry.ingest([record(0, 0), record(10, 150)], 'http')).toEqual({
    accepted: 2,
    duplicates: 0,
    quarantined: [],
  });
  expect(published.get(7)).toMatchObject({ time: NOON + 10_000, lat: 50, speed: 50, direction: 90, stopped: false });
  const before = published.get(7);
  await close(telemetry);
  published.clear();
  const again = open();
  expect(published.get(7)).toEqual(before);
  expect(again.track(7, 0, NOON + 86_400_000).map((point) => point.time)).toEqual([NOON, NOON + 10_000]);
});

test('the same record twice is stored once, in one call, in two, and after a restart', async () => {
  const telemetry = open();
  const one = record(0, 0, { adc: [1.5], params: { b: 1, a: 'x' } });
  expect(await telemetry.ingest([one, one], 'http')).toMatchObject({ accepted: 1, duplicates: 1 });
  expect(await telemetry.ingest([{ ...one, params: { a: 'x', b: 1 } }], 'http')).toMatchObject({
    accepted: 0,
    duplicates: 1,
  });
  await close(telemetry);
  expect(await open().ingest([one], 'http')).toMatchObject({ accepted: 0, duplicates: 1, quarantined: [] });
});

test('a record without a speed is a duplicate of itself, and its speed comes from the point before', async () => {
  const telemetry = open();
  const silent = { ...record(10, 100), speed: undefined };
  await telemetry.ingest([record(0, 0), silent], 'http');
  expect(published.get(7)!.speed).toBeCloseTo(36, 0);
  expect(await telemetry.ingest([silent], 'http')).toMatchObject({ duplicates: 1, quarantined: [] });
});

test('another content at the same time goes to the quarantine, and the first stays', async () => {
  const telemetry = open();
  await telemetry.ingest([record(0, 0)], 'http');
  const answer = await telemetry.ingest([record(0, 40)], 'http');
  expect(answer.accepted).toBe(0);
  expect(answer.quarantined).toEqual([{ index: 0, reason: expect.stringContaining('says something else') }]);
  expect(telemetry.track(7, NOON, NOON)[0]!.lon).toBe(20);
  await telemetry.ingest([record(0, 40)], 'http');
  expect(telemetry.quarantined(10)).toHaveLength(1); // a device that sends it forever does not fill the quarantine
});

test('one bad record does not keep the others out, and says which field is wrong', async () => {
  const telemetry = open();
  const answer = await telemetry.ingest(
    [record(0, 0), { glonassId: 107, time: 'noon', lat: 91, lon: 0 }, 'nonsense', null, record(5, 60)],
    'http',
  );
  expect(answer.accepted).toBe(2);
  expect(answer.quarantined.map((one) => one.index)).toEqual([1, 2, 3]);
  expect(answer.quarantined[0]!.reason).toMatch(/time: .*lat: /);
  const kept = telemetry.quarantined(10);
  expect(kept).toHaveLength(3);
  expect(JSON.parse(Buffer.from(kept.at(-1)!.raw).toString())).toMatchObject({ time: 'noon' });
});

test('an unknown device is reported, also in the log, and not stored', async () => {
  const said: string[] = [];
  const telemetry = open({ log: (_level, message) => said.push(message) });
  const answer = await telemetry.ingest([record(0, 0, { glonassId: 999 })], 'http');
  expect(answer).toEqual({
    accepted: 0,
    duplicates: 0,
    quarantined: [{ index: 0, reason: 'No vehicle has the device 999.' }],
  });
  expect(telemetry.quarantined(10)).toEqual([]);
  telemetry.countUnknown('999');
  expect(said.splice(0)).toEqual(['Records of the unknown device 999 are not stored.']);
  await close(telemetry);
  expect(said).toEqual(['Records of the unknown device 999 were not stored: 1 more within an hour.']);
});

test('a late record takes its place in the track and does not move the vehicle backwards', async () => {
  const telemetry = open();
  await telemetry.ingest([record(0, 0), record(20, 300)], 'http');
  await telemetry.ingest([record(10, 140)], 'http');
  expect(published.get(7)!.time).toBe(NOON + 20_000);
  expect(telemetry.track(7, NOON, NOON + 60_000).map((point) => (point.time - NOON) / 1000)).toEqual([0, 10, 20]);
});

test('the odometer is the length of the track, in whatever order its points came', async () => {
  const seed = Number(process.env['WAYPOST_SEED'] ?? Math.floor(Math.random() * 1e9));
  const random = generator(seed);
  const points = Array.from({ length: 30 }, (_, index) =>
    record(index * 10, index * 100 + Math.floor(random() * 60), {
      lat: 50 + random() / 2000,
      speed: random() < 0.3 ? 0 : 40,
    }),
  );
  const telemetry = open();
  await telemetry.ingest(points, 'http');
  const inOrder = published.get(7)!.odometer;
  const shuffled = points.map((point) => ({ ...point, glonassId: 108 }));
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  for (const point of shuffled) await telemetry.ingest([point], 'http');
  expect(inOrder, `seed ${seed}`).toBeGreaterThan(1);
  expect(published.get(8)!.odometer, `seed ${seed}`).toBeCloseTo(inOrder, 9);
});

test.each([
  ['a jump', record(1, 2000), 'jump'],
  ['zero coordinates', record(1000, 0, { lat: 0, lon: 0 }), 'zero'],
  ['an emergency of a clock that is two days ahead', record(200_000, 10, { params: { alarm: 'sos' } }), 'future'],
  ['two satellites', record(10, 100, { gpsCount: 2 }), 'satellites'],
  ['a course of 400 degrees', record(10, 100, { direction: 400 }), 'course'],
  ['a height of 20 km', record(10, 100, { height: 20_000 }), 'altitude'],
])('%s is stored and marked, moves nothing and counts nothing', async (_name, point, mark) => {
  const telemetry = open();
  await telemetry.ingest([record(0, 0)], 'http');
  const before = published.get(7)!;
  expect(await telemetry.ingest([point], 'http')).toMatchObject({ accepted: 1 });
  expect(published.get(7)).toEqual(before);
  expect(telemetry.track(7, 0, Number.MAX_SAFE_INTEGER).at(-1)!.marks).toContain(mark);
});

test('a record whose clock is further ahead than the setting lets it be is kept aside with the reason, and its device is named in the log once an hour', async () => {
  const said: string[] = [];
  const telemetry = open({ futureLimit: 60, log: (_level, message) => said.push(message) });
  now = NOON;
  await telemetry.ingest([record(0, 0)], 'http');
  const before = published.get(7);
  const reason = "The clock of the device is 61 s ahead of the station's; at most 60 s are believed.";
  expect(await telemetry.ingest([record(60, 100), record(61, 200)], 'http')).toMatchObject({
    accepted: 1,
    quarantined: [{ index: 1, reason }],
  });
  // One by one, as devices send.
  for (const seconds of [61, 62, 62])
    await new Promise<void>((taken, failed) =>
      telemetry.ingestOne(record(seconds, 200), 'wialon', { stored: () => taken(), failed }),
    );
  expect(telemetry.quarantined(10).map(({ source, device, reason: why }) => [source, device, why])).toEqual([
    ['wialon', '107', reason.replace('61', '62')],
    ['wialon', '107', reason],
    ['http', '107', reason],
  ]);
  expect(telemetry.track(7, 0, Number.MAX_SAFE_INTEGER).map(({ time }) => time)).toEqual([NOON, NOON + 60_000]);
  expect(published.get(7)!.time).toBe(before!.time + 60_000);
  expect(said).toEqual([
    'The clock of the device 107 is 61 s ahead: its records go to the quarantine until its clock is right.',
  ]);
  // An unknown time that no calendar has is none either.
  expect(await telemetry.ingest([record(0, 0, { time: 9_007_199_254_740_990 })], 'http')).toMatchObject({
    quarantined: [{ index: 0 }],
  });
});

test('a clock may be five minutes ahead when nobody says otherwise', async () => {
  const telemetry = open();
  now = NOON;
  expect(await telemetry.ingest([record(300, 0), record(301, 0)], 'http')).toMatchObject({
    accepted: 1,
    quarantined: [{ index: 1 }],
  });
});

test('records of a clock that was ahead are not played again with all others, only by themselves, and only when their time has come', async () => {
  const telemetry = open();
  now = NOON;
  await telemetry.ingest([record(7200, 0), record(0, 0), record(0, 5)], 'http');
  const ahead = telemetry.quarantined(10).find(({ reason }) => reason.includes('clock'))!.id;
  expect(await telemetry.replay([ahead])).toMatchObject({ accepted: 0, remaining: 1 });
  now = NOON + 7200_000;
  expect(await telemetry.replay()).toMatchObject({ accepted: 0, remaining: 2 });
  expect(await telemetry.replay([ahead])).toMatchObject({ accepted: 1, remaining: 0 });
});

test('a marked point is no neighbour: the next good one is measured from the good one before', async () => {
  const telemetry = open();
  await telemetry.ingest([record(0, 0), record(5, 9000), record(10, 130)], 'http');
  expect(telemetry.track(7, NOON, NOON + 60_000).map((point) => point.marks)).toEqual([[], ['jump'], []]);
});

test('a crew that repeats its status does not undo what was set since; a new status counts', async () => {
  const telemetry = open();
  await telemetry.ingest(
    [record(0, 0, { params: { unit_status: 3 } }), record(10, 100, { params: { unit_status: 3 } })],
    'http',
  );
  expect(published.get(7)).toMatchObject({ unitStatus: 3, unitStatusSince: NOON });
  await telemetry.ingest([record(20, 200, { params: { unit_status: 4 } })], 'http');
  expect(published.get(7)).toMatchObject({ unitStatus: 4, unitStatusSince: NOON + 20_000 });
  await telemetry.ingest([record(15, 150, { params: { unit_status: 1 } })], 'http');
  expect(published.get(7)).toMatchObject({ unitStatus: 4 });
});

test('a vehicle stands since its first slow point, and no longer when it drives', async () => {
  const telemetry = open();
  await telemetry.ingest([record(0, 0), record(10, 100, { speed: 1 }), record(20, 101, { speed: 0 })], 'http');
  expect(published.get(7)).toMatchObject({ stopped: true, stoppedSince: NOON + 10_000 });
  await telemetry.ingest([record(30, 160)], 'http');
  expect(published.get(7)).toMatchObject({ stopped: false, stoppedSince: 0 });
});

test('what was refused is taken in when it is played again after the cause is gone', async () => {
  const telemetry = open();
  await telemetry.ingest(
    [
      { ...record(0, 0), lat: 'fifty' },
      { ...record(5, 0), time: -1 },
    ],
    'http',
  );
  expect(await telemetry.replay()).toEqual({ accepted: 0, duplicates: 0, remaining: 2 });
  expect(telemetry.quarantined(10)).toHaveLength(2);
});

test('a conflicting record is settled when the two are the same after all', async () => {
  const telemetry = open();
  await telemetry.ingest([record(0, 0)], 'http');
  await telemetry.ingest([record(0, 5)], 'http');
  // The vehicle's device is moved to another vehicle, whose track has room for the record.
  await close(telemetry);
  const moved = open({ vehicles: [{ id: 9, glonassId: 107, imei: '' }] });
  expect(await moved.replay()).toEqual({ accepted: 1, duplicates: 0, remaining: 0 });
  expect(moved.quarantined(10)).toEqual([]);
  expect(moved.track(9, NOON, NOON)).toHaveLength(1);
});

test('the quarantine is bounded by the bytes of all entries: the oldest give way', async () => {
  const telemetry = open({ quarantine: { entries: 1_000, age: 3_600_000, bytes: 1_000_000 } });
  const bytes = () => telemetry.quarantined(1_000).reduce((sum, { raw }) => sum + raw.length, 0);
  for (let i = 0; i < 100; i++) {
    await telemetry.quarantine([{ reason: 'broken', raw: Buffer.alloc(30_000, i) }], 'test', '');
    expect(bytes()).toBeLessThanOrEqual(1_010_000 + 30_000);
  }
  expect(bytes()).toBeGreaterThan(300_000);
  const kept = telemetry.quarantined(1_000).map(({ raw }) => raw[0]);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => 99 - i));
  // One more than one entry may hold is cut.
  await telemetry.quarantine([{ reason: 'broken', raw: Buffer.alloc(200_000, 1) }], 'test', '');
  expect(telemetry.quarantined(1)[0]!.raw.length).toBe(65_536);
});

test('what one sender adds to the quarantine within an hour is limited, by whatever name the device is called; what is not kept is said and not counted as stored', async () => {
  const said: string[] = [];
  const telemetry = open({ quarantineLimit: 3, log: (_level, message) => said.push(message) });
  const broken = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ reason: 'broken', raw: Buffer.from(`${from + i}`) }));
  expect(await telemetry.quarantine(broken(0, 2), 'wialon', '107', '10.0.0.1')).toBe(2);
  expect(await telemetry.quarantine(broken(2, 2), 'wialon', '356000000000007', '10.0.0.1')).toBe(1);
  // What is there already is kept, however often it comes, and takes no room.
  for (let times = 0; times < 5; times++)
    expect(await telemetry.quarantine(broken(0, 2), 'wialon', '107', '10.0.0.1')).toBe(2);
  expect(await telemetry.quarantine(broken(9, 1), 'wialon', '107', '10.0.0.2')).toBe(1);
  expect(await telemetry.quarantine(broken(10, 1), 'wialon', '107', 'password')).toBe(1);
  expect([
    await telemetry.quarantine(broken(20, 5), 'wialon', '888', '10.0.0.1'),
    await telemetry.quarantine(broken(30, 5), 'wialon', '999', '10.0.0.1'),
  ]).toEqual([3, 0]);
  expect(said).toEqual([
    'The quarantine takes no more entries of the device 356000000000007 from 10.0.0.1: so many came within an hour. Further ones are not kept.',
    'The quarantine takes no more entries of unknown devices from 10.0.0.1: so many came within an hour. Further ones are not kept.',
  ]);
  // Records of programs, and of devices that wait for an answer.
  await telemetry.ingest([record(0, 0)], 'http');
  const late = 'Not kept: too many entries of this device came from this address within an hour.';
  const { quarantined } = await telemetry.ingest(
    [record(0, 7), record(9000, 1), record(9001, 1), record(9002, 1)],
    'http',
    undefined,
    '10.0.0.3',
  );
  expect(quarantined.map(({ index, dropped }) => [index, dropped])).toEqual([
    [0, true],
    [1, undefined],
    [2, undefined],
    [3, undefined],
  ]);
  expect(quarantined[0]!.reason.endsWith(late)).toBe(true);
  const taken = (seconds: number, sender: string) =>
    new Promise<boolean>((taken, failed) =>
      telemetry.ingestOne(record(seconds, 7), 'wialon', { stored: taken, failed }, sender),
    );
  expect([await taken(0, '10.0.0.3'), await taken(0, 'password'), await taken(20, '10.0.0.3')]).toEqual([
    false,
    true,
    true,
  ]);
  expect(telemetry.quarantineDropped).toBe(1 + 2 + 5 + 1 + 1);
  now += 3_600_000;
  expect(await telemetry.quarantine(broken(50, 1), 'wialon', '107', '10.0.0.1')).toBe(1);
});

test('the quarantine is bounded by count and by age, and is read newest first', async () => {
  const telemetry = open({ quarantine: { entries: 5, age: 1000, bytes: 1_000_000 } });
  for (let index = 0; index < 12; index++) await telemetry.ingest([{ glonassId: 107, lat: index }], 'http');
  expect(telemetry.quarantined(100).map((entry) => JSON.parse(Buffer.from(entry.raw).toString()).lat)).toEqual([
    11, 10, 9, 8, 7,
  ]);
  expect(
    telemetry
      .quarantined(2, telemetry.quarantined(100)[1]!.id)
      .map((entry) => JSON.parse(Buffer.from(entry.raw).toString()).lat),
  ).toEqual([9, 8]);
  now += 2000;
  await telemetry.ingest([{ glonassId: 107, lat: 'later' }], 'http');
  expect(telemetry.quarantined(100)).toHaveLength(1);
});

test('the quarantine keeps for thirty days when nobody says otherwise, and as much of a device’s name as names one', async () => {
  const telemetry = open();
  await telemetry.quarantine([{ reason: 'r', raw: Buffer.from('first') }], 'wialon', '7'.repeat(500));
  expect(telemetry.quarantined(10)[0]!.device).toBe('7'.repeat(100));
  now += 30 * 86_400_000;
  await telemetry.quarantine([{ reason: 'r', raw: Buffer.from('second') }], 'wialon', '107');
  expect(telemetry.quarantined(10)).toHaveLength(2);
  now += 1000;
  await telemetry.quarantine([{ reason: 'r', raw: Buffer.from('third') }], 'wialon', '107');
  expect(telemetry.quarantined(10).map(({ raw }) => Buffer.from(raw).toString())).toEqual(['third', 'second']);
});

test('many senders at once share commits and all are answered', async () => {
  const telemetry = open();
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, index) => telemetry.ingest([record(index, index * 10)], 'http')),
  );
  expect(answers.every((answer) => answer.accepted === 1)).toBe(true);
  expect(telemetry.track(7, 0, Number.MAX_SAFE_INTEGER)).toHaveLength(500);
});

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test('frames from the quarantine are read once more by the decoder of their protocol, and stay when they still cannot be', async () => {
  const telemetry = open();
  now = Date.UTC(2019, 5, 10, 12);
  const body = '270413;205700;5544.6025;N;03739.6834;E;10;0;0;7;';
  const frames: [source: string, device: string, raw: string | Buffer][] = [
    ['wialon', '107', '#SD#270413;205601;5544.6025;N;03739.6834;E;10;0;0;7'],
    ['wialon', '107', `#SD#${body}${crc16Arc(Buffer.from(body)).toString(16)}`], // 2.0
    ['wialon', '107', '270413;205800;5544.6025;N;03739.6834;E;10;0;0;7'], // one record of a black box
    ['wialon', '107', '#SD#270413;205900;nonsense;N;03739.6834;E;10;0;0;7'],
    ['wialon', '999', '#SD#270413;205601;5544.6025;N;03739.6834;E;10;0;0;7'], // nobody's device
    [
      'teltonika',
      '356000000000007',
      Buffer.from(
        '000000000000003608010000016B40D8EA30010000000000000000000000000000000105021503010101425E0F01F10000601A014E0000000000000000010000C7CF',
        'hex',
      ),
    ],
    // had no position then
    [
      'osmand',
      '107',
      JSON.stringify({
        time: Date.UTC(2013, 3, 27, 20, 59),
        speed: 0,
        direction: 0,
        height: 0,
        gpsCount: 0,
        inputs: 1,
        adc: [],
        params: {},
      }),
    ],
  ];
  await telemetry.quarantine(
    frames.map(([, , raw]) => ({ reason: 'r', raw: Buffer.from(raw as string) })).slice(0, 4),
    'wialon',
    '107',
  );
  for (const [source, device, raw] of frames.slice(4))
    await telemetry.quarantine([{ reason: 'r', raw: Buffer.from(raw as string) }], source, device);
  expect(await telemetry.replay()).toEqual({ accepted: 5, duplicates: 0, remaining: 2 });
  expect(
    telemetry.track(7, 0, Number.MAX_SAFE_INTEGER).map(({ time }) => new Date(time).toISOString().slice(0, 19)),
  ).toEqual([
    '2013-04-27T20:56:01',
    '2013-04-27T20:57:00',
    '2013-04-27T20:58:00',
    '2013-04-27T20:59:00',
    '2019-06-10T10:04:46',
  ]);
  expect(telemetry.quarantined(10).map(({ device }) => device)).toEqual(['999', '107']);
  expect(await telemetry.replay()).toEqual({ accepted: 0, duplicates: 0, remaining: 2 });
});

test('however much of the quarantine is played again, others have their turn after 3 ms', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let tried = 0;
  const telemetry = open({ findVehicle: () => (tried++, vi.advanceTimersByTime(1), undefined) });
  await telemetry.quarantine(
    Array.from({ length: 100 }, (_, index) => ({ reason: 'r', raw: Buffer.from(JSON.stringify(record(index, 0))) })),
    'http',
    '107',
  );
  const ids = telemetry.quarantined(100).map(({ id }) => id);
  for (const some of [undefined, ids]) {
    tried = 0;
    let [replaying, before, most] = [true, 0, 0];
    const watch = () => {
      [most, before] = [Math.max(most, tried - before), tried];
      if (replaying) setImmediate(watch);
    };
    watch();
    expect(await telemetry.replay(some)).toEqual({ accepted: 0, duplicates: 0, remaining: 100 });
    replaying = false;
    expect([tried, most]).toEqual([100, 3]);
  }
});
