import { stat } from 'node:fs/promises';
import type { ExtractBuilder } from '../extract/extract-builder.ts';
import { OutOfMemory } from '../extract/memory.ts';
import type { ReadOptions } from './read-extract.ts';
import { BadExtract } from './bad-extract.ts';
import { addBlock } from './pbf-block.ts';
import { readBlobs } from './pbf-blobs.ts';
import { addHeader } from './pbf-header.ts';

/**
 * Adds an .osm.pbf file. Throws `BadExtract` with the place in the file where it is damaged or cut short.
 */
export async function readPbf(path: string, builder: ExtractBuilder, { report, signal }: ReadOptions): Promise<void> {
  const { size } = await stat(path);
  for await (const blob of readBlobs(path, signal)) {
    try {
      if (blob.type === 'OSMHeader') addHeader(blob.data, builder);
      else if (blob.type === 'OSMData') addBlock(blob.data, builder);
    } catch (error) {
      if (error instanceof BadExtract || error instanceof OutOfMemory) throw error;
      throw new BadExtract(`The file is damaged in the block at byte ${blob.offset} (${(error as Error).message})`, {
        cause: error,
      });
    }
    report?.(blob.end / size);
  }
}
