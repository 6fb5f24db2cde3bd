import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { monthsIn } from '../../../../../server/tracking/telemetry/months/months.ts';
import { prepareTracks } from '../../../../../server/tracking/telemetry/prepare-tracks.ts';
import type { StoredPoint } from '../../../../../server/tracking/telemetry/tracks/stored-point.ts';
import { Tracks } from '../../../../../server/tracking/telemetry/tracks/tracks.ts';
import { SEED } from '../../../../support/chance.ts';
import { times } from '../../../../support/long.ts';
import { asBeforeMonths, pointAt, temporary } from './fill.ts';

const DYING = fileURLToPath(new URL('./dying-move.ts', import.meta.url));
const EDGE = Date.UTC(2026, 9);

function pointsOf(tracks: Tracks): StoredPoint[] {
  return [1, 2, 3].flatMap((vehicle) =>
    tracks.between(vehicle, 0, Number.MAX_SAFE_INTEGER, 1000).map((point) => ({ ...point })),
  );
}

test(`killed at any step of the move into months, no point is lost or doubled (WAYPOST_SEED=${SEED})`, () => {
  const before = temporary();
  const older = new Tracks(before);
  for (const vehicle of [1, 2, 3])
    for (let second = -20; second < 20; second++) older.add(pointAt(vehicle, EDGE + second * 1000));
  const points = pointsOf(older);
  asBeforeMonths(older);
  const every = times(3, 1);
  let died = 0;
  for (let calls = 1 + (SEED % every); ; calls += every) {
    const directory = temporary();
    cpSync(before, directory, { recursive: true });
    const { signal, stderr } = spawnSync(process.execPath, [DYING, directory, String(calls), '50'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    if (signal === 'SIGKILL') died++;
    prepareTracks({ directory, now: Date.now });
    const tracks = new Tracks(directory);
    expect(pointsOf(tracks), `after ${calls} calls`).toEqual(points);
    const inHead = tracks.db
      .prepare('SELECT (SELECT count(*) FROM tracks) + (SELECT count(*) FROM moving) AS rows')
      .get();
    tracks.close();
    if (signal !== null) continue;
    expect(inHead).toEqual({ rows: 0 });
    expect(monthsIn(directory)).toHaveLength(2);
    break;
  }
  expect(died).toBeGreaterThan(5);
}, 120_000);
