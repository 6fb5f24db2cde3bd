import { readFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../../platform/disk/sync-directory.ts';
import { FILES } from '../types.ts';
import type { TerritoryInfo } from '../types.ts';

/**
 * On disk: `territory/current` names the current directory. An import fills `<time>-<n>.part`, renames it to
 * `<time>-<n>`, and then replaces `current` by one rename. A crash at any moment leaves the old territory or
 * the new one, and at most unused files.
 */
const CURRENT = 'current';
const UNFINISHED = '.part';

export interface FoundTerritory {
  readonly directory: string;
  readonly info: TerritoryInfo;
}

/** The name of the current directory, or undefined. */
function currentName(root: string): string | undefined {
  try {
    return readFileSync(join(root, CURRENT), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The current territory, or undefined, or its directory is missing or unreadable. */
export function findCurrent(root: string): FoundTerritory | undefined {
  try {
    const directory = join(root, readFileSync(join(root, CURRENT), 'utf8').trim());
    return { directory, info: JSON.parse(readFileSync(join(directory, FILES.info), 'utf8')) as TerritoryInfo };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A new directory to import into. */
export async function makeFresh(root: string, now: number): Promise<string> {
  await mkdir(root, { recursive: true });
  for (let n = 0; ; n++) {
    const name = `${now}-${n}`;
    if (await exists(join(root, name))) continue;
    try {
      const directory = join(root, name + UNFINISHED);
      await mkdir(directory);
      return directory;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/**
 * Syncs everything in `unfinished` and makes it the current territory. Returns the directory's final name.
 */
export async function makeCurrent(root: string, unfinished: string): Promise<string> {
  await Promise.all((await readdir(unfinished)).map((name) => flush(join(unfinished, name))));
  await syncDirectory(unfinished);
  const directory = unfinished.slice(0, -UNFINISHED.length);
  await rename(unfinished, directory);
  const pointer = join(root, CURRENT);
  await writeFile(`${pointer}${UNFINISHED}`, `${directory.slice(root.length + 1)}\n`, { flush: true });
  await rename(`${pointer}${UNFINISHED}`, pointer);
  await syncDirectory(root);
  return directory;
}

export async function sizeOf(directory: string): Promise<number> {
  let size = 0;
  for (const name of await readdir(directory)) size += (await stat(join(directory, name))).size;
  return size;
}

/** Removes the remains of killed imports. The caller holds the import lock, so none is in progress. */
export async function clearUnfinished(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    if (/^\d+-\d+\.part$/.test(name)) await removeDirectory(join(root, name));
  }
}

/** Removes all territories except the current one. The caller has made sure that nobody reads them. */
export async function clearSuperseded(root: string): Promise<void> {
  // By name: the current one stays even if it is unreadable.
  const current = currentName(root);
  for (const name of await readdir(root).catch(() => [])) {
    if (name !== current && /^\d+-\d+$/.test(name)) await removeDirectory(join(root, name));
  }
}

/** On Windows open files cannot be removed; a later start removes them. */
export async function removeDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 }).catch(() => {});
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
