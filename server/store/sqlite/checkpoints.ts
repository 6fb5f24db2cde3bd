import type { DatabaseSync } from 'node:sqlite';
import type { Commits } from './commits.ts';
import type { DatabaseWorker } from './database-worker.ts';

/**
 * Pages of 4 KiB in the write-ahead log that are not in the database yet. From the first number on the worker
 * runs a checkpoint; above the second, writers wait for it.
 */
const WORTH_MOVING = 1_000;
const MAX_UNMOVED = 16_000;
/**
 * Pages of the log (128 MB) above which writers pause. The log restarts only when all of it is checkpointed,
 * which an unbroken stream of writes prevents.
 */
const LONGEST_LOG = 32_000;

/**
 * A checkpoint of the write-ahead log failed, or works again. Reported once each.
 */
export class WalGrowing extends Error {
  override readonly name = 'WalGrowing';
}

/**
 * Keeps the write-ahead log short without SQLite's own checkpoints, which would block the event loop for two
 * syncs within a commit. Call the returned function after each commit.
 */
export function keepWalShort(
  writer: DatabaseSync,
  worker: Pick<DatabaseWorker, 'checkpoint'>,
  commits: () => Commits,
  report: (error: unknown) => void,
): () => void {
  writer.exec('PRAGMA wal_autocheckpoint = 0');
  const measure = writer.prepare('PRAGMA wal_checkpoint(NOOP)');
  let moving = false;
  let commitsSinceMeasured = 0;
  let grows = false;

  return () => {
    if (moving && ++commitsSinceMeasured < 8) return;
    commitsSinceMeasured = 0;
    const { log, checkpointed } = measure.get() as { log: number; checkpointed: number };
    const unmoved = log - checkpointed;
    if (unmoved > MAX_UNMOVED || log > LONGEST_LOG) commits().hold();
    else if (unmoved < WORTH_MOVING) return;
    if (moving) return;
    moving = true;
    worker
      .checkpoint()
      .then(
        () => {
          if (grows) report(new WalGrowing('What is written is moved into the database file again.'));
          grows = false;
        },
        // For example a full disk, or a thread that cannot start. The next commit tries again.
        (error: Error) => {
          if (!grows)
            report(
              new WalGrowing(
                `What is written cannot be moved into the database file (${error.message.replace(/\.$/, '')}). It is safe in the log beside it, which grows until that works; each commit tries again.`,
                { cause: error },
              ),
            );
          grows = true;
        },
      )
      .finally(() => {
        moving = false;
        commits().release();
      });
  };
}
