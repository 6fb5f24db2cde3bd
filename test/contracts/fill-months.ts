import type { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { copyPoints } from '../../server/tracking/telemetry/moving/copy-points.ts';
import { pointsMoved, setApart } from '../../server/tracking/telemetry/moving/moving-points.ts';
import type { StoredPoint } from '../../server/tracking/telemetry/months/point-row.ts';
import { Tracks } from '../../server/tracking/telemetry/tracks/tracks.ts';
import { temporary } from '../unit/tracking/telemetry/months/fill.ts';

/** `tracks.db` of a new data directory, with these points in the files of their months. */
export async function fillMonths(points: readonly StoredPoint[]): Promise<{ db: DatabaseSync; file: string }> {
  const tracks = new Tracks(temporary());
  onTestFinished(() => tracks.close());
  for (const point of points) tracks.add(point);
  setApart(tracks.db);
  pointsMoved(tracks.db, (await copyPoints(tracks.file))!);
  tracks.placesChanged();
  return { db: tracks.db, file: tracks.file };
}
