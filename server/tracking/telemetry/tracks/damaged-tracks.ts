import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DamagedDatabase, checkIntegrity } from '../../../platform/disk/damaged-database.ts';
import { isDiskFull } from '../../../platform/disk/disk-full.ts';
import { isDamage } from '../../../platform/disk/sqlite-damage.ts';
import { storedState } from './packed-states.ts';
import { FIRST_WITH_MONTHS, tracksFile } from './schema.ts';
import { Tracks } from './tracks.ts';

/** A damaged `tracks.db` is kept under a name like `tracks.damaged-2026-11-23T06-17-00.000Z.db`. */
const SET_ASIDE = /^tracks\.damaged-.*\.db$/;
/**
 * Small tables that can be read without the positions: their readable rows are copied to the new database.
 */
const CARRIED_OVER = ['states', 'retention', 'quarantine', 'peer_tracks', 'track_gaps'];

/** Notes damage found while running; the next start sets the database aside. */
const NOTE = 'tracks.db.damaged';
/** Directory in which the new database is made; it is renamed when complete. */
const [MAKING, MADE] = ['tracks.making', 'tracks.new'];
/** Next to a complete new database: a `SetAside`. */
const DETAILS = 'aside.json';

interface SetAside {
  readonly reason: string;
  readonly name: string;
}

/** Notes that `tracks.db` was found damaged, for the next start. */
export function noteDamage(directory: string, reason: string): void {
  writeFileSync(join(directory, NOTE), reason, { flush: true });
}

/** The damage found since the start, or undefined. */
export function notedDamage(directory: string): string | undefined {
  return existsSync(join(directory, NOTE)) ? readFileSync(join(directory, NOTE), 'utf8') : undefined;
}

/** Names of the damaged track files in the data directory, oldest first. */
export function damagedTrackFiles(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => SET_ASIDE.test(name))
    .sort();
}

/**
 * Sets an unreadable `tracks.db` aside and begins a new one, so that tasks and new positions do not wait for
 * a repair. The new one is complete before the damaged one moves; the next start finishes an interrupted one.
 * Returns the damage and the new name of the damaged file; undefined: no damage.
 */
export function setDamagedTracksAside(directory: string, now: number): SetAside | undefined {
  const path = tracksFile(directory);
  const begun = finish(directory);
  if (begun) return begun;
  if (!existsSync(path)) {
    rmSync(join(directory, NOTE), { force: true }); // the note was about a file that has since been removed
    return undefined;
  }
  const reason = notedDamage(directory) ?? damageOf(path);
  if (reason === undefined) return undefined;
  const making = join(directory, MAKING);
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making);
  beginAnew(making, path, now);
  const name = `tracks.damaged-${new Date(now).toISOString().replaceAll(':', '-')}.db`;
  writeFileSync(join(making, DETAILS), JSON.stringify({ reason, name } satisfies SetAside), { flush: true });
  renameSync(making, join(directory, MADE));
  return finish(directory);
}

/** Moves a complete new database to the place of the damaged one. Undefined: there is no such database. */
function finish(directory: string): SetAside | undefined {
  const path = tracksFile(directory);
  const made = join(directory, MADE);
  const isComplete = existsSync(join(made, 'tracks.db'));
  const aside = isComplete ? (JSON.parse(readFileSync(join(made, DETAILS), 'utf8')) as SetAside) : undefined;
  if (aside) {
    for (const suffix of ['-wal', '-shm', ''])
      if (existsSync(path + suffix)) renameSync(path + suffix, join(directory, aside.name + suffix));
    rmSync(join(directory, NOTE), { force: true });
    renameSync(join(made, 'tracks.db'), path);
  }
  rmSync(made, { recursive: true, force: true });
  return aside;
}

/**
 * The earliest time (epoch ms) of records in this `tracks.db`; older ones belong to a file that was set
 * aside.
 */
export function tracksBegin(db: DatabaseSync): number {
  if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'beginning'").get()) return -Infinity;
  return (db.prepare('SELECT max(since) AS since FROM beginning').get() as { since: number | null }).since ?? -Infinity;
}

/** Why the database cannot be used, in SQLite's words. Does not check every page of a large one. */
function damageOf(path: string): string | undefined {
  try {
    const db = new DatabaseSync(path, { timeout: 5000 });
    try {
      checkIntegrity(db, path);
      const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version === 0) return undefined; // just made
      for (const row of db.prepare('SELECT state FROM states').iterate())
        storedState(row['state'] as Uint8Array | string);
      db.prepare('SELECT * FROM retention').all();
      db.prepare('SELECT max(id) FROM quarantine').get();
      db.prepare('SELECT 1 FROM tracks LIMIT 1').get();
      if (version >= FIRST_WITH_MONTHS) db.prepare('SELECT month FROM track_months, moving LIMIT 1').get();
      return undefined;
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof DamagedDatabase || isDamage(error) || isLayout(error)) return (error as Error).message;
    throw error;
  }
}

/** A table or column is missing, or a row has a wrong content. */
function isLayout(error: unknown): boolean {
  return (
    error instanceof RangeError ||
    error instanceof SyntaxError ||
    error instanceof TypeError ||
    (error as { errcode?: number }).errcode === 1
  );
}

function beginAnew(directory: string, damaged: string, now: number): void {
  const tracks = new Tracks(directory);
  const { db } = tracks;
  try {
    db.exec('CREATE TABLE IF NOT EXISTS beginning (since INTEGER NOT NULL)');
    db.prepare('INSERT INTO beginning VALUES (?)').run(now);
    for (const table of CARRIED_OVER) carryOver(db, damaged, table);
    // The spans without computed events are in the damaged file.
    db.exec('UPDATE states SET unsettledFrom = NULL, unsettledTill = NULL');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    tracks.close();
  }
}

/** Copies rows until one cannot be read. */
function carryOver(into: DatabaseSync, damaged: string, table: string): void {
  let from: DatabaseSync | undefined;
  try {
    from = new DatabaseSync(damaged, { readOnly: true });
    const columns = into
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map((row) => String(row['name']));
    const insert = into.prepare(
      `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of from.prepare(`SELECT ${columns.join(', ')} FROM ${table}`).iterate()) {
      if (table === 'states') storedState(row['state'] as Uint8Array | string);
      insert.run(...columns.map((column) => row[column]!));
    }
  } catch (error) {
    if (isDiskFull(error)) throw error;
    // Rows after a damaged page are not copied; they stay in the file that was set aside.
  } finally {
    from?.close();
  }
}
