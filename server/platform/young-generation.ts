import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of the young generation of the main thread; V8 would take 128 MB of it and keep them. */
const MOST = 32 * 1024 * 1024;

/**
 * MB that the young generation of a thread may take, three times a semi-space of it; and of one that works
 * for every request, or every record.
 */
export const YOUNG_OF_THREAD = 12;
export const YOUNG_OF_BUSY_THREAD = 24;

const IN_ELECTRON = process.versions['electron'] !== undefined;

/**
 * For the start: its long turns would make the young generation of this thread grow to the most that V8
 * allows. It stays as it is until `keepYoungGenerationSmall`. Threads started from then on have their full
 * young generation at once, since the flag that holds this one holds theirs, too. What a thread does not use
 * of it takes no memory.
 */
export function holdYoungGeneration(): void {
  if (IN_ELECTRON) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--min-semi-space-size=${YOUNG_OF_BUSY_THREAD / 3}`);
}

/**
 * Keeps the young generation of this thread below `most` bytes. The limit of V8 itself can only be set on the
 * command line, before the program runs. The flag by which it grows can be changed at any time: after each
 * collection it is set to grow no further, or to grow again. Returns the way to stop.
 *
 * In Electron V8 lets no flag be changed: there nothing happens.
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
