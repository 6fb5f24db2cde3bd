import { computed, type Ref } from 'vue';
import type { Client } from '../../../lib/api/client.ts';
import type { Recommendation } from '../../../lib/api/types.ts';
import { waitUntil } from '../../../lib/replica/wait-until.ts';
import { useAnswer, type Question } from './use-answer.ts';

/** The ranking of vehicles for a place. */
export function useRecommendations(client: Client, question: Ref<Question | undefined>) {
  const { answer, problem, working } = useAnswer<readonly Recommendation[]>(client, question);
  const ranking = computed(() => answer.value ?? []);
  const available = (at: number) => ranking.value.filter((one) => one.available)[at];
  /** The available vehicle at place `at` of the ranking, 0 the first, once the requested ranking has arrived. */
  async function whenRanked(at: number): Promise<Recommendation | undefined> {
    if (!available(at)) await waitUntil(() => !working.value);
    return available(at);
  }
  return { ranking, problem, working, whenRanked };
}
