import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StoredPoint } from '../../../../../server/tracking/telemetry/tracks/stored-point.ts';
import type { Tracks } from '../../../../../server/tracking/telemetry/tracks/tracks.ts';

export function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-months-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A believed point. */
export function pointAt(vehicle: number, time: number, more: Partial<StoredPoint> = {}): StoredPoint {
  return {
    vehicle,
    time,
    storedAt: time,
    lat: 50,
    lon: 20,
    speed: 30,
    direction: 0,
    height: 100,
    gpsCount: 9,
    glonassCount: null,
    inputs: 0,
    marks: 0,
    extra: '',
    speedDerived: 0,
    engine: null,
    ...more,
  };
}

/** Tables as programs before the files of months left them: all points in `tracks`. */
export function asBeforeMonths(tracks: Tracks): void {
  tracks.db.exec(
    'DROP TABLE moving; DROP TABLE track_months; DROP TABLE track_gaps; PRAGMA user_version=5; PRAGMA wal_checkpoint(TRUNCATE)',
  );
  tracks.close();
}
