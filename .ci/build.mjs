// Builds what is shipped: the console's pages, and the server and the Electron shell as JavaScript. Run by itself it builds both.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, whenChanged } from './prepare.mjs';

mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });

export function buildConsole() {
  whenChanged('console', ['renderer', 'shared', 'package-lock.json'], 'dist/renderer/index.html', () => {
    run(['node_modules/vite/bin/vite.js', 'build', '--config', 'renderer/vite.config.ts', '--logLevel', 'warn']);
  });
}

/** The station's program when it is built. */
export const program = 'dist/server/cli.js';

export function buildProgram() {
  whenChanged('program', ['electron', 'server', 'shared', 'package-lock.json'], program, () => {
    for (const room of ['electron', 'server', 'shared']) rmSync(join(root, 'dist', room), { recursive: true, force: true });
    run(['node_modules/typescript/bin/tsc', '-p', 'electron/tsconfig.build.json']);
    run(['electron/build-preload.ts']);
  });
}

if (process.argv[1]?.endsWith('build.mjs')) {
  buildConsole();
  buildProgram();
}
