import type { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import { copyBeforeStep } from '../../platform/disk/copy-before-step.ts';

/**
 * Brings the tables of `speeds.db` up to date, in one transaction; an older file is copied before. @param
 * schema for a new file; changes nothing in an existing one @param upgrades from version 1 to 2, and so on
 */
export function upgradeTables(db: DatabaseSync, file: string, schema: string, upgrades: readonly string[]): void {
  const newest = upgrades.length + 1;
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > newest) throw new Refusal('store.newer', { file, what: 'speeds', found: version, known: newest });
  if (version > 0 && version < newest) copyBeforeStep(db, file, version + 1);
  const steps = version === 0 ? [] : upgrades.slice(version - 1);
  db.exec(`BEGIN IMMEDIATE; ${steps.join(' ')} ${schema} PRAGMA user_version=${newest}; COMMIT`);
}
