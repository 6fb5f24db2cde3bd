/**
 * Moves the write-ahead log of `tracks.db` into the database, on a connection of its own: the two syncs and the random writes that
 * this takes would keep the server's event loop waiting.
 */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const WORTH_MOVING = 4 * 1024 * 1024;
const PAUSE = 2_000;

const { file } = workerData as { file: string };
const db = new DatabaseSync(file);
db.exec('PRAGMA busy_timeout=1000');

function checkpoint(): void {
  try {
    if (statSync(`${file}-wal`).size > WORTH_MOVING) db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // Busy or a full disk: the log only stays longer. Writing itself reports a full disk.
  }
}

const timer = setInterval(checkpoint, PAUSE);
parentPort!.once('message', () => {
  clearInterval(timer);
  db.close();
  parentPort!.close();
});
