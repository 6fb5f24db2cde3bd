import type { Request } from 'express';
import { finished, type Readable } from 'node:stream';
import { finished as ended } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { Refusal } from '../../../shared/refusal.ts';

/** Content codings of RFC 9110, Brotli and Zstandard. */
const DECODERS = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);
/** Bytes copied before yielding to the event loop: about a millisecond. */
const SLICE = 1024 * 1024;

/**
 * Reads a body and undoes its content coding. Refuses it as too large above `limit` decoded bytes. Long
 * bodies are joined in slices: 16 MiB at once would block the event loop for 5 ms, or 30 ms on a busy
 * machine.
 */
export async function readBodyBytes(request: Request, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  let unpacking: Readable | undefined;
  try {
    if (declaredLength(request) > limit) throw tooLarge();
    unpacking = decoded(request);
    for await (const part of unpacking.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > limit) throw tooLarge();
      parts.push(part);
    }
  } catch (error) {
    await drain(request, unpacking);
    if (error instanceof Refusal) throw error;
    throw new Refusal(request.complete ? 'request.bodyNotCoded' : 'request.bodyBrokeOff', {}, { cause: error });
  }
  if (unpacking !== request) void drain(request, unpacking); // of what comes behind the end
  return length <= SLICE ? Buffer.concat(parts, length) : concatInSlices(parts, length);
}

/** Reads and discards the rest: many clients read the answer only after they have sent everything. */
async function drain(request: Request, unpacking: Readable | undefined): Promise<void> {
  request.unpipe();
  if (unpacking !== request) unpacking?.destroy();
  request.resume();
  await ended(request, { writable: false }).catch(() => undefined);
}

function decoded(request: Request): Readable {
  if (!isEncoded(request)) return request;
  const unpack = DECODERS.get(codingOf(request));
  if (!unpack) throw new Refusal('request.bodyCoding');
  const unpacking = unpack();
  // `pipe` does not forward an aborted source.
  finished(request, { writable: false }, (error) => error && unpacking.destroy(error));
  return request.pipe(unpacking);
}

async function concatInSlices(parts: readonly Buffer[], length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  let turnEnds = SLICE;
  for (const part of parts) {
    filled += part.copy(bytes, filled);
    if (filled < turnEnds) continue;
    await nextTurn();
    turnEnds = filled + SLICE;
  }
  return bytes;
}

/** The declared length; 0 for an encoded body, whose decoded length is unknown. */
function declaredLength(request: Request): number {
  return isEncoded(request) ? 0 : Number(request.headers['content-length'] ?? 0);
}

function isEncoded(request: Request): boolean {
  return codingOf(request) !== 'identity';
}

function codingOf(request: Request): string {
  return (request.headers['content-encoding'] || 'identity').toLowerCase();
}

function tooLarge(): Refusal {
  return new Refusal('request.bodyTooLarge');
}
