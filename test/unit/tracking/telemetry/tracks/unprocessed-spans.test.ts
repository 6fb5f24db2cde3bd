import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTelemetry, type NewPoints, type Telemetry } from '../../../../../server/tracking/telemetry/index.ts';

let directory: string;
let telemetry: Telemetry;
let noticed: NewPoints[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-unprocessed-'));
  open();
});
afterEach(async () => {
  await telemetry.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(): void {
  noticed = [];
  telemetry = openTelemetry({
    directory,
    now: () => 10_000_000,
    findVehicle: ({ glonassId }) => ({ id: glonassId! }),
    publish: () => undefined,
    tracksChanged: (spans) => noticed.push(...spans),
  });
}

const record = (glonassId: number, time: number) => ({
  glonassId,
  time,
  lat: 55,
  lon: 37,
  speed: 10,
  inputs: 3,
  adc: [1.5],
  params: { temp: 4 },
});

test('each commit tells which stretches of which tracks are new', async () => {
  await telemetry.ingest([record(1, 1000), record(1, 3000), record(2, 5000), record(1, 2000), record(1, 1000)], 'test');
  expect(noticed.map(({ vehicleId, from, until }) => [vehicleId, from, until])).toEqual([
    [1, 1000, 3000],
    [2, 5000, 5000],
  ]);
});

test('what was not settled when the station ended is there at the next start, and what was is not', async () => {
  await telemetry.ingest([record(1, 1000), record(2, 2000), record(3, 3000)], 'test');
  telemetry.markProcessed(noticed.filter(({ vehicleId }) => vehicleId === 2));
  await telemetry.ingest([record(3, 500)], 'test');
  // an older stretch: the late record still waits
  telemetry.markProcessed(noticed.slice(0, 3).filter(({ vehicleId }) => vehicleId === 3));
  await telemetry.close();
  open();
  expect(telemetry.unprocessedSpans().map(({ vehicleId, from, until }) => [vehicleId, from, until])).toEqual([
    [1, 1000, 1000],
    [3, 500, 3000],
  ]);
});

test('a track is read with everything that the device said, in order', async () => {
  await telemetry.ingest(
    Array.from({ length: 1200 }, (_, i) => record(1, (1200 - i) * 10)),
    'test',
  );
  const points = [...telemetry.points(1, 5000)];
  expect(points.map(({ time }) => time)).toEqual(Array.from({ length: 700 }, (_, i) => 5010 + i * 10));
  expect(points[0]).toEqual({
    time: 5010,
    lat: 55,
    lon: 37,
    speed: 10,
    direction: 0,
    fixed: true,
    inputs: 3,
    adc: [1.5],
    params: { temp: 4 },
  });
});

test('new points are passed on as they are read from the track, without those that were there already', async () => {
  await telemetry.ingest([record(1, 2000)], 'test');
  noticed = [];
  await telemetry.ingest(
    [
      { glonassId: 1, time: 3000, lat: 55, lon: 37 },
      record(1, 2000),
      { ...record(1, 4000), gpsCount: 2, speed: 0, params: { b: 1, a: 'x', 7: true } },
      { ...record(1, 5000), lat: 56 },
      { ...record(1, 1000), speed: undefined, direction: 400, params: {} },
      { glonassId: 1, time: 'never' },
      { ...record(1, 6000), adc: [] },
    ],
    'test',
  );
  const told = noticed.flatMap(({ points }) => points!()).toSorted((a, b) => a.time - b.time);
  const read = [...telemetry.points(1, 0)].filter(({ time }) => time !== 2000);
  expect(told).toEqual(read);
  // in the same order of names, since checkpoints are compared as text
  expect(told.map((point) => JSON.stringify(point))).toEqual(read.map((point) => JSON.stringify(point)));
  expect(told.map(({ time, fixed }) => [time, fixed])).toEqual([
    [1000, false],
    [3000, true],
    [4000, false],
    [5000, true],
    [6000, true],
  ]);
});

test('a replayed span is announced without its points', async () => {
  await telemetry.quarantine([{ reason: 'r', raw: Buffer.from(JSON.stringify(record(1, 1000))) }], 'test', '1');
  await telemetry.replay();
  expect(noticed).toMatchObject([{ vehicleId: 1, from: 1000, until: 1000, points: undefined }]);
});
