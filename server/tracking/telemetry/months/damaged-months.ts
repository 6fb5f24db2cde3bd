import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checkIntegrity } from '../../../platform/disk/damaged-database.ts';
import { isDamage } from '../../../platform/disk/sqlite-damage.ts';
import {
  monthEnd,
  monthsIn,
  MONTHS_FOLDER,
  notedMonths,
  noteMonthDamage,
  notePath,
  pathOf,
  setAsideName,
  startOf,
  type Month,
} from './months.ts';

/** Times (epoch ms, inclusive) whose positions are in a damaged file that was set aside. */
export interface TrackGap {
  readonly from: number;
  readonly until: number;
}

export function isInGap(gaps: readonly TrackGap[], time: number): boolean {
  return gaps.some(({ from, until }) => time >= from && time <= until);
}

/** A month whose file was set aside. */
export interface DamagedMonthAside {
  readonly reason: string;
  /** Path within the data directory; undefined: the file was missing. */
  readonly name: string | undefined;
}

export function gapsOf(db: DatabaseSync): TrackGap[] {
  return db
    .prepare('SELECT month, until FROM track_gaps')
    .all()
    .map((row) => ({ from: startOf(row['month'] as Month), until: row['until'] as number }));
}

/**
 * Removes a damaged month from the list. Its late records cannot be distinguished from repeated ones any
 * more; later ones go into a new file. Returns whether it was listed.
 */
export function strikeOff(db: DatabaseSync, month: Month, now: number): boolean {
  const { changes } = db.prepare('DELETE FROM track_months WHERE month=?').run(month);
  db.prepare(
    'INSERT INTO track_gaps (month, until) VALUES (?,?) ON CONFLICT (month) DO UPDATE SET until=max(until, excluded.until)',
  ).run(month, Math.min(monthEnd(month), Math.max(now, startOf(month))));
  return Number(changes) > 0;
}

/** Moves the file of a month that was removed from the list. Returns its new name; undefined: there is no file. */
export function moveAside(directory: string, month: Month, now: number): string | undefined {
  const path = pathOf(directory, month);
  const name = setAsideName(month, now);
  const isThere = existsSync(path);
  if (isThere)
    for (const suffix of ['-wal', '-shm', ''])
      if (existsSync(path + suffix)) renameSync(path + suffix, join(directory, MONTHS_FOLDER, name + suffix));
  rmSync(notePath(directory, month), { force: true });
  return isThere ? `${MONTHS_FOLDER}/${name}` : undefined;
}

/**
 * At a start: sets months aside that were found damaged, and checks the newest ones, if they are small.
 * Others are checked when they are read.
 */
export function setDamagedMonthsAside(db: DatabaseSync, file: string, now: number): DamagedMonthAside[] {
  const directory = dirname(file);
  for (const month of monthsIn(directory).slice(-CHECKED)) check(directory, month);
  return notedMonths(directory).map(({ month, reason }) => {
    strikeOff(db, month, now);
    return { reason, name: moveAside(directory, month, now) };
  });
}

/** Months that are written to at the same time, around midnight. */
const CHECKED = 2;

function check(directory: string, month: Month): void {
  const path = pathOf(directory, month);
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    try {
      checkIntegrity(db, path);
      db.prepare('SELECT 1 FROM tracks LIMIT 1').get();
    } finally {
      db.close();
    }
  } catch (error) {
    const { name, errcode } = error as { name: string; errcode?: number };
    if (name !== 'DamagedDatabase' && !isDamage(error) && errcode !== 1) throw error;
    noteMonthDamage(directory, month, (error as Error).message);
  }
}
