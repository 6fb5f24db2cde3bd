import { Refusal } from '../../../shared/refusal.ts';
import { reason, type Reason } from '../../../shared/refusals/reason.ts';
import { isDiskFull } from '../../platform/disk/disk-full.ts';
import { keptBackups } from './kept-backups.ts';
import type { Manifest } from './manifest.ts';
import type { Repository } from './repository.ts';
import type { SealingKey } from './sealing.ts';

const DAY = 86_400_000;
/** Each object is read again within so many days. */
const READ_AGAIN_WITHIN = 7;

/** A backup in a list. */
export interface BackupSummary {
  readonly id: string;
  /** epoch ms */
  readonly madeAt: number;
  readonly stationId: string;
  /** Bytes of its files, and those that it added to the folder. */
  readonly size: number;
  readonly added: number;
  readonly encrypted: boolean;
  /** The missing parts; `damaged`: it cannot be restored as it is. */
  readonly problems: readonly Reason[];
  readonly damaged: boolean;
}

/** The backups of a repository, newest first. One whose manifest cannot be read is not in the list. */
export async function listBackups(
  repository: Repository,
): Promise<{ backups: BackupSummary[]; problems: Reason[]; manifests: Manifest[] }> {
  const present = new Set<string>();
  for await (const name of repository.objects()) present.add(name);
  const backups: BackupSummary[] = [];
  const problems: Reason[] = [];
  const manifests: Manifest[] = [];
  for (const id of (await repository.ids()).toReversed()) {
    try {
      const manifest = await repository.manifest(id);
      manifests.push(manifest);
      const missing = manifest.objects.filter((name) => !present.has(name)).length;
      backups.push({
        id,
        madeAt: Date.parse(manifest.madeAt),
        stationId: manifest.station.id,
        size: manifest.size,
        added: manifest.added,
        encrypted: manifest.key !== null,
        problems: [...manifest.problems, ...(missing > 0 ? [reason('backup.missingObjects', { count: missing })] : [])],
        damaged: missing > 0,
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push({ code: error.code, params: error.params });
    }
  }
  return { backups, problems, manifests };
}

/**
 * Removes the backups of a station that are too old, and the objects that no backup names. Where a manifest
 * cannot be read, objects stay: it may name them.
 */
export async function prune(repository: Repository, stationId: string): Promise<void> {
  const { backups, problems } = await listBackups(repository);
  const own = backups.filter((backup) => backup.stationId === stationId);
  const kept = keptBackups(own.map(({ id, problems: wrong }) => ({ id, isWhole: wrong.length === 0 })));
  for (const { id } of own) if (!kept.has(id)) await repository.removeManifest(id);
  if (problems.length === 0) await sweep(repository);
}

/** Removes the objects that no backup names. */
export async function sweep(repository: Repository): Promise<void> {
  const named = new Set<string>();
  for (const id of await repository.ids()) for (const name of (await repository.manifest(id)).objects) named.add(name);
  for await (const name of repository.objects()) if (!named.has(name)) await repository.removeObject(name);
}

/**
 * Reads a seventh of the objects, another one each day. A damaged object is removed, so that the next backup
 * stores it again if the station still has it. Resolves with the names of the damaged ones.
 */
export async function readAgain(repository: Repository, key: SealingKey | undefined, now: number): Promise<string[]> {
  const turn = Math.floor(now / DAY) % READ_AGAIN_WITHIN;
  const damaged: string[] = [];
  for await (const name of repository.objects()) {
    if (Number.parseInt(name.slice(0, 8), 16) % READ_AGAIN_WITHIN !== turn) continue;
    if (await repository.isWhole(name, key)) continue;
    await repository.removeObject(name);
    damaged.push(name);
  }
  return damaged;
}

/** Brings a second repository up to date: copies and reads back missing objects, deletes expired ones. */
export async function copyTo(second: Repository, first: Repository, stationId: string): Promise<void> {
  try {
    await second.clearUnfinished();
    await second.copyKeysFrom(first);
    const present = new Set(await second.ids());
    for (const id of await first.ids()) {
      const { objects } = await first.manifest(id).catch((error: unknown) => {
        if (error instanceof Refusal) return { objects: undefined }; // the first place says that it is damaged
        throw error;
      });
      if (!objects) continue;
      // Also if it exists: an object may have been found damaged.
      let isWhole = true;
      for (const name of objects) {
        if (second.has(name)) continue;
        if (first.has(name)) await second.copyFrom(first, name);
        else isWhole = false;
      }
      if (isWhole && !present.has(id)) await second.writeManifest(id, await first.manifestText(id));
    }
    await prune(second, stationId);
  } catch (error) {
    if (isDiskFull(error)) throw new Refusal('backup.diskFull', { folder: second.path }, { cause: error });
    throw error;
  }
}
