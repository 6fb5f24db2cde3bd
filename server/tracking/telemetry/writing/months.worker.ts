/** Copies points to the files of their months and deletes expired ones, so that the writer does not wait. */
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { isDamage } from '../../../platform/disk/sqlite-damage.ts';
import { syncDirectory } from '../../../platform/disk/sync-directory.ts';
import { answerRequests } from '../../../platform/threads/answer-requests.ts';
import { copyPoints, type CopiedPoints } from '../moving/copy-points.ts';
import { expireMonth, type ExpiredMonth } from '../moving/expire-months.ts';
import { DamagedMonth } from '../months/month-files.ts';
import { MONTHS_FOLDER, noteMonthDamage, pathOf, type Expired, type Month } from '../months/months.ts';

export type MonthRequest =
  | { readonly kind: 'copy'; readonly atOnce: number }
  | { readonly kind: 'expire'; readonly month: Month; readonly expired: Expired }
  | { readonly kind: 'remove'; readonly month: Month };

/** `month`: the file of a month is damaged, and that is noted. `head`: `tracks.db` is. */
export interface DamageFound {
  readonly damaged: 'month' | 'head';
  readonly reason: string;
}
export type CopyAnswer = CopiedPoints | DamageFound | undefined;
export type ExpireAnswer = ExpiredMonth | DamageFound | undefined;

const { file } = workerData as { file: string };

answerRequests(async (asked: MonthRequest): Promise<CopyAnswer | ExpireAnswer> => {
  try {
    if (asked.kind === 'copy') return await copyPoints(file, asked.atOnce);
    if (asked.kind === 'remove') return void (await remove(asked.month));
    return expire(asked.month, asked.expired);
  } catch (error) {
    const { message: reason } = error as Error;
    if (error instanceof DamagedMonth) return { damaged: 'month', reason };
    if (isDamage(error)) return { damaged: 'head', reason };
    throw error;
  }
});

function expire(month: Month, expired: Expired): ExpireAnswer {
  try {
    return expireMonth(file, month, expired);
  } catch (error) {
    if (!isDamage(error)) throw error;
    noteMonthDamage(dirname(file), month, (error as Error).message);
    throw new DamagedMonth(month, (error as Error).message, { cause: error });
  }
}

/** Where the system keeps open files, it stays until another sweep. */
async function remove(month: Month): Promise<void> {
  const path = pathOf(dirname(file), month);
  for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true });
  await syncDirectory(join(dirname(file), MONTHS_FOLDER));
}
