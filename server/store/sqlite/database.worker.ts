/**
 * Long work on a database, on connections of its own: checkpoints, snapshots and integrity checks. The
 * station's event loop does not wait for the disk.
 */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerRequests } from '../../platform/threads/answer-requests.ts';
import { snapshotDatabase } from './snapshot.ts';

/** The requests of the worker. Each is answered once, in order. */
export type DatabaseTask =
  { kind: 'checkpoint' } | { kind: 'snapshot'; to: string } | { kind: 'check' } | { kind: 'close' };

const { path } = workerData as { path: string };
let checkpoints: DatabaseSync | undefined;

answerRequests((task: DatabaseTask) => {
  switch (task.kind) {
    case 'checkpoint': {
      // A passive checkpoint skips pages in use and never blocks a writer. Its connection may have to wait to open.
      checkpoints ??= new DatabaseSync(path, { timeout: 5000 });
      const moved = checkpoints.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() as {
        log: number;
        checkpointed: number;
      };
      return { pages: moved.log - moved.checkpointed };
    }
    case 'snapshot':
      snapshotDatabase(path, task.to);
      return undefined;
    case 'check': {
      const sql = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
      const found = sql.prepare('PRAGMA quick_check(10)').all() as { quick_check: string }[];
      sql.close();
      return { damage: found.map((row) => row.quick_check).filter((text) => text !== 'ok') };
    }
    case 'close':
      checkpoints?.close();
      return undefined;
  }
});
