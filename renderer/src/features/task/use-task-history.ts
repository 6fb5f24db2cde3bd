import { computed, onScopeDispose, shallowRef, watch } from 'vue';
import type { Task } from '../../../../shared/records/index.ts';
import { ApiError } from '../../lib/api/client.ts';
import type { HistoryLine } from '../../lib/api/types.ts';
import { useLocalizedText } from '../../lib/i18n/localized-text.ts';
import { questionProblem } from '../../lib/i18n/problem-words.ts';
import { useReturn } from '../../lib/live/use-return.ts';
import { afterPaint } from '../../lib/time/after-paint.ts';
import { useSession } from '../../lib/stores/session.ts';

/** The history of a task with that of its duplicates, asked again whenever the task changes. */
export function useTaskHistory(task: () => Task | undefined, parts: () => readonly number[]) {
  const { client } = useSession();
  const history = shallowRef<readonly HistoryLine[]>([]);
  const problem = useLocalizedText();
  let callOff: (() => void) | undefined;
  watch(
    [() => task()?.id, () => task()?.updatedAt, () => parts().join()],
    ([id], [before]) => {
      if (id !== before) history.value = [];
      callOff?.();
      callOff = afterPaint(() => void ask());
    },
    { immediate: true },
  );
  onScopeDispose(() => callOff?.());
  useReturn(() => problem.value && void ask());

  async function ask(): Promise<void> {
    const newsId = task()?.id;
    if (newsId === undefined) return;
    try {
      const answer = await client.request('get', '/news/{newsId}/history', { params: { path: { newsId } } });
      if (task()?.id === newsId) [history.value, problem.value] = [answer.history, ''];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problem.value = () => questionProblem(error);
    }
  }

  /** The last change that a person made. */
  const lastByPerson = computed(() => history.value.findLast(({ fio }) => fio));
  return { history, problem, lastByPerson };
}
