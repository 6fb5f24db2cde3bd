import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { diallable } from '../../../../shared/calls/number.ts';
import type { Schema } from '../api/operations.ts';
import { useQuery } from '../api/use-query.ts';
import { useAccountRecords } from '../replica/use-records.ts';
import { useClock } from '../stores/clock.ts';
import { useDispatch } from '../stores/dispatch.ts';
import { useSession } from '../stores/session.ts';
import { useEvery } from '../time/use-every.ts';

type Call = Schema<'OutgoingCall'>;
/** An exchange may be set up, or removed, by somebody else. */
const LOOK_AGAIN = 60_000;
const FOLLOW = 1_000;
/** ms for which a call is shown after somebody hung up. */
const ENDED_SHOWN = 5_000;

/** Calls to people through the exchange of the station, from the person's own telephone. */
export const useTelephone = defineStore('telephone', () => {
  const session = useSession();
  const dispatch = useDispatch();
  const clock = useClock();
  const people = useAccountRecords('user');
  const extension = computed(() => people.current.value.find(({ id }) => id === session.user?.id)?.extension ?? '');

  const line = useQuery<Schema<'Telephony'>>(() =>
    session.user && !session.firstDuty
      ? { path: '/telephony', turn: [extension.value, Math.floor(clock.now / LOOK_AGAIN)] }
      : undefined,
  );
  /** An exchange is set, and the person has a telephone at it. */
  const mayCall = computed(() => line.answer.value?.enabled === true && extension.value !== '');
  const mayDial = (number: string) => mayCall.value && diallable(number) !== '';

  const last = shallowRef<Call>();
  /** The name of the person who is called. */
  const who = shallowRef('');
  const asking = shallowRef(false);
  const isOpen = computed(() => last.value?.endedAt === null);
  /** The call that is shown: one that came to nothing stays until it is closed. */
  const shown = computed(() =>
    last.value && (last.value.state !== 'ended' || clock.now - (last.value.endedAt ?? clock.now) < ENDED_SHOWN)
      ? last.value
      : undefined,
  );
  /** Counts calls: an answer about an earlier one is of no use. */
  let turn = 0;

  async function follow(): Promise<void> {
    const mine = turn;
    if (!isOpen.value || asking.value) return;
    const { call } = await session.client.request('get', '/telephony/call', {}).catch(() => ({ call: undefined }));
    if (mine === turn && call !== undefined && !asking.value) last.value = call ?? undefined;
  }
  useEvery(FOLLOW, () => void follow());

  async function dial(number: string, name = ''): Promise<void> {
    if (asking.value) return;
    turn++;
    asking.value = true;
    who.value = name;
    const blank = { number, dialled: '', extension: extension.value, reason: '' as const };
    last.value = { ...blank, state: 'dialing', at: clock.now, answeredAt: null, endedAt: null };
    try {
      const call = await dispatch.attempt(() =>
        session.client.request('post', '/telephony/dial', { body: { number } }),
      );
      // A notice has the reason of a refusal.
      last.value = call;
    } finally {
      asking.value = false;
    }
  }
  function close(): void {
    turn++;
    last.value = undefined;
  }

  return { mayCall, mayDial, call: shown, who, isOpen, asking, dial, close, look: line.again };
});
