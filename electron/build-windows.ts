// A sandboxed preload is one CommonJS file: Electron gives it no module loader.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the preload script into `outfile`. */
export async function buildPreload(outfile: string): Promise<void> {
  await build({
    entryPoints: [file('./preload.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['electron'],
    logLevel: 'error',
  });
}

if (import.meta.main) await buildPreload(file('../dist/electron/preload.cjs'));
