import type { DatabaseSync } from 'node:sqlite';
import { copyBeforeStep } from '../../platform/disk/copy-before-step.ts';
import { olderStep } from './index.ts';

/** Copies a database that an older program wrote, before it is converted. */
export function copyBeforeMigration(sql: DatabaseSync, path: string): void {
  const step = olderStep(sql);
  if (step !== undefined) copyBeforeStep(sql, path, step + 1);
}
