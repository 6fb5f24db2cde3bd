import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** ms between two measurements of how busy a thread is. */
const EVERY = 10_000;
/** A thread that works for a smaller share of its time is idle; below the second share it can spare a collection. */
const IDLE = 0.01;
const CALM = 0.2;
/** Bytes by which a heap must grow before an idle thread, and a calm one, collects it again. */
const WORTH = 4 * 1024 * 1024;
const WORTH_WHEN_CALM = 8 * 1024 * 1024;

/**
 * Allows threads that start later to collect their heaps. Compiled code is kept, so that the next answer is as
 * fast as the last. Does nothing in Electron, which does not let V8's flags change.
 */
export function enableIdleCollection(): void {
  if (process.versions['electron'] !== undefined) return;
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--no-flush-bytecode');
}

/** Collects what a long step of work left behind, such as large arrays, which V8 would keep while it is idle. */
export function collectGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Collects the heap of this thread when it has little to do and the heap has grown; a long-lived thread calls this
 * once. V8 lets a heap that grows slowly become several times as large as what it holds, and collects an idle one
 * never. A collection takes some 30 ms.
 */
export function collectWhenIdle({ every = EVERY } = {}): void {
  if (!globalThis.gc) return;
  let left = 0;
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization > CALM) return;
    const worth = utilization > IDLE ? WORTH_WHEN_CALM : WORTH;
    if (getHeapStatistics().total_physical_size < left + worth) return;
    // The other kinds of collection leave the young generation as large as it is.
    collectGarbage();
    left = getHeapStatistics().total_physical_size;
    before = performance.eventLoopUtilization();
  }, every).unref();
}
