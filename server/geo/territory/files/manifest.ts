import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { TERRITORY_FILES, type TerritoryFile, type TerritoryManifest } from '../types.ts';

/** bytes read at once */
const PIECE = 2 ** 20;
const NAMES: ReadonlySet<string> = new Set(Object.values(TERRITORY_FILES));

/** Hashes the files of a directory. Reads all of them, so call it only in a thread. */
export function hashFiles(directory: string): TerritoryFile[] {
  return readdirSync(directory)
    .filter((name) => NAMES.has(name))
    .sort()
    .map((name) => {
      const file = openSync(join(directory, name), 'r');
      const hash = createHash('sha256');
      const piece = new Uint8Array(PIECE);
      let size = 0;
      try {
        for (let length; (length = readSync(file, piece)) > 0; size += length) hash.update(piece.subarray(0, length));
      } finally {
        closeSync(file);
      }
      return { name, size, sha256: hash.digest('hex') };
    });
}

/** Hashes the files of a directory in a thread, which ends afterwards. */
export async function hashedFiles(directory: string): Promise<TerritoryFile[]> {
  const worker = new Worker(siblingUrl(import.meta.url, './manifest.worker'), { workerData: directory });
  worker.unref();
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`The thread that hashes a territory ended early (${code}).`)));
    });
  } finally {
    void worker.terminate();
  }
}

export function idOf(files: readonly TerritoryFile[]): string {
  const lines = files.map(({ name, size, sha256 }) => `${name} ${size} ${sha256}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** Why a manifest of another station cannot be used; undefined: it can. */
export function manifestFault({ id, files }: TerritoryManifest): 'wrong' | undefined {
  const names = new Set(files.map(({ name }) => name));
  const isWhole =
    names.size === files.length && names.has(TERRITORY_FILES.info) && [...names].every((name) => NAMES.has(name));
  return isWhole && id === idOf(files) ? undefined : 'wrong';
}
