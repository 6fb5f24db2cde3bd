import { computed, shallowRef, watch } from 'vue';
import type { ProposalAnswer, ProposedVehicle } from '../../../lib/api/types.ts';
import { useLocale } from '../../../lib/i18n/index.ts';
import { useBoard } from '../../../lib/stores/board.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { useDraft } from '../../task/editor/draft.ts';
import { isSet, rankingOf } from '../proposal/proposal-lines.ts';
import { useProposal } from '../proposal/use-proposal.ts';
import type { useProtocol } from './use-protocol.ts';

/** A vehicle to send. */
export type CrewMember = Pick<ProposedVehicle, 'carId' | 'carName'> & { readonly role?: string };

/** Names on the button; more are counted. */
const NAMED = 4;

/** Vehicles that the new task proposes to send, by its place, its type and the answers of its caller. */
export function useIntakeCrew(asked: ReturnType<typeof useProtocol>) {
  const { client } = useSession();
  const board = useBoard();
  const { draft } = useDraft();
  const { t } = useLocale();

  const question = computed(() => {
    const { place, typeId, categoryId } = draft;
    if (!place) return undefined;
    const needs = (asked.course.value?.needs ?? []).map((need) => ({ ...need, kindId: need.kindId || null }));
    const body = {
      lat: place.lat,
      lon: place.lon,
      news_type_id: typeId || null,
      category_id: categoryId || null,
      priority: asked.set.value || null,
      needs,
    };
    return { path: '/proposals', method: 'POST', body } as const;
  });
  const { proposal, ranking, problem, working, whenProposed } = useProposal(client, question);
  watch(ranking, (now) => (board.ranking = now));
  watch(
    () => draft.place,
    (place) => place || (board.ranking = []),
    { immediate: true },
  );

  /** The last proposal stays visible, without its button, until the next one arrives: typing moves nothing. */
  const shown = shallowRef<ProposalAnswer>();
  watch([proposal, problem, () => draft.place], ([now, failed, place]) => {
    if (now || failed || !place) shown.value = now;
  });
  const isOutdated = computed(() => shown.value !== proposal.value);
  const crew = computed(() => crewOf(shown.value));
  const names = computed(() => {
    const named = crew.value.slice(0, NAMED).map(({ carName }) => carName);
    const further = crew.value.length - named.length;
    return named.join(', ') + (further > 0 ? ` +${further}` : '');
  });

  /** The crew, once the requested proposal has arrived. */
  const whenProposedCrew = async () => crewOf(await whenProposed());

  /** Why no vehicle can be sent. */
  function noCrewReason(): string {
    if (!draft.place)
      return draft.placeText.trim()
        ? t('intake.nobody.unknownPlace', { place: draft.placeText.trim() })
        : t('intake.nobody.noPlace');
    if (problem.value) return problem.value;
    return t(working.value ? 'intake.nobody.working' : 'intake.nobody.unavailable');
  }

  return { shown, isOutdated, crew, names, ranking, problem, working, whenProposedCrew, noCrewReason };
}

/** The vehicles that one key sends: the set of the plan, else the first available one of the ranking. */
function crewOf(proposal: ProposalAnswer | undefined): readonly CrewMember[] {
  if (!proposal || isSet(proposal)) return proposal?.units ?? [];
  return rankingOf(proposal)
    .filter((one) => one.available)
    .slice(0, 1);
}
