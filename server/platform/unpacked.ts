import { existsSync } from 'node:fs';

/**
 * The same file beside the desktop program's archive. Threads and native code open files by their path, and an
 * archive has none. The packager puts them in `app.asar.unpacked`; outside an archive the path stays as it is.
 */
export function unpacked(path: string, exists: (path: string) => boolean = existsSync): string {
  const beside = path.replace(/([\\/])app\.asar(?=[\\/]|$)/, '$1app.asar.unpacked');
  return beside !== path && exists(beside) ? beside : path;
}
