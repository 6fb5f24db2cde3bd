import { defineStore } from 'pinia';
import { computed } from 'vue';
import { callState } from '../../../../shared/calls/state.ts';
import type { PhoneCall } from '../../../../shared/records/index.ts';
import { ApiError } from '../../lib/api/client.ts';
import { i18n } from '../../lib/i18n/index.ts';
import { useFleetRecords } from '../../lib/replica/use-records.ts';
import { useBoard } from '../../lib/stores/board.ts';
import { useClock } from '../../lib/stores/clock.ts';
import { useDispatch } from '../../lib/stores/dispatch.ts';
import { useSession } from '../../lib/stores/session.ts';
import { useTasks } from '../../lib/stores/tasks.ts';
import { useDraft } from '../task/editor/draft.ts';

/** ms for which everybody sees who took a call. */
const TAKEN_SHOWN = 8_000;
/** ms within which a missed call waits to be called back. */
const MISSED_SHOWN = 12 * 3_600_000;
/** Zoom for a place that the exchange gave. */
const PLACE_ZOOM = 17;

/** Telephone calls of the last day, and the actions of a call-taker on them. */
export const useCalls = defineStore('calls', () => {
  const session = useSession();
  const { client, can } = session;
  const clock = useClock();
  const board = useBoard();
  const dispatch = useDispatch();
  const drafts = useDraft();
  const tasks = useTasks();
  const records = useFleetRecords('call');
  const { t } = i18n.global;

  const stateOf = (call: PhoneCall) => callState(call, clock.now);
  const isMine = (call: PhoneCall) => call.taken?.userId === session.user?.id;
  const byId = (id: number) => records.current.value.find((call) => call.id === id);
  /** The one that rings longest comes first. */
  const ringing = computed(() =>
    can('create') ? records.current.value.filter((call) => stateOf(call) === 'ringing') : [],
  );
  const justTaken = computed(() =>
    can('create')
      ? records.current.value.filter(
          (call) => call.taken && !call.endedAt && !isMine(call) && clock.now - call.taken.at < TAKEN_SHOWN,
        )
      : [],
  );
  const missed = computed(() =>
    records.current.value.filter((call) => stateOf(call) === 'missed' && clock.now - call.at < MISSED_SHOWN),
  );
  const numberOf = ({ number }: Pick<PhoneCall, 'number'>) => number || t('calls.withheld');
  const takerOf = ({ taken }: Pick<PhoneCall, 'taken'>) =>
    (taken && tasks.personName(taken.userId)) || t('calls.somebody');

  /** Takes a call, and begins its task. A draft gives way and is kept, unless the call belongs to it. */
  async function take(call: PhoneCall, { intoDraft = false } = {}): Promise<boolean> {
    const taken = await dispatch.attempt(() => client.ask(`/calls/${call.id}/take`, { method: 'POST' }));
    if (!taken) return false;
    if (!intoDraft) drafts.putAside();
    drafts.draft.callId = call.id;
    if (call.text && !drafts.draft.text) drafts.draft.text = call.text;
    if (call.point && !drafts.draft.place) void fillPlace(call.id, call.point);
    board.startWriting();
    return true;
  }

  /** The point is available at once, its address as soon as the station has found it. */
  async function fillPlace(callId: number, { lat, lon }: NonNullable<PhoneCall['point']>): Promise<void> {
    const { draft } = drafts;
    const put = (label: string) => {
      draft.place = { lat, lon, zoom: PLACE_ZOOM, label };
      draft.placeText = label;
    };
    const numbers = `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
    put(numbers);
    try {
      const query = { lon, lat, lang: i18n.global.locale.value };
      const { label } = await client.request('get', '/geocoding/reverse', { params: { query } });
      if (draft.callId === callId && draft.placeText === numbers) put(label);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the point says enough
    }
  }

  /** @param taskId the task that it led to; undefined: to none */
  const end = (id: number, taskId?: number) =>
    dispatch.attempt(() =>
      client.ask(`/calls/${id}/end`, { method: 'POST', body: taskId === undefined ? {} : { newsId: taskId } }),
    );

  return { ringing, justTaken, missed, stateOf, byId, numberOf, takerOf, isMine, take, end };
});
