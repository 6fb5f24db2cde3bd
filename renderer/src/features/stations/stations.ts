import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, watch } from 'vue';
import { useLive } from '../../lib/stores/live.ts';
import { useSession } from '../../lib/stores/session.ts';
import type { LinkItem } from './answers.ts';
import { useRepeated } from './use-repeated.ts';

/** ms between two questions. */
const NEARBY_EVERY = 5_000;
/** A state heard longer ago than this, in seconds, is out of date. */
const STATE_HOLDS = 8;

/** The other stations: whether all have the same data, the links, and stations found on this network. */
export const useStations = defineStore('stations', () => {
  const session = useSession();
  const live = useLive();
  const { client } = session;

  /** Pages that show the links at present. */
  const viewers = ref(0);
  const isShown = () => viewers.value > 0 && session.isSuperuser;

  /** Says why there is no answer; later messages of the station are newer. */
  const asked = useRepeated(undefined, isShown, () => client.request('get', '/links'));
  const found = useRepeated(NEARBY_EVERY, isShown, () => client.request('get', '/links/nearby'));
  watch(
    () => live.state,
    (now) => now === 'lost' && isShown() && void asked.again(),
  );

  /** Undefined: not known now, because the station was not heard lately. */
  const state = computed(() =>
    live.state === 'open' && (live.light.age ?? Infinity) < STATE_HOLDS ? live.sync : undefined,
  );
  const links = computed<readonly LinkItem[] | undefined>(() => live.linked?.links ?? asked.answer.value);
  const digest = computed(() => live.linked?.digest);
  const nearby = computed(() => found.answer.value);

  /** While the component lives, the station sends its links. */
  function follow(): void {
    viewers.value++;
    const stop = session.isSuperuser ? live.followLinks() : undefined;
    if (isShown()) void Promise.all([asked.again(), found.again()]);
    onScopeDispose(() => {
      viewers.value--;
      stop?.();
    });
  }

  return { state, links, digest, nearby, problem: asked.problem, follow };
});
