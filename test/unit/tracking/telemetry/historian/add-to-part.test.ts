import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { HistorianConnection } from '../../../../../server/tracking/telemetry/historian/connection.ts';
import { moveMonth } from '../../../../../server/tracking/telemetry/historian/move-month.ts';
import { prepareSchema } from '../../../../../server/tracking/telemetry/historian/schema.ts';
import { monthOf, monthsIn } from '../../../../../server/tracking/telemetry/months/months.ts';
import { copyPoints } from '../../../../../server/tracking/telemetry/moving/copy-points.ts';
import { setApart } from '../../../../../server/tracking/telemetry/moving/moving-points.ts';
import { Tracks } from '../../../../../server/tracking/telemetry/tracks/tracks.ts';
import type { StoredPoint } from '../../../../../server/tracking/telemetry/tracks/stored-point.ts';
import { HAS_POSTGRES, Postgres } from '../../../../support/postgres.ts';
import { pointAt, temporary } from '../months/fill.ts';

const JULY = Date.UTC(2026, 6);
const HOUR = 3_600_000;
const at = (hour: number) => JULY + hour * HOUR;

describe.skipIf(!HAS_POSTGRES)('a month that is complete there (skipped where PostgreSQL is not installed)', () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await Postgres.start();
  }, 60_000);
  afterAll(() => server.close());

  /** The directory of a station that has only these points. */
  async function filesOf(points: readonly StoredPoint[]): Promise<string> {
    const directory = temporary();
    const tracks = new Tracks(directory);
    for (const point of points) tracks.add(point);
    setApart(tracks.db);
    await copyPoints(tracks.file);
    tracks.close();
    expect(monthsIn(directory)).toEqual([monthOf(JULY)]);
    return directory;
  }

  test('takes more points of it in, and loses none: the station has lost its catalogue', async () => {
    const connection = new HistorianConnection({ url: server.url(), owner: 'a' }, 30_000, (client) =>
      prepareSchema(client, 'a'),
    );
    onTestFinished(() => connection.close());
    const move = async (points: readonly StoredPoint[]) =>
      (await moveMonth(connection, await filesOf(points), monthOf(JULY))).toSorted((a, b) => a.vehicle - b.vehicle);
    const first = [pointAt(1, at(2)), pointAt(1, at(4), { speed: 50 }), pointAt(2, at(3)), pointAt(3, at(5))];
    expect((await move(first)).map(({ vehicle, points }) => [vehicle, points])).toEqual([
      [1, 2],
      [2, 1],
      [3, 1],
    ]);
    // Earlier, the same again but changed, later and not believed; nothing new of 2; nothing of 3; all of 4.
    const later = [
      ...[pointAt(1, at(1)), pointAt(1, at(4), { speed: 60, lat: 51 }), pointAt(1, at(6), { marks: 1, lat: 0 })],
      ...[pointAt(2, at(3)), pointAt(4, at(7), { engine: 1 })],
    ];
    for (const repeated of ['once', 'again'])
      expect(await move(later), repeated).toMatchObject([
        { vehicle: 1, first: at(1), last: at(6), points: 4, believedAt: at(4), lat: 51, speed: 60 },
        { vehicle: 2, first: at(3), last: at(3), points: 1, believedAt: at(3) },
        { vehicle: 3, first: at(5), last: at(5), points: 1, believedAt: at(5) },
        { vehicle: 4, first: at(7), last: at(7), points: 1, believedAt: at(7), engine: 1 },
      ]);
    const rows = await connection.rows(
      'SELECT vehicle, time, speed, marks FROM waypost.track_points ORDER BY vehicle, time',
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      ...[
        [1, at(1), 30, 0],
        [1, at(2), 30, 0],
        [1, at(4), 60, 0],
        [1, at(6), 30, 1],
      ],
      ...[
        [2, at(3), 30, 0],
        [3, at(5), 30, 0],
        [4, at(7), 30, 0],
      ],
    ]);
    // A part without a believed point has no place in the catalogue.
    const [, , , , hidden] = await move([pointAt(5, at(8), { marks: 1 })]);
    expect(hidden).toMatchObject({ vehicle: 5, points: 1, believedAt: null, lat: null, engine: null });
  });
});
