import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { COMPILED } from '../../platform/program.ts';

/**
 * The environment of a thread whose compiled code is kept for the next one: to load its code takes a thread
 * as long as to read a small country, to load it compiled a tenth of that. It is told by the environment,
 * since a thread that asks for it itself has loaded its first file already.
 */
export function keptCode(): NodeJS.ProcessEnv {
  const own = getCompileCacheDir(); // Within the directory that was set, one for this version of Node.
  // The folder of the desktop program cannot be written to.
  const elsewhere = process.versions['electron'] === undefined ? COMPILED : join(tmpdir(), 'node-compile-cache');
  return { NODE_COMPILE_CACHE: own === undefined ? elsewhere : dirname(own), ...process.env };
}
