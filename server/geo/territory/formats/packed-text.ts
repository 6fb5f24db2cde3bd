import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BadExtract } from './bad-extract.ts';
import { unpackBzip2 } from './bzip2.ts';

export type XmlPacking = 'plain' | 'gzip' | 'bzip2';

interface UnpackOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes of the file that were read. */
  readonly onRead?: (bytes: number) => void;
  /** An exception ends the reading. */
  readonly take: (chunk: Buffer) => void;
}

/** Reads and unpacks a file piece by piece. Throws `BadExtract` when it is cut short or damaged. */
export async function unpackText(path: string, packing: XmlPacking, options: UnpackOptions): Promise<void> {
  const { signal, onRead, take } = options;
  const file = async function* (): AsyncGenerator<Buffer> {
    let read = 0;
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      yield chunk;
      read += chunk.length;
      onRead?.(read);
    }
  };
  const takeAll = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) take(chunk);
  };
  try {
    if (packing === 'gzip') await pipeline(file, createGunzip({ chunkSize: 1 << 18 }), takeAll);
    else if (packing === 'bzip2') await takeAll(unpackBzip2(file()));
    else await takeAll(file());
  } catch (error) {
    if (signal?.aborted || error instanceof BadExtract) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_'))
      throw new BadExtract(
        code === 'Z_BUF_ERROR' ? 'The file is cut short' : `The file is damaged: it cannot be unpacked (${message})`,
        { cause: error },
      );
    throw error;
  }
}
