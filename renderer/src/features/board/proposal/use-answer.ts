import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';
import { ApiError, type Call, type Client } from '../../../lib/api/client.ts';
import { useReturn } from '../../../lib/live/use-return.ts';
import { useClosures } from '../../routes/closures/closures-store.ts';
import { questionProblem } from '../../../lib/i18n/problem-words.ts';
import { useLocalizedText } from '../../../lib/i18n/localized-text.ts';

export interface Question extends Pick<Call, 'method' | 'query' | 'body'> {
  readonly path: string;
}

const AGAIN_MS = 15_000;

/**
 * The station's answer about vehicles for a place: asked at once when the question or the conditions of
 * routes change, and again every quarter of a minute, since vehicles move.
 */
export function useAnswer<T>(client: Client, question: Ref<Question | undefined>) {
  const answer = shallowRef<T>();
  const problem = useLocalizedText();
  const working = ref(false);
  let controller: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function ask(): Promise<void> {
    controller?.abort();
    clearTimeout(timer);
    const asked = question.value;
    if (!asked) return void (working.value = false);
    controller = new AbortController();
    const { signal } = controller;
    working.value = true;
    try {
      const { path, ...call } = asked;
      const said = await client.ask<T>(path, { ...call, signal });
      if (signal.aborted) return;
      answer.value = said;
      problem.value = '';
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      problem.value = () => questionProblem(error);
    } finally {
      if (!signal.aborted) {
        working.value = false;
        timer = setTimeout(() => void ask(), AGAIN_MS);
      }
    }
  }

  watch(
    () => JSON.stringify(question.value),
    () => {
      answer.value = undefined;
      problem.value = '';
      void ask();
    },
    { immediate: true },
  );
  const closures = useClosures();
  watch(
    () => closures.turn,
    () => void ask(),
  );
  useReturn(() => problem.value && void ask());
  onScopeDispose(() => {
    controller?.abort();
    clearTimeout(timer);
  });
  return { answer, problem, working };
}
