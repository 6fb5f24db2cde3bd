import { open } from 'node:fs/promises';
import process from 'node:process';

/**
 * Syncs a directory, so that a rename in it survives a power failure. Windows does that itself, and does not
 * open directories.
 */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
