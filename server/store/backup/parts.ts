import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Databases of a data directory. Each copy is one consistent state. */
export const BACKUP_DATABASES = ['station.db', 'tracks.db', 'speeds.db'];
/** Settings of the station, and those that it follows as a standby. */
export const BACKUP_FILES = ['station.json', 'followed.json'];
/** Folders of a data directory. `reports` holds the files of mails that wait. */
export const BACKUP_FOLDERS = ['files', 'reports', 'tls', 'territory'];
/** Folder of the databases of tracks, one for each month. */
export const TRACKS_FOLDER = 'tracks';
const TRACKS = 'tracks.db';
const MONTH = /^tracks\/\d{4}-\d{2}\.db$/;
/** Tracks that were set aside as damaged: nowhere else are the positions in them. Copied as they are. */
const SET_ASIDE = /^(tracks|tracks\/\d{4}-\d{2})\.damaged-[\w.-]+\.db(-wal)?$/;

/** Whether a name of a backup is one of its parts; everything else in it is ignored. */
export function isPartOfBackup(name: string): boolean {
  const [top, ...rest] = name.split('/');
  if ([top!, ...rest].some((part) => part === '' || part.startsWith('.')) || /[\\\0]/.test(name)) return false;
  if (MONTH.test(name) || SET_ASIDE.test(name)) return true;
  if (rest.length > 0) return BACKUP_FOLDERS.includes(top!);
  return BACKUP_DATABASES.includes(name) || BACKUP_FILES.includes(name);
}

/**
 * The databases of a data directory. `tracks.db` comes before its months: points that leave it meanwhile are
 * then in a month.
 */
export async function databasesIn(directory: string): Promise<string[]> {
  const months = (await namesOfTracks(directory)).filter((name) => MONTH.test(name));
  return [...BACKUP_DATABASES.filter((name) => existsSync(join(directory, name))), ...months];
}

/** The tracks of a data directory that were set aside as damaged. */
export async function tracksSetAside(directory: string): Promise<string[]> {
  return [...(await readdir(directory)).sort(), ...(await namesOfTracks(directory))].filter((name) =>
    SET_ASIDE.test(name),
  );
}

/** The database to which tracks that were set aside belong. */
export function homeOfTracks(setAside: string): string {
  return `${SET_ASIDE.exec(setAside)![1]}.db`;
}

/** The name of a backup's step. */
export function stepOf(name: string): string {
  return MONTH.test(name) ? TRACKS : name;
}

async function namesOfTracks(directory: string): Promise<string[]> {
  const folder = join(directory, TRACKS_FOLDER);
  return existsSync(folder) ? (await readdir(folder)).sort().map((name) => `${TRACKS_FOLDER}/${name}`) : [];
}

/** Files of a folder, without reports that are being written, and a territory that stays only to go back to. */
export async function filesToKeep(directory: string, folder: string): Promise<string[]> {
  const files = await filesIn(join(directory, folder));
  if (folder === 'reports') return files.filter((path) => !path.endsWith('.part'));
  const pointer = join(directory, 'territory', 'current');
  if (folder !== 'territory' || !existsSync(pointer)) return files;
  const current = readFileSync(pointer, 'utf8').trim();
  return files.filter((path) => !/^\d+-\d+\//.test(path) || path.startsWith(`${current}/`));
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
