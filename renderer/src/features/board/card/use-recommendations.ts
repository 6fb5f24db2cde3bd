import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';
import { ApiError, type Client, type Query } from '../../../lib/api/client.ts';
import type { Recommendation } from '../../../lib/api/types.ts';
import { useReturn } from '../../../lib/live/use-return.ts';
import { waitUntil } from '../../../lib/replica/wait-until.ts';
import { useClosures } from '../../routes/closures/closures-store.ts';
import { questionProblem } from '../../../lib/i18n/problem-words.ts';
import { useLocalizedText } from '../../../lib/i18n/localized-text.ts';

export interface RankingQuery {
  readonly path: string;
  readonly query?: Query;
}

const AGAIN_MS = 15_000;

/**
 * The ranking of vehicles for a place, asked at once when the question changes, or what routes obey, and
 * again every quarter of a minute.
 */
export function useRecommendations(client: Client, question: Ref<RankingQuery | undefined>) {
  const ranking = shallowRef<readonly Recommendation[]>([]);
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
      const answer = await client.ask<Recommendation[]>(asked.path, { query: asked.query, signal });
      if (signal.aborted) return;
      ranking.value = answer;
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
      ranking.value = [];
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
  const available = (at: number) => ranking.value.filter((one) => one.available)[at];
  /**
   * The available vehicle at place `at` of the ranking, 0 the first, once the ranking that was asked for is
   * there.
   */
  async function whenRanked(at: number): Promise<Recommendation | undefined> {
    if (!available(at)) await waitUntil(() => !working.value);
    return available(at);
  }
  return { ranking, problem, working, ask, whenRanked };
}
