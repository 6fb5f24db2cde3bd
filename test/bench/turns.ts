import { createHistogram, performance, PerformanceObserver } from 'node:perf_hooks';
import process from 'node:process';

/** Milliseconds that this thread has worked. The system counts them in steps of some ms. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** ms; more is too long. */
const LONG = 10;
/** ms; less is a turn with nothing to do. */
const IDLE = 0.1;

export interface Turns {
  /** ms */
  readonly longest: number;
  /** ms, of turns that had something to do. */
  readonly p99: number;
  /** ms of the clock, with the waiting for threads that help. */
  readonly longestCollection: number;
  /** How many worked longer than 10 ms, and how many of those would not have without collecting memory. */
  readonly long: number;
  readonly longByCollecting: number;
}

/**
 * Watches how much work the turns of the event loop do.
 *
 * A turn worked no longer than it lasted by the clock, and no longer than the thread had the processor in it:
 * the clock alone would count what others on the machine do, and the processor's time alone comes in steps,
 * the last of which may belong to the turns before. What the watching itself takes is not counted.
 */
export function measureTurns(): { stop(): Promise<Turns> } {
  let [longest, stopped] = [0, false];
  let [clock, worked] = [performance.now(), threadTime()];
  const long: { from: number; took: number; until: number }[] = [];
  const collections: { startTime: number; duration: number }[] = [];
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const working = createHistogram();
  const turn = () => {
    const until = performance.now();
    const took = Math.min(until - clock, threadTime() - worked);
    longest = Math.max(longest, took);
    if (took > IDLE) working.record(Math.round(took * 1000));
    if (took > LONG) long.push({ from: clock, took, until });
    if (!stopped) setImmediate(turn);
    worked = threadTime();
    clock = performance.now();
  };
  setImmediate(turn);
  return {
    async stop() {
      stopped = true;
      // Collections are announced in a turn of their own.
      await new Promise((later) => setTimeout(later, 100));
      observer.disconnect();
      const collecting = ({ from, until }: { from: number; until: number }): number =>
        collections
          .filter(({ startTime }) => startTime >= from && startTime < until)
          .reduce((sum, { duration }) => sum + duration, 0);
      return {
        longest,
        p99: working.percentile(99) / 1000,
        longestCollection: Math.max(0, ...collections.map(({ duration }) => duration)),
        long: long.length,
        longByCollecting: long.filter((turn) => turn.took - collecting(turn) <= LONG).length,
      };
    },
  };
}

export function turnsText({ longest, p99, longestCollection, long, longByCollecting }: Turns): string {
  const ofCollecting = long > 0 ? `, ${longByCollecting} of them for collecting memory` : '';
  const collection = `the longest collection took ${longestCollection.toFixed(1)} ms by the clock`;
  return `the longest turn of the event loop worked ${longest.toFixed(1)} ms, p99 ${p99.toFixed(1)}, ${long} more than ${LONG}${ofCollecting}; ${collection}`;
}
