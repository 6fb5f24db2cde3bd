import { extname } from 'node:path';

/**
 * The address of a worker's file beside the caller's: `.ts` in a checkout, where Node strips the types, `.js`
 * in the built program, which is transpiled one to one. Call as `siblingUrl(import.meta.url,
 * './search.worker')`.
 */
export function siblingUrl(importMetaUrl: string, path: string): URL {
  return new URL(path + extname(new URL(importMetaUrl).pathname), importMetaUrl);
}
