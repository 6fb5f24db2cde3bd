import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';

const root = new URL('../../..', import.meta.url).pathname;

/** Folders below `node_modules` that `electron-builder.yml` keeps out of the installers. */
const leftOut = [
  ...readFileSync(join(root, 'electron-builder.yml'), 'utf8').matchAll(/^ {2}- '!(node_modules\/.+)\/\*\*'$/gm),
].map((match) => match[1]!);
const isLeftOut = (path: string): boolean => leftOut.some((folder) => `${path}/`.startsWith(`${folder}/`));

/** Packages with one variant per platform are found by name at run time, which esbuild cannot follow. */
const BY_PLATFORM = /^node_modules\/(@img\/sharp-|@node-rs\/argon2-)/;

/** Files of packages that the server, the Electron shell and their threads import. */
let loaded: string[];

beforeAll(async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['server/cli.ts', 'electron/main.ts', ...globSync('server/**/*.worker.ts', { cwd: root })],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    outdir: 'unused',
    external: ['electron'],
    loader: { '.node': 'empty' },
    logLevel: 'error',
  });
  loaded = Object.keys(metafile.inputs).filter((path) => path.startsWith('node_modules/'));
});

test('the installers leave out nothing that the program loads', () => {
  expect(leftOut.length).toBeGreaterThan(20);
  expect(loaded.length).toBeGreaterThan(500);
  expect(loaded.filter(isLeftOut)).toEqual([]);
});

test('the installers leave out every package that the program does not load', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const shipped = Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional && existsSync(join(root, path)))
    .map(([path]) => path);
  const packages = new Set(loaded.map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(file)![1]!));
  const unused = shipped.filter((path) => !packages.has(path) && !BY_PLATFORM.test(path) && !isLeftOut(path));
  expect(unused).toEqual([]);
});
