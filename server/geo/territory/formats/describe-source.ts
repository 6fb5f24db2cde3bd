import { open } from 'node:fs/promises';
import { ExtractBuilder } from '../extract/extract-builder.ts';
import { BadExtract } from './bad-extract.ts';
import type { XmlPacking } from './packed-text.ts';
import { unpackText } from './packed-text.ts';
import { readBlobs } from './pbf-blobs.ts';
import { addHeader } from './pbf-header.ts';

export interface ExtractSource {
  readonly path: string;
  readonly kind: 'pbf' | XmlPacking;
  /** It holds changes of the map. */
  readonly isChanges: boolean;
  /** Of its data, or of its first change; epoch ms */
  readonly time: number | undefined;
}

/** Detects the kind of a file from its beginning. Throws `BadExtract` when that cannot be read. */
export async function describeSource(path: string): Promise<ExtractSource> {
  const kind = await kindOf(path);
  if (kind === 'pbf') return { path, kind, isChanges: false, time: await timeOfPbf(path) };
  const text = await beginningOf(path, kind);
  const isChanges = /<osmChange[\s>]/.test(text);
  const time = isChanges
    ? /<(?:node|way|relation)\s[^>]*\btimestamp=["']([^"']*)/.exec(text)
    : /<osm\s[^>]*\btimestamp=["']([^"']*)|<meta\s[^>]*\bosm_base=["']([^"']*)/.exec(text);
  const epoch = Date.parse(time?.[1] ?? time?.[2] ?? '');
  return { path, kind, isChanges, time: Number.isFinite(epoch) ? epoch : undefined };
}

async function kindOf(path: string): Promise<ExtractSource['kind']> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(64), 0, 64, 0);
    const start = buffer.subarray(0, bytesRead);
    if (bytesRead === 0) throw new BadExtract('The file is empty');
    if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
    if (start.toString('latin1', 0, 3) === 'BZh') return 'bzip2';
    return /^\uFEFF?\s*</.test(start.toString('utf8')) ? 'plain' : 'pbf';
  } finally {
    await file.close();
  }
}

/** The reading reports damage, so this does not. */
async function timeOfPbf(path: string): Promise<number | undefined> {
  const builder = new ExtractBuilder();
  for await (const blob of readBlobs(path)) {
    try {
      if (blob.type === 'OSMHeader') addHeader(blob.data, builder);
    } catch {
      return undefined;
    }
    break;
  }
  return builder.dataTime;
}

/** Characters */
const BEGINNING = 4096;
const ENOUGH = new Error('The beginning is read.');

async function beginningOf(path: string, kind: XmlPacking): Promise<string> {
  let text = '';
  try {
    await unpackText(path, kind, {
      take: (chunk) => {
        text += chunk.toString('utf8', 0, BEGINNING);
        if (text.length >= BEGINNING) throw ENOUGH;
      },
    });
  } catch (error) {
    if (error !== ENOUGH && !(error instanceof BadExtract)) throw error;
  }
  return text;
}
