import { randomInt } from 'node:crypto';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../../shared/refusal.ts';
import { CATALOGUE_TABLES, movedMonths } from '../historian/catalogue.ts';
import { monthsIn, type Month } from '../months/months.ts';

/** The file with last states, and with points until they are in the files of their months. */
export function tracksFile(directory: string): string {
  return join(directory, 'tracks.db');
}

/**
 * Clustered by vehicle and time: a track is contiguous in the file, and a repeated record is the same row.
 */
const POINTS = `(
    vehicle INTEGER NOT NULL, time INTEGER NOT NULL, storedAt INTEGER NOT NULL, lat REAL NOT NULL, lon REAL NOT NULL, speed REAL NOT NULL, direction REAL NOT NULL,
    height REAL NOT NULL, gpsCount INTEGER, glonassCount INTEGER, inputs INTEGER NOT NULL, marks INTEGER NOT NULL, extra TEXT NOT NULL, speedDerived INTEGER NOT NULL, engine INTEGER,
    PRIMARY KEY (vehicle, time)
  ) WITHOUT ROWID`;

/** The table of the points that are in one place. */
export function pointTable(name: string): string {
  return `CREATE TABLE IF NOT EXISTS ${name} ${POINTS};`;
}

const SCHEMA = `
  ${pointTable('tracks')}
  ${pointTable('moving')}
  CREATE TABLE IF NOT EXISTS track_months (month INTEGER PRIMARY KEY, made INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS track_gaps (month INTEGER PRIMARY KEY, until INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS states (vehicle INTEGER PRIMARY KEY, state BLOB NOT NULL, unsettledFrom INTEGER, unsettledTill INTEGER) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS quarantine (
    id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, source TEXT NOT NULL, device TEXT NOT NULL, reason TEXT NOT NULL, raw BLOB NOT NULL,
    digest BLOB NOT NULL UNIQUE
  );
  CREATE INDEX IF NOT EXISTS quarantine_time ON quarantine (time);
  CREATE TABLE IF NOT EXISTS retention (organizationId INTEGER PRIMARY KEY, days INTEGER NOT NULL, since INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS peer_tracks (vehicle INTEGER PRIMARY KEY, ownUntil INTEGER NOT NULL, isSpanOfPeer INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS track_readers (link INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS track_unsent (link INTEGER NOT NULL, vehicle INTEGER NOT NULL, spans TEXT NOT NULL, PRIMARY KEY (link, vehicle)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS track_store (name TEXT NOT NULL);
  ${CATALOGUE_TABLES}
  INSERT INTO track_store (name) SELECT lower(hex(randomblob(16))) WHERE NOT EXISTS (SELECT 1 FROM track_store);
`;
const VERSION = 7;
/** The first version whose points have a file for each month. */
export const FIRST_WITH_MONTHS = 6;

/** The migration from each version (from 1) to the next. */
const UPGRADES = [
  'ALTER TABLE states ADD COLUMN unsettledFrom INTEGER; ALTER TABLE states ADD COLUMN unsettledTill INTEGER;',
  'ALTER TABLE tracks ADD COLUMN engine INTEGER;',
  '' /* states became rows of numbers; those in JSON are still read */,
  '' /* tables of tracks that travel between stations were added */,
  'ALTER TABLE tracks RENAME TO moving;' /* points have their months; see `MonthKeeper` */,
  '' /* the catalogue of months that were moved to a historian was added */,
];

/** Opens `tracks.db` for writing and brings its tables up to date, in one transaction. */
export function openTracks(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=5000; PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=-16000',
  );
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > VERSION) throw new Refusal('store.newer', { file, what: 'tracks', found: version, known: VERSION });
  const upgrade = UPGRADES.slice(Math.max(0, version - 1))
    .filter(() => version > 0)
    .join(' ');
  db.exec(`BEGIN IMMEDIATE; ${upgrade} ${SCHEMA} PRAGMA user_version=${VERSION}; COMMIT`);
  return db;
}

/**
 * Lists the months that have a file and are not listed: after `tracks.db` was made again, or came from a backup.
 * Returns the listed ones without a file, which are struck off. Call it before anything reads.
 */
export function adoptMonths(db: DatabaseSync, file: string): Month[] {
  const there = new Set(monthsIn(dirname(file)));
  for (const month of movedMonths(db)) there.delete(month); // `Historian` removes the file
  const listed = db
    .prepare('SELECT month FROM track_months')
    .all()
    .map(({ month }) => month as Month);
  const missing = listed.filter((month) => !there.delete(month));
  if (there.size + missing.length === 0) return [];
  db.exec('BEGIN IMMEDIATE');
  for (const month of missing) db.prepare('DELETE FROM track_months WHERE month=?').run(month);
  for (const month of there) listMonth(db, month);
  db.exec('COMMIT');
  return missing;
}

/** Lists a month whose file was just created; others then reopen the file of that name. */
export function listMonth(db: DatabaseSync, month: Month): void {
  db.prepare('INSERT OR IGNORE INTO track_months (month, made) VALUES (?,?)').run(month, randomInt(2 ** 47));
}
