import { createWriteStream, existsSync, statSync } from 'node:fs';
import { mkdir, readdir, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createHash } from 'node:crypto';
import { Refusal } from '../../../shared/refusal.ts';
import { isDiskFull } from '../../platform/disk/disk-full.ts';
import type { BackupNote } from './backup.ts';
import { backupParts } from './manifest.ts';
import { Repository } from './repository.ts';
import { checkedNote, extractZip } from './restore-zip.ts';
import { openKey } from './sealing.ts';
import { listBackups } from './upkeep.ts';

/** A backup in any of its forms. */
export interface RestoreSource {
  /** Its path, for messages. */
  readonly name: string;
  /** Writes the files of the backup into a folder, and checks each content. */
  extract(into: string, progress: (what: string) => void): Promise<BackupNote>;
}

/** A backup that can be restored. */
export interface FoundBackup {
  /** An argument for `openSource`. */
  readonly from: string;
  /** epoch ms */
  readonly madeAt: number;
  readonly size: number;
  readonly encrypted: boolean;
  readonly isWhole: boolean;
}

/** Opens a zip, a manifest of a repository, or the newest backup in a folder. */
export async function openSource(from: string, passphrase: string | null): Promise<RestoreSource> {
  if (existsSync(from) && statSync(from).isDirectory()) {
    const [newest] = await foundBackups(from);
    if (!newest) throw new Refusal('backup.notBackup', { file: from });
    return openSource(newest.from, passphrase);
  }
  const folder = dirname(dirname(from));
  if (basename(dirname(from)) === 'manifests' && from.endsWith('.json') && Repository.isAt(folder))
    return repositorySource(await Repository.open(folder), basename(from, '.json'), passphrase);
  return zipSource(from);
}

/**
 * The backups in a folder, newest first: of a repository in it, of `backups/` in a data directory, and of each
 * station in a second place. A path of a zip is that one.
 */
export async function foundBackups(path: string): Promise<FoundBackup[]> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return undefined;
    throw new Refusal('backup.unreadable', { file: path, problem: error.message }, { cause: error });
  });
  if (!names) {
    const { mtimeMs, size } = statSync(path);
    return [{ from: path, madeAt: Math.round(mtimeMs), size, encrypted: false, isWhole: true }];
  }
  const folders = ['', 'backups', ...names.filter((name) => name.startsWith('waypost-'))].map((name) =>
    join(path, name),
  );
  const found: FoundBackup[] = [];
  for (const folder of folders) {
    if (!Repository.isAt(folder)) continue;
    const { backups } = await listBackups(await Repository.open(folder));
    for (const { id, madeAt, size, encrypted, problems, damaged } of backups)
      if (!damaged)
        found.push({
          from: join(folder, 'manifests', `${id}.json`),
          madeAt,
          size,
          encrypted,
          isWhole: problems.length === 0,
        });
  }
  return found.sort((a, b) => b.madeAt - a.madeAt);
}

function zipSource(path: string): RestoreSource {
  return {
    name: path,
    async extract(into, progress) {
      await extractZip(path, into, progress);
      return checkedNote(join(into, 'backup.json'), path);
    },
  };
}

async function repositorySource(repository: Repository, id: string, passphrase: string | null): Promise<RestoreSource> {
  const manifest = await repository.manifest(id);
  const name = join(repository.path, 'manifests', `${id}.json`);
  return {
    name,
    async extract(into, progress) {
      const key =
        manifest.key === null ? undefined : await openKey(repository.path, manifest.key, passphrase ?? undefined);
      const parts = await backupParts(manifest, key);
      await requireRoom(
        parts.reduce((sum, { size }) => sum + size, 0),
        name,
        into,
      );
      for (const part of parts) {
        progress(part.name);
        const path = join(into, part.name);
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const hash = createHash('sha256');
        try {
          const content = repository.read(part.object, key);
          await pipeline(
            async function* () {
              for await (const chunk of content) {
                hash.update(chunk);
                yield chunk;
              }
            },
            createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
          );
        } catch (error) {
          if (isDiskFull(error)) throw error;
          throw new Refusal('backup.damagedEntry', { file: name, name: part.name }, { cause: error });
        }
        if (!part.object.startsWith(hash.digest('hex')))
          throw new Refusal('backup.damagedEntry', { file: name, name: part.name });
      }
      return { format: 1, madeAt: manifest.madeAt, station: manifest.station };
    },
  };
}

async function requireRoom(total: number, file: string, into: string): Promise<void> {
  const { bavail, bsize } = await statfs(into);
  if (total <= bavail * bsize) return;
  throw new Refusal('backup.noSpace', {
    file,
    megabytes: (total / 1e6).toFixed(0),
    free: ((bavail * bsize) / 1e6).toFixed(0),
  });
}
