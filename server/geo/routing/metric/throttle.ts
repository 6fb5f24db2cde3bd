/** ms of work between two pauses, and of a pause; the system makes 0.1 ms of it. */
const WORK = 0.5;
const REST = 0.05;

interface ThrottleClock {
  /** ms */
  readonly now: () => number;
  readonly sleep: (ms: number) => void;
}

/**
 * Creates a throttle for background work: call it far more often than twice per millisecond, and it sleeps
 * briefly after each half millisecond of work. A thread that keeps working holds its core for milliseconds
 * before a woken thread runs, whatever their priorities (Linux since 6.6: EEVDF); a sleeping one yields at
 * once.
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

/** Numbers copied or filled between two calls of `throttle`. */
const COPIED = 128 * 1024;

/** Copies numbers and calls `throttle` between chunks. */
export function copyThrottled<T extends Int32Array | Float32Array>(into: T, from: T, throttle?: () => void): void {
  for (let first = 0; first < from.length; first += COPIED) {
    into.set(from.subarray(first, first + COPIED), first);
    throttle?.();
  }
}

/** Fills all numbers and calls `throttle` between chunks. */
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
