import type { DatabaseSync } from 'node:sqlite';

/**
 * Writes the whole write-ahead log into the database file, syncs it and empties the log. Call it at a start,
 * before any other connection is open. After a crash or a failed sync, frames of the log may be in the page
 * cache and not on the disk: SQLite reads them, and a power failure loses them. After this call everything
 * that is read is on the disk; frames that were lost fail their checksum. Throws when the database is in use.
 */
export function checkpointWal(sql: DatabaseSync): void {
  const { busy } = sql.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
  if (busy !== 0) throw new Error('the database is in use');
}
