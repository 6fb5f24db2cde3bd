import { setFlagsFromString } from 'node:v8';

/** ms between two looks at how busy the process is. */
const EVERY = 5_000;
/** A process that uses less than this share of a core is calm. */
const CALM = 0.3;

/**
 * Lets the old generations of all threads grow by at most 30 % between two collections while the process is calm.
 * V8 lets them double or more, which is faster and is allowed while there is much to do. Returns the function that
 * stops this. Does nothing in Electron, which does not let V8's flags change.
 */
export function keepHeapsTightWhenCalm({ every = EVERY, calm = CALM } = {}): () => void {
  if (process.versions['electron'] !== undefined) return () => undefined;
  let used = process.cpuUsage();
  let at = performance.now();
  let tight = false;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(used);
    const share = (user + system) / 1000 / (performance.now() - at);
    used = process.cpuUsage();
    at = performance.now();
    if (share < calm === tight) return;
    tight = share < calm;
    // V8 reads it at each collection. Set at the start, it would also make young generations tiny.
    setFlagsFromString(tight ? '--optimize-for-size' : '--no-optimize-for-size');
  }, every);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Lets the old generations of all threads grow by at most 50 % between two collections, as for work that makes much
 * garbage beside little that stays. Returns the function that ends this. Does nothing in Electron.
 */
export function growHeapsSlowly(): () => void {
  if (process.versions['electron'] !== undefined) return () => undefined;
  setFlagsFromString('--heap-growing-percent=50');
  return () => setFlagsFromString('--heap-growing-percent=0');
}
