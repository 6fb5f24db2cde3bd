import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTelemetry, type Telemetry } from '../../../../../server/tracking/telemetry/index.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 5, 1, 12);

/** Vehicles 1 and 2 of organisation 10, vehicle 3 of organisation 20. */
function open(directory: string, clock: { now: number }): Telemetry {
  return openTelemetry({
    directory,
    now: () => clock.now,
    findVehicle: ({ glonassId }) => ({ id: glonassId! }),
    publish: () => undefined,
    organizationOf: (vehicle) => (vehicle === 3 ? 20 : 10),
  });
}
const point = (vehicle: number, daysAgo: number, second = 0) => ({
  glonassId: vehicle,
  time: NOON - daysAgo * DAY + second * 1000,
  lat: 50,
  lon: 20,
  speed: 0,
});

test('a rule that is saved again does not wait again; another one does, and the last one applies', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-retention-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const clock = { now: NOON };
  const telemetry = open(directory, clock);
  onTestFinished(() => telemetry.close());
  await telemetry.ingest([point(1, 60), point(1, 40)], 'test');
  await telemetry.retention.set(10, 50);
  clock.now += HOUR - 1;
  expect(await telemetry.retention.set(10, 50)).toEqual({ organizationId: 10, days: 50, since: NOON });
  clock.now += 1;
  expect(await telemetry.sweep()).toBe(1);
  expect(await telemetry.retention.set(10, 30)).toMatchObject({ since: NOON + HOUR });
  expect(await telemetry.sweep()).toBe(0);
  // At once: the second is not taken for what is there already.
  await Promise.all([telemetry.retention.set(10, null), telemetry.retention.set(10, 30)]);
  expect(telemetry.retention.rule(10)).toMatchObject({ days: 30 });
});

test('what is over is deleted an hour after the rule was set, of its organisation alone, and stays deleted', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-retention-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const clock = { now: NOON };
  let telemetry = open(directory, clock);
  await telemetry.ingest(
    [
      ...Array.from({ length: 3000 }, (_, second) => point(1, 60, second)),
      point(1, 32),
      point(1, 5),
      point(2, 60),
      point(3, 60),
    ],
    'test',
  );
  const track = (vehicle: number) => telemetry.track(vehicle, 0, NOON).map(({ time }) => (NOON - time) / DAY);
  const oldest = NOON - 60 * DAY;
  expect(await telemetry.expired([1, 2, 3], 31)).toEqual(
    new Map([
      [1, { points: 3000, oldest }],
      [2, { points: 1, oldest }],
      [3, { points: 1, oldest }],
    ]),
  );
  expect(await telemetry.expired([1, 2, 3], 100)).toEqual(new Map());
  await telemetry.retention.set(10, 31);
  expect(await telemetry.sweep()).toBe(0);
  clock.now += HOUR;
  await telemetry.close();
  telemetry = open(directory, clock); // rules survive
  expect(telemetry.retention.rule(10)).toEqual({ organizationId: 10, days: 31, since: NOON });
  expect(await telemetry.sweep()).toBe(3002); // the point of 32 days ago is past its last hour
  expect([track(1), track(2), track(3)]).toEqual([[5], [], [60]]);
  expect((await telemetry.ingest([point(1, 40)], 'test')).quarantined).toMatchObject([
    { reason: expect.stringContaining('older than the tracks') },
  ]);
  expect((await telemetry.ingest([point(3, 40)], 'test')).accepted).toBe(1);
  expect(await telemetry.replay()).toEqual({ accepted: 0, duplicates: 0, remaining: 1 });
  await telemetry.retention.set(10, null);
  expect(await telemetry.replay()).toEqual({ accepted: 1, duplicates: 0, remaining: 0 });
  expect(telemetry.lastStates().find(({ id }) => id === 1)!.time).toBe(NOON - 5 * DAY);
  await telemetry.close();
});
