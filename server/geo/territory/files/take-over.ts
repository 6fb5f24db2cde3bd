import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../../../../shared/refusal.ts';
import { makeCurrent, makeFresh, removeDirectory, type FoundTerritory } from './directories.ts';
import { hashedFiles, manifestFault } from './manifest.ts';
import {
  TERRITORY_FILES,
  type FetchPiece,
  type InterruptedTakeOver,
  type TerritoryInfo,
  type TerritoryManifest,
} from '../types.ts';

interface TakeOver {
  readonly root: string;
  readonly manifest: TerritoryManifest;
  readonly fetchPiece: FetchPiece;
  readonly now: number;
  readonly signal: AbortSignal;
  readonly report: (done: number) => void;
}

const NOTE = 'take-over.json';
const FETCHED = /^fetched-[0-9a-f]{64}$/;

/**
 * Fetches the files of another station's territory and makes them the current one. What has come survives a
 * crash; files with other bytes than their hashes say are fetched again next time. The caller holds the import lock.
 */
export async function takeOverTerritory(order: TakeOver): Promise<FoundTerritory> {
  const { root, manifest, fetchPiece, now, signal, report } = order;
  if (manifestFault(manifest) !== undefined) throw new Refusal('territory.wrongManifest');
  const directory = join(root, `fetched-${manifest.id}`);
  for (const name of await readdir(root))
    if (FETCHED.test(name) && join(root, name) !== directory) await removeDirectory(join(root, name));
  await mkdir(directory, { recursive: true });
  const total = Math.max(
    1,
    manifest.files.reduce((sum, { size }) => sum + size, 0),
  );
  let fetched = 0;
  for (const file of manifest.files)
    fetched += await fetchFile(join(directory, file.name), file.size, (offset) => fetchPiece(file.name, offset), {
      signal,
      report: (size) => report((0.97 * (fetched + size)) / total),
    });
  await verify(directory, manifest);
  signal.throwIfAborted();
  report(0.99);
  const info = JSON.parse(readFileSync(join(directory, TERRITORY_FILES.info), 'utf8')) as TerritoryInfo;
  const unfinished = await makeFresh(root, now);
  await removeDirectory(unfinished);
  await rename(directory, unfinished);
  return { directory: await makeCurrent(root, unfinished), info };
}

/** Resolves with the size of the file when all of it is here. */
async function fetchFile(
  path: string,
  size: number,
  fetchPiece: (offset: number) => Promise<Uint8Array | undefined>,
  { signal, report }: Pick<TakeOver, 'signal' | 'report'>,
): Promise<number> {
  let offset = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (offset > size) {
    await rm(path);
    offset = 0;
  }
  report(offset);
  if (offset === size && size > 0) return size;
  const file = await open(path, 'a', 0o600);
  try {
    while (offset < size) {
      signal.throwIfAborted();
      const piece = await fetchPiece(offset);
      if (!piece || piece.length === 0) throw new Refusal('territory.gone');
      await file.writeFile(piece.subarray(0, size - offset));
      offset = Math.min(size, offset + piece.length);
      report(offset);
    }
  } finally {
    await file.close();
  }
  return size;
}

async function verify(directory: string, { files }: TerritoryManifest): Promise<void> {
  const found = new Map((await hashedFiles(directory)).map(({ name, sha256 }) => [name, sha256]));
  const wrong = files.filter(({ name, sha256 }) => found.get(name) !== sha256);
  for (const { name } of wrong) await rm(join(directory, name), { force: true });
  if (wrong.length > 0) throw new Refusal('territory.wrongBytes', { files: wrong.map(({ name }) => name).join(', ') });
}

export function readTakeOver(root: string): InterruptedTakeOver | undefined {
  try {
    const { station } = JSON.parse(readFileSync(join(root, NOTE), 'utf8')) as Partial<InterruptedTakeOver>;
    return typeof station === 'string' ? { station } : undefined;
  } catch {
    return undefined;
  }
}

export function noteTakeOver(root: string, takeOver: InterruptedTakeOver): void {
  writeFileSync(join(root, NOTE), JSON.stringify(takeOver), { mode: 0o600, flush: true });
}

/** It has ended, or nobody wants it any more. */
export async function forgetTakeOver(root: string): Promise<void> {
  await rm(join(root, NOTE), { force: true });
  for (const name of await readdir(root).catch(() => []))
    if (FETCHED.test(name)) await removeDirectory(join(root, name));
}
