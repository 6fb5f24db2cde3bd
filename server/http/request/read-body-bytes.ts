import type { Request } from 'express';
import { finished, type Readable } from 'node:stream';
import { finished as ended } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { Refusal } from '../../../shared/refusal.ts';

/** Content codings of RFC 9110 that clients use, and those that came since. */
const DECODERS = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);
/** Bytes that are joined before the event loop gets its turn: about a millisecond. */
const SLICE = 1024 * 1024;

/**
 * The bytes of a body as they were before they were packed; at most `limit`, otherwise it is refused as too
 * large, however small it came. Long bodies are joined piece by piece: 16 MiB in one go hold the event loop
 * for 5 ms of a free processor, and for 30 of a busy one.
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
    throw new Refusal(
      'invalid',
      request.complete ? 'The body is not in the content coding that its header says.' : 'The body broke off.',
      { cause: error },
    );
  }
  if (unpacking !== request) void drain(request, unpacking); // of what comes behind the end
  return length <= SLICE ? Buffer.concat(parts, length) : concatInSlices(parts, length);
}

/** Reads the rest and lets it go: a client hears an answer only after it has sent what it wants to. */
async function drain(request: Request, unpacking: Readable | undefined): Promise<void> {
  request.unpipe();
  if (unpacking !== request) unpacking?.destroy();
  request.resume();
  await ended(request, { writable: false }).catch(() => undefined);
}

function decoded(request: Request): Readable {
  if (!isEncoded(request)) return request;
  const unpack = DECODERS.get(codingOf(request));
  if (!unpack) throw new Refusal('invalid', 'The content coding of the body is not supported.');
  const unpacking = unpack();
  // A pipe does not tell that its source broke off.
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

/** Of what comes packed the length is not known before. */
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
  return new Refusal('too-large', 'The body is too large.');
}
