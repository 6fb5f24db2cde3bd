import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Databases of a data directory. Each copy is one consistent state. */
export const BACKUP_DATABASES = ['station.db', 'tracks.db', 'speeds.db'];
/** Settings of the station, and those that it follows as a standby. */
export const BACKUP_FILES = ['station.json', 'followed.json'];
/** Folders of a data directory. */
export const BACKUP_FOLDERS = ['files', 'tls', 'territory'];
/** Tracks that were set aside as damaged: nowhere else are the positions in them. Copied as they are. */
const SET_ASIDE = /^tracks\.damaged-[\w.-]+\.db(-wal)?$/;

/** Whether a name of a backup is one of its parts; everything else in it is ignored. */
export function isPartOfBackup(name: string): boolean {
  const [top, ...rest] = name.split('/');
  if ([top!, ...rest].some((part) => part === '' || part.startsWith('.')) || /[\\\0]/.test(name)) return false;
  if (rest.length > 0) return BACKUP_FOLDERS.includes(top!);
  return BACKUP_DATABASES.includes(name) || BACKUP_FILES.includes(name) || SET_ASIDE.test(name);
}

/** The tracks of a data directory that were set aside as damaged. */
export async function tracksSetAside(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => SET_ASIDE.test(name)).sort();
}

/** Paths within a folder, with `/`, without unfinished files (names that begin with a dot). */
export async function filesIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .sort();
}
