import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DatabaseSync } from 'node:sqlite';
import yauzl from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { isDiskFull } from '../../platform/disk-full.ts';
import { syncDirectory } from '../../platform/sync-directory.ts';
import { BACKUP_DATABASES, BACKUP_FILES, BACKUP_FOLDERS, readNote } from './backup.ts';
import type { BackupNote } from './backup.ts';
import { checkIntegrity } from '../../platform/damaged-database.ts';
import { lockDirectory, makeDataDirectory } from '../sqlite/lock.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { IDS_SKIPPED } from '../sqlite/sequences.ts';
import { randomId } from '../sqlite/random-id.ts';
import { integrityErrors } from '../integrity/integrity-check.ts';

/** What telemetry leaves of a `tracks.db` that was found damaged, and of one that it makes instead. */
const OF_DAMAGED_TRACKS = ['tracks.db.damaged', 'tracks.new', 'tracks.making'];

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
 * Puts a backup into a data directory that no station has open. The files come in whole or not at all. The
 * store gets a new epoch, so that linked stations fill it again with what it has lost.
 */
export async function restoreDirectory(
  fromZip: string,
  directory: string,
  options: RestoreOptions = {},
): Promise<Restored> {
  const isNew = !existsSync(directory);
  makeDataDirectory(directory);
  try {
    return await restoreInto(fromZip, directory, options);
  } catch (error) {
    if (isNew) await removeIfEmpty(directory);
    throw error;
  }
}

async function restoreInto(fromZip: string, directory: string, options: RestoreOptions): Promise<Restored> {
  const { progress = () => undefined } = options;
  const unlock = lockDirectory(directory);
  const aside = join(directory, RESTORING);
  try {
    const hasStation = [...BACKUP_DATABASES, ...BACKUP_FOLDERS].some((name) => existsSync(join(directory, name)));
    if (hasStation && !options.confirmed) throw new Refusal('backup.holdsStation', { directory });
    const swapBrokenOff = existsSync(join(aside, 'swapping'));
    if (swapBrokenOff) throw new Refusal('backup.brokenOff', { directory, aside });
    await rm(aside, { recursive: true, force: true });
    await mkdir(aside);
    let note: BackupNote;
    try {
      await extract(fromZip, aside, progress);
      note = await checkedNote(join(aside, 'backup.json'), fromZip);
      progress('station.db');
      renew(join(aside, 'station.db'), fromZip);
      checkOtherDatabases(aside, fromZip);
    } catch (error) {
      await rm(aside, { recursive: true, force: true });
      if (error instanceof Refusal || isDiskFull(error)) throw error;
      throw new Refusal(
        'backup.unusable',
        { file: fromZip, problem: (error as Error).message },
        {
          cause: error,
        },
      );
    }
    // A leftover log would be read into the restored database. Notes on damage of the old tracks do not apply
    // to the restored ones.
    const replaced = [
      ...OF_DAMAGED_TRACKS,
      ...BACKUP_DATABASES.flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
      ...BACKUP_FOLDERS,
      ...BACKUP_FILES.filter((name) => existsSync(join(aside, name))),
    ];
    const before = await swap(
      directory,
      aside,
      replaced.filter((name) => existsSync(join(directory, name))),
    );
    return { note, before };
  } finally {
    unlock();
  }
}

/** Removes the directory that this restore created, when only its lock is in it. */
async function removeIfEmpty(directory: string): Promise<void> {
  const names = await readdir(directory);
  if (names.some((name) => !name.startsWith('station.lock'))) return;
  await Promise.all(names.map((name) => rm(join(directory, name))));
  await rmdir(directory);
}

const Note = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  station: z.object({ id: z.string(), number: z.int() }),
});

async function checkedNote(path: string, fromZip: string): Promise<BackupNote> {
  const found: unknown = await readNote(path).catch(() => undefined);
  const { format } = z.object({ format: z.number() }).safeParse(found).data ?? {};
  if (format !== undefined && format > 1) throw new Refusal('backup.newer', { file: fromZip });
  const { data: note } = Note.safeParse(found);
  if (!note) throw new Refusal('backup.notBackup', { file: fromZip });
  return note;
}

