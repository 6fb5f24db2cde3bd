import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { inflate, zstdDecompress } from 'node:zlib';
import { PbfReader } from 'pbf';
import { BadExtract } from './bad-extract.ts';

export interface PbfBlob {
  /** `OSMHeader` or `OSMData`; others may be skipped. */
  readonly type: string;
  readonly data: Uint8Array;
  /** Start and end of the blob in the file. */
  readonly offset: number;
  readonly end: number;
}

/** The limits of the format, https://wiki.openstreetmap.org/wiki/PBF_Format */
const LARGEST_HEADER = 64 * 1024;
const LARGEST_BLOB = 32 * 1024 * 1024;

/**
 * The file's blobs in order. The next few are read and unpacked on Node's own threads while the caller
 * decodes this one.
 */
export async function* readBlobs(path: string, signal?: AbortSignal): AsyncGenerator<PbfBlob> {
  const file = await open(path);
  const ahead: Promise<PbfBlob>[] = [];
  try {
    const { size } = await file.stat();
    let offset = 0;
    while (offset < size || ahead.length > 0) {
      while (offset < size && ahead.length < availableParallelism() + 1) {
        const packed = await readPacked(file, offset, size);
        offset = packed.end;
        const unpacked = unpack(packed);
        unpacked.catch(() => {}); // Awaited below, in turn; until then a failure must not be unhandled.
        ahead.push(unpacked);
      }
      const blob = await ahead.shift()!;
      signal?.throwIfAborted();
      yield blob;
    }
  } finally {
    await Promise.allSettled(ahead);
    await file.close();
  }
}

interface PackedBlob {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly end: number;
}

async function readPacked(file: FileHandle, offset: number, size: number): Promise<PackedBlob> {
  const cut = () =>
    new BadExtract(`The file is cut short: a block begins at byte ${offset}, and the file ends at byte ${size}`);
  if (offset + 4 > size) throw cut();
  const headerLength = (await readAt(file, offset, 4)).readUInt32BE(0);
  if (headerLength > LARGEST_HEADER) {
    throw new BadExtract(
      offset === 0
        ? 'This is not an .osm.pbf file'
        : `The file is damaged at byte ${offset}: a block header of ${headerLength} bytes`,
    );
  }
  if (offset + 4 + headerLength > size) throw cut();
  const header = readBlobHeader(await readAt(file, offset + 4, headerLength));
  if (offset === 0 && header.type !== 'OSMHeader') throw new BadExtract('This is not an .osm.pbf file');
  if (!(header.dataSize >= 0 && header.dataSize <= LARGEST_BLOB))
    throw new BadExtract(`The file is damaged at byte ${offset}: a block of ${header.dataSize} bytes`);
  const start = offset + 4 + headerLength;
  const end = start + header.dataSize;
  if (end > size) throw cut();
  return { type: header.type, bytes: await readAt(file, start, header.dataSize), offset, end };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw new BadExtract(`The file became shorter while it was read (byte ${position + done})`);
    done += bytesRead;
  }
  return bytes;
}

function readBlobHeader(bytes: Uint8Array): { type: string; dataSize: number } {
  const header = { type: '', dataSize: -1 };
  try {
    new PbfReader(bytes).readFields((tag, _, pbf) => {
      if (tag === 1) header.type = pbf.readString();
      else if (tag === 3) header.dataSize = pbf.readVarint(true);
    }, undefined);
  } catch {
    // An unreadable header has no size, which is refused above with its position in the file.
  }
  return header;
}

const inflated = promisify(inflate) as (data: Uint8Array, options: object) => Promise<Buffer>;
const unzstd = promisify(zstdDecompress) as (data: Uint8Array, options: object) => Promise<Buffer>;
const OTHER_PACKINGS: Record<number, string> = { 4: 'LZMA', 5: 'bzip2', 6: 'LZ4' };

async function unpack({ type, bytes, offset, end }: PackedBlob): Promise<PbfBlob> {
  const packed: { kind: number; data: Uint8Array | undefined } = { kind: 0, data: undefined };
  try {
    new PbfReader(bytes).readFields((tag, _, pbf) => {
      if (tag !== 1 && (tag < 3 || tag > 7)) return;
      packed.kind = tag;
      packed.data = pbf.readBytes();
    }, undefined);
    if (packed.data === undefined) throw new Error('it holds no data');
    if (packed.kind === 1) return { type, data: packed.data, offset, end };
    if (packed.kind === 3)
      return {
        type,
        data: await inflated(packed.data, { maxOutputLength: LARGEST_BLOB, chunkSize: 1 << 20 }),
        offset,
        end,
      };
    if (packed.kind === 7)
      return {
        type,
        data: await unzstd(packed.data, { maxOutputLength: LARGEST_BLOB, chunkSize: 1 << 20 }),
        offset,
        end,
      };
  } catch (error) {
    throw new BadExtract(
      `The file is damaged at byte ${offset}: its block cannot be unpacked (${(error as Error).message})`,
      { cause: error },
    );
  }
  throw new BadExtract(
    `The block at byte ${offset} is packed with ${OTHER_PACKINGS[packed.kind]}, which cannot be read here; use an extract packed with zlib, as they usually are`,
  );
}
