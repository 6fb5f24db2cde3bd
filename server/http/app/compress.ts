import compression from 'compression';
import type { Request, Response } from 'express';
import { constants } from 'node:zlib';
import { looksLocal } from './client.ts';

/** Smallest answer worth compressing, in bytes. Less fits into one packet anyway. */
const MIN_SIZE = 1024;
/**
 * Paths whose answers hold tokens beside text that a client chose. Compressed length would leak the token
 * (BREACH).
 */
const NEVER_COMPRESSED = /^\/(auth|links)(\/|$)/;
const TILE = 'application/vnd.mapbox-vector-tile';

const middleware = compression({
  threshold: MIN_SIZE,
  // Cheap enough for every answer. The console's files are compressed harder, once, by the build.
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  filter: (request, response) => {
    // A byte range refers to the stored bytes, not to compressed ones.
    if (
      response.hasHeader('Accept-Ranges') ||
      response.hasHeader('Content-Encoding') ||
      NEVER_COMPRESSED.test(request.path)
    )
      return false;
    return String(response.getHeader('Content-Type')).startsWith(TILE) || compression.filter(request, response);
  },
});

/** Compresses the answer when the client accepts it and runs on another machine. */
export function compress(request: Request, response: Response): void {
  if (request.headers['accept-encoding'] === undefined || looksLocal(request)) return;
  middleware(request, response, () => undefined);
}
