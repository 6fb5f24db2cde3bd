import compression from 'compression';
import type { Request, Response } from 'express';
import { constants } from 'node:zlib';
import { isLoopback } from './client-address.ts';

/** Bytes below which an answer goes out as it is: it fits into one packet either way. */
const MIN_SIZE = 1024;
/** Tokens do not go out beside text that a client chose: their length would tell about them (BREACH). */
const NEVER_COMPRESSED = /^\/(auth|links)(\/|$)/;
const TILE = 'application/vnd.mapbox-vector-tile';

const middleware = compression({
  threshold: MIN_SIZE,
  // A quality that a station can pay for each answer; pages are compressed harder, once, when they are built.
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  filter: (request, response) => {
    // A part of a file is a part of its bytes as they are stored.
    if (
      response.hasHeader('Accept-Ranges') ||
      response.hasHeader('Content-Encoding') ||
      NEVER_COMPRESSED.test(request.path)
    )
      return false;
    return String(response.getHeader('Content-Type')).startsWith(TILE) || compression.filter(request, response);
  },
});

/** Lets the answer be compressed where the client asks for it and is on another machine. */
export function compress(request: Request, response: Response): void {
  if (request.headers['accept-encoding'] === undefined || isLoopback(request)) return;
  middleware(request, response, () => undefined);
}
