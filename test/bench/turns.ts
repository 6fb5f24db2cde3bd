import process from 'node:process';

/** Milliseconds that this thread has worked. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Watches how much work the turns of the event loop do, by the processor's time: others on the machine do not lengthen them. `long` counts those over 10 ms. */
export function measureTurns(): { stop(): { longest: number; long: number } } {
  let [longest, long, last, stopped] = [0, 0, threadTime(), false];
  const turn = () => {
    const worked = threadTime() - last;
    last += worked;
    longest = Math.max(longest, worked);
    long += Number(worked > 10);
    if (!stopped) setImmediate(turn);
  };
  setImmediate(turn);
  return { stop: () => ((stopped = true), { longest, long }) };
}
