/**
 * Moves the write-ahead log of `tracks.db` into the database on its own connection: its two syncs and random
 * writes would block the event loop.
 */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerRequests } from '../../../platform/threads/answer-requests.ts';

const { file } = workerData as { file: string };
const db = new DatabaseSync(file);
db.exec('PRAGMA busy_timeout=1000');

answerRequests(() => {
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // Busy or a full disk: the log only stays longer. Writing itself reports a full disk.
  }
});
