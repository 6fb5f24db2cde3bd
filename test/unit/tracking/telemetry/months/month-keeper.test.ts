import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openTelemetry, type Telemetry } from '../../../../../server/tracking/telemetry/index.ts';
import { damagedMonthFiles, monthsIn } from '../../../../../server/tracking/telemetry/months/months.ts';
import { Tracks } from '../../../../../server/tracking/telemetry/tracks/tracks.ts';
import { asBeforeMonths, pointAt, temporary } from './fill.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 20);
const PAGE = 4096;

function open(directory: string, clock = { now: NOW }, log: string[] = []): Telemetry {
  return openTelemetry({
    directory,
    now: () => clock.now,
    findVehicle: ({ glonassId }) => ({ id: glonassId! }),
    publish: () => undefined,
    organizationOf: (vehicle) => (vehicle === 3 ? 20 : 10),
    monthLimits: { points: Infinity, age: Infinity, atOnce: 400 },
    log: (_, message) => log.push(message),
  });
}

const record = (vehicle: number, time: number) => ({ glonassId: vehicle, time, lat: 50, lon: 20, speed: 0 });

/** How many points a file holds; -1: it is not there. */
function pointsIn(path: string): number {
  if (!existsSync(path)) return -1;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare('SELECT count(*) AS points FROM tracks').get()!['points'] as number;
  } finally {
    db.close();
  }
}

const month = (directory: string, name: string) => join(directory, 'tracks', `${name}.db`);

async function jsonTimes(telemetry: Telemetry, vehicle: number): Promise<number[]> {
  const pieces: Buffer[] = [];
  for await (const piece of telemetry.read({ kind: 'track', vehicle, from: 0, until: NOW }))
    pieces.push(piece as Buffer);
  return (JSON.parse(Buffer.concat(pieces).toString()) as { time: number }[]).map(({ time }) => time);
}

test('the positions of an older program move into their months while they are read and new ones come', async () => {
  const directory = temporary();
  const older = new Tracks(directory);
  const expected = Array.from({ length: 1500 }, (_, index) => NOW - 75 * DAY + index * HOUR).filter(
    (time) => time < NOW,
  );
  for (const vehicle of [1, 2]) for (const time of expected) older.add(pointAt(vehicle, time, { speed: 0 }));
  asBeforeMonths(older);
  const telemetry = open(directory);
  let isDone = false;
  const moved = telemetry.moveToMonths().then(() => (isDone = true));
  const late = expected.map((time) => time + 1);
  let [reads, came] = [0, 0];
  while (!isDone) {
    expect(await jsonTimes(telemetry, 1)).toEqual(expected);
    if (came < late.length) await telemetry.ingest([record(2, late[came++]!)], 'test');
    reads++;
  }
  await moved;
  expect(reads).toBeGreaterThan(2);
  await telemetry.moveToMonths();
  const all = [...expected, ...late.slice(0, came)].sort((a, b) => a - b);
  expect(await jsonTimes(telemetry, 2)).toEqual(all);
  expect(
    ['2026-09', '2026-10', '2026-11'].map((name) => pointsIn(month(directory, name))).reduce((a, b) => a + b),
  ).toBe(expected.length + all.length);
  expect(pointsIn(join(directory, 'tracks.db'))).toBe(0);
  await telemetry.close();
  const again = open(directory);
  expect(again.track(2, 0, NOW).map(({ time }) => time)).toEqual(all);
  expect(await again.ingest([record(2, late[0]!)], 'test')).toMatchObject({ duplicates: 1 });
  await again.close();
});

test('retention removes the file of a month in which all is expired, and only rows where something is kept', async () => {
  const directory = temporary();
  const clock = { now: NOW };
  const telemetry = open(directory, clock);
  const [june, september] = [Date.UTC(2026, 5, 10), Date.UTC(2026, 8, 10)];
  await telemetry.ingest([record(1, june), record(2, june), record(1, september), record(3, september)], 'test');
  await telemetry.ingest([record(1, NOW - DAY)], 'test');
  await telemetry.moveToMonths();
  await telemetry.retention.set(10, 30);
  await telemetry.sweep();
  expect(pointsIn(month(directory, '2026-06'))).toBe(2);
  clock.now += HOUR;
  await telemetry.sweep();
  expect(existsSync(month(directory, '2026-06'))).toBe(false);
  expect(pointsIn(month(directory, '2026-09'))).toBe(1);
  expect([1, 2, 3].map((vehicle) => telemetry.track(vehicle, 0, NOW).map(({ time }) => time))).toEqual([
    [NOW - DAY],
    [],
    [september],
  ]);
  // A month that is kept again begins with a new file.
  await telemetry.retention.set(10, null);
  await telemetry.ingest([record(1, june + 5)], 'test');
  await telemetry.moveToMonths();
  expect(pointsIn(month(directory, '2026-06'))).toBe(1);
  expect(telemetry.track(1, 0, NOW).map(({ time }) => time)).toEqual([june + 5, NOW - DAY]);
  await telemetry.close();
});

