import { defineAsyncComponent, h, watch } from 'vue';
import { useLive } from '../../../lib/stores/live.ts';
import { useNotices } from '../../../lib/stores/notices.ts';
import { i18n } from '../../../lib/i18n/index.ts';

/** ms after which the map is loaded also while the records have not come. */
const PATIENCE = 10_000;
/** ms after which it is asked for again, when the line was lost on the way. */
const RETRY = 3_000;

/** The board's map, loaded when the queue has its records: on a slow line the tasks come first. */
export const LazyMap = defineAsyncComponent({
  loader: async () => {
    await recordsAreIn();
    return import('./BoardMap.vue');
  },
  onError: (_error, retry, _fail, attempts) => {
    if (attempts === 1) useNotices().show('refused', () => i18n.global.t('problems.noMap'));
    setTimeout(retry, RETRY);
  },
  delay: 0,
  loadingComponent: () => h('div', { 'aria-busy': 'true' }),
});

function recordsAreIn(): Promise<void> {
  const live = useLive();
  return new Promise((resolve) => {
    const timer = setTimeout(done, PATIENCE);
    const stop = watch(
      () => live.caughtUp,
      (caughtUp) => caughtUp && done(),
      { immediate: true, flush: 'sync' },
    );
    function done(): void {
      clearTimeout(timer);
      resolve();
      queueMicrotask(() => stop());
    }
  });
}
