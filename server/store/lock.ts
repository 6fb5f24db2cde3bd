import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../shared/refusal.ts';

/**
 * Holds a data directory for this process. It is a lock of SQLite on a file of its own, which the operating system lifts when
 * the process ends, however it ends; a file with a process id in it would stay behind.
 */
export function lockDirectory(directory: string): () => void {
  const sql = new DatabaseSync(join(directory, 'station.lock'), { timeout: 0 });
  try {
    sql.exec('CREATE TABLE IF NOT EXISTS holder (process INTEGER, host TEXT, since TEXT)');
    sql.exec('BEGIN IMMEDIATE; DELETE FROM holder');
    sql.prepare('INSERT INTO holder VALUES (?, ?, ?)').run(process.pid, hostname(), new Date().toISOString());
    // A reserved lock keeps other writers out and still lets them read who holds it.
    sql.exec('COMMIT; BEGIN IMMEDIATE');
  } catch (error) {
    if (!isBusy(error)) {
      sql.close();
      throw error;
    }
    const holder = [stationOf(directory), holderOf(sql)].filter((part) => part !== undefined);
    sql.close();
    throw new Refusal('busy', `The data directory ${directory} is in use by another Waypost${holder.length > 0 ? ` (${holder.join(', ')})` : ''}. One station at a time can open it.`);
  }
  return () => {
    sql.exec('ROLLBACK');
    sql.close();
  };
}

function holderOf(sql: DatabaseSync): string | undefined {
  try {
    const holder = sql.prepare('SELECT process, host, since FROM holder').get() as { process: number; host: string; since: string } | undefined;
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
