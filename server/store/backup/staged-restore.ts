import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../../platform/disk/sync-directory.ts';
import type { BackupNote } from './backup.ts';
import { prepareRestore, RESTORING } from './restore.ts';

/** A restore that a running station prepares for its next start. That start removes incomplete ones. */
const STAGING = '.restore-staging';

/** Prepares a restore beside a running station. Nothing of the station changes. */
export function stageRestore(
  from: string,
  directory: string,
  passphrase: string | null,
  progress: (what: string) => void,
): Promise<BackupNote> {
  return prepareRestore(from, join(directory, STAGING), passphrase, progress);
}

/** The next start puts the prepared restore in place (`completeRestore`). */
export async function confirmStaged(directory: string): Promise<void> {
  await rename(join(directory, STAGING), join(directory, RESTORING));
  await syncDirectory(directory);
}

/** Removes what was prepared. */
export async function discardStaged(directory: string): Promise<void> {
  if (existsSync(join(directory, STAGING))) await rm(join(directory, STAGING), { recursive: true, force: true });
}
