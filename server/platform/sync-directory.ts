import { open } from 'node:fs/promises';
import process from 'node:process';

/**
 * Puts the names in a directory on the disk: a rename is there to stay when its directory is. Windows keeps
 * them by itself, and does not open directories.
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
