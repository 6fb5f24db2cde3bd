import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import { isDamage } from '../../platform/disk/sqlite-damage.ts';
import { olderStep } from './index.ts';

/** A copy that a migration left: `station.before-step-17.db` was at step 16. */
const COPY = /^station\.before-step-(\d+)\.db$/;
/** Copies that are kept, the newest. */
const KEPT = 2;

/**
 * Copies a database that an older program wrote, before it is converted: with the copy in its place the older program
 * starts again. Throws a Refusal when there is no room.
 */
export function copyBeforeMigration(sql: DatabaseSync, path: string): void {
  const step = olderStep(sql);
  if (step === undefined) return;
  const directory = dirname(path);
  const to = join(directory, `station.before-step-${step + 1}.db`);
  const part = `${to}.part`;
  try {
    rmSync(part, { force: true });
    sql.prepare('VACUUM INTO ?').run(part);
    const file = openSync(part, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(part, to);
  } catch (error) {
    rmSync(part, { force: true });
    if (isDamage(error)) throw error;
    throw new Refusal('store.noCopy', { file: path, problem: (error as Error).message }, { cause: error });
  }
  const copies = readdirSync(directory).flatMap((name) => Number(COPY.exec(name)?.[1] ?? NaN) || []);
  for (const older of copies.sort((a, b) => b - a).slice(KEPT))
    rmSync(join(directory, `station.before-step-${older}.db`), { force: true });
}
