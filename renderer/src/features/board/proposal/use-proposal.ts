import { computed, nextTick, type Ref } from 'vue';
import type { Client } from '../../../lib/api/client.ts';
import type { ProposalAnswer, Recommendation } from '../../../lib/api/types.ts';
import { waitUntil } from '../../../lib/replica/wait-until.ts';
import { rankingOf } from './proposal-lines.ts';
import { useAnswer, type Question } from './use-answer.ts';

/** The vehicles that a call needs, by its response plan; without a plan the first of the ranking. */
export function useProposal(client: Client, question: Ref<Question | undefined>) {
  const { answer: proposal, problem, working } = useAnswer<ProposalAnswer>(client, question);
  const ranking = computed(() => (proposal.value ? rankingOf(proposal.value) : []));
  /** Waits for the proposal to the last query. Undefined: there is no proposal. */
  async function whenProposed(): Promise<ProposalAnswer | undefined> {
    await nextTick(); // the key may be the one that has it asked
    if (!proposal.value) await waitUntil(() => !working.value);
    return proposal.value;
  }
  /** The available vehicle at place `at` of the list, 0 the first. */
  async function whenRanked(at: number): Promise<Recommendation | undefined> {
    await whenProposed();
    return ranking.value.filter((one) => one.available)[at];
  }
  return { proposal, ranking, problem, working, whenProposed, whenRanked };
}
