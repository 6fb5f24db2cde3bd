import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { monthsIn, pathOf, monthOf } from '../../../../../server/tracking/telemetry/months/months.ts';
import { openTelemetry, type Telemetry } from '../../../../../server/tracking/telemetry/index.ts';
import type { TelemetryOptions } from '../../../../../server/tracking/telemetry/telemetry-options.ts';
import { eventually } from '../../../../support/eventually.ts';
import { HAS_POSTGRES, Postgres } from '../../../../support/postgres.ts';
import { temporary } from '../months/fill.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 20);
const [JULY, AUGUST] = [Date.UTC(2026, 6), Date.UTC(2026, 7)];
const LATER = 40 * DAY;

describe.skipIf(!HAS_POSTGRES)('the historian (skipped where PostgreSQL is not installed)', () => {
  let server: Postgres;
  let databases = 0;
  beforeAll(async () => {
    server = await Postgres.start();
  }, 60_000);
  afterAll(() => server.close());
  const database = () => server.create(`historian_${++databases}`);

  function open(directory: string, url: string | undefined, more: Partial<TelemetryOptions> & { owner?: string } = {}) {
    const telemetry = openTelemetry({
      directory,
      now: () => NOW,
      findVehicle: ({ glonassId }) => ({ id: glonassId! }),
      organizationOf: (id) => id,
      publish: () => undefined,
      ...(url && { historian: { server: { url, owner: more.owner ?? 'a' }, keepMonths: 3, every: 600_000 } }),
      ...more,
    });
    onTestFinished(() => telemetry.close());
    return telemetry;
  }

  async function drive(telemetry: Telemetry, vehicle: number, from: number, count = 50, every = DAY) {
    const records = Array.from({ length: count }, (_, at) => ({
      glonassId: vehicle,
      time: from + at * every,
      lat: 50 + at / 1000,
      lon: 20,
      params: { at, name: 'Ключ' },
    }));
    expect(await telemetry.ingest(records, 'test')).toMatchObject({ quarantined: [] });
  }

  const track = async (telemetry: Telemetry, vehicle: number) =>
    JSON.parse(await text(telemetry.read({ kind: 'track', vehicle, from: 0, until: NOW + LATER }))) as unknown[];
  const csv = (telemetry: Telemetry, vehicle: number) =>
    text(telemetry.read({ kind: 'file', vehicle, from: 0, until: NOW, format: 'csv', name: 'a' }));

  test('old months move there, their files go, and tracks are read as before', async () => {
    const directory = temporary();
    const url = await database();
    const telemetry = open(directory, url);
    await drive(telemetry, 1, JULY, 130);
    await drive(telemetry, 2, AUGUST, 5);
    const before = [await csv(telemetry, 1), await csv(telemetry, 2)];
    await telemetry.moveToMonths();
    expect(monthsIn(directory)).toHaveLength(5);
    await eventually(async () => {
      await telemetry.months.moveOldMonths();
      // July is older than three whole months before November; August is not.
      expect(monthsIn(directory)).toEqual([8, 9, 10, 11].map((month) => 2026 * 12 + month - 1));
    });
    expect(telemetry.months.historian).toEqual({ isUp: true, months: 1, waiting: 0 });
    expect([await csv(telemetry, 1), await csv(telemetry, 2)]).toEqual(before);
    expect(await server.query('SELECT count(*)::int AS count FROM waypost.track_points', url)).toEqual([{ count: 31 }]);
    // The last place before August is known without the server.
    expect(telemetry.problems()).toEqual([]);
  });

  test('a late record of a moved month goes to the quarantine, and says why', async () => {
    const url = await database();
    const telemetry = open(temporary(), url);
    await drive(telemetry, 1, JULY, 100);
    await telemetry.moveToMonths();
    await eventually(async () => {
      await telemetry.months.moveOldMonths();
      expect(telemetry.months.historian?.months).toBe(1);
    });
    const late = { glonassId: 1, time: JULY + HOUR, lat: 50, lon: 20 };
    const { quarantined } = await telemetry.ingest([late], 'test');
    expect(quarantined.map(({ reason }) => reason)).toEqual([
      'The tracks of that time were moved to the historian, which takes no late records.',
    ]);
    await drive(telemetry, 1, AUGUST + HOUR, 1);
  });

  test('retention drops whole partitions, and single points where something is kept', async () => {
    const url = await database();
    const directory = temporary();
    let now = NOW;
    const telemetry = open(directory, url, { now: () => now });
    await drive(telemetry, 1, JULY - 30 * DAY, 130);
    await drive(telemetry, 2, JULY, 20);
    await telemetry.moveToMonths();
    await eventually(async () => {
      await telemetry.months.moveOldMonths();
      expect(telemetry.months.historian?.months).toBe(2);
    });
    const partitions = async () =>
      (
        await server.query<{ name: string }>(
          `SELECT relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = 'waypost.track_points'::regclass ORDER BY 1`,
          url,
        )
      ).map(({ name }) => name);
    expect(await partitions()).toEqual(['track_points_2026_06', 'track_points_2026_07']);
    await telemetry.retention.set(1, 130);
    now += 2 * HOUR;
    await telemetry.sweep();
    expect(await partitions()).toEqual(['track_points_2026_07']);
    const since = telemetry.retention.deletesBefore(130);
    expect(((await track(telemetry, 1)) as { time: number }[]).every(({ time }) => time >= since)).toBe(true);
    expect(await track(telemetry, 2)).toHaveLength(20);
    expect(await telemetry.expired([1], 130)).toEqual(new Map());
  });

  test('without the server the station goes on, says so, refuses what it cannot read, and catches up', async () => {
    const own = await Postgres.start();
    onTestFinished(() => own.close());
    const directory = temporary();
    const telemetry = open(directory, own.url());
    await drive(telemetry, 1, JULY, 100);
    await drive(telemetry, 2, AUGUST, 10);
    await telemetry.moveToMonths();
    await eventually(async () => {
      await telemetry.months.moveOldMonths();
      expect(monthsIn(directory)).not.toContain(monthOf(JULY));
    });
    const before = await csv(telemetry, 1);
    await own.stop('SIGKILL');
    await telemetry.months.moveOldMonths();
    expect(telemetry.months.historian).toMatchObject({ isUp: false, months: 1 });
    expect(telemetry.problems()).toMatchObject([{ code: 'tracks.historian' }]);
    await expect(csv(telemetry, 1)).rejects.toThrow('Tracks of that time are in the historian, which does not answer');
    // Whatever is here is read and taken in as before.
    await drive(telemetry, 1, NOW - DAY, 1);
    expect(await track(telemetry, 2)).toHaveLength(10);
    expect((await telemetry.expired([1], 1000)).size).toBe(0);
    await own.start();
    await eventually(async () => {
      await telemetry.months.moveOldMonths();
      expect(telemetry.problems()).toEqual([]);
    });
    await eventually(async () => expect((await csv(telemetry, 1)).startsWith(before)).toBe(true));
  }, 60_000);

  test('a new tracks.db finds the months there again, and another station is not let in', async () => {
    const url = await database();
    const first = open(temporary(), url);
    await drive(first, 1, JULY, 40);
    const before = await csv(first, 1);
    await first.moveToMonths();
    await eventually(async () => {
      await first.months.moveOldMonths();
      expect(first.months.historian).toMatchObject({ months: 1 });
    });
    const directory = temporary();
    const second = open(directory, url);
    await eventually(async () => {
      await second.months.moveOldMonths();
      expect(second.months.historian).toMatchObject({ months: 1 });
    });
    expect((await csv(second, 1)).split('\n').slice(0, 30)).toEqual(before.split('\n').slice(0, 30));
    const other = open(temporary(), url, { owner: 'b' });
    await other.months.moveOldMonths();
    await eventually(() =>
      expect(other.problems()).toMatchObject([
        { text: expect.stringContaining('The database holds the tracks of another station.') as string },
      ]),
    );
    expect(existsSync(pathOf(directory, monthOf(JULY)))).toBe(false);
  });
});
