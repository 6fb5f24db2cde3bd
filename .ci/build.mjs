// Builds what is shipped: the console's pages, and the server and the Electron shell as JavaScript. Run by
// itself it builds both, or the one that is named: `node .ci/build.mjs console`.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { bundleProgram } from './bundle-program.mjs';
import { root, run, whenChanged } from './prepare.mjs';

mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });

export function buildConsole() {
  return whenChanged(
    'console',
    ['renderer', 'shared', 'package-lock.json', '.ci/build.mjs'],
    'dist/renderer/index.html',
    () => {
      for (const config of ['renderer/vite.config.ts', 'renderer/phones.vite.config.ts'])
        run(['node_modules/vite/bin/vite.js', 'build', '--config', config, '--logLevel', 'warn']);
      precompress(join(root, 'dist', 'renderer'));
    },
  );
}

/**
 * Writes `.br` and `.gz` beside each text of the pages, as hard as it goes: consoles on other machines get
 * those.
 */
function precompress(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(html|js|mjs|css|svg|json|webmanifest)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length < 1024) continue;
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    );
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** The station's program when it is built. */
export const program = 'dist/server/cli.js';

export function buildProgram() {
  const inputs = [
    'electron',
    'server',
    'shared',
    'renderer/src/ui/design',
    'package-lock.json',
    '.ci/bundle-program.mjs',
  ];
  return whenChanged('program', inputs, program, async () => {
    for (const room of ['electron', 'server', 'shared'])
      rmSync(join(root, 'dist', room), { recursive: true, force: true });
    await bundleProgram(join(root, 'dist'));
    run(['electron/build-windows.ts']);
  });
}

if (process.argv[1]?.endsWith('build.mjs')) {
  const part = process.argv[2];
  if (part !== 'program') await buildConsole();
  if (part !== 'console') await buildProgram();
}
