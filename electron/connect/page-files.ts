import type { Protocol } from 'electron';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** The scheme of the program's own page. It is registered before Electron is ready. */
export const SCHEME = 'waypost';
export const PAGE_ORIGIN = `${SCHEME}://connect`;
export const START_PAGE = `${PAGE_ORIGIN}/index.html`;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

/** Nothing but the page's own files: no line of script in the page, no connection, no frame, no form. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Serves the files of `folder` to the page, and nothing else. */
export function servePage(protocol: Protocol, folder: string): void {
  protocol.handle(SCHEME, async ({ url }) => {
    const { host, pathname } = new URL(url);
    const name = pathname.slice(1);
    const type = TYPES[extname(name)];
    if (host !== 'connect' || type === undefined || !/^[\w-]+(\.[\w-]+)+$/.test(name)) return missing();
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    if (!bytes) return missing();
    return new Response(new Uint8Array(bytes), {
      headers: { 'content-type': type, 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' },
    });
  });
}

function missing(): Response {
  return new Response('', { status: 404 });
}
