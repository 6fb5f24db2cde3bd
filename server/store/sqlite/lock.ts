import { accessSync, chmodSync, constants, mkdirSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';

/**
 * Makes a data directory where it is missing, and keeps what a station has in it for its owner alone.
 * Throws a Refusal that names it when it cannot be made, or not be written to.
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

/** What a station keeps right in its data directory. */
const OURS = /^(station\.|tracks\.|speeds\.|control\b|before-restore-|\.restoring$|(log|files|tls|territory)$)/;

/**
 * Takes the rights of others from what a station keeps: files of an earlier version may be readable by
 * everybody. Of a directory that holds other things too, such as somebody's home, the rest stays as it is.
 * Windows has no such modes; the folder's own rights hold there.
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

/** A file system without such modes, or somebody else's file, is no reason not to start. */
function close(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EROFS', 'ENOENT', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  }
}

/**
 * Holds a data directory for this process. It is a lock of SQLite on a file of its own, which the operating
 * system lifts when the process ends, however it ends; a file with a process id in it would stay behind.
 */
export function lockDirectory(directory: string): () => void {
  const sql = openLock(directory);
  try {
    sql.exec('CREATE TABLE IF NOT EXISTS holder (process INTEGER, host TEXT, since TEXT)');
    sql.exec('BEGIN IMMEDIATE; DELETE FROM holder');
    sql.prepare('INSERT INTO holder VALUES (?, ?, ?)').run(process.pid, hostname(), new Date().toISOString());
    // A reserved lock keeps other writers out and still lets them read who holds it.
    sql.exec('COMMIT; BEGIN IMMEDIATE');
  } catch (error) {
    if (!isBusy(error)) {
      sql.close();
      throw unusable(directory, error);
    }
    const holder = [stationOf(directory), holderOf(sql)].filter((part) => part !== undefined);
    sql.close();
    throw new Refusal(
      'busy',
      `The data directory ${directory} is in use by another Waypost${holder.length > 0 ? ` (${holder.join(', ')})` : ''}. One station at a time can open it.`,
    );
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
 * What the operating system, or SQLite, says of it: no right, a disk that is full or only to be read, a file
 * where a directory should be.
 */
function unusable(directory: string, error: unknown): Refusal {
  return new Refusal(
    'conflict',
    `The data directory ${directory} cannot be used: ${(error as Error).message}. It must be a directory that this user may write to, on a disk with room.`,
    { cause: error },
  );
}

function holderOf(sql: DatabaseSync): string | undefined {
  try {
    const holder = sql.prepare('SELECT process, host, since FROM holder').get() as
      { process: number; host: string; since: string } | undefined;
    return holder && `process ${holder.process} on ${holder.host}, since ${holder.since}`;
  } catch {
    return undefined; // The message does without.
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
    return undefined; // It is just being made.
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5; // SQLITE_BUSY
}
