import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../../shared/refusal.ts';

/**
 * Allows one import at a time into a territory, over all processes, by the lock of an empty SQLite database,
 * which the operating system releases when a process dies. Returns the function that releases it; refuses
 * with `busy`.
 */
export function takeImportLock(root: string): () => void {
  mkdirSync(root, { recursive: true });
  const lock = new DatabaseSync(join(root, 'import.lock'), { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (/locked|busy/i.test((error as Error).message)) throw new Refusal('territory.importRunning');
    throw error;
  }
  return () => lock.close();
}
