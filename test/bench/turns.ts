import { performance, PerformanceObserver } from 'node:perf_hooks';
import process from 'node:process';

/** Milliseconds that this thread has worked. The system counts them in steps of some ms. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** ms; more is too long. */
const LONG = 10;

export interface Turns {
  /** ms */
  readonly longest: number;
  /** How many worked longer than 10 ms, and how many of those would not have without collecting memory. */
  readonly long: number;
  readonly longByCollecting: number;
  debug: string;
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
  const turn = () => {
    const until = performance.now();
    const took = Math.min(until - clock, threadTime() - worked);
    longest = Math.max(longest, took);
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
      const kinds = ({ from, until }: { from: number; until: number }) => collections.filter(({ startTime }) => startTime >= from && startTime < until).map((c) => `${(c as any).detail.kind}:${c.duration.toFixed(1)}`).join(' ');
      const byKind: Record<string, number[]> = {};
      for (const c of collections) (byKind[(c as any).detail.kind] ??= []).push(c.duration);
      const debug = long.sort((a, b) => b.took - a.took).slice(0, 12).map((t) => `@${t.from.toFixed(0)} ${t.took.toFixed(1)} cpu of ${(t.until - t.from).toFixed(1)} [${kinds(t)}]`).join('; ') + ' | gc ' + Object.entries(byKind).map(([k, d]) => `${k}: n ${d.length} mean ${(d.reduce((a, b) => a + b, 0) / d.length).toFixed(1)} max ${Math.max(...d).toFixed(1)}`).join(', ');
      return {
        debug,
        longest,
        long: long.length,
        longByCollecting: long.filter((turn) => turn.took - collecting(turn) <= LONG).length,
      };
    },
  };
}

export function turnsText({ longest, long, longByCollecting, debug }: Turns): string {
  console.log('      ' + debug);
  return `the longest turn of the event loop worked ${longest.toFixed(1)} ms, ${long} more than ${LONG}${long > 0 ? `, ${longByCollecting} of them for collecting memory` : ''}`;
}
