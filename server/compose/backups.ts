import { join } from 'node:path';
import { STATION, type AuditDraft } from '../access/audit/index.ts';
import { openOrClose } from '../platform/close-stack.ts';
import { VERSION } from '../platform/program.ts';
import {
  Backups,
  confirmStaged,
  discardStaged,
  startBackupJob,
  type BackupOutcome,
  type FoundBackup,
} from '../store/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Foundation } from './foundation.ts';

export type BackupPart = Awaited<ReturnType<typeof openBackups>>;

/** Backups of the station, and their restore into a station that is still empty. */
export function openBackups({ config, options, now, log, store, accounts, audit }: Foundation) {
  return openOrClose(async (stack) => {
    const logger = log.logger('backup');
    const backups = stack.use(
      await Backups.open({
        directory: config.data,
        folder: config['backup.folder'] ?? join(config.data, 'backups'),
        second: config['backup.second'],
        passphrase: config['backup.passphrase'],
        territory: config['backup.territory'],
        // The records of the demo can be made again, and its drivers write all night.
        time: config.demo ? null : config['backup.time'],
        version: VERSION,
        now,
        attempted: (outcome) => audit.recordOrMiss(entryOf(outcome)),
        info: (message) => logger.info(message),
        error: (message, error) => logger.error(message, error),
      }),
    );
    let restoring = false;
    const isEmpty = () =>
      accounts.users.all().filter(({ isDeleted }) => !isDeleted).length <= 1 && store.records('tasks').count() === 0;
    const restores = {
      /** Whether nobody works with this station yet: no users but the first administrator, and no tasks. */
      isEmpty,
      /** The backups in a folder, or a zip. */
      look: (folder: string): Promise<FoundBackup[]> => startBackupJob<FoundBackup[]>({ kind: 'look', folder }).result,
      /**
       * Prepares a restore in a thread. The next start puts it in place; resolves with whether that start is
       * automatic.
       */
      async restore(from: string, passphrase: string | null): Promise<{ restarts: boolean }> {
        if (restoring) throw new Refusal('backup.restoring');
        if (!isEmpty()) throw new Refusal('backup.notEmpty');
        restoring = true;
        try {
          await backups.settled();
          await startBackupJob({ kind: 'stage', from, directory: config.data, passphrase }).result;
          // Somebody may have begun to work meanwhile.
          if (!isEmpty()) {
            await discardStaged(config.data);
            throw new Refusal('backup.notEmpty');
          }
          await confirmStaged(config.data);
          logger.info(`The backup ${from} is put in place at the next start.`);
          options.restart?.();
          return { restarts: options.restart !== undefined };
        } finally {
          restoring = false;
        }
      },
    };
    return { backups, restores };
  });
}

/** A backup holds everything, the hashes of passwords too: the trail says where each one lies. */
function entryOf(outcome: BackupOutcome): AuditDraft {
  const { kind, folder } = outcome;
  return kind === 'made'
    ? {
        kind: 'backup',
        action: 'done',
        subject: { name: outcome.id },
        by: STATION,
        details: { folder, encrypted: outcome.encrypted },
      }
    : {
        kind: 'backup',
        action: 'failed',
        subject: { name: folder },
        by: STATION,
        details: { problem: outcome.problem },
      };
}
