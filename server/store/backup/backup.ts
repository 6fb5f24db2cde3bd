import { createWriteStream, existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DatabaseSync } from 'node:sqlite';
import { ZipFile } from 'yazl';
import { Refusal } from '../../../shared/refusal.ts';
import { syncDirectory } from '../../platform/disk/sync-directory.ts';
import { DatabaseWorker } from '../sqlite/database-worker.ts';
import { BACKUP_FILES, BACKUP_FOLDERS, databasesIn, filesToKeep, tracksSetAside } from './parts.ts';

/** `backup.json`: the description of a backup. */
export interface BackupNote {
  format: 1;
  madeAt: string;
  station: { id: string; number: number };
}

export interface BackupOptions {
  /**
   * Whether to include roads, places and tiles (default: yes). They are large and can be made again from the
   * extract.
   */
  territory?: boolean;
  /** Called with the name of the part that is being written. */
  progress?: (what: string) => void;
}

/**
 * Writes a backup of a data directory into a new zip, also while a station runs on it. The databases are
 * copied before the files, so every file that a record names is included. The zip appears whole or not at
 * all. Only its owner may read it: it holds password hashes and the private key of the certificate.
 */
export async function backupDirectory(
  directory: string,
  toZip: string,
  options: BackupOptions = {},
): Promise<BackupNote> {
  const { progress = () => undefined, territory = true } = options;
  if (!existsSync(join(directory, 'station.db'))) throw new Refusal('backup.noStation', { directory });
  if (existsSync(toZip)) throw new Refusal('backup.exists', { file: toZip });
  const aside = await mkdtemp(join(dirname(toZip), '.waypost-backup-'));
  try {
    const copies: string[] = [];
    for (const name of await databasesIn(directory)) {
      progress(name);
      if (!(await copyIfThere(join(directory, name), join(aside, basename(name))))) continue;
      copies.push(name);
    }
    const note = noteOf(join(aside, 'station.db'));

    const zip = new ZipFile();
    const written = pipeline(
      zip.outputStream,
      createWriteStream(join(aside, 'backup.zip'), { flush: true, mode: 0o600 }),
    );
    // Errors of the zip itself (an unreadable file) do not reach its stream.
    const failed = new Promise<never>((_, reject) => zip.on('error', reject));
    zip.addBuffer(Buffer.from(JSON.stringify(note, null, 2)), 'backup.json');
    for (const name of copies) zip.addFile(join(aside, basename(name)), name);
    for (const name of [...BACKUP_FILES, ...(await tracksSetAside(directory))])
      if (existsSync(join(directory, name))) zip.addFile(join(directory, name), name);
    for (const folder of BACKUP_FOLDERS) {
      if (folder === 'territory' && !territory) continue;
      progress(folder);
      // Pictures and tiles are already compressed.
      for (const path of await filesToKeep(directory, folder)) {
        // A report is removed as soon as its mail is sent, perhaps before the zip reads it.
        const from = folder === 'reports' ? await copyAside(directory, path, aside) : join(directory, folder, path);
        if (from !== undefined) zip.addFile(from, `${folder}/${path}`, { compress: false });
      }
    }
    zip.end();
    await Promise.race([written, failed]);
    await rename(join(aside, 'backup.zip'), toZip);
    await syncDirectory(dirname(toZip));
    return note;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** A copy of the file of a report; undefined: the file no longer exists. */
async function copyAside(directory: string, path: string, aside: string): Promise<string | undefined> {
  const copy = join(aside, `report-${basename(path)}`);
  try {
    await copyFile(join(directory, 'reports', path), copy);
    return copy;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** False: the database no longer exists, because all in it had expired. */
async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyDatabase(from, to);
    return true;
  } catch (error) {
    if (existsSync(from)) throw error;
    return false;
  }
}

/** Makes a consistent copy of a database that others may be writing to. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  if (existsSync(to)) throw new Refusal('backup.exists', { file: to });
  const worker = new DatabaseWorker(from);
  try {
    await worker.snapshot(to);
  } finally {
    await worker.close();
  }
}

export async function readNote(path: string): Promise<BackupNote> {
  return JSON.parse(await readFile(path, 'utf8')) as BackupNote;
}

/** The description of a copy of `station.db`. */
export function noteOf(path: string): BackupNote {
  const sql = new DatabaseSync(path, { readOnly: true });
  try {
    const station = sql.prepare('SELECT id, number FROM station').get() as unknown as { id: string; number: number };
    return { format: 1, madeAt: new Date().toISOString(), station: { id: station.id, number: station.number } };
  } finally {
    sql.close();
  }
}
