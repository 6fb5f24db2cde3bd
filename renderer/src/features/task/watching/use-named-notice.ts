import { onScopeDispose } from 'vue';
import { useBoard } from '../../../lib/stores/board.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useNotices } from '../../../lib/stores/notices.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { useLocale } from '../../../lib/i18n/index.ts';

/** Older mentions arrived while this console was away: they are in the list *For me* and make no notice. */
const FRESH_MS = 10 * 60_000;

/** Tells a person at once that a comment named them. */
export function useNamedNotice(show: () => Promise<unknown>): void {
  const { records } = useLive();
  const session = useSession();
  const board = useBoard();
  const notices = useNotices();
  const { t } = useLocale();
  const beganAt = Date.now();
  const stop = records.tasks.watch((changes) => {
    const userId = session.user?.id ?? 0;
    for (const { now, before } of changes) {
      const at = now?.mentions?.[userId] ?? 0;
      // A task may have entered the working set with the comment that names somebody.
      const known = before ? (before.mentions?.[userId] ?? 0) : beganAt;
      if (!now || at <= known || Date.now() - at > FRESH_MS) continue;
      const { id, title, point } = now;
      notices.show('note', () => t('task.mentions.named', { id, title }), undefined, {
        say: () => t('task.mentions.show'),
        run: async () => {
          await show();
          board.openTask(id, point ?? undefined);
        },
      });
    }
  });
  onScopeDispose(stop);
}
