/** ms of work between two breaths, and of a breath: the system makes a tenth of a millisecond of it. */
const WORK = 0.5;
const REST = 0.05;

interface ThrottleClock {
  /** ms */
  readonly now: () => number;
  readonly sleep: (ms: number) => void;
}

/**
 * For work in the background that nobody is to feel: what it returns is to be called time and again, far more
 * often than twice in a millisecond, and has the thread sleep for a moment whenever it has worked for half a
 * millisecond. A thread that works on keeps its core for some milliseconds before the system lets one in that
 * has just been woken, whatever their priorities (Linux since 6.6: EEVDF); one that sleeps leaves it at once.
 */
export function createThrottle(
  { now, sleep }: ThrottleClock = { now: () => performance.now(), sleep: sleeper() },
): () => void {
  let since = now();
  return () => {
    if (now() - since < WORK) return;
    sleep(REST);
    since = now();
  };
}

/** Numbers that are copied or filled in between two breaths. */
const COPIED = 128 * 1024;

/** Copies numbers, breathing. */
export function copyThrottled<T extends Int32Array | Float32Array>(into: T, from: T, throttle?: () => void): void {
  for (let first = 0; first < from.length; first += COPIED) {
    into.set(from.subarray(first, first + COPIED), first);
    throttle?.();
  }
}

/** Makes all numbers the same, breathing. */
export function fillThrottled(into: Int32Array, value: number, throttle?: () => void): void {
  for (let first = 0; first < into.length; first += COPIED) {
    into.fill(value, first, first + COPIED);
    throttle?.();
  }
}

function sleeper(): ThrottleClock['sleep'] {
  const never = new Int32Array(new SharedArrayBuffer(4));
  return (ms) => void Atomics.wait(never, 0, 0, ms);
}
