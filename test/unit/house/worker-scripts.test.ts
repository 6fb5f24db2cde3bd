import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
