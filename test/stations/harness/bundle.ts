import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * A program of this folder that opens a store, and the store's worker, as two plain files: a hundred modules
 * less to load at each start. Returns the path of the program.
 */
export async function bundleWithStore(program: string, into: string): Promise<string> {
  const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  await build({
    entryPoints: [source(program), source('../../../server/store/sqlite/database.worker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir: into,
    entryNames: '[name]',
    // Some packages are CommonJS and ask for Node's modules by `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  // The program finds its worker beside it as `.js`.
  writeFileSync(join(into, 'package.json'), '{ "type": "module" }');
  return join(into, `${basename(program, '.ts')}.js`);
}
