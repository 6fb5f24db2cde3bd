import { extname, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { unpacked } from '../unpacked.ts';

/**
 * The address of a worker's file beside the caller's: `.ts` in a checkout, where Node strips the types; `.js` in
 * the built program, which has all its files in one folder (never in an archive). Call as `siblingUrl(import.meta.url,
 * './search.worker')`.
 */
export function siblingUrl(importMetaUrl: string, path: string): URL {
  const isSource = extname(new URL(importMetaUrl).pathname) === '.ts';
  if (isSource) return new URL(`${path}.ts`, importMetaUrl);
  return pathToFileURL(unpacked(fileURLToPath(new URL(`${posix.basename(path)}.js`, importMetaUrl))));
}
