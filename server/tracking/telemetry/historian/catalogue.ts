import type { DatabaseSync } from 'node:sqlite';
import { monthEnd, startOf, type Month } from '../months/months.ts';

/** The part of a vehicle's track in a month that the historian keeps: enough to know when it need not be asked. */
export interface MovedPart {
  readonly vehicle: number;
  readonly first: number;
  readonly last: number;
  readonly points: number;
  /** Its last plausible point; null: there is none. */
  readonly believedAt: number | null;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly speed: number | null;
  readonly direction: number | null;
  readonly engine: number | null;
}

/** Orders to the writer of `tracks.db`, after the historian has confirmed. */
export type ChangeOfMoved =
  /** The historian has this month. The answer is 1, or 0 while points of the month are not in its file yet. */
  | { readonly kind: 'month-moved'; readonly month: Month; readonly parts: readonly MovedPart[] }
  /** Points of these vehicles were deleted; `left`: their remaining points there. */
  | {
      readonly kind: 'parts-expired';
      readonly month: Month;
      readonly vehicles: readonly number[];
      readonly left: readonly MovedPart[];
    }
  | { readonly kind: 'moved-dropped'; readonly month: Month };

/** Within a transaction of the writer. */
export function changeMoved(db: DatabaseSync, order: ChangeOfMoved): number | undefined {
  const { month } = order;
  switch (order.kind) {
    case 'month-moved':
      if (isInHead(db, month)) return 0;
      db.prepare('DELETE FROM track_months WHERE month=?').run(month);
      listMoved(db, month, order.parts);
      return 1;
    case 'parts-expired': {
      const strike = db.prepare('DELETE FROM historian_parts WHERE vehicle=? AND month=?');
      for (const vehicle of order.vehicles) strike.run(vehicle, month);
      return void listMoved(db, month, order.left);
    }
    case 'moved-dropped':
      db.prepare('DELETE FROM historian_months WHERE month=?').run(month);
      db.prepare('DELETE FROM historian_parts WHERE month=?').run(month);
      return undefined;
  }
}

/** Tables of `tracks.db`. */
export const CATALOGUE_TABLES = `
  CREATE TABLE IF NOT EXISTS historian_months (month INTEGER PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS historian_parts (
    vehicle INTEGER NOT NULL, month INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, points INTEGER NOT NULL,
    believedAt INTEGER, lat REAL, lon REAL, speed REAL, direction REAL, engine INTEGER, PRIMARY KEY (vehicle, month)
  ) WITHOUT ROWID;
`;

/** Readers ask the historian for this month from now on. */
export function listMoved(db: DatabaseSync, month: Month, parts: readonly MovedPart[]): void {
  db.prepare('INSERT OR IGNORE INTO historian_months (month) VALUES (?)').run(month);
  const insert = db.prepare('INSERT OR REPLACE INTO historian_parts VALUES (?,?,?,?,?,?,?,?,?,?,?)');
  for (const { vehicle, first, last, points, believedAt, lat, lon, speed, direction, engine } of parts)
    insert.run(vehicle, month, first, last, points, believedAt, lat, lon, speed, direction, engine);
}

export function movedMonths(db: DatabaseSync): Month[] {
  return db
    .prepare('SELECT month FROM historian_months ORDER BY month')
    .all()
    .map(({ month }) => month as Month);
}

/** The last time (epoch ms) whose points the historian may keep, or -1. Those are not changed any more. */
export function movedUntil(db: DatabaseSync): number {
  const last = movedMonths(db).at(-1);
  return last === undefined ? -1 : monthEnd(last);
}

/** Which vehicles have points of a month there, and until when. */
export function movedPartsOf(db: DatabaseSync, month: Month): Pick<MovedPart, 'vehicle' | 'first' | 'last'>[] {
  return db.prepare('SELECT vehicle, first, last FROM historian_parts WHERE month=?').all(month) as unknown as Pick<
    MovedPart,
    'vehicle' | 'first' | 'last'
  >[];
}

/** Whether points of a month are in `tracks.db`: late ones, which belong into its file first. */
function isInHead(db: DatabaseSync, month: Month): boolean {
  return ['tracks', 'moving'].some(
    (table) =>
      db.prepare(`SELECT 1 FROM ${table} WHERE time BETWEEN ? AND ? LIMIT 1`).get(startOf(month), monthEnd(month)) !==
      undefined,
  );
}
