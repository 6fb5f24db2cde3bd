import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Copies one consistent state of a database that others may be writing to; `to` must not exist. Reads every
 * page and so finds damage. Blocks its thread.
 */
export function snapshotDatabase(path: string, to: string): void {
  // One read transaction: a consistent state, however long it takes.
  const sql = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    sql.prepare('VACUUM INTO ?').run(to);
  } finally {
    sql.close();
  }
  const copy = openSync(to, 'r+');
  fsyncSync(copy);
  closeSync(copy);
}
