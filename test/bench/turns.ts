import { performance } from 'node:perf_hooks';
import process from 'node:process';

/** Milliseconds that this thread has worked. The system counts them in steps of some ms. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Watches how much work the turns of the event loop do. `long` counts those over 10 ms.
 *
 * A turn worked no longer than it lasted by the clock, and no longer than the thread had the processor in it: the clock alone would count what others on the machine do, and the
 * processor's time alone comes in steps, the last of which may belong to the turns before. What the watching itself takes is not counted.
 */
export function measureTurns(): { stop(): { longest: number; long: number } } {
  let [longest, long, stopped] = [0, 0, false];
  let [clock, worked] = [performance.now(), threadTime()];
  const turn = () => {
    const took = Math.min(performance.now() - clock, threadTime() - worked);
    longest = Math.max(longest, took);
    long += Number(took > 10);
    if (!stopped) setImmediate(turn);
    worked = threadTime();
    clock = performance.now();
  };
  setImmediate(turn);
  return { stop: () => ((stopped = true), { longest, long }) };
}
