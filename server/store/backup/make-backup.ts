import { existsSync, statSync } from 'node:fs';
import { rm, stat, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { reason, type Reason } from '../../../shared/refusals/reason.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { isDamage } from '../../platform/disk/sqlite-damage.ts';
import { isDiskFull } from '../../platform/disk/disk-full.ts';
import { integrityErrors } from '../integrity/integrity-check.ts';
import { noteOf, type BackupNote } from './backup.ts';
import { manifestText, backupParts, sealParts, type Manifest, type Part } from './manifest.ts';
import { BACKUP_FILES, BACKUP_FOLDERS, databasesIn, filesToKeep, stepOf, tracksSetAside } from './parts.ts';
import { newId, objectName, WrongContent, type Repository } from './repository.ts';
import type { SealingKey } from './sealing.ts';
import { snapshotDatabase } from '../sqlite/snapshot.ts';

export interface MakeBackup {
  readonly directory: string;
  readonly repository: Repository;
  readonly key: SealingKey | undefined;
  /** Whether to include roads, places and tiles. */
  readonly territory: boolean;
  readonly version: string;
  readonly now: number;
  /** Called with the part that is being copied. */
  readonly progress: (what: string) => void;
}

/** Folders of uploads that are on their way, and of pictures that can be made again. */
const NOT_KEPT = /^files\/(incoming|partial|converting|scaled)\//;
/** Uploads are named by their SHA-256. */
const UPLOAD = /^files\/[0-9a-f]{2}\/([0-9a-f]{64})$/;
/** Bytes from which a file of the territory is stored as a second name. Such files never change. */
const LINKED_FROM = 1_000_000;
/** Share of the disk, and bytes, that a backup leaves free at least: the station needs room to work. */
const [LEFT_SHARE, LEFT_MOST] = [0.05, 1_000_000_000];

/**
 * Adds a backup of a data directory to a repository, also while a station runs on it. Databases are copied
 * before files, so every file that a record names is included. What is damaged is left out and named in the
 * manifest; a damaged `station.db` is refused. Every stored byte is read back.
 */
export async function makeBackup(options: MakeBackup): Promise<Manifest> {
  const { directory, repository, key, version, now, progress } = options;
  if (!existsSync(join(directory, 'station.db'))) throw new Refusal('backup.noStation', { directory });
  const workshop = await repository.workshop();
  try {
    const before = await partsBefore(repository, key);
    const run = new Run(options, before, workshop);
    const databases = await databasesIn(directory);
    await requireRoom(
      directory,
      repository,
      databases.filter((name) => !run.same(name)),
    );
    for (const name of databases) {
      progress(stepOf(name));
      await run.database(name);
    }
    for (const name of [...BACKUP_FILES, ...(await tracksSetAside(directory))]) await run.file(name, false);
    for (const folder of BACKUP_FOLDERS) {
      if (folder === 'territory' && !options.territory) continue;
      progress(folder);
      for (const path of await filesToKeep(directory, folder)) {
        const name = `${folder}/${path}`;
        if (!NOT_KEPT.test(name)) await run.file(name, folder === 'files' || folder === 'territory');
      }
    }
    const id = newId(now);
    const manifest: Manifest = {
      format: 2,
      id,
      madeAt: new Date(now).toISOString(),
      station: run.note!.station,
      version,
      size: run.parts.reduce((sum, { size }) => sum + size, 0),
      added: run.added,
      problems: run.problems,
      key: key?.id ?? null,
      objects: [...new Set(run.parts.map(({ object }) => object))].sort(),
      parts: await sealParts(run.parts, key),
    };
    await repository.writeManifest(id, manifestText(manifest));
    return manifest;
  } catch (error) {
    if (isDiskFull(error)) throw new Refusal('backup.diskFull', { folder: repository.path }, { cause: error });
    throw error;
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** One backup that is being made. */
class Run {
  readonly #options: MakeBackup;
  readonly #before: ReadonlyMap<string, Part>;
  readonly #workshop: string;
  readonly parts: Part[] = [];
  readonly problems: Reason[] = [];
  added = 0;
  note: BackupNote | undefined;

  constructor(options: MakeBackup, before: ReadonlyMap<string, Part>, workshop: string) {
    this.#options = options;
    this.#before = before;
    this.#workshop = workshop;
  }

  /** The part of the last backup, if the database is unchanged since. */
  same(name: string): Part | undefined {
    const path = join(this.#options.directory, name);
    // The station's records are copied every time: when they were written last is not in the file's own time.
    return name !== 'station.db' && existsSync(path) && isAtRest(path)
      ? this.#unchanged(name, sourceOf(path))
      : undefined;
  }

  /** Copies a consistent state, opens the copy and checks it. */
  async database(name: string): Promise<void> {
    const { directory, repository, key } = this.#options;
    const path = join(directory, name);
    const same = this.same(name);
    if (same) return void this.parts.push(same);
    const copy = join(this.#workshop, basename(name));
    try {
      const source = sourceOf(path);
      snapshotDatabase(path, copy);
      const problem = problemOf(copy, name);
      if (problem !== undefined) return this.#leaveOut(name, problem);
      if (name === 'station.db') this.note = noteOf(copy);
      const size = statSync(copy).size;
      const { name: object, added } = await repository.store(copy, { isCompressed: true, key });
      this.added += added;
      this.parts.push({ name, object, size, source });
    } catch (error) {
      if (!existsSync(path) && name !== 'station.db') return; // expired since
      if (!isDamage(error)) throw error;
      this.#leaveOut(name, (error as Error).message);
    } finally {
      await rm(copy, { force: true });
    }
  }

  /** @param isFixed whether the file never changes under this name */
  async file(name: string, isFixed: boolean): Promise<void> {
    const { directory, repository, key } = this.#options;
    const path = join(directory, name);
    const upload = UPLOAD.exec(name)?.[1];
    try {
      const source = sourceOf(path);
      const isText = /\.json$/.test(name);
      const form = { isCompressed: isText, key };
      const known = upload === undefined ? undefined : objectName(upload, form);
      if (known !== undefined && repository.has(known))
        return void this.parts.push({ name, object: known, size: source.size });
      const same = this.#unchanged(name, source);
      if (same) return void this.parts.push(same);
      const mayLink = !key && !isText && isFixed && (upload !== undefined || source.size >= LINKED_FROM);
      const linked = mayLink ? await repository.storeLink(path, upload) : undefined;
      if (linked) return void this.parts.push({ name, object: linked.name, size: source.size, source });
      const { name: object, added } = await repository.store(path, form, upload);
      this.added += added;
      this.parts.push({ name, object, size: source.size, source });
    } catch (error) {
      if (error instanceof WrongContent) return this.#leaveOut(name, 'its content has changed');
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return; // deleted since, or no such setting
      if (code !== undefined && ['EIO', 'EACCES', 'EPERM'].includes(code))
        return this.#leaveOut(name, (error as Error).message);
      throw error;
    }
  }

  /** Throws for `station.db`: without it nothing is a backup. */
  #leaveOut(name: string, problem: string): void {
    const path = join(this.#options.directory, name);
    if (name === 'station.db') throw new Refusal('backup.stationDamaged', { file: path, problem });
    this.problems.push(reason('backup.leftOut', { file: name, problem }));
  }

  #unchanged(name: string, { size, modified }: { size: number; modified: number }): Part | undefined {
    const before = this.#before.get(name);
    return before?.source?.size === size &&
      before.source.modified === modified &&
      this.#options.repository.has(before.object)
      ? before
      : undefined;
  }
}

/** The files of the last backup under the same key. */
async function partsBefore(repository: Repository, key: SealingKey | undefined): Promise<Map<string, Part>> {
  for (const id of (await repository.ids()).toReversed()) {
    try {
      const manifest = await repository.manifest(id);
      if (manifest.key !== (key?.id ?? null)) continue;
      return new Map((await backupParts(manifest, key)).map((part) => [part.name, part]));
    } catch {
      continue; // a damaged one tells nothing
    }
  }
  return new Map();
}

function sourceOf(path: string): { size: number; modified: number } {
  const { size, mtimeMs } = statSync(path);
  return { size, modified: mtimeMs };
}

/** Whether all of a database is in its file, and nothing in a log beside it. */
function isAtRest(path: string): boolean {
  const log = `${path}-wal`;
  return !existsSync(log) || statSync(log).size === 0;
}

function problemOf(copy: string, name: string): string | undefined {
  const sql = new DatabaseSync(copy, { readOnly: true });
  try {
    if (basename(name) === 'station.db') return integrityErrors(sql)[0];
    const { integrity_check: found } = sql.prepare('PRAGMA integrity_check(1)').get() as { integrity_check: string };
    return found === 'ok' ? undefined : found;
  } finally {
    sql.close();
  }
}

/** Throws a Refusal when the copies of the databases would leave too little room for the station. */
async function requireRoom(directory: string, repository: Repository, databases: readonly string[]): Promise<void> {
  const { bavail, bsize, blocks } = await statfs(repository.path);
  let needed = Math.min(LEFT_MOST, blocks * bsize * LEFT_SHARE);
  for (const name of databases)
    // One copy at a time exists uncompressed, and all of them compressed to a half.
    needed += ((await stat(join(directory, name)).catch(() => undefined))?.size ?? 0) * 1.5;
  const free = bavail * bsize;
  if (free < needed)
    throw new Refusal('backup.noRoom', {
      folder: repository.path,
      megabytes: (needed / 1e6).toFixed(0),
      free: (free / 1e6).toFixed(0),
    });
}
