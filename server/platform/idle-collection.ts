import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** ms between two looks at how much a thread works. */
const EVERY = 10_000;
/** The share of the time between two looks that an idle thread may work. */
const IDLE = 0.01;
/** Bytes that a heap grows by before it is collected again. */
const WORTH = 4 * 1024 * 1024;

/**
 * For the start, before there are threads: lets them collect their heaps. What was compiled is kept then, so
 * that the next answer is as fast as the last. In Electron V8 lets no flag be changed: there nothing happens.
 */
export function enableIdleCollection(): void {
  if (process.versions['electron'] !== undefined) return;
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--no-flush-bytecode');
}

/**
 * Called once by the script of a thread that stays: when it hardly works, it gives back the memory that its
 * heap does not use. V8 itself collects only when memory is asked for, and a young generation never shrinks
 * before. It takes some 30 ms, in this thread alone, and not again before the heap has grown.
 */
export function collectWhenIdle({ every = EVERY } = {}): void {
  const collect = globalThis.gc;
  if (!collect) return;
  let left = 0;
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization > IDLE || getHeapStatistics().total_physical_size < left + WORTH) return;
    // The other kinds of collection leave the young generation as large as it is.
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    left = getHeapStatistics().total_physical_size;
    before = performance.eventLoopUtilization();
  }, every).unref();
}
