import type { DatabaseSync } from 'node:sqlite';

/**
 * Moves all of a database's write-ahead log into its file, and begins the log anew. To be called at a start,
 * before anybody else has the database open: what a program that crashed, or whose disk failed to sync, left
 * in the log is read as long as the system has it in memory, while the disk may never have had it, and nobody
 * says so. What is moved is written anew and synced, so that from then on what is read is on the disk; what
 * the system did not keep fails its checksum and is not read. Throws when it cannot be moved.
 */
export function checkpointWal(sql: DatabaseSync): void {
  const { busy } = sql.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
  if (busy !== 0) throw new Error('the database is in use');
}
