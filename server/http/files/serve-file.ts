import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';

/** A file to serve. */
export interface ServedFile {
  /** Identifies the bytes, for the ETag. */
  readonly tag: string;
  /** bytes */
  readonly size: number;
  readonly type: string;
  /** File name of a download. */
  readonly name: string;
  read(range?: { start: number; end: number }): Readable;
}

/** Types that a browser shows without running anything. Everything else is a download. */
const SHOWN_INLINE = /^(?:image\/(?:jpeg|png|gif|webp|avif|heic|heif)|video\/|audio\/|text\/plain)/;

/**
 * Serves the file or the requested range (for several ranges the whole file, as RFC 9110 allows). The content
 * cannot run with the station's origin: unknown types are downloads, browsers must not guess the type, and a
 * sandbox applies to files opened on their own.
 */
export function serveFile(request: Request, response: Response, file: ServedFile): Readable | undefined {
  const tag = `"${file.tag}"`;
  response.set({
    'Accept-Ranges': 'bytes',
    'ETag': tag,
    'Cache-Control': 'private, no-cache',
    'Content-Type': SHOWN_INLINE.test(file.type) ? file.type : 'application/octet-stream',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; img-src 'self'; frame-ancestors 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Content-Disposition': `${SHOWN_INLINE.test(file.type) ? 'inline' : 'attachment'}; ${namedInHeader(file.name)}`,
  });
  if (matches(request.headers['if-none-match'], tag)) return void response.status(304).end();
  const part =
    request.method === 'GET' && rangeHolds(request, tag) ? rangeOf(request.headers.range, file.size) : undefined;
  if (part === 'beyond')
    return void response
      .status(416)
      .set({ 'Content-Range': `bytes */${file.size}`, 'Content-Type': 'text/plain; charset=utf-8' })
      .end('The file is shorter than what is asked for.');
  if (part)
    response.status(206).set({
      'Content-Range': `bytes ${part.start}-${part.end}/${file.size}`,
      'Content-Length': String(part.end - part.start + 1),
    });
  else response.set('Content-Length', String(file.size));
  if (request.method === 'HEAD' || file.size === 0) return void response.end();
  return file.read(part);
}

/**
 * The range of a `Range` header, both ends inclusive; undefined: the whole file. A malformed header or
 * several ranges get the whole file (RFC 9110, 14.2).
 */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start > end ? 'beyond' : { start, end };
}

/** `If-Range`: a client with another version of the file gets all of it. */
function rangeHolds(request: Request, tag: string): boolean {
  const known = request.headers['if-range'];
  return known === undefined || known === tag;
}

function matches(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === tag) ?? false;
}

/** An ASCII name for old clients, and the full name in UTF-8 (RFC 6266, RFC 5987). */
function namedInHeader(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}
