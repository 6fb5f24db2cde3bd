import { watch } from 'vue';

/** Longer than the replica takes to bring a write; after that the form continues without it. */
const PATIENCE_MS = 3_000;

/**
 * Resolves as soon as `isSo`, which reads reactive values; also when it does not come to be, after a while.
 */
export function waitUntil(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, PATIENCE_MS);
    const stop = watch(isSo, (so) => so && end(), { flush: 'sync' });
    if (isSo()) end();
  });
}
