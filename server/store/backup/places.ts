import { existsSync, statSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal } from '../../../shared/refusal.ts';
import { readReason, type Reason } from '../../../shared/refusals/reason.ts';
import { Repository } from './repository.ts';
import { writeWhole } from './write-whole.ts';

/** The record of backups in a data directory (`backups.json`). It is not part of a backup. */
export interface BackupNotes {
  /** The repository of each folder, so that an empty mount point is not taken for a new place. */
  readonly places: Readonly<Record<string, string>>;
  /** Since when backups could be made, epoch ms. */
  readonly since?: number | undefined;
  readonly lastAttempt?: number | undefined;
  /** Why the last one failed. */
  readonly failure?: Reason | undefined;
  /** When the second place was last up to date, epoch ms. */
  readonly secondAt?: number | undefined;
  readonly secondFailure?: Reason | undefined;
}

const NOTES = 'backups.json';

/** Nothing is noted where the file is missing or damaged. */
export async function readNotes(directory: string): Promise<BackupNotes> {
  try {
    const found = JSON.parse(await readFile(join(directory, NOTES), 'utf8')) as Record<string, unknown>;
    const number = (name: string) => (typeof found[name] === 'number' ? found[name] : undefined);
    const { places } = found;
    return {
      places: typeof places === 'object' && places !== null ? (places as Record<string, string>) : {},
      since: number('since'),
      lastAttempt: number('lastAttempt'),
      failure: readReason(found['failure']),
      secondAt: number('secondAt'),
      secondFailure: readReason(found['secondFailure']),
    };
  } catch {
    return { places: {} };
  }
}

export async function writeNotes(directory: string, notes: BackupNotes): Promise<void> {
  await writeWhole(join(directory, NOTES), `${JSON.stringify(notes, null, 2)}\n`);
}

/**
 * Opens the repository of a place, or begins one. Refuses a folder that is missing, and one that lost the
 * repository that was in it: its disk is probably not connected.
 * @param isOurs whether the folder is in the data directory, so that it is made when it is missing
 */
export async function openPlace(
  path: string,
  { known, isOurs, now }: { known: string | undefined; isOurs: boolean; now: number },
): Promise<Repository> {
  if (Repository.isAt(path)) return Repository.open(path);
  if (known !== undefined && !isOurs) throw new Refusal('backup.placeGone', { folder: path });
  if (!isOurs && !isFolder(dirname(path))) throw new Refusal('backup.placeMissing', { folder: dirname(path) });
  await mkdir(path, { recursive: true, mode: 0o700 });
  return Repository.create(path, now);
}

/** The folder of a station's backups within a second place, which several stations may share. */
export function folderOfStation(place: string, stationId: string): string {
  return join(place, `waypost-${stationId}`);
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
