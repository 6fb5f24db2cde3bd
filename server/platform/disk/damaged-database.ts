import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isDamage } from './sqlite-damage.ts';

/**
 * Databases up to this size are checked when they are opened, which takes about 0.1 s. Larger ones are
 * checked while the station runs.
 */
const CHECKED_AT_ONCE = 32 * 1024 * 1024;

/** The database cannot be read and was not changed. The message says what to do. */
export class DamagedDatabase extends Error {
  override readonly name = 'DamagedDatabase';

  constructor(path: string, what: string, options?: ErrorOptions) {
    super(
      `The database ${path} is damaged: ${what}. Nothing was changed in it. Stop the station. "waypost salvage" keeps what can be read of it and lists the rest; "waypost restore FROM" brings back a backup. Both keep the damaged file aside.`,
      options,
    );
  }
}

/** Runs `open`, and turns SQLite's errors about damage into a DamagedDatabase. */
export function reportingDamage<R>(path: string, open: () => R): R {
  try {
    return open();
  } catch (error) {
    if (isDamage(error)) throw new DamagedDatabase(path, (error as Error).message, { cause: error });
    throw error;
  }
}

/** Checks a small database and throws DamagedDatabase. Returns whether it was checked. */
export function checkIntegrity(sql: DatabaseSync, path: string): boolean {
  if (statSync(path).size > CHECKED_AT_ONCE) return false;
  const found = reportingDamage(path, () => sql.prepare('PRAGMA quick_check(1)').get()) as { quick_check: string };
  if (found.quick_check !== 'ok') throw new DamagedDatabase(path, found.quick_check);
  return true;
}
