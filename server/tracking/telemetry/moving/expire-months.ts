import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { MonthContents } from '../months/month-contents.ts';
import { openMonthForWriting } from './copy-points.ts';
import { monthEnd, pathOf, startOf, type Expired, type Month } from '../months/months.ts';

/** Outcome of the deletion for one month. */
export interface ExpiredMonth {
  /** Points that were deleted one by one. */
  readonly points: number;
  /** Nothing else is in its file: it can go. Its points are still there. */
  readonly isOver: boolean;
}

/** Points of a transaction. */
const AT_ONCE = 20_000;

/**
 * Deletes expired points of one month, and only reports it if nothing would be left. Returns undefined if the
 * month has none.
 */
export function expireMonth(file: string, month: Month, expired: Expired): ExpiredMonth | undefined {
  const path = pathOf(dirname(file), month);
  if (!existsSync(path) || ![...expired.values()].some((before) => before > startOf(month))) return undefined;
  const vehicles = vehiclesIn(dirname(file), month);
  const over = vehicles.filter((vehicle) => (expired.get(vehicle) ?? -Infinity) > monthEnd(month));
  if (over.length === vehicles.length) return { points: 0, isOver: true };
  const partly = vehicles.filter((vehicle) => (expired.get(vehicle) ?? -Infinity) > startOf(month));
  if (partly.length === 0) return undefined;
  return { points: deletePoints(path, partly, expired), isOver: false };
}

function deletePoints(path: string, vehicles: readonly number[], expired: Expired): number {
  const db = openMonthForWriting(path);
  try {
    const some = db.prepare(
      `DELETE FROM tracks WHERE vehicle=?1 AND time<?2 AND time<=(SELECT max(time) FROM (SELECT time FROM tracks WHERE vehicle=?1 ORDER BY time LIMIT ${AT_ONCE}))`,
    );
    let points = 0;
    for (const vehicle of vehicles)
      for (let deleted = 1; deleted > 0; points += deleted)
        deleted = Number(some.run(vehicle, expired.get(vehicle)!).changes);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return points;
  } finally {
    db.close();
  }
}

function vehiclesIn(directory: string, month: Month): number[] {
  const contents = new MonthContents(directory, month);
  try {
    return contents.vehicles();
  } finally {
    contents.close();
  }
}
