import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import { checkIntegrity } from '../../platform/disk/damaged-database.ts';
import { isDiskFull } from '../../platform/disk/disk-full.ts';
import { syncDirectory } from '../../platform/disk/sync-directory.ts';
import { integrityErrors } from '../integrity/integrity-check.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { lockDirectory, makeDataDirectory } from '../sqlite/lock.ts';
import { randomId } from '../sqlite/random-id.ts';
import { IDS_SKIPPED } from '../sqlite/sequences.ts';
import type { BackupNote } from './backup.ts';
import { BACKUP_DATABASES, BACKUP_FILES, BACKUP_FOLDERS, databasesIn, TRACKS_FOLDER, tracksSetAside } from './parts.ts';
import { openSource } from './restore-sources.ts';

/** File names of a damaged `tracks.db`, and of the new one that replaces it. */
const OF_DAMAGED_TRACKS = ['tracks.db.damaged', 'tracks.new', 'tracks.making'];

export interface RestoreOptions {
  /** Of an encrypted backup. */
  passphrase?: string | null;
  /** The operator confirmed replacing the station in the directory. It is kept beside it. */
  confirmed?: boolean;
  progress?: (what: string) => void;
}

export interface Restored {
  readonly note: BackupNote;
  /** Folder of the files that were there before; undefined: there were none. */
  readonly before: string | undefined;
}

/** While this is in a data directory, a restore is in progress or was interrupted. */
export const RESTORING = '.restoring';
/** Beside the checked files of a restore: a `Ready`. */
const READY = 'ready';

export interface Ready {
  /** Names of the files that are put in place. */
  readonly names: readonly string[];
  /** Folder to which the earlier files move. */
  readonly before: string;
  /** Names of the files that give way; undefined: everything that a backup can hold. */
  readonly replaced?: readonly string[];
}

/**
 * Restores a backup (a zip, a folder of backups, or a manifest in one) into a data directory that no station
 * has open. All files arrive, or none. The store gets a new epoch, so that linked stations send again what it
 * has lost.
 */
export async function restoreDirectory(
  from: string,
  directory: string,
  options: RestoreOptions = {},
): Promise<Restored> {
  const isNew = !existsSync(directory);
  makeDataDirectory(directory);
  try {
    return await restoreInto(from, directory, options);
  } catch (error) {
    if (isNew) await removeIfEmpty(directory);
    throw error;
  }
}

async function restoreInto(from: string, directory: string, options: RestoreOptions): Promise<Restored> {
  const { progress = () => undefined } = options;
  const unlock = lockDirectory(directory);
  const aside = join(directory, RESTORING);
  try {
    // A restore that was interrupted while it put the files in place continues; then a station is there.
    await putInPlace(directory);
    const hasStation = [...BACKUP_DATABASES, ...BACKUP_FOLDERS].some((name) => existsSync(join(directory, name)));
    if (hasStation && !options.confirmed) throw new Refusal('backup.holdsStation', { directory });
    const swapBrokenOff = existsSync(join(aside, 'swapping'));
    if (swapBrokenOff) throw new Refusal('backup.brokenOff', { directory, aside });
    const note = await prepareRestore(from, aside, options.passphrase ?? null, progress);
    return { note, before: await putInPlace(directory) };
  } finally {
    unlock();
  }
}

/**
 * Extracts a backup into a new folder and checks everything. Afterwards `putInPlace` only renames. Leaves
 * nothing behind when it throws.
 */
export async function prepareRestore(
  from: string,
  aside: string,
  passphrase: string | null,
  progress: (what: string) => void,
): Promise<BackupNote> {
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { mode: 0o700 });
  try {
    const source = await openSource(from, passphrase);
    const note = await source.extract(aside, progress);
    progress('station.db');
    renew(join(aside, 'station.db'), source.name);
    await checkOtherDatabases(aside, source.name);
    const names = (await readdir(aside)).filter((name) => name !== 'backup.json');
    const before = `before-restore-${new Date().toISOString().replaceAll(':', '-')}`;
    await markReady(aside, { names, before });
    return note;
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    if (error instanceof Refusal || isDiskFull(error)) throw error;
    throw new Refusal('backup.unusable', { file: from, problem: (error as Error).message }, { cause: error });
  }
}

