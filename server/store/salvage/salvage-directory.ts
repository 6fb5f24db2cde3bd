import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import { isDiskFull } from '../../platform/disk/disk-full.ts';
import { BACKUP_DATABASES, databasesIn, homeOfTracks, tracksSetAside } from '../backup/parts.ts';
import { Repository } from '../backup/repository.ts';
import { markReady, putInPlace, requireNoBrokenRestore, RESTORING } from '../backup/restore.ts';
import { databaseProblems } from '../integrity/diagnosis.ts';
import { lockDirectory, makeDataDirectory } from '../sqlite/lock.ts';
import { damagedUploads, pagesOf } from './check-directory.ts';
import { salvageDatabase, type SalvagedTable } from './salvage-database.ts';
import { openDamaged, quote, salvageRows, type Row } from './salvage-rows.ts';
import { rejectStationRow, repairStation } from './salvage-station.ts';

export interface SalvageReport {
  /** Files that were rebuilt or restored; empty: nothing was damaged. */
  readonly mended: readonly string[];
  /** Lines about what could not be read. */
  readonly lost: readonly string[];
  /** The file with these lines. */
  readonly file: string | undefined;
  /** The folder of the damaged files. */
  readonly before: string | undefined;
}

export interface SalvageOptions {
  /**
   * A new data directory for the result; the damaged one stays unchanged. Otherwise the damaged files are
   * kept beside it.
   */
  readonly into?: string | undefined;
  /** Of the backups, from which damaged uploads come back. */
  readonly backups: string;
  readonly progress?: (what: string) => void;
}

/** Caches that a station makes again. */
const NOT_COPIED = new Set(['station.lock', 'control.json', 'log']);

/**
 * Makes a data directory usable again on which no station runs: readable rows of damaged databases are copied
 * into new ones, damaged uploads come from the backups, and tracks that were set aside are joined again. The
 * rest is listed in a report.
 */
export async function salvageDirectory(source: string, options: SalvageOptions): Promise<SalvageReport> {
  const { into, progress = () => undefined } = options;
  if (!existsSync(join(source, 'station.db'))) throw new Refusal('backup.noStation', { directory: source });
  const unlockSource = lockDirectory(source);
  let unlock = unlockSource;
  let directory = source;
  try {
    requireNoBrokenRestore(source);
    if (into !== undefined) {
      await copyDirectory(source, into, progress);
      unlock = lockDirectory(into);
      directory = into;
    }
    return await salvageInPlace(directory, options.backups, progress);
  } finally {
    if (unlock !== unlockSource) unlock();
    unlockSource();
  }
}

