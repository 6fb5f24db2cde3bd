import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { COMPILED } from '../../../platform/program.ts';

/**
 * The environment of a thread with a compile cache: a thread loads its code as long as it reads a small
 * country, from the cache in a tenth of that. It must be an environment variable, because the thread's first
 * file is loaded before it could call an API.
 */
export function keptCode(): NodeJS.ProcessEnv {
  const own = getCompileCacheDir(); // Within the given directory, one for this version of Node.
  // The folder of the desktop program is read-only.
  const elsewhere = process.versions['electron'] === undefined ? COMPILED : join(tmpdir(), 'node-compile-cache');
  return { NODE_COMPILE_CACHE: own === undefined ? elsewhere : dirname(own), ...process.env };
}
