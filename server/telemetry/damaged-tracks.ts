import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDamage } from '../sqlite-damage.ts';
import { DamagedDatabase, lookThrough } from '../store/index.ts';
import { storedState } from './packed-states.ts';
import { Tracks } from './tracks.ts';

/** A damaged `tracks.db` is kept under a name like `tracks.damaged-2026-11-23T06-17-00.000Z.db`. */
const SET_ASIDE = /^tracks\.damaged-.*\.db$/;
/** Tables that are small and can be read without the positions: they go over into the new database as far as they can be read. */
const CARRIED_OVER = ['states', 'retention', 'quarantine'];

/** Holds what was found wrong while the station ran; the next start sets the database aside. */
const NOTE = 'tracks.db.damaged';

/** Notes that `tracks.db` was found damaged, for the next start. */
export function noteDamage(directory: string, reason: string): void {
  writeFileSync(join(directory, NOTE), reason, { flush: true });
}

/** What was found wrong since the start; undefined: nothing. */
export function notedDamage(directory: string): string | undefined {
  return existsSync(join(directory, NOTE)) ? readFileSync(join(directory, NOTE), 'utf8') : undefined;
}

/** Names of the damaged track files in the data directory, oldest first. */
export function damagedTrackFiles(directory: string): string[] {
  return readdirSync(directory).filter((name) => SET_ASIDE.test(name)).sort();
}

/**
 * Sets a `tracks.db` that cannot be read aside and begins a new one, so that tasks and new positions do not wait for a repair.
 * Returns what was wrong and the new name of the damaged file; undefined when nothing was wrong.
 */
export function setDamagedTracksAside(directory: string, now: number): { reason: string; name: string } | undefined {
  const path = join(directory, 'tracks.db');
  if (!existsSync(path)) return undefined;
  const reason = notedDamage(directory) ?? damageOf(path);
  if (reason === undefined) return undefined;
  const name = `tracks.damaged-${new Date(now).toISOString().replaceAll(':', '-')}.db`;
  for (const suffix of ['-wal', '-shm', '']) if (existsSync(path + suffix)) renameSync(path + suffix, join(directory, name + suffix));
  beginAnew(directory, join(directory, name), now);
  rmSync(join(directory, NOTE), { force: true });
  return { reason, name };
}

/** The earliest time (epoch ms) of which records belong into this `tracks.db`; older ones belong into a file that was set aside. */
export function beginningOf(db: DatabaseSync): number {
  if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'beginning'").get()) return -Infinity;
  return (db.prepare('SELECT max(since) AS since FROM beginning').get() as { since: number | null }).since ?? -Infinity;
}

/** What keeps the database from being used, in SQLite's words. A large one is not looked through page by page. */
function damageOf(path: string): string | undefined {
  try {
    const db = new DatabaseSync(path, { timeout: 5000 });
    try {
      lookThrough(db, path);
      const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version === 0) return undefined; // just made
      for (const row of db.prepare('SELECT state FROM states').iterate()) storedState(row['state'] as Uint8Array | string);
      db.prepare('SELECT * FROM retention').all();
      db.prepare('SELECT max(id) FROM quarantine').get();
      db.prepare('SELECT 1 FROM tracks LIMIT 1').get();
      return undefined;
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof DamagedDatabase || isDamage(error) || isLayout(error)) return (error as Error).message;
    throw error;
  }
}

/** A table or column that should be there is not, or a row does not hold what it should. */
function isLayout(error: unknown): boolean {
  return error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError || (error as { errcode?: number }).errcode === 1;
}

function beginAnew(directory: string, damaged: string, now: number): void {
  const { db } = new Tracks(directory);
  try {
    db.exec('CREATE TABLE IF NOT EXISTS beginning (since INTEGER NOT NULL)');
    db.prepare('INSERT INTO beginning VALUES (?)').run(now);
    for (const table of CARRIED_OVER) carryOver(db, damaged, table);
    // The stretches whose events are not worked out yet lie in the damaged file.
    db.exec('UPDATE states SET unsettledFrom = NULL, unsettledTill = NULL');
  } finally {
    db.close();
  }
}

/** Copies rows until one cannot be read. */
function carryOver(into: DatabaseSync, damaged: string, table: string): void {
  let from: DatabaseSync | undefined;
  try {
    from = new DatabaseSync(damaged, { readOnly: true });
    const columns = into.prepare(`SELECT name FROM pragma_table_info('${table}')`).all().map((row) => String(row['name']));
    const insert = into.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
    for (const row of from.prepare(`SELECT ${columns.join(', ')} FROM ${table}`).iterate()) {
      if (table === 'states') storedState(row['state'] as Uint8Array | string);
      insert.run(...columns.map((column) => row[column]!));
    }
  } catch {
    // What lies behind a damaged page is lost here, and stays in the file that was set aside.
  } finally {
    from?.close();
  }
}
