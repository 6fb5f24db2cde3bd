import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref } from 'vue';
import { useLive } from '../../lib/stores/live.ts';
import { useClock } from '../../lib/stores/clock.ts';
import { useSession } from '../../lib/stores/session.ts';
import type { LinkItem } from './answers.ts';
import { useRepeated } from './use-repeated.ts';

/** ms between two questions. */
const STATE_EVERY = 2_000;
const LINKS_EVERY = 2_000;
const NEARBY_EVERY = 5_000;
/** An answer older than this says nothing of now. */
const STATE_HOLDS = 8_000;

/** The other stations: whether all have the same data, the links, and who else is on this network. */
export const useStations = defineStore('stations', () => {
  const session = useSession();
  const live = useLive();
  const clock = useClock();
  const { client } = session;

  /** Pages that show the links at present. */
  const viewers = ref(0);
  const isShown = () => viewers.value > 0 && session.isSuperuser;

  const sync = useRepeated(
    () => STATE_EVERY,
    () => session.user !== undefined,
    () => client.request('get', '/sync/state'),
  );
  const linked = useRepeated(
    () => LINKS_EVERY,
    isShown,
    () => client.request('get', '/links'),
  );
  const found = useRepeated(
    () => NEARBY_EVERY,
    isShown,
    () => client.request('get', '/links/nearby'),
  );
  void sync.again();

  /** Undefined: not known now, because the station has not answered lately. */
  const state = computed(() =>
    live.state === 'open' && clock.now - sync.answeredAt.value < STATE_HOLDS ? sync.answer.value : undefined,
  );
  const links = computed<readonly LinkItem[] | undefined>(() => linked.answer.value);
  const nearby = computed(() => found.answer.value);

  /** While the component lives, the links are asked for. */
  function follow(): void {
    viewers.value++;
    if (isShown()) void Promise.all([linked.again(), found.again(), sync.again()]);
    onScopeDispose(() => viewers.value--);
  }
  const reload = async (): Promise<void> => void (await Promise.all([linked.again(), sync.again()]));

  return { state, links, nearby, problem: linked.problem, follow, reload };
});
