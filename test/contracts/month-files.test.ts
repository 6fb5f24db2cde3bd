import { dirname } from 'node:path';
import { MonthFiles } from '../../server/tracking/telemetry/months/month-files.ts';
import { fillMonths } from './fill-months.ts';
import { keepsMonths } from './month-source.ts';

keepsMonths(async (points) => {
  const { db, file } = await fillMonths(points);
  return new MonthFiles(db, dirname(file));
});
