import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { Refusal } from '../../../../shared/refusal.ts';
import { MbTiles } from './mbtiles.ts';
import { PmTiles } from './pmtiles.ts';
import type { RasterArchive } from './raster-archive.ts';

/** Detects the format by content. Throws a `Refusal` with the fault of the file. */
export function openArchive(path: string): RasterArchive {
  const file = basename(path);
  const head = headOf(path);
  if (head.toString('latin1', 0, 15) === 'SQLite format 3') return new MbTiles(path, file);
  if (head.toString('latin1', 0, 7) === 'PMTiles') return new PmTiles(path, file);
  throw new Refusal('territory.notRaster', { file });
}

function headOf(path: string): Buffer {
  const head = Buffer.alloc(16);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  return head;
}
