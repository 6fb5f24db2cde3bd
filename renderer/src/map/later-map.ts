import { defineAsyncComponent, h, watch } from 'vue';
import { useLive } from '../stores/live.ts';

/** ms after which the map is loaded also while the records have not come. */
const PATIENCE = 5_000;

/** The board's map, loaded when the queue has its records: on a slow line the tasks come first. */
export const LaterMap = defineAsyncComponent({
  loader: async () => {
    await recordsAreIn();
    return import('./BoardMap.vue');
  },
  delay: 0,
  loadingComponent: () => h('div', { 'aria-busy': 'true' }),
});

function recordsAreIn(): Promise<void> {
  const live = useLive();
  return new Promise((resolve) => {
    const timer = setTimeout(done, PATIENCE);
    const stop = watch(() => live.caughtUp, (caughtUp) => caughtUp && done(), { immediate: true, flush: 'sync' });
    function done(): void {
      clearTimeout(timer);
      resolve();
      queueMicrotask(() => stop());
    }
  });
}
