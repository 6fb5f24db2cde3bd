// Bundles what runs in the program's windows before or instead of the console. A sandboxed preload is one CommonJS
// file: Electron gives it no module loader.
import { build } from 'esbuild';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the two preload scripts and the connect page into `outdir`. */
export async function buildWindows(outdir: string): Promise<void> {
  const page = join(outdir, 'connect');
  await mkdir(page, { recursive: true });
  await Promise.all([
    buildPreload('./preload.ts', join(outdir, 'preload.cjs')),
    buildPreload('./connect/page/preload.ts', join(outdir, 'connect-preload.cjs')),
    build({
      entryPoints: [file('./connect/page/page.ts'), file('./connect/page/page.css')],
      outdir: page,
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'iife',
      target: 'chrome140',
      loader: { '.woff2': 'file', '.woff': 'empty' },
      assetNames: '[name]',
      logLevel: 'error',
    }),
    copyFile(file('./connect/page/index.html'), join(page, 'index.html')),
  ]);
}

async function buildPreload(source: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [file(source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['electron'],
    logLevel: 'error',
  });
}

if (import.meta.main) await buildWindows(file('../dist/electron'));
