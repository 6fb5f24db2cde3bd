import { readFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { syncDirectory } from '../../../platform/disk/sync-directory.ts';
import { TERRITORY_FILES } from '../types.ts';
import type { TerritoryInfo } from '../types.ts';

/**
 * On disk: `territory/current` names the current directory. An import fills `<time>-<n>.part`, renames it to
 * `<time>-<n>`, and then replaces `current` by one rename. A crash at any moment leaves the old territory or
 * the new one, and at most unused files. `territory/previous` names the one before, which stays to go back to.
 */
const CURRENT = 'current';
const PREVIOUS = 'previous';
const UNFINISHED = '.part';

export interface FoundTerritory {
  readonly directory: string;
  readonly info: TerritoryInfo;
}

/** The name of the current directory, or of the previous one, or undefined. */
function nameIn(root: string, pointer: typeof CURRENT | typeof PREVIOUS): string | undefined {
  try {
    return readFileSync(join(root, pointer), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The current territory, or undefined, or its directory is missing or unreadable. */
export function findCurrent(root: string): FoundTerritory | undefined {
  return findNamed(root, nameIn(root, CURRENT));
}

/** The territory that was in use before the current one, if it is still there. */
export function findPrevious(root: string): FoundTerritory | undefined {
  const name = nameIn(root, PREVIOUS);
  // A crash between the two pointers leaves both with the same name.
  return name === nameIn(root, CURRENT) ? undefined : findNamed(root, name);
}

function findNamed(root: string, name: string | undefined): FoundTerritory | undefined {
  if (name === undefined) return undefined;
  try {
    const directory = join(root, name);
    return {
      directory,
      info: JSON.parse(readFileSync(join(directory, TERRITORY_FILES.info), 'utf8')) as TerritoryInfo,
    };
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
  await pointTo(root, basename(directory));
  return directory;
}

/** Makes a directory the current one; the one that was current is the previous one. */
export async function pointTo(root: string, name: string): Promise<void> {
  // Never go back to a map that cannot be read.
  const old = findCurrent(root);
  if (old !== undefined) await writePointer(root, PREVIOUS, basename(old.directory));
  await writePointer(root, CURRENT, name);
  await syncDirectory(root);
}

async function writePointer(root: string, pointer: string, name: string): Promise<void> {
  const path = join(root, pointer);
  await writeFile(`${path}${UNFINISHED}`, `${name}\n`, { flush: true });
  await rename(`${path}${UNFINISHED}`, path);
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

/** Whether an import was killed or is running, or an unused territory exists. */
export async function hasRemains(root: string): Promise<boolean> {
  const kept = keptNames(root);
  return (await readdir(root).catch(() => [])).some((name) => /^\d+-\d+(\.part)?$/.test(name) && !kept.includes(name));
}

/** By name: they stay even if they are unreadable. */
function keptNames(root: string): (string | undefined)[] {
  return [nameIn(root, CURRENT), nameIn(root, PREVIOUS)];
}

/** Removes all territories except the current and the previous one. The caller has made sure that nobody reads them. */
export async function clearSuperseded(root: string): Promise<void> {
  const kept = keptNames(root);
  for (const name of await readdir(root).catch(() => [])) {
    if (!kept.includes(name) && /^\d+-\d+$/.test(name)) await removeDirectory(join(root, name));
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
