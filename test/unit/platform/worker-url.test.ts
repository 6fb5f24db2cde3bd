import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { siblingUrl } from '../../../server/platform/worker-url.ts';

const root = new URL('../../../', import.meta.url);
const CALL = /siblingUrl\(\s*import\.meta\.url,\s*'([^']+)'/g;

test('the scripts of all threads exist where their callers look for them', () => {
  const scripts = globSync('server/**/*.ts', { cwd: root.pathname }).flatMap((path) => {
    const caller = new URL(path, root);
    return [...readFileSync(caller, 'utf8').matchAll(CALL)].map(([, script]) => ({
      path,
      script: script!,
      exists: existsSync(siblingUrl(caller.href, script!)),
    }));
  });
  expect(scripts.length).toBeGreaterThan(10);
  expect(scripts.filter(({ exists }) => !exists)).toEqual([]);
});
