import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REPORT_KINDS } from '../../../server/reporting/reports/index.ts';
import { openTelemetry } from '../../../server/tracking/telemetry/index.ts';
import { eventually } from '../../support/eventually.ts';
import { HAS_POSTGRES, Postgres } from '../../support/postgres.ts';
import { tryStation, type TryStation } from '../try-station.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

describe.skipIf(!HAS_POSTGRES)('old tracks in PostgreSQL (skipped where it is not installed)', () => {
  const from = Math.floor(Date.now() / DAY) * DAY - 130 * DAY;
  const till = from + 2 * DAY;
  const period = `from=${from}&till=${till}`;
  let server: Postgres;
  let at: TryStation;
  let admin: string;
  let vehicleId: number;

  /** A station whose tracks of that time are in files, and then only in PostgreSQL. */
  beforeAll(async () => {
    server = await Postgres.start();
    const data = mkdtempSync(join(tmpdir(), 'waypost-away-'));
    const first = await tryStation({ data });
    const as = await first.signIn();
    vehicleId = (await first.ok('POST', '/cars', { as, body: { name: 'Van 1', glonassId: 7 } })).id;
    await first.station.stop();
    const telemetry = openTelemetry({
      directory: data,
      now: Date.now,
      findVehicle: () => ({ id: vehicleId }),
      organizationOf: () => 1,
      publish: () => undefined,
    });
    const records = Array.from({ length: 600 }, (_, index) => ({
      ...{
        glonassId: 7,
        time: from + index * MINUTE,
        lat: 50 + index / 1_000,
        lon: 20,
        speed: index % 60 < 40 ? 90 : 0,
      },
    }));
    expect(await telemetry.ingest(records, 'test')).toMatchObject({ quarantined: [] });
    await telemetry.moveToMonths();
    await telemetry.close();
    at = await tryStation({ data, 'historian.url': server.url(), 'historian.keepMonths': 1 });
    admin = await at.signIn();
    await eventually(async () => {
      const [moved] = await server.query<{ count: number }>('SELECT count(*)::int AS count FROM waypost.track_points');
      expect(moved).toEqual({ count: 600 });
    });
    await eventually(async () => expect((await ask(`/cars/${vehicleId}/track?${period}`)).json()).toHaveLength(600));
  }, 120_000);
  afterAll(async () => {
    await at.stop();
    await server.close();
  });

  const ask = (path: string) => at.ask('GET', path, { as: admin });
  const tryThresholds = () =>
    at.ask('POST', '/events/replay', {
      as: admin,
      body: { settings: { stopAfter: 60_000 }, cars: [vehicleId], from, till },
    });

  const questions = [
    `/cars/:id/track?${period}`,
    `/cars/:id/track?${period}&simplify=5`,
    ...['gpx', 'csv', 'geojson', 'kml'].map((format) => `/cars/:id/track/${format}?${period}`),
    ...['', '.csv', '.xlsx', '.pdf'].map((form) => `/reports/mileage${form}?${period}&cars=:id`),
  ];
  const answers = async () => {
    const all: Record<string, string> = {};
    for (const path of questions) {
      all[path] = await ask(path.replace(':id', String(vehicleId))).then(
        ({ status, text }) => `${status} ${status === 200 ? '' : text.replace(/\(.*\)/, '(…)')}`,
        (error: Error) => error.message,
      );
    }
    return all;
  };
  const every = (answer: string) => Object.fromEntries(questions.map((path) => [path, answer]));

  test('while the server is away each question is refused in words, events are there, and none is a bug', async () => {
    expect(await answers()).toEqual(every('200 '));
    const before = (await ask(`/events?${period}`)).json();
    expect(before.length).toBeGreaterThan(0);
    await server.stop('SIGKILL');
    const away = 'Tracks of that time are in the historian, which does not answer (…). Try again later.';
    expect(await answers()).toEqual(every(`409 ${away}`));
    const trial = await tryThresholds();
    expect([trial.status, trial.text.replace(/\(.*\)/, '(…)')]).toEqual([409, away]);
    expect((await ask(`/events?${period}`)).json()).toEqual(before);
    // They are made of events, which the station has itself.
    for (const kind of REPORT_KINDS.filter((each) => each !== 'mileage'))
      expect((await ask(`/reports/${kind}?${period}`)).status, kind).toBe(200);
    // A sensor of that time asks for its events again, which waits.
    const sensor = {
      ...{
        carId: vehicleId,
        name: 'Door',
        type: 'fuel',
        input: { kind: 'adc', index: 0 },
        calibration: [
          [0, 0],
          [5, 50],
        ],
        validFrom: from,
      },
    };
    const made = await at.ask('POST', '/sensors', { as: admin, body: sensor });
    expect([made.status, made.text]).toEqual([200, expect.anything()]);
    expect((await ask('/log/app?level=5')).json()).toEqual([]);

    await server.start();
    // Each thread has a connection of its own, which waits a while before it is tried again.
    await eventually(async () => expect(await answers()).toEqual(every('200 ')));
    await eventually(async () => expect((await tryThresholds()).status).toBe(200));
    expect((await ask('/log/app?level=5')).json()).toEqual([]);
  }, 120_000);
});
