import { answerRequests } from '../../../platform/threads/answer-requests.ts';
import { openArchive } from './open-archive.ts';
import { pictureType, type RasterArchive } from './raster-archive.ts';
import type { RasterAnswer, RasterQuestion } from './raster-layers.ts';

/** Files that stay open. */
const OPEN = 8;
const open = new Map<string, RasterArchive>();

answerRequests((asked: RasterQuestion): RasterAnswer => {
  if (asked.kind === 'tile') {
    const bytes = archiveOf(asked.path).tile(asked.z, asked.x, asked.y);
    const type = bytes && pictureType(bytes);
    return type && { type, bytes };
  }
  if (asked.kind === 'close') return closeArchive(asked.path);
  const archive = openArchive(asked.path);
  archive.close();
  return archive.info;
});

function archiveOf(path: string): RasterArchive {
  let archive = open.get(path);
  if (archive) open.delete(path);
  else archive = openArchive(path);
  open.set(path, archive);
  if (open.size > OPEN) closeArchive(open.keys().next().value!);
  return archive;
}

function closeArchive(path: string): undefined {
  open.get(path)?.close();
  open.delete(path);
}
