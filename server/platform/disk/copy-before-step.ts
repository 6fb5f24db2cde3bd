import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import { isDamage } from './sqlite-damage.ts';

/** Copies that are kept, the newest. */
const KEPT = 2;

/**
 * Copies a database that an older program wrote, before it is converted: with the copy in its place the older program
 * starts again. `station.before-step-17.db` was at step 16. Throws a Refusal when there is no room.
 */
export function copyBeforeStep(sql: DatabaseSync, path: string, step: number): void {
  const directory = dirname(path);
  const name = (number: number) => `${basename(path, '.db')}.before-step-${number}.db`;
  const to = join(directory, name(step));
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
  const [before, behind] = name(0).split('0') as [string, string];
  const copies = readdirSync(directory)
    .filter((each) => each.startsWith(before) && each.endsWith(behind))
    .flatMap((each) => Number(each.slice(before.length, -behind.length)) || []);
  for (const older of copies.sort((a, b) => b - a).slice(KEPT)) rmSync(join(directory, name(older)), { force: true });
}
