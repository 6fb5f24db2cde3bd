import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { siblingUrl } from '../../../server/platform/threads/worker-url.ts';

const root = new URL('../../../', import.meta.url);
const CALL = /siblingUrl\(\s*import\.meta\.url,\s*'([^']+)'/g;

const named = globSync('server/**/*.ts', { cwd: root.pathname }).flatMap((path) => {
  const caller = new URL(path, root).href;
  return [...readFileSync(new URL(caller), 'utf8').matchAll(CALL)]
    .filter(() => !path.endsWith('worker-url.ts')) // the example in its comment
    .map(([, script]) => ({ path, caller, script: script! }));
});

test('the scripts of all threads exist where their callers look for them', () => {
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ caller, script }) => !existsSync(siblingUrl(caller, script)))).toEqual([]);
});

test('in the built program each script has a name of its own, beside all the others', () => {
  const built = (script: string) => siblingUrl('file:///waypost/dist/server/chunk-AB12.js', script).href;
  expect(built('./files/manifest.worker')).toBe('file:///waypost/dist/server/manifest.worker.js');
  const scripts = new Set(named.map(({ caller, script }) => siblingUrl(caller, script).href));
  expect(new Set(named.map(({ script }) => built(script))).size).toBe(scripts.size);
});