/** A directory whose file of August is damaged behind its first page. */
async function withDamagedAugust(): Promise<string> {
  const directory = temporary();
  const telemetry = open(directory);
  const begin = (number: number) => Date.UTC(2026, number - 1, 2);
  for (const number of [7, 8, 9, 10])
    await telemetry.ingest(
      Array.from({ length: 600 }, (_, second) => record(1, begin(number) + second * 1000)),
      'test',
    );
  await telemetry.moveToMonths();
  await telemetry.close();
  const path = month(directory, '2026-08');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x5a, PAGE));
  return directory;
}

test('damage of one month stays in it: it is set aside without a restart, and the rest goes on', async () => {
  const directory = await withDamagedAugust();
  const log: string[] = [];
  const telemetry = open(directory, { now: NOW }, log);
  expect(telemetry.problems()).toEqual([]);
  expect(await telemetry.ingest([record(1, NOW)], 'test')).toMatchObject({ accepted: 1 });
  // Who finds it is refused, nothing else is.
  const august = Date.UTC(2026, 7, 2);
  await expect(telemetry.ingest([record(1, august + 500)], 'test')).rejects.toMatchObject({ code: 'telemetry.paused' });
  await expect.poll(() => damagedMonthFiles(directory)).toHaveLength(1);
  const [aside] = damagedMonthFiles(directory);
  await expect.poll(() => log).toEqual([expect.stringContaining(aside!)]);
  expect(telemetry.problems()).toMatchObject([{ code: 'tracks.set-aside', text: expect.stringContaining(aside!) }]);
  const [refused] = (await telemetry.ingest([record(1, august + 500)], 'test')).quarantined;
  expect(refused!.reason).toContain('damaged file');
  expect((await telemetry.replay()).remaining).toBe(1);
  const edge = Date.UTC(2026, 8);
  expect(await telemetry.ingest([record(1, edge), record(1, Date.UTC(2026, 7) - 1)], 'test')).toMatchObject({
    accepted: 2,
  });
  expect(telemetry.track(1, 0, NOW)).toHaveLength(3 * 600 + 3);
  expect(await jsonTimes(telemetry, 1)).toHaveLength(3 * 600 + 3);
  await telemetry.moveToMonths();
  await telemetry.close();
  const again = open(directory);
  expect(again.track(1, 0, NOW)).toHaveLength(3 * 600 + 3);
  expect((await again.ingest([record(1, edge - 1)], 'test')).quarantined).toHaveLength(1);
  await again.close();
  expect(monthsIn(directory)).toHaveLength(4);
});

test('a reader of another thread that finds the damage has the month set aside, too', async () => {
  const directory = await withDamagedAugust();
  const telemetry = open(directory);
  await expect(jsonTimes(telemetry, 1)).rejects.toThrow('2026-08.db is damaged');
  await telemetry.moveToMonths();
  expect(damagedMonthFiles(directory)).toHaveLength(1);
  expect(await jsonTimes(telemetry, 1)).toHaveLength(3 * 600);
  await telemetry.close();
});

test('the log reports a missing file, and its month starts again', async () => {
  const directory = await withDamagedAugust();
  const log: string[] = [];
  rmSync(month(directory, '2026-08'));
  const telemetry = open(directory, { now: NOW }, log);
  expect(log).toEqual([expect.stringContaining('2026-08.db')]);
  expect(telemetry.track(1, 0, NOW)).toHaveLength(3 * 600);
  await telemetry.ingest([record(1, Date.UTC(2026, 7, 2))], 'test');
  await telemetry.moveToMonths();
  expect(pointsIn(month(directory, '2026-08'))).toBe(1);
  await telemetry.close();
});
