/** Makes a backup, lists backups, or prepares a restore: one job, then the thread ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../../shared/refusal.ts';
import type { BackupJob, BackupMessage } from './backup-thread.ts';
import { reportBackups, runBackup } from './run-backup.ts';
import { foundBackups } from './restore-sources.ts';
import { stageRestore } from './staged-restore.ts';

const say = (message: BackupMessage) => parentPort!.postMessage(message);
const progress = (step: string) => say({ kind: 'progress', step });

async function run(job: BackupJob): Promise<unknown> {
  switch (job.kind) {
    case 'make':
      return runBackup(job.settings, job.now, progress);
    case 'report':
      return reportBackups(job.settings);
    case 'look':
      return foundBackups(job.folder);
    case 'stage':
      return stageRestore(job.from, job.directory, job.passphrase, progress);
  }
}

try {
  say({ kind: 'done', result: await run(workerData as BackupJob) });
} catch (error) {
  say(
    error instanceof Refusal
      ? { kind: 'refused', reason: { code: error.code, params: error.params } }
      : { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) },
  );
}
