import { extname, posix } from 'node:path';

/**
 * The address of a worker's file beside the caller's: `.ts` in a checkout, where Node strips the types; `.js` in
 * the built program, which has all its files in one folder. Call as `siblingUrl(import.meta.url,
 * './search.worker')`.
 */
export function siblingUrl(importMetaUrl: string, path: string): URL {
  const isSource = extname(new URL(importMetaUrl).pathname) === '.ts';
  return new URL(isSource ? `${path}.ts` : `${posix.basename(path)}.js`, importMetaUrl);
}
