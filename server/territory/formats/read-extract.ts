import { open } from 'node:fs/promises';
import { BadExtract } from './bad-extract.ts';
import { readPbf } from './pbf-reader.ts';
import { readXml } from './xml-reader.ts';
import type { PackedExtract } from '../extract/packed-extract.ts';

export interface ReadOptions {
  /** Called with 0 to 1 during reading; an exception ends the reading. */
  report?: ((done: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads an extract: .osm.pbf, .osm, .osm.gz or .osm.bz2, detected by content and not by name. Throws
 * `BadExtract` with a sentence when it is none of them, damaged or truncated.
 */
export async function readExtract(path: string, options: ReadOptions = {}): Promise<PackedExtract> {
  switch (await kindOf(path)) {
    case 'pbf':
      return readPbf(path, options);
    case 'xml':
      return readXml(path, 'plain', options);
    case 'gzip':
      return readXml(path, 'gzip', options);
    case 'bzip2':
      return readXml(path, 'bzip2', options);
    case 'empty':
      throw new BadExtract('The file is empty');
  }
}

async function kindOf(path: string): Promise<'pbf' | 'xml' | 'gzip' | 'bzip2' | 'empty'> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(64), 0, 64, 0);
    const start = buffer.subarray(0, bytesRead);
    if (bytesRead === 0) return 'empty';
    if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
    if (start.toString('latin1', 0, 3) === 'BZh') return 'bzip2';
    return /^\uFEFF?\s*</.test(start.toString('utf8')) ? 'xml' : 'pbf';
  } finally {
    await file.close();
  }
}
