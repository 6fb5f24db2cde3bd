import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler } from 'express';
import { hostOf, looksLocal } from './client.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Pages, scripts and connections of this origin only: injected code can neither run nor send data elsewhere.
 * Trusted Types: only the policy in `trusted-types.js` and Vue's own may turn text into HTML or a script URL.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self'",
  "worker-src 'self' blob:",
  "require-trusted-types-for 'script'",
  'trusted-types default vue',
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
];

interface Openings {
  /** Origins whose pages may show the page in a frame. */
  readonly embedIn: readonly string[];
  /** Origins that pictures come from, beside this one. */
  readonly pictures: readonly string[];
}

function policyOf(host: string, { embedIn, pictures }: Openings): string {
  const rules = POLICY.filter((rule) => embedIn.length === 0 || !rule.startsWith('frame-ancestors')).map((rule) =>
    rule.startsWith('img-src') ? [rule, ...pictures].join(' ') : rule,
  );
  const frame = embedIn.length === 0 ? [] : [`frame-ancestors ${embedIn.join(' ')}`];
  return [...rules, ...frame, `connect-src 'self' ws://${host} wss://${host}`].join('; ');
}

/**
 * Serves the console's build at `/`, and the page of crews at `/crew`. Console pages use the URL's hash, so they
 * never hide a path of the interface.
 * @param citizensFrame the origins that may show the page of citizens (`/citizens`) in a frame; null: it is closed
 * @param pictureOrigins the origins from which the console may load pictures of the map, at the moment
 */
export function consolePages(
  directory: string,
  citizensFrame: readonly string[] | null = null,
  pictureOrigins: () => readonly string[] = () => [],
): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const path = pathOf(request.path);
    if (path === CITIZENS_PAGE && citizensFrame === null) return next();
    const embedIn = path === CITIZENS_PAGE ? citizensFrame! : [];
    const pictures = path === CONSOLE_PAGE ? pictureOrigins() : [];
    const file = path && join(directory, path);
    const found = file ? await stat(file).catch(() => undefined) : undefined;
    if (!file || !found?.isFile()) {
      if (path === CONSOLE_PAGE)
        return void response
          .status(404)
          .type('text/plain')
          .send('The console is not built. Build it with npm run build; the interface answers without it.');
      return next();
    }
    // Some browsers do not count a WebSocket to the same origin as 'self'.
    const host = hostOf(request).replace(/[^\w.:[\]-]/g, '');
    const packed = await precompressed(request, file);
    const tag = `"${[found.size.toString(36), found.mtimeMs.toString(36), ...(packed ? [packed.coding] : []), ...tagOf(pictures)].join('-')}"`;
    response.set({
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Content-Security-Policy': policyOf(host, { embedIn, pictures }),
      ...(embedIn.length === 0 && { 'X-Frame-Options': 'DENY' }),
      'Cross-Origin-Opener-Policy': 'same-origin',
      // Only assets have the hash of their content in the name.
      'Cache-Control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'ETag': tag,
      'Vary': 'Accept-Encoding',
      ...(packed && { 'Content-Encoding': packed.coding }),
    });
    if (request.headers['if-none-match'] === tag) return void response.status(304).end();
    response.set('Content-Length', String(packed?.size ?? found.size));
    if (request.method === 'HEAD') return void response.end();
    // the client disconnected, or the file is gone
    await pipeline(createReadStream(packed?.file ?? file), response).catch(() => response.destroy());
  };
}

/** Browsers keep the policy that they have when a page is unchanged (304), so another policy is another page. */
function tagOf(pictures: readonly string[]): string[] {
  if (pictures.length === 0) return [];
  return [createHash('sha256').update(pictures.join(' ')).digest('base64url').slice(0, 12)];
}

/** Pages that have an address of their own. */
const CONSOLE_PAGE = 'index.html';
const CITIZENS_PAGE = 'citizens.html';
const PAGES: Readonly<Record<string, string>> = {
  '/': CONSOLE_PAGE,
  '/crew': 'crew.html',
  '/citizens': CITIZENS_PAGE,
};

const PACKED = { br: '.br', gzip: '.gz' } as const;

/** The precompressed file, when the client accepts it and runs on another machine. */
async function precompressed(
  request: Request,
  file: string,
): Promise<{ coding: keyof typeof PACKED; file: string; size: number } | undefined> {
  if (looksLocal(request)) return undefined;
  // Browsers list gzip first but accept both: send the smaller one.
  const accepted = (['br', 'gzip'] as const).find((coding) => request.acceptsEncodings(coding) === coding);
  if (!accepted) return undefined;
  const path = file + PACKED[accepted];
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? { coding: accepted, file: path, size: found.size } : undefined;
}

/** The path of the file; undefined when it would leave the directory. */
function pathOf(path: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  const inside = PAGES[decoded] ?? decoded.slice(1);
  if (inside.includes('\0') || inside.includes('\\') || inside === '') return undefined;
  const clean = normalize(inside);
  return clean.startsWith('..') || clean.startsWith(sep) || clean.split(sep).some((part) => part.startsWith('.'))
    ? undefined
    : clean;
}
