import { accessSync, chmodSync, constants, mkdirSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';

/**
 * Creates a missing data directory and restricts a station's files in it to their owner. Throws a Refusal
 * that names the directory when it cannot be created or written to.
 */
export function makeDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    closeToOthers(directory);
  } catch (error) {
    throw unusable(directory, error);
  }
}

/** The files of a station in its data directory. */
const OURS =
  /^(station\.|tracks\.|speeds\.|backups\.json$|control\b|before-(restore|salvage)-|salvage-report-|\.(resto|salvage)|(backups|log|files|tls|territory)$)/;

/**
 * Removes the access of other users to a station's files: those of an earlier version may be readable by
 * everybody. Other files in the directory, for example of a home directory, stay unchanged. Windows has no
 * such modes; the folder's own permissions apply there.
 */
function closeToOthers(directory: string): void {
  if (process.platform === 'win32') return;
  const entries = readdirSync(directory, { withFileTypes: true });
  if (entries.every(({ name }) => OURS.test(name))) close(directory, 0o700);
  for (const entry of entries) {
    if (!OURS.test(entry.name)) continue;
    if (entry.isDirectory()) close(join(directory, entry.name), 0o700);
    else if (entry.isFile()) close(join(directory, entry.name), 0o600);
  }
}

/** A file system without modes, or a file of another user, does not prevent a start. */
function close(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EROFS', 'ENOENT', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  }
}

/**
 * Locks a data directory for this process: an SQLite lock on a file of its own. The operating system releases
 * it however the process ends; a file with a process id would stay behind.
 */
export function lockDirectory(directory: string): () => void {
  const sql = openLock(directory);
  try {
    sql.exec('CREATE TABLE IF NOT EXISTS holder (process INTEGER, host TEXT, since TEXT)');
    sql.exec('BEGIN IMMEDIATE; DELETE FROM holder');
    sql.prepare('INSERT INTO holder VALUES (?, ?, ?)').run(process.pid, hostname(), new Date().toISOString());
    // A reserved lock excludes other writers and lets them read who holds it.
    sql.exec('COMMIT; BEGIN IMMEDIATE');
  } catch (error) {
    if (!isBusy(error)) {
      sql.close();
      throw unusable(directory, error);
    }
    const holder = [stationOf(directory), holderOf(sql)].filter((part) => part !== undefined);
    sql.close();
    throw holder.length > 0
      ? new Refusal('store.inUseBy', { directory, holder: holder.join(', ') })
      : new Refusal('store.inUse', { directory });
  }
  return () => {
    sql.exec('ROLLBACK');
    sql.close();
  };
}

function openLock(directory: string): DatabaseSync {
  try {
    return new DatabaseSync(join(directory, 'station.lock'), { timeout: 0 });
  } catch (error) {
    throw unusable(directory, error);
  }
}

/**
 * Wraps an error of the operating system or SQLite: no permission, a full or read-only disk, a file in place
 * of the directory.
 */
function unusable(directory: string, error: unknown): Refusal {
  return new Refusal('store.unusable', { directory, problem: (error as Error).message }, { cause: error });
}

function holderOf(sql: DatabaseSync): string | undefined {
  try {
    const holder = sql.prepare('SELECT process, host, since FROM holder').get() as
      { process: number; host: string; since: string } | undefined;
    return holder && `process ${holder.process} on ${holder.host}, since ${holder.since}`;
  } catch {
    return undefined; // The message omits the holder.
  }
}

function stationOf(directory: string): string | undefined {
  try {
    const sql = new DatabaseSync(join(directory, 'station.db'), { readOnly: true });
    try {
      const station = sql.prepare('SELECT id, number FROM station').get() as { id: string; number: number } | undefined;
      return station && `station ${station.id} with the number ${station.number}`;
    } finally {
      sql.close();
    }
  } catch {
    return undefined; // The database is being created.
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5; // SQLITE_BUSY
}
