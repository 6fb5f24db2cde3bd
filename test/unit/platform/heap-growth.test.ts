import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('../../../server/platform/heap-growth.ts', import.meta.url).href;

/** The most MB of a heap that holds 10 MB, with garbage that survives some turns, after a call of the module. */
function mostOfHeap(call: string): number {
  const script = `
    import { getHeapStatistics } from 'node:v8';
    (await import('${MODULE}')).${call};
    const held = Array.from({ length: 100_000 }, (_, i) => ({ i, list: [i] }));
    await new Promise((next) => setTimeout(next, 10));
    gc();
    let most = 0;
    const waiting = [];
    for (let turn = 0; turn < 400; turn++) {
      waiting[turn % 20] = Array.from({ length: 4_000 }, (_, i) => ({ i, list: [i] }));
      most = Math.max(most, getHeapStatistics().total_heap_size);
    }
    console.log(most / 1024 / 1024, held.length);
  `;
  const flags = ['--expose-gc', '--max-semi-space-size=1', '--input-type=module'];
  return parseFloat(execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' }));
}

test('old generations grow less while the process is calm, and as V8 likes while it is busy', () => {
  const [calm, busy] = ['Infinity', '0'].map((share) =>
    mostOfHeap(`keepHeapsTightWhenCalm({ every: 1, calm: ${share} })`),
  );
  expect(calm).toBeLessThan(0.6 * busy!);
});

test('old generations grow slowly on request, until that is ended', () => {
  expect(mostOfHeap('growHeapsSlowly()')).toBeLessThan(0.7 * mostOfHeap('growHeapsSlowly()()'));
});
