import { onTestFinished } from 'vitest';
import { copyPoints } from '../../server/telemetry/moving/copy-points.ts';
import { pointsMoved, setApart } from '../../server/telemetry/moving/moving-points.ts';
import { MonthFiles } from '../../server/telemetry/months/month-files.ts';
import { Tracks } from '../../server/telemetry/tracks/tracks.ts';
import { temporary } from '../unit/telemetry/months/fill.ts';
import { keepsMonths } from './month-source.ts';

keepsMonths(async (points) => {
  const directory = temporary();
  const tracks = new Tracks(directory);
  onTestFinished(() => tracks.close());
  for (const point of points) tracks.add(point);
  setApart(tracks.db);
  pointsMoved(tracks.db, (await copyPoints(tracks.file))!);
  tracks.placesChanged();
  return new MonthFiles(tracks.db, directory);
});
