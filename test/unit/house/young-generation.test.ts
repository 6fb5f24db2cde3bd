import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('../../../server/young-generation.ts', import.meta.url).href;

/** MB of the young generation of a process that makes much garbage, and keeps some of it for a while. */
function youngAfterGarbage(most: number | undefined): number {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    const size = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 1024 / 1024;
    ${most === undefined ? '' : `(await import('${MODULE}')).keepYoungGenerationSmall(${most} * 1024 * 1024);`}
    let kept = [];
    for (let turn = 0; turn < 200; turn++) {
      for (let i = 0; i < 5_000; i++) kept.push({ i, list: [i] });
      if (kept.length > 100_000) kept = [];
      await new Promise((next) => setImmediate(next));
    }
    console.log(size());
  `;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
}

test('the young generation stays small, which it would not by itself', () => {
  expect(youngAfterGarbage(undefined)).toBeGreaterThan(32);
  expect(youngAfterGarbage(16)).toBeLessThanOrEqual(16);
  expect(youngAfterGarbage(32)).toBeLessThanOrEqual(32);
});
