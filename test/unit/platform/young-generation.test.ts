import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('../../../server/platform/young-generation.ts', import.meta.url).href;

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

test('threads have their full young generation from their start, and no more than their own limit', () => {
  const script = `
    import { Worker } from 'node:worker_threads';
    (await import('${MODULE}')).holdYoungGeneration();
    const text = "const { getHeapSpaceStatistics } = require('node:v8'); let kept = []; for (let i = 0; i < 1_000_000; i++) { kept.push({ i }); if (kept.length > 100_000) kept = []; } require('node:worker_threads').parentPort.postMessage(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 1024 / 1024);";
    for (const maxYoungGenerationSizeMb of [12, 24]) await new Promise((done) => new Worker(text, { eval: true, execArgv: [], resourceLimits: { maxYoungGenerationSizeMb } }).on('message', (size) => done(console.log(size))));
  `;
  expect(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim().split('\n'),
  ).toEqual(['8', '16']);
});

test('the young generation stays small, which it would not by itself', () => {
  // How far it grows by itself depends on how fast the machine collects: 32 MB on a busy one, 64 on a quiet
  // one.
  expect(youngAfterGarbage(undefined)).toBeGreaterThan(16);
  expect(youngAfterGarbage(16)).toBeLessThanOrEqual(16);
  expect(youngAfterGarbage(32)).toBeLessThanOrEqual(32);
});
