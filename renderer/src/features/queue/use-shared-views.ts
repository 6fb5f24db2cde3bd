import { computed } from 'vue';
import { useLocale } from '../../lib/i18n/index.ts';
import { usePresets, viewFrom, type PresetRecord } from '../../lib/presets/presets-store.ts';
import { useNotices } from '../../lib/stores/notices.ts';
import { usePreferences } from '../../lib/stores/preferences.ts';
import { useQueue } from './queue-store.ts';

/** Views of the queue that others share, and the chosen one as others find it. */
export function useSharedViews() {
  const queue = useQueue();
  const presets = usePresets();
  const preferences = usePreferences();
  const notices = useNotices();
  const { t } = useLocale();

  const source = computed(() => presets.sourceOf(queue.view));
  const offered = computed(() =>
    presets.views.filter(({ id }) => !preferences.savedViews.some(({ sharedId }) => sharedId === id)),
  );

  function take(record: PresetRecord) {
    const view = viewFrom(record);
    if (!view) return;
    queue.take(view);
    notices.show(
      'done',
      () => t('presets.taken', { name: view.name }),
      async () => void queue.forget(view.id),
    );
  }
  async function share(withAll: boolean) {
    const { view } = queue;
    if (!view) return;
    const { name, filter, order } = view;
    const marks = await presets.share('view', name, { filter, order }, withAll);
    if (marks) queue.replace(view, { ...view, ...marks });
  }

  return { source, offered, take, share };
}
