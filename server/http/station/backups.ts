import type { Request } from 'express';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { reason, sentenceOf, type Reason } from '../../../shared/refusals/reason.ts';
import type { Accounts } from '../../access/accounts/index.ts';
import type { Backups, BackupSummary, FoundBackup } from '../../store/index.ts';
import { requireHere } from '../accounts/auth.ts';
import { OK, Ok, Refused } from '../app/common-answers.ts';
import type { Metrics } from '../app/metrics.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';
import { textUpTo } from '../request/fields.ts';

const Problem = z
  .object({ text: z.string(), refusal: Refused })
  .meta({ id: 'BackupProblem', description: 'A sentence, and the same for programs' });
const Backup = z
  .object({
    id: z.string(),
    madeAt: z.int(),
    size: z.int().meta({ description: 'Bytes of its files' }),
    added: z.int().meta({ description: 'Bytes that it added to the folder; the rest was there' }),
    encrypted: z.boolean(),
    damaged: z.boolean().meta({ description: 'It cannot be restored' }),
    problems: z.array(Problem).meta({ description: 'What is not in it' }),
  })
  .meta({ id: 'Backup' });
const State = z.object({
  time: z.string().nullable().meta({ description: 'Local time of the nightly backup; null: none is made by itself' }),
  next: z.int().nullable(),
  running: z.string().nullable().meta({ description: 'The part that is being copied; null: none is being made' }),
  lastGood: Backup.nullable(),
  lastAttempt: z.int().nullable(),
  encrypted: z.boolean().meta({ description: 'Whether a passphrase is set' }),
  folder: z.string(),
  backups: z.array(Backup).meta({ description: 'Newest first' }),
  second: z
    .object({ folder: z.string(), backups: z.array(Backup), upToDateAt: z.int().nullable() })
    .nullable()
    .meta({ description: 'The second place; null: none is set' }),
  problems: z.array(Problem),
  empty: z.boolean().meta({ description: 'Nobody works with the station yet: a backup can be restored into it' }),
});
const Found = z
  .object({
    from: z.string().meta({ description: 'For `POST /first-run/restore`' }),
    madeAt: z.int(),
    size: z.int(),
    encrypted: z.boolean(),
    whole: z.boolean(),
  })
  .meta({ id: 'FoundBackup' });
const Restoring = z.object({
  restarts: z.boolean().meta({ description: 'Whether the station starts again by itself; else somebody has to' }),
});
const passphrase = textUpTo(500).min(1).optional().meta({ description: 'Of an encrypted backup' });
const code = textUpTo(100).optional().meta({ description: 'See `GET /first-run`' });
const place = textUpTo(4096)
  .min(1)
  .refine(isAbsolute, { message: fieldRule('field.fullPath') });

/** Restores into a station that is still empty. */
export interface Restores {
  isEmpty(): boolean;
  look(folder: string): Promise<FoundBackup[]>;
  restore(from: string, passphrase: string | null): Promise<{ restarts: boolean }>;
}

