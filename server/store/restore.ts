import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DatabaseSync } from 'node:sqlite';
import yauzl from 'yauzl';
import type { ZipFile } from 'yauzl';
import { ID_SPACE } from '../../shared/ids.ts';
import { Refusal } from '../../shared/refusal.ts';
import { syncDirectory } from '../sync-directory.ts';
import { BACKUP_DATABASES, BACKUP_FOLDERS, readNote } from './backup.ts';
import type { BackupNote } from './backup.ts';
import { lockDirectory, makeDataDirectory } from './lock.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { randomWord } from './random-word.ts';
import { unsoundness } from './soundness.ts';

export interface RestoreOptions {
  /** The operator said yes to replacing the station that is in the directory. It is kept aside. */
  confirmed?: boolean;
  progress?: (what: string) => void;
}

export interface Restored {
  readonly note: BackupNote;
  /** Where the files that were there before are now; undefined when there were none. */
  readonly before: string | undefined;
}

/** While this is in a data directory, a restore is under way or was broken off. */
const RESTORING = '.restoring';

/**
 * Ids that the station may have given out between the backup and its loss, and that linked stations may know: they are skipped, so that
 * no new record gets the id of one that will come back.
 */
const IDS_SKIPPED = ID_SPACE / 100;

/**
 * Puts a backup into a data directory that no station has open. The files come in whole or not at all. The store gets
 * a new epoch, so that linked stations fill it again with what it has lost.
 */
export async function restoreDirectory(fromZip: string, directory: string, options: RestoreOptions = {}): Promise<Restored> {
  const { progress = () => undefined } = options;
  makeDataDirectory(directory);
  const unlock = lockDirectory(directory);
  const aside = join(directory, RESTORING);
  try {
    const present = [...BACKUP_DATABASES, ...BACKUP_FOLDERS].filter((name) => existsSync(join(directory, name)));
    if (present.length > 0 && !options.confirmed) throw new Refusal('conflict', `The data directory ${directory} holds a station already. Confirm that it is to be replaced; its files will be kept aside.`);
    const swapBrokenOff = existsSync(join(aside, 'swapping'));
    if (swapBrokenOff) throw new Refusal('conflict', `A restore into ${directory} was broken off while it put the files in place. What was there before is in a folder "before-restore-…" beside them: move ${aside} away and look at both.`);
    await rm(aside, { recursive: true, force: true });
    await mkdir(aside);
    let note: BackupNote;
    try {
      await extract(fromZip, aside, progress);
      note = await readNote(join(aside, 'backup.json')).catch(() => {
        throw new Refusal('invalid', `${fromZip} is not a backup of Waypost.`);
      });
      if (note.format !== 1) throw new Refusal('invalid', `${fromZip} was made by a newer Waypost.`);
      progress('station.db');
      renew(join(aside, 'station.db'), fromZip);
    } catch (error) {
      await rm(aside, { recursive: true, force: true });
      throw error;
    }
    const before = await swap(directory, aside, present);
    return { note, before };
  } finally {
    unlock();
  }
}

/** Throws when a restore into the directory was broken off: opening it would begin an empty station. */
export function demandNoBrokenRestore(directory: string): void {
  if (existsSync(join(directory, RESTORING))) {
    throw new Refusal('conflict', `A restore into ${directory} was not finished. Run "waypost restore" again, or remove the folder ${RESTORING} to go on with what is there.`);
  }
}

async function swap(directory: string, aside: string, present: readonly string[]): Promise<string | undefined> {
  const before = present.length > 0 ? join(directory, `before-restore-${new Date().toISOString().replaceAll(':', '-')}`) : undefined;
  await mkdir(join(aside, 'swapping'));
  await syncDirectory(aside);
  if (before) {
    await mkdir(before);
    for (const name of await readdir(directory)) {
      // The write-ahead logs belong to their databases.
      if ([...BACKUP_DATABASES, ...BACKUP_FOLDERS].some((kept) => name === kept || name === `${kept}-wal` || name === `${kept}-shm`)) await rename(join(directory, name), join(before, name));
    }
  }
  for (const name of [...BACKUP_FOLDERS, ...BACKUP_DATABASES]) if (existsSync(join(aside, name))) await rename(join(aside, name), join(directory, name));
  await syncDirectory(directory);
  await rm(aside, { recursive: true });
  return before;
}

/** Checks the restored database, and makes it a new epoch of its station. */
function renew(path: string, fromZip: string): void {
  if (!existsSync(path)) throw new Refusal('invalid', `${fromZip} holds no station.db.`);
  const sql = new DatabaseSync(path);
  try {
    const { user_version: found } = sql.prepare('PRAGMA user_version').get() as { user_version: number };
    if (found > MIGRATIONS.length) throw new Refusal('invalid', `${fromZip} was made by a newer Waypost.`);
    const wrong = unsoundness(sql);
    if (wrong.length > 0) throw new Refusal('invalid', `The backup ${fromZip} is damaged: ${wrong[0]}`);
    sql.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    sql.prepare('UPDATE station SET epoch = ?').run(randomWord());
    sql.prepare('UPDATE counters SET last = last + ?').run(IDS_SKIPPED);
    sql.exec('COMMIT');
  } finally {
    sql.close();
  }
}

async function extract(fromZip: string, into: string, progress: (what: string) => void): Promise<void> {
  let zip: ZipFile;
  try {
    zip = await yauzl.openPromise(fromZip, { lazyEntries: true });
  } catch (error) {
    throw new Refusal('invalid', `${fromZip} cannot be read as a zip: ${(error as Error).message}.`, { cause: error });
  }
  try {
    await new Promise<void>((resolve, reject) => {
      zip.on('error', reject);
      zip.on('end', resolve);
      zip.on('entry', (entry: { fileName: string }) => {
        // yauzl itself refuses absolute paths, backslashes and `..`.
        const [top] = entry.fileName.split('/');
        if (entry.fileName.endsWith('/') || !['backup.json', ...BACKUP_DATABASES, ...BACKUP_FOLDERS].includes(top!)) {
          zip.readEntry();
          return;
        }
        progress(entry.fileName);
        zip.openReadStream(entry as never, (error, stream) => {
          if (error) return void reject(error);
          const path = join(into, entry.fileName);
          mkdirSync(dirname(path), { recursive: true });
          pipeline(stream, createWriteStream(path, { flags: 'wx', flush: true })).then(() => zip.readEntry(), reject);
        });
      });
      zip.readEntry();
    });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('invalid', `${fromZip} cannot be read: ${(error as Error).message}.`, { cause: error });
  } finally {
    zip.close();
  }
}
