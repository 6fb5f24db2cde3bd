import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of the main thread's young generation. V8 itself would take 128 MB and keep them. */
const MOST = 32 * 1024 * 1024;

/**
 * MB of a thread's young generation (three semi-spaces): busy threads work for every request or record, quiet ones
 * for some seconds in a minute.
 */
export const YOUNG_OF_QUIET_THREAD = 3;
export const YOUNG_OF_THREAD = 12;
export const YOUNG_OF_BUSY_THREAD = 24;

const IN_ELECTRON = process.versions['electron'] !== undefined;

/**
 * Stops the growth of the young generation until `keepYoungGenerationSmall`: the long turns of a start would
 * make it grow to V8's limit. The flag holds for threads too, so they get their full young generation at
 * once; unused parts of it take no memory.
 */
export function holdYoungGeneration(): void {
  if (IN_ELECTRON) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--min-semi-space-size=${YOUNG_OF_BUSY_THREAD / 3}`);
}

/**
 * Keeps the young generation of this thread below `most` bytes. V8 takes its own limit only on the command
 * line; the growth factor can change at any time, so each collection sets it to grow or not to grow. Returns
 * the function that stops this. Does nothing in Electron, which does not let V8's flags change.
 */
export function keepYoungGenerationSmall(most = MOST): () => void {
  if (IN_ELECTRON) return () => undefined;
  let mayGrow: boolean | undefined;
  const look = (): void => {
    const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!.space_size;
    // It grows by doubling, and may do so once more before this is called.
    const isSmall = size * 4 <= most;
    if (isSmall === mayGrow) return;
    mayGrow = isSmall;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  };
  const observer = new PerformanceObserver(look);
  observer.observe({ entryTypes: ['gc'] });
  look();
  return () => observer.disconnect();
}