async function salvageInPlace(
  directory: string,
  backups: string,
  progress: (what: string) => void,
): Promise<SalvageReport> {
  const making = join(directory, '.salvage');
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { mode: 0o700 });
  const lost: string[] = [];
  const mended: string[] = [];
  const replaced: string[] = [];
  try {
    const aside = (await tracksSetAside(directory)).filter((name) => !name.endsWith('-wal'));
    const names = new Set([...BACKUP_DATABASES, ...(await databasesIn(directory)), ...aside.map(homeOfTracks)]);
    for (const name of names) {
      // Where a month was damaged, `tracks.db` knows it.
      const parts = aside.filter((part) => homeOfTracks(part) === name);
      const isConcerned = parts.length > 0 || (name === 'tracks.db' && aside.length > 0);
      const found = isConcerned || isDamaged(directory, name) ? [name, ...parts] : [];
      for (const part of found) replaced.push(part, `${part}-wal`, `${part}-shm`, `${part}.damaged`);
      if (found.length > 0) await mkdir(dirname(join(making, name)), { recursive: true, mode: 0o700 });
      progress(name);
      lost.push(...mend(directory, found, join(making, name)));
      if (existsSync(join(making, name))) mended.push(name);
    }
    progress('files');
    const damaged = await damagedUploads(directory);
    const repository = damaged.length > 0 && Repository.isAt(backups) ? await Repository.open(backups) : undefined;
    for (const name of damaged) {
      replaced.push(name);
      if (await bringBack(repository, name, making)) mended.push(name);
      else lost.push(`${name}: its content is damaged, and no backup has it`);
    }
    const time = new Date().toISOString().replaceAll(':', '-');
    if (replaced.length === 0) return { mended, lost, file: undefined, before: undefined };
    const file = `salvage-report-${time}.txt`;
    await writeFile(join(making, file), reportText(mended, lost), { flush: true, mode: 0o600 });
    await markReady(making, { names: [...mended, file], replaced, before: `before-salvage-${time}` });
    await rename(making, join(directory, RESTORING));
    const before = await putInPlace(directory);
    return { mended, lost, file: join(directory, file), before };
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

function isDamaged(directory: string, name: string): boolean {
  const path = join(directory, name);
  if (!existsSync(path)) return false;
  return (name === 'station.db' ? databaseProblems(path) : pagesOf(path)).length > 0 || existsSync(`${path}.damaged`);
}

/**
 * The first one that can be read at all is the base; the points of the others are added. Returns what could not be
 * read.
 */
function mend(directory: string, parts: readonly string[], to: string): string[] {
  return parts
    .filter((part) => existsSync(join(directory, part)))
    .flatMap((part) => {
      const from = join(directory, part);
      return (existsSync(to) ? joinTracks(from, to) : salvage(from, to)).map((line) => `${part}: ${line}`);
    });
}

/** Returns unreadable parts. Tracks and learned speeds that cannot be read at all start empty. */
function salvage(path: string, to: string): string[] {
  const isStation = path.endsWith('station.db');
  try {
    const report = salvageDatabase(path, to, isStation ? rejectStationRow : undefined);
    const repaired = isStation ? repairStation(to) : [];
    if (to.endsWith('tracks.db')) acceptOldPoints(to);
    return [...linesOf(report), ...repaired];
  } catch (error) {
    if (isStation || !(error instanceof Refusal)) throw error;
    return ['everything: its list of tables cannot be read'];
  }
}

/** Positions of the time before the damage are in the same file again: they are taken in as before. */
function acceptOldPoints(path: string): void {
  const sql = new DatabaseSync(path);
  try {
    sql.exec('DROP TABLE IF EXISTS beginning');
    if (hasTable(sql, 'track_gaps')) sql.exec('DELETE FROM track_gaps');
  } finally {
    sql.close();
  }
}

function hasTable(sql: DatabaseSync, name: string): boolean {
  return sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

/** Tables of points: the latter holds those on their way into their months. */
const TABLES_OF_POINTS = ['tracks', 'moving'];

/** Adds the points of tracks that were set aside. Returns what could not be read. */
function joinTracks(aside: string, to: string): string[] {
  const sql = new DatabaseSync(to);
  try {
    const columns = sql
      .prepare('PRAGMA table_info(tracks)')
      .all()
      .map(({ name }) => String(name));
    const insert = sql.prepare(
      `INSERT OR IGNORE INTO tracks (${columns.map(quote).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    sql.exec('BEGIN');
    let wrong = 0;
    const take = (row: Row) => {
      try {
        insert.run(...columns.map((column) => row[column] ?? null));
      } catch (error) {
        if ((error as { errcode?: number }).errcode === undefined || isDiskFull(error)) throw error;
        wrong++;
      }
    };
    const gaps = tablesOfPoints(aside).flatMap((table) => salvageRows(aside, table, take));
    sql.exec('COMMIT');
    return [...gaps.map((gap) => `points from ${gap}`), ...(wrong > 0 ? [`${wrong} damaged points`] : [])];
  } catch (error) {
    if ((error as { errcode?: number }).errcode === undefined || isDiskFull(error)) throw error;
    return [`everything: ${(error as Error).message}`];
  } finally {
    sql.close();
  }
}

function tablesOfPoints(path: string): string[] {
  const sql = openDamaged(path);
  try {
    return TABLES_OF_POINTS.filter((table) => hasTable(sql, table));
  } finally {
    sql.close();
  }
}

/** Takes an upload from the backups, if they have it unencrypted. */
async function bringBack(repository: Repository | undefined, name: string, making: string): Promise<boolean> {
  const object = name.split('/').at(-1)!;
  if (!repository?.has(object) || !(await repository.isWhole(object, undefined))) return false;
  await mkdir(dirname(join(making, name)), { recursive: true, mode: 0o700 });
  await pipeline(
    repository.read(object, undefined),
    createWriteStream(join(making, name), { flags: 'wx', mode: 0o600, flush: true }),
  );
  return true;
}

async function copyDirectory(source: string, into: string, progress: (what: string) => void): Promise<void> {
  if (existsSync(into) && (await readdir(into)).length > 0) throw new Refusal('backup.exists', { file: into });
  makeDataDirectory(into);
  for (const name of await readdir(source)) {
    if (NOT_COPIED.has(name) || name.startsWith('.') || name.startsWith('before-') || name === 'backups') continue;
    progress(name);
    await cp(join(source, name), join(into, name), { recursive: true });
  }
}

function linesOf(tables: readonly SalvagedTable[]): string[] {
  return tables.flatMap(({ table, lost }) => lost.map((line) => `${table}: ${line}`));
}

function reportText(mended: readonly string[], lost: readonly string[]): string {
  return [
    'Mended:',
    ...mended.map((name) => `  ${name}`),
    lost.length === 0 ? 'Everything could be read.' : 'What could not be read:',
    ...lost.map((line) => `  ${line}`),
    '',
  ].join('\n');
}
