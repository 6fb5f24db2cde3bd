import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const server = new URL('../../../server', import.meta.url).pathname;

test('every worker script that the server names is there', () => {
  const named = globSync('**/*.ts', { cwd: server }).flatMap((file) =>
    [...readFileSync(join(server, file), 'utf8').matchAll(/siblingUrl\(\s*import\.meta\.url,\s*'([^']+)'/g)]
      // The example in the comment of the function itself.
      .filter(() => !file.endsWith('worker-url.ts'))
      .map((match) => join(dirname(file), `${match[1]}.ts`)),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((script) => !existsSync(join(server, script)))).toEqual([]);
});

/** Imports of values: `import type` vanishes when the file is loaded. */
const IMPORT = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

/** The packages that a script loads, and the file that imports each. */
function packagesOf(script: string): Map<string, string> {
  const packages = new Map<string, string>();
  const files = new Set([script]);
  for (const file of files) {
    for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (path!.startsWith('.')) files.add(resolve(dirname(file), path!));
      else packages.set(path!.split('/')[0]!, file);
    }
  }
  return packages;
}

test('no thread loads the database of the main thread: it is half of what a station loads at its start', () => {
  const scripts = globSync('**/*.worker.ts', { cwd: server }).map((file) => join(server, file));
  expect(packagesOf(join(server, 'store/open.ts')).has('rxdb')).toBe(true);
  expect(scripts.length).toBeGreaterThan(10);
  expect(scripts.map((script) => packagesOf(script).get('rxdb')).filter(Boolean)).toEqual([]);
});

test('threads that read roads or tracks do not load zod, which takes each 60 ms and 8 MB', () => {
  const readers = [
    'geo/routing/threads/search',
    'geo/routing/threads/prepare',
    'geo/speeds/speeds',
    'tracking/events/replay/replay',
  ];
  expect(packagesOf(join(server, 'geo/routing/threads/make-roads.worker.ts')).has('zod')).toBe(true);
  for (const reader of readers) expect(packagesOf(join(server, `${reader}.worker.ts`)).get('zod')).toBe(undefined);
});