/** Backups: list, make one now, restore one. */
export function backupRoutes(
  backups: Backups,
  restores: Restores,
  accounts: Accounts,
  setUpCode: string,
): DeclaredRoute[] {
  const requireFirstRun = async (request: Request, code: string | undefined): Promise<void> => {
    await requireHere(request, code, setUpCode);
    if (!accounts.firstRun.isOpen) throw new Refusal('accounts.alreadySetUp');
  };
  return [
    route({
      method: 'GET',
      path: '/backups',
      family: 'station',
      access: 'superuser',
      summary: 'The backups of this station, and when the next one is made',
      answer: State,
      run: () => {
        const state = backups.state();
        return {
          time: state.time,
          next: state.next,
          running: state.running,
          lastGood: state.lastGood ? present(state.lastGood) : null,
          lastAttempt: state.lastAttempt ?? null,
          encrypted: state.encrypted,
          folder: state.folder,
          backups: state.backups.map(present),
          second: state.second
            ? {
                folder: state.second.folder,
                backups: state.second.backups.map(present),
                upToDateAt: state.second.upToDateAt ?? null,
              }
            : null,
          problems: state.problems.map(presentProblem),
          empty: restores.isEmpty(),
        };
      },
    }),
    route({
      method: 'POST',
      path: '/backups',
      onStandby: true,
      family: 'station',
      access: 'superuser',
      summary: 'Make a backup now',
      description: 'Answers when it has begun; `GET /backups` says how it went. 409 while one is being made.',
      answer: Ok,
      run: () => {
        backups.begin();
        return OK;
      },
    }),
    route({
      method: 'POST',
      path: '/backups/copies',
      onStandby: true,
      family: 'station',
      access: 'superuser',
      summary: 'Note in the audit trail that `waypost backup` has made a zip',
      body: z.object({ file: textUpTo(4096).min(1), territory: z.boolean() }),
      answer: Ok,
      run: () => OK,
    }),
    route({
      method: 'POST',
      path: '/backups/:id/restore',
      family: 'station',
      access: 'superuser',
      summary: 'Restore a backup into this station, which must be empty: one administrator, no other users, no tasks',
      description:
        'Answers when the backup was read and checked. The station then starts again as the one of the backup; its accounts are those of the backup, and nobody is signed in.',
      params: z.object({ id: textUpTo(40).min(1) }),
      body: z.object({ passphrase }),
      answer: Restoring,
      run: ({ params, body }) =>
        restores.restore(`${backups.folderOf(params.id)}/manifests/${params.id}.json`, body.passphrase ?? null),
    }),
    route({
      method: 'POST',
      path: '/first-run/backups',
      family: 'station',
      access: 'open',
      sameOrigin: true,
      declaredJson: true,
      summary: 'The backups in a folder, or a zip (before the station is set up, from this machine only)',
      body: z.object({ path: place, code }),
      answer: z.array(Found),
      run: async ({ request, body }) => {
        await requireFirstRun(request, body.code);
        return (await restores.look(body.path)).map(({ from, madeAt, size, encrypted, isWhole }) => ({
          from,
          madeAt,
          size,
          encrypted,
          whole: isWhole,
        }));
      },
    }),
    route({
      method: 'POST',
      path: '/first-run/restore',
      family: 'station',
      access: 'open',
      sameOrigin: true,
      declaredJson: true,
      summary: 'Restore a backup in place of setting the station up (from this machine only, through no proxy)',
      description: 'See `POST /backups/{id}/restore`.',
      body: z.object({ from: place, passphrase, code }),
      answer: Restoring,
      run: async ({ request, body }) => {
        await requireFirstRun(request, body.code);
        return restores.restore(body.from, body.passphrase ?? null);
      },
    }),
  ];
}

/** Adds the metrics of backups. */
export function backupMetrics(metrics: Metrics, backups: Backups): void {
  metrics.gauge(
    'waypost_backup_last_success_timestamp_seconds',
    'When the last good backup was made, in seconds since 1970; 0: there is none.',
    () => Math.round((backups.lastGood?.madeAt ?? 0) / 1000),
  );
  metrics.gauge(
    'waypost_backup_size_bytes',
    'Bytes of the files of the last good backup.',
    () => backups.lastGood?.size ?? 0,
  );
  metrics.gauge('waypost_backup_failures', 'Backups that failed since the start.', () => backups.failures);
}

/** Problems for `/health`, which everybody may read: without folders of this machine. */
export function backupProblems(backups: Backups): { code: string; text: string }[] {
  const reasons = backups.reasons();
  const open = reasons.filter(({ code }) => code === 'backup.stale' || code === 'backup.noneYet');
  const shown = reasons.length > open.length ? [...open, reason('backup.attention')] : open;
  return shown.map((each) => ({ code: each.code, text: sentenceOf(each) }));
}

function present({ id, madeAt, size, added, encrypted, damaged, problems }: BackupSummary): z.input<typeof Backup> {
  return { id, madeAt, size, added, encrypted, damaged, problems: problems.map(presentProblem) };
}

function presentProblem(problem: Reason): z.input<typeof Problem> {
  return { text: sentenceOf(problem), refusal: { code: problem.code, params: problem.params } };
}
