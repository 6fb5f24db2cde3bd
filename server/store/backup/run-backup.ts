import { join, relative, isAbsolute } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import { reason, type Reason } from '../../../shared/refusals/reason.ts';
import { makeBackup } from './make-backup.ts';
import { folderOfStation, openPlace, readNotes, writeNotes, type BackupNotes } from './places.ts';
import { Repository } from './repository.ts';
import { keyFor } from './sealing.ts';
import { copyTo, listBackups, prune, readAgain, sweep, type BackupSummary } from './upkeep.ts';

/** Where and how the backups of a station are made. */
export interface BackupSettings {
  readonly directory: string;
  readonly folder: string;
  readonly second: string | null;
  readonly passphrase: string | null;
  readonly territory: boolean;
  readonly version: string;
  /** For tests. */
  readonly workFactor?: number | undefined;
}

/** Report for the page. */
export interface BackupReport {
  readonly notes: BackupNotes;
  readonly first: PlaceReport;
  /** undefined: none is set. */
  readonly second: PlaceReport | undefined;
}

export interface PlaceReport {
  readonly folder: string;
  readonly backups: readonly BackupSummary[];
  readonly problems: readonly Reason[];
}

/**
 * Makes a backup, checks a part of the older ones, removes what is too old, and brings the second place up to
 * date. A failure is noted. Long; for a thread.
 */
export async function runBackup(
  settings: BackupSettings,
  now: number,
  progress: (what: string) => void,
): Promise<BackupReport> {
  const { directory, folder, passphrase } = settings;
  const before = await readNotes(directory);
  const places: Record<string, string> = { ...before.places };
  let notes: BackupNotes = { ...before, places, lastAttempt: now };
  let repository: Repository | undefined;
  let damaged: readonly string[] = [];
  try {
    repository = await openPlace(folder, { known: before.places[folder], isOurs: isWithin(folder, directory), now });
    await requireOwn(repository, directory);
    places[folder] = repository.id;
    const key = passphrase === null ? undefined : await keyFor(repository.path, passphrase, settings.workFactor);
    // First, so that the new backup stores again what was damaged.
    progress('check');
    damaged = await readAgain(repository, key, now);
    const healer = damaged.length > 0 ? await secondOf(settings) : undefined;
    for (const name of damaged)
      if (healer?.has(name) && (await healer.isWhole(name, key))) await repository.copyFrom(healer, name);
    const manifest = await makeBackup({ ...settings, repository, key, now, progress });
    progress('prune');
    await prune(repository, manifest.station.id);
    notes = { ...notes, failure: undefined };
    if (settings.second !== null) {
      progress('second');
      notes = { ...notes, ...(await fillSecond(settings.second, repository, manifest.station.id, places, now)) };
    } else notes = { ...notes, secondAt: undefined, secondFailure: undefined };
  } catch (error) {
    const failure =
      error instanceof Refusal
        ? { code: error.code, params: error.params }
        : reason('backup.failed', { problem: (error as Error).message });
    notes = { ...notes, failure };
    // Blobs that were stored before the disk was full would keep it full.
    if (failure.code === 'backup.diskFull' && repository) await sweep(repository).catch(() => undefined);
  }
  await writeNotes(directory, notes);
  const report = await reportBackups(settings);
  return damaged.length === 0
    ? report
    : {
        ...report,
        first: {
          ...report.first,
          problems: [...report.first.problems, reason('backup.damagedObjects', { folder, count: damaged.length })],
        },
      };
}

/** The backups that are there. Writes nothing. */
export async function reportBackups({ directory, folder, second }: BackupSettings): Promise<BackupReport> {
  const notes = await readNotes(directory);
  const secondPath = second === null ? undefined : secondFolder(second, directory);
  return {
    notes,
    first: await reportOf(folder, notes.places[folder]),
    second: secondPath === undefined ? undefined : await reportOf(secondPath, notes.places[secondPath]),
  };
}

async function reportOf(folder: string, known: string | undefined): Promise<PlaceReport> {
  try {
    if (!Repository.isAt(folder))
      return { folder, backups: [], problems: known === undefined ? [] : [reason('backup.placeGone', { folder })] };
    const { backups, problems } = await listBackups(await Repository.open(folder));
    return { folder, backups, problems };
  } catch (error) {
    const problem =
      error instanceof Refusal
        ? { code: error.code, params: error.params }
        : reason('backup.placeFailed', { folder, problem: (error as Error).message });
    return { folder, backups: [], problems: [problem] };
  }
}

async function secondOf({ second, directory }: BackupSettings): Promise<Repository | undefined> {
  const folder = second === null ? undefined : secondFolder(second, directory);
  return folder !== undefined && Repository.isAt(folder) ? Repository.open(folder) : undefined;
}

async function fillSecond(
  place: string,
  first: Repository,
  stationId: string,
  places: Record<string, string>,
  now: number,
): Promise<Pick<BackupNotes, 'secondAt' | 'secondFailure'>> {
  const folder = folderOfStation(place, stationId);
  try {
    const second = await openPlace(folder, { known: places[folder], isOurs: false, now });
    places[folder] = second.id;
    await copyTo(second, first, stationId);
    return { secondAt: now, secondFailure: undefined };
  } catch (error) {
    // A disk that is pulled out in the middle must not make the first place a failure.
    const failure =
      error instanceof Refusal
        ? { code: error.code, params: error.params }
        : reason('backup.placeFailed', { folder, problem: (error as Error).message });
    return { secondFailure: failure };
  }
}

/** Throws when the backups in the folder are of another station. */
async function requireOwn(repository: Repository, directory: string): Promise<void> {
  const own = stationIdOf(directory);
  for (const id of await repository.ids()) {
    const manifest = await repository.manifest(id).catch(() => undefined);
    if (manifest && own !== undefined && manifest.station.id !== own)
      throw new Refusal('backup.otherStation', { folder: repository.path, station: manifest.station.id });
  }
}

/** Undefined where `station.db` cannot tell the station. */
function secondFolder(place: string, directory: string): string | undefined {
  const own = stationIdOf(directory);
  return own === undefined ? undefined : folderOfStation(place, own);
}

/** Undefined: there is no backup, or it cannot be read. */
function stationIdOf(directory: string): string | undefined {
  try {
    const sql = new DatabaseSync(join(directory, 'station.db'), { readOnly: true, timeout: 5000 });
    try {
      return String((sql.prepare('SELECT id FROM station').get() as { id: unknown }).id);
    } finally {
      sql.close();
    }
  } catch {
    return undefined;
  }
}

function isWithin(path: string, directory: string): boolean {
  const between = relative(directory, path);
  return between !== '' && !between.startsWith('..') && !isAbsolute(between);
}
