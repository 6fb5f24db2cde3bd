import type { Request } from 'express';
import { finished, type Readable } from 'node:stream';
import { finished as ended } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { Refusal } from '../../../shared/refusal.ts';

/** Content codings of RFC 9110 that clients use, and those that came since. */
const UNPACK = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);
/** Bytes that are joined before the event loop gets its turn: about a millisecond. */
const PIECE = 1024 * 1024;

/**
 * The bytes of a body as they were before they were packed; at most `limit`, otherwise it is refused as too
 * large, however small it came. Long bodies are joined piece by piece: 16 MiB in one go hold the event loop
 * for 5 ms of a free processor, and for 30 of a busy one.
 */
export async function bodyBytes(request: Request, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  let unpacking: Readable | undefined;
  try {
    if (lengthSaid(request) > limit) throw tooLarge();
    unpacking = unpacked(request);
    for await (const part of unpacking.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > limit) throw tooLarge();
      parts.push(part);
    }
  } catch (error) {
    await leave(request, unpacking);
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      'invalid',
      request.complete ? 'The body is not in the content coding that its header says.' : 'The body broke off.',
      { cause: error },
    );
  }
  if (unpacking !== request) void leave(request, unpacking); // of what comes behind the end
  return length <= PIECE ? Buffer.concat(parts, length) : joined(parts, length);
}

/** Reads the rest and lets it go: a client hears an answer only after it has sent what it wants to. */
async function leave(request: Request, unpacking: Readable | undefined): Promise<void> {
  request.unpipe();
  if (unpacking !== request) unpacking?.destroy();
  request.resume();
  await ended(request, { writable: false }).catch(() => undefined);
}

function unpacked(request: Request): Readable {
  if (!isPacked(request)) return request;
  const unpack = UNPACK.get(codingOf(request));
  if (!unpack) throw new Refusal('invalid', 'The content coding of the body is not supported.');
  const unpacking = unpack();
  // A pipe does not tell that its source broke off.
  finished(request, { writable: false }, (error) => error && unpacking.destroy(error));
  return request.pipe(unpacking);
}

async function joined(parts: readonly Buffer[], length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  let turnEnds = PIECE;
  for (const part of parts) {
    filled += part.copy(bytes, filled);
    if (filled < turnEnds) continue;
    await nextTurn();
    turnEnds = filled + PIECE;
  }
  return bytes;
}

/** Of what comes packed the length is not known before. */
function lengthSaid(request: Request): number {
  return isPacked(request) ? 0 : Number(request.headers['content-length'] ?? 0);
}

function isPacked(request: Request): boolean {
  return codingOf(request) !== 'identity';
}

function codingOf(request: Request): string {
  return (request.headers['content-encoding'] || 'identity').toLowerCase();
}

function tooLarge(): Refusal {
  return new Refusal('too-large', 'The body is too large.');
}
