import { onScopeDispose } from 'vue';
import { useBoard } from '../../../lib/stores/board.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useNotices } from '../../../lib/stores/notices.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { useLocale } from '../../../lib/i18n/index.ts';
import { isFreshMention } from './fresh-mention.ts';

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
    for (const change of changes) {
      if (!change.now || !isFreshMention(change, userId, { beganAt, present: Date.now() })) continue;
      const { id, title, point } = change.now;
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
