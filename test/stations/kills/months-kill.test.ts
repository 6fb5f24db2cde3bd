import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { monthsIn, MONTHS_FOLDER } from '../../../server/tracking/telemetry/months/months.ts';
import { Tracks } from '../../../server/tracking/telemetry/tracks/tracks.ts';
import { Chance, SEED } from '../../support/chance.ts';
import { eventually } from '../../support/eventually.ts';
import { times } from '../../support/long.ts';
import { serve } from '../harness/served.ts';

const directory = mkdtempSync(join(tmpdir(), 'waypost-months-kill-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const KILLS = times(3, 30);
/** More than a station copies at once, so that a kill finds some copied and some not. */
const POINTS = 240_000;
const VEHICLES = 40;
const STEP = 1_200_000;
/** Half a year: several months are written. */
const BEGIN = Date.UTC(2025, 0, 15);
/** Milliseconds after the first file of a month. The next portion follows 5 s later. */
const LATEST = 6_500;

/** `tracks.db` of an older program: all points in one table. */
function fillTracks(): void {
  const tracks = new Tracks(directory);
  const insert = tracks.db.prepare(
    "INSERT INTO tracks VALUES (?, ?, 0, 50, 10, 1, 0, 0, NULL, NULL, 0, 0, '', 0, NULL)",
  );
  tracks.db.exec('BEGIN');
  for (let point = 0; point < POINTS; point++)
    insert.run(1 + (point % VEHICLES), BEGIN + Math.floor(point / VEHICLES) * STEP);
  tracks.db.exec('COMMIT; DROP TABLE moving; DROP TABLE track_months; DROP TABLE track_gaps; PRAGMA user_version=5');
  tracks.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  tracks.close();
}

const isInMonths = () => existsSync(join(directory, MONTHS_FOLDER)) && monthsIn(directory).length > 0;

function waitingPoints(): number {
  const db = new DatabaseSync(join(directory, 'tracks.db'), { readOnly: true, timeout: 5000 });
  try {
    const row = db.prepare('SELECT (SELECT count(*) FROM tracks) + (SELECT count(*) FROM moving) AS points').get();
    return row!['points'] as number;
  } finally {
    db.close();
  }
}

/** Points as readers see them: each once. Of a copy, because opening it mends what a kill left. */
function readPoints(): { points: number; different: number } {
  const copy = mkdtempSync(join(tmpdir(), 'waypost-months-read-'));
  try {
    cpSync(join(directory, 'tracks.db'), join(copy, 'tracks.db'));
    for (const name of ['tracks.db-wal', MONTHS_FOLDER])
      if (existsSync(join(directory, name))) cpSync(join(directory, name), join(copy, name), { recursive: true });
    const tracks = new Tracks(copy);
    let points = 0;
    const seen = new Set<number>();
    for (let vehicle = 1; vehicle <= VEHICLES; vehicle++)
      for (const { time } of tracks.between(vehicle, 0, Number.MAX_SAFE_INTEGER, POINTS)) {
        points++;
        seen.add(vehicle * 1e14 + time);
      }
    tracks.close();
    return { points, different: seen.size };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

test(
  `a station killed while points move into the files of months loses and doubles none (WAYPOST_SEED=${SEED})`,
  { timeout: 120_000 + KILLS * 60_000 },
  async () => {
    const chance = new Chance();
    await (await serve(directory)).end('SIGTERM');
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(directory, `tracks.db${suffix}`), { force: true });
    fillTracks();
    let killedWhileMoving = 0;
    for (let kill = 0; kill < KILLS && (kill === 0 || waitingPoints() > 0); kill++) {
      const station = await serve(directory);
      await eventually(() => expect(isInMonths()).toBe(true));
      await pause(chance.int(LATEST));
      await station.end('SIGKILL');
      if (waitingPoints() > 0) killedWhileMoving++;
      expect(readPoints(), `kill ${kill}`).toEqual({ points: POINTS, different: POINTS });
    }
    expect(killedWhileMoving).toBeGreaterThan(0);
    const last = await serve(directory);
    await eventually(() => expect(waitingPoints()).toBe(0));
    await last.end('SIGTERM');
    expect(readPoints()).toEqual({ points: POINTS, different: POINTS });
    expect(monthsIn(directory).length).toBeGreaterThan(3);
  },
);