/** `station.db` is checked in `renew`. */
function checkOtherDatabases(aside: string, fromZip: string): void {
  for (const name of BACKUP_DATABASES) {
    const path = join(aside, name);
    if (name === 'station.db' || !existsSync(path)) continue;
    const sql = new DatabaseSync(path, { readOnly: true });
    try {
      checkIntegrity(sql, path);
      sql.prepare('SELECT count(*) FROM sqlite_schema').get();
    } catch (error) {
      throw new Refusal('backup.damagedEntry', { file: fromZip, name }, { cause: error });
    } finally {
      sql.close();
    }
  }
}

/** Throws when a restore into the directory was interrupted: opening it would create an empty station. */
export function requireNoBrokenRestore(directory: string): void {
  if (existsSync(join(directory, RESTORING))) {
    throw new Refusal('backup.unfinished', { directory, folder: RESTORING });
  }
}

async function swap(directory: string, aside: string, present: readonly string[]): Promise<string | undefined> {
  const before =
    present.length > 0 ? join(directory, `before-restore-${new Date().toISOString().replaceAll(':', '-')}`) : undefined;
  await mkdir(join(aside, 'swapping'));
  await syncDirectory(aside);
  if (before) {
    await mkdir(before);
    for (const name of present) await rename(join(directory, name), join(before, name));
  }
  for (const name of [...BACKUP_FILES, ...BACKUP_FOLDERS, ...BACKUP_DATABASES])
    if (existsSync(join(aside, name))) await rename(join(aside, name), join(directory, name));
  await syncDirectory(directory);
  await rm(aside, { recursive: true });
  return before;
}

/** Checks the restored database and begins a new epoch. */
function renew(path: string, fromZip: string): void {
  if (!existsSync(path)) throw new Refusal('backup.noDatabase', { file: fromZip });
  const sql = new DatabaseSync(path);
  try {
    const { user_version: found } = sql.prepare('PRAGMA user_version').get() as { user_version: number };
    if (found > MIGRATIONS.length) throw new Refusal('backup.newer', { file: fromZip });
    const [problem] = integrityErrors(sql);
    if (problem !== undefined) throw new Refusal('backup.damaged', { file: fromZip, problem });
    sql.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    sql.prepare('UPDATE station SET epoch = ?').run(randomId());
    sql.prepare('UPDATE counters SET last = last + ?').run(IDS_SKIPPED);
    sql.exec('COMMIT');
  } finally {
    sql.close();
  }
}

/** Up to this many unpacked bytes the compression ratio is not checked. */
const SMALL = 100_000_000;
/** Highest compression ratio. Databases and pictures compress to a tenth at best; a zip bomb exceeds this. */
const MAX_GROWTH = 100;

/** Extracts the parts of a backup into a folder. Ignores everything else in the zip. */
async function extract(fromZip: string, into: string, progress: (what: string) => void): Promise<void> {
  let zip: ZipFile | undefined;
  try {
    zip = await yauzl.openPromise(fromZip, { lazyEntries: true, autoClose: false });
    const entries: Entry[] = [];
    // yauzl itself refuses absolute paths, backslashes and `..`.
    for await (const entry of zip.eachEntry()) if (isPartOfBackup(entry.fileName)) entries.push(entry);
    await requireRoom(entries, fromZip, into);
    for (const entry of entries) {
      progress(entry.fileName);
      const path = join(into, entry.fileName);
      await mkdir(dirname(path), { recursive: true });
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path, { flags: 'wx', flush: true }));
    }
  } catch (error) {
    if (error instanceof Refusal || isDiskFull(error)) throw error;
    throw new Refusal('backup.unreadable', { file: fromZip, problem: (error as Error).message }, { cause: error });
  } finally {
    zip?.close();
  }
}

function isPartOfBackup(name: string): boolean {
  const [top] = name.split('/');
  if (name.endsWith('/')) return false;
  return (
    ['backup.json', ...BACKUP_DATABASES, ...BACKUP_FILES].includes(name) ||
    (BACKUP_FOLDERS.includes(top!) && name !== top)
  );
}

async function requireRoom(entries: readonly Entry[], fromZip: string, into: string): Promise<void> {
  const total = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (total > SMALL && total > (await stat(fromZip)).size * MAX_GROWTH) {
    throw new Refusal('backup.growing', { file: fromZip, megabytes: (total / 1e6).toFixed(0) });
  }
  const { bavail, bsize } = await statfs(into);
  if (total > bavail * bsize) {
    throw new Refusal('backup.noSpace', {
      file: fromZip,
      megabytes: (total / 1e6).toFixed(0),
      free: ((bavail * bsize) / 1e6).toFixed(0),
    });
  }
}
