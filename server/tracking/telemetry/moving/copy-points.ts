import { mkdirSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDamage } from '../../../platform/disk/sqlite-damage.ts';
import { syncDirectory } from '../../../platform/disk/sync-directory.ts';
import { pointTable } from '../tracks/schema.ts';
import { POINT_COLUMNS } from '../tracks/stored-point.ts';
import { DamagedMonth, MONTH_VERSION, requireKnownVersion } from '../months/month-files.ts';
import { monthEnd, monthOf, MONTHS_FOLDER, noteMonthDamage, pathOf, startOf, type Month } from '../months/months.ts';

/** The place of a point in a table of points. */
export interface PointKey {
  readonly vehicle: number;
  readonly time: number;
}

/** Points that are on disk in the files of their months. */
export interface CopiedPoints {
  readonly months: readonly Month[];
  /** Up to this point; undefined: all that were on their way. */
  readonly last: PointKey | undefined;
}

/** Points of a transaction; the memory and the log that it needs grow with them. */
export const AT_ONCE = 100_000;
/** Share of the disk, and bytes, that stay free at least: new positions and tasks need room. */
const [LEFT_SHARE, LEFT_MOST] = [0.05, 1_000_000_000];
/** Bytes of a point in a month and in its log, at most on the average. */
const BYTES = 500;

/**
 * Copies points from `moving` into the files of their months. What is copied is on disk when this resolves; a copy
 * that is made again changes nothing. Resolves with undefined when the disk has too little room.
 * @param file `tracks.db`
 */
export async function copyPoints(file: string, atOnce = AT_ONCE): Promise<CopiedPoints | undefined> {
  const directory = dirname(file);
  const head = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const last = lastOfPortion(head, atOnce);
    const months = monthsOfPortion(head, last);
    if (months.length === 0) return { months, last: undefined };
    if (!hasRoom(directory, atOnce)) return undefined;
    mkdirSync(join(directory, MONTHS_FOLDER), { recursive: true, mode: 0o700 });
    for (const month of months) copyMonth(directory, file, month, last);
    await syncDirectory(join(directory, MONTHS_FOLDER));
    await syncDirectory(directory);
    return { months, last };
  } finally {
    head.close();
  }
}

/** Undefined: all of them are one batch. */
function lastOfPortion(head: DatabaseSync, atOnce: number): PointKey | undefined {
  const at = (place: number) =>
    head.prepare('SELECT vehicle, time FROM moving ORDER BY vehicle, time LIMIT 1 OFFSET ?').get(place) as
      PointKey | undefined;
  return at(atOnce) && at(atOnce - 1);
}

const UP_TO = '(vehicle < ?1 OR (vehicle = ?1 AND time <= ?2))';
const ALL: PointKey = { vehicle: Number.MAX_SAFE_INTEGER, time: 0 };

function monthsOfPortion(head: DatabaseSync, last = ALL): Month[] {
  const next = head.prepare(`SELECT min(time) AS time FROM moving WHERE vehicle <= ?1 AND ${UP_TO} AND time >= ?3`);
  const months: Month[] = [];
  for (let from = 0; ;) {
    const time = next.get(last.vehicle, last.time, from)!['time'] as number | null;
    if (time === null) return months;
    months.push(monthOf(time));
    from = monthEnd(monthOf(time)) + 1;
  }
}

function copyMonth(directory: string, file: string, month: Month, last = ALL): void {
  const path = pathOf(directory, month);
  let db: DatabaseSync | undefined;
  try {
    db = openMonthForWriting(path);
    db.prepare('ATTACH ? AS head').run(file);
    db.exec('BEGIN IMMEDIATE');
    db.prepare(
      `INSERT OR REPLACE INTO tracks (${POINT_COLUMNS}) SELECT ${POINT_COLUMNS} FROM head.moving WHERE vehicle <= ?1 AND ${UP_TO} AND time BETWEEN ?3 AND ?4`,
    ).run(last.vehicle, last.time, startOf(month), monthEnd(month));
    db.exec('COMMIT; DETACH head; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isDamage(error)) throw error;
    requireReadable(file, last);
    noteMonthDamage(directory, month, (error as Error).message);
    throw new DamagedMonth(month, (error as Error).message, { cause: error });
  } finally {
    db?.close();
  }
}

/** Throws SQLite's error when the damage is where the points come from. */
function requireReadable(file: string, last: PointKey): void {
  const head = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const all = head.prepare(`SELECT ${POINT_COLUMNS} FROM moving WHERE vehicle <= ?1 AND ${UP_TO}`);
    for (const _row of all.iterate(last.vehicle, last.time));
  } finally {
    head.close();
  }
}

/** Every commit of this connection is on disk. */
export function openMonthForWriting(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=-32000');
    requireKnownVersion(db, path);
    db.exec(`BEGIN IMMEDIATE; ${pointTable('tracks')} PRAGMA user_version=${MONTH_VERSION}; COMMIT`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function hasRoom(directory: string, points: number): boolean {
  const { bavail, bsize, blocks } = statfsSync(directory);
  return bavail * bsize > Math.min(LEFT_MOST, blocks * bsize * LEFT_SHARE) + points * BYTES;
}