/** Notes that a folder holds everything that `putInPlace` needs. */
export async function markReady(aside: string, ready: Ready): Promise<void> {
  await writeFile(join(aside, READY), JSON.stringify(ready), { flush: true });
  await syncDirectory(aside);
}

/**
 * Puts a prepared restore in place of the content of a locked data directory. Continues an interrupted one.
 * Resolves with the folder of the earlier files, if there were any.
 */
export async function putInPlace(directory: string): Promise<string | undefined> {
  const aside = join(directory, RESTORING);
  if (!existsSync(join(aside, READY))) return undefined;
  const { names, before, replaced: named } = JSON.parse(await readFile(join(aside, READY), 'utf8')) as Ready;
  // A leftover log would be read into the restored database. Notes on damage of the old tracks do not apply
  // to the restored ones.
  const replaced = named ?? [
    ...OF_DAMAGED_TRACKS,
    ...(await tracksSetAside(directory)).flatMap((name) => [name, `${name}-shm`]),
    TRACKS_FOLDER,
    ...BACKUP_DATABASES.flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
    ...BACKUP_FOLDERS,
    ...BACKUP_FILES.filter((name) => names.includes(name)),
  ];
  const kept = join(directory, before);
  // A name that is no longer aside is in place already. Nothing is put in place before all old files are away.
  for (const name of new Set(replaced)) {
    const isInPlace = names.includes(name) && !existsSync(join(aside, name));
    if (isInPlace || !existsSync(join(directory, name))) continue;
    await mkdir(dirname(join(kept, name)), { recursive: true, mode: 0o700 });
    await rename(join(directory, name), join(kept, name));
  }
  await syncDirectory(directory);
  for (const name of names) if (existsSync(join(aside, name))) await rename(join(aside, name), join(directory, name));
  await syncDirectory(directory);
  await rm(aside, { recursive: true });
  return existsSync(kept) ? kept : undefined;
}

/**
 * Puts a restore in place that a running station has prepared, or that was interrupted. Resolves with whether
 * there was one.
 */
export async function completeRestore(directory: string): Promise<boolean> {
  if (!existsSync(join(directory, RESTORING, READY))) return false;
  const unlock = lockDirectory(directory);
  try {
    await putInPlace(directory);
    return true;
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

/** `station.db` is checked in `renew`. */
async function checkOtherDatabases(aside: string, from: string): Promise<void> {
  for (const name of await databasesIn(aside)) {
    const path = join(aside, name);
    if (name === 'station.db') continue;
    const sql = new DatabaseSync(path, { readOnly: true });
    try {
      checkIntegrity(sql, path);
      sql.prepare('SELECT count(*) FROM sqlite_schema').get();
    } catch (error) {
      throw new Refusal('backup.damagedEntry', { file: from, name }, { cause: error });
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

/** Checks the restored database and begins a new epoch. */
function renew(path: string, from: string): void {
  if (!existsSync(path)) throw new Refusal('backup.noDatabase', { file: from });
  const sql = new DatabaseSync(path);
  try {
    const { user_version: found } = sql.prepare('PRAGMA user_version').get() as { user_version: number };
    if (found > MIGRATIONS.length) throw new Refusal('backup.newer', { file: from });
    const [problem] = integrityErrors(sql);
    if (problem !== undefined) throw new Refusal('backup.damaged', { file: from, problem });
    sql.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    sql.prepare('UPDATE station SET epoch = ?').run(randomId());
    sql.prepare('UPDATE counters SET last = last + ?').run(IDS_SKIPPED);
    sql.exec('COMMIT');
  } finally {
    sql.close();
  }
}
