import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

export interface WalFile {
  /**
   * Resolves when all commits are on the disk. A pool thread waits, not the event loop.
   */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The write-ahead log of a database. A commit is durable once its pages in the log are; `synchronous=FULL`
 * would sync them within COMMIT, on the event loop. Closing another descriptor of the database file itself
 * would lift SQLite's locks on it (POSIX); the log carries no locks.
 */
export function logOf(databasePath: string): WalFile {
  let handle: Promise<FileHandle> | undefined;
  return {
    async sync() {
      await (await (handle ??= open(`${databasePath}-wal`, 'r+'))).datasync();
    },
    async close() {
      await (await handle?.catch(() => undefined))?.close();
    },
  };
}
