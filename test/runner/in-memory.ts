import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** Linux keeps this directory in memory. In a container it is often too small. */
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 2 * 1024 ** 3;
const PREFIX = 'waypost-tests-';

/**
 * Gives a run a temporary directory in memory, where syncing costs nothing: stations sync before each answer.
 * Killing a process loses nothing there either. Does nothing where `TMPDIR`
 * is set, or where the machine has no such directory of 2 GB.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || freeBytes() < NEEDED_BYTES) return;
  for (const name of readdirSync(MEMORY))
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length)))) remove(join(MEMORY, name));
  const own = join(MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  process.env['TMPDIR'] = own;
  process.on('exit', () => remove(own));
}

function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Another user's directory of a run that was killed stays. */
function remove(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // A process of the run may still write to it; the next run removes it.
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
