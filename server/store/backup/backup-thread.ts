import { Worker } from 'node:worker_threads';
import { Refusal } from '../../../shared/refusal.ts';
import type { Reason } from '../../../shared/refusals/reason.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import type { BackupSettings } from './run-backup.ts';

export type BackupJob =
  | { readonly kind: 'make'; readonly settings: BackupSettings; readonly now: number }
  | { readonly kind: 'report'; readonly settings: BackupSettings }
  | { readonly kind: 'look'; readonly folder: string }
  | { readonly kind: 'stage'; readonly from: string; readonly directory: string; readonly passphrase: string | null };

export type BackupMessage =
  | { readonly kind: 'progress'; readonly step: string }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly reason: Reason }
  | { readonly kind: 'failed'; readonly message: string };

/** A job about backups in a thread of its own. */
export interface RunningJob<Result> {
  readonly result: Promise<Result>;
  /** Ends the thread, as a power failure would. `result` is refused. */
  end(): Promise<void>;
}

/** Starts a job about backups. It rejects with the Refusal that the thread threw. */
export function startBackupJob<Result>(job: BackupJob, progress?: (step: string) => void): RunningJob<Result> {
  const thread = new Worker(siblingUrl(import.meta.url, './backup.worker'), { workerData: job });
  const result = new Promise<Result>((resolve, reject) => {
    thread.on('message', (message: BackupMessage) => {
      if (message.kind === 'progress') progress?.(message.step);
      else if (message.kind === 'done') resolve(message.result as Result);
      else reject(message.kind === 'refused' ? Refusal.of(message.reason) : new Error(message.message));
    });
    thread.on('error', reject);
    thread.on('exit', () => reject(new Refusal('platform.closed', { part: 'The backup' })));
  });
  return {
    result,
    async end() {
      await thread.terminate();
    },
  };
}
