import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('../../../server/platform/idle-collection.ts', import.meta.url).href;
const YOUNG = new URL('../../../server/platform/young-generation.ts', import.meta.url).href;

interface Thread {
  readonly givesBack: boolean;
  /** ms of work in each 20. */
  readonly works: number;
}

/**
 * MB of the heap of a thread that made much garbage and has little to do since: right after it, and least of
 * all within a second.
 */
function heapOfThread({ givesBack, works }: Thread): { before: number; least: number } {
  const thread = `
    import { parentPort } from 'node:worker_threads';
    import { getHeapStatistics } from 'node:v8';
    ${givesBack ? `(await import('${MODULE}')).collectWhenIdle({ every: 100 });` : ''}
    const size = () => getHeapStatistics().total_physical_size / 1024 / 1024;
    let kept = [];
    for (let i = 0; i < 2_000_000; i++) {
      kept.push({ i });
      if (kept.length > 50_000) kept = [];
    }
    const before = size();
    let least = before;
    const end = performance.now() + 1_000;
    const look = setInterval(() => {
      least = Math.min(least, size());
      const worked = performance.now() + ${works};
      while (performance.now() < worked);
      if (performance.now() > end) {
        clearInterval(look);
        parentPort.postMessage({ before, least });
      }
    }, 20);
  `;
  const script = `
    import { Worker } from 'node:worker_threads';
    (await import('${YOUNG}')).holdYoungGeneration();
    (await import('${MODULE}')).enableIdleCollection();
    const url = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(thread)}));
    new Worker(url, { execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: 24 } }).on('message', (heap) => { console.log(JSON.stringify(heap)); process.exit(); });
  `;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })) as {
    before: number;
    least: number;
  };
}

/** The largest share of its heap that a thread kept in one of five runs. V8 itself gives some back under load. */
function shareKept(thread: Thread): number {
  let share = 0;
  for (let run = 0; run < 5 && share <= 0.8; run++) {
    const { before, least } = heapOfThread(thread);
    share = Math.max(share, least / before);
  }
  return share;
}

test('a thread that has nothing to do gives back what its heap does not use, which V8 does not do by itself', () => {
  expect(shareKept({ givesBack: false, works: 0 })).toBeGreaterThan(0.8);
  const given = heapOfThread({ givesBack: true, works: 0 });
  expect(given.before).toBeGreaterThan(15);
  expect(given.least).toBeLessThan(given.before / 2);
});

test('a thread that works a little gives it back, too', () => {
  const given = heapOfThread({ givesBack: true, works: 1 });
  expect(given.least).toBeLessThan(given.before / 2);
});

test('a thread that works is not held up for it', () => {
  expect(shareKept({ givesBack: true, works: 10 })).toBeGreaterThan(0.8);
});
