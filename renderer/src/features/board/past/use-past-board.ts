import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';
import { ApiError } from '../../../lib/api/client.ts';
import type { Schema } from '../../../lib/api/operations.ts';
import { questionProblem } from '../../../lib/i18n/problem-words.ts';
import { useLocalizedText } from '../../../lib/i18n/localized-text.ts';
import { useSession } from '../../../lib/stores/session.ts';

export type PastBoardAnswer = Schema<'PastBoard'>;
export type PastMessage = Schema<'PastMessage'>;
export type PastCar = Schema<'PastCar'>;

/**
 * The board at a given time. While one request runs, later times replace each other, so that playing is never
 * delayed; the last answer stays until the next one arrives.
 */
export function usePastBoard(at: Readonly<Ref<number>>) {
  const { client } = useSession();
  const board = shallowRef<PastBoardAnswer>();
  const working = ref(false);
  const problem = useLocalizedText();
  const controller = new AbortController();
  onScopeDispose(() => controller.abort());

  async function ask(): Promise<void> {
    if (working.value) return;
    working.value = true;
    try {
      for (let asked = NaN; asked !== at.value && !controller.signal.aborted;) {
        asked = at.value;
        board.value = await client.ask<PastBoardAnswer>('/board', { query: { at: asked }, signal: controller.signal });
        problem.value = '';
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      problem.value = () => questionProblem(error);
    } finally {
      working.value = false;
    }
  }
  watch(at, () => void ask(), { immediate: true });
  return { board, working, problem, again: () => void ask() };
}
