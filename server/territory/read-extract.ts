import type { PackedExtract } from './packed-extract.ts';
import { readPbf } from './formats/pbf-reader.ts';

export interface ReadOptions {
  /** Called with 0 to 1 as the file is read; what it throws ends the reading. */
  report?: ((done: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Reads an extract: .osm.pbf. What the file is, is told by its content. */
export async function readExtract(path: string, options: ReadOptions = {}): Promise<PackedExtract> {
  return readPbf(path, options);
}

