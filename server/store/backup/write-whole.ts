import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory } from '../../platform/disk/sync-directory.ts';

/** Names of files that are being written begin with this. */
export const UNFINISHED = '.new-';

/** Writes a file that appears whole or not at all, readable by its owner only. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const aside = join(dirname(path), `${UNFINISHED}${randomUUID()}`);
  try {
    await writeFile(aside, content, { mode: 0o600, flag: 'wx', flush: true });
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}
