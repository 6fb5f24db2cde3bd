import type { DatabaseSync } from 'node:sqlite';
import { listMonth, pointTable } from '../tracks/schema.ts';
import type { CopiedPoints, PointKey } from './copy-points.ts';

// Statements of the writer, within its transactions, for points on their way into their months.

/** Points deleted before other work runs: some milliseconds. */
const AT_ONCE = 2_000;

/** Sets the points in `tracks` apart unless earlier ones are still set apart. False: there are none. */
export function setApart(db: DatabaseSync): boolean {
  if (db.prepare('SELECT 1 FROM moving LIMIT 1').get()) return true;
  if (!db.prepare('SELECT 1 FROM tracks LIMIT 1').get()) return false;
  db.exec(`DROP TABLE moving; ALTER TABLE tracks RENAME TO moving; ${pointTable('tracks')}`);
  return true;
}

/** The copies are on disk: the months are read from now on. */
export function pointsMoved(db: DatabaseSync, { months, last }: CopiedPoints): void {
  for (const month of months) listMonth(db, month);
  if (!last) db.exec('DELETE FROM moving'); // SQLite frees the pages without looking at the rows
}

/** Deletes some of the points up to `last`; returns their number. */
export function forgetMoved(db: DatabaseSync, last: PointKey): number {
  const some = db
    .prepare('SELECT vehicle, time FROM moving ORDER BY vehicle, time LIMIT 1 OFFSET ?')
    .get(AT_ONCE - 1) as PointKey | undefined;
  const end = some && isBefore(some, last) ? some : last;
  const whole = db.prepare('DELETE FROM moving WHERE vehicle<?').run(end.vehicle).changes;
  return (
    Number(whole) +
    Number(db.prepare('DELETE FROM moving WHERE vehicle=? AND time<=?').run(end.vehicle, end.time).changes)
  );
}

function isBefore(a: PointKey, b: PointKey): boolean {
  return a.vehicle < b.vehicle || (a.vehicle === b.vehicle && a.time < b.time);
}
