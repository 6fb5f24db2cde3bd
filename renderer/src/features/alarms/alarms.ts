import { defineStore } from 'pinia';
import { computed, ref } from 'vue';
import { alarmState, byUrgency, flooded, sounds, type AlarmState } from '../../../../shared/events/alarms.ts';
import type { AlarmPriority, AlarmRecord } from '../../../../shared/records/index.ts';
import { ApiError } from '../../lib/api/client.ts';
import { useClock } from '../../lib/stores/clock.ts';
import { useLive } from '../../lib/stores/live.ts';
import { useNotices } from '../../lib/stores/notices.ts';
import { useSession } from '../../lib/stores/session.ts';
import { useTasks } from '../../lib/stores/tasks.ts';
import { useVehicles } from '../../lib/stores/vehicles.ts';
import { i18n } from '../../lib/i18n/index.ts';
import { actionProblem } from '../../lib/i18n/problem-words.ts';
import { lastTurn } from './last-turn.ts';

/** Alarms of one rule, shown as a group during an alarm flood. */
export interface AlarmGroup {
  readonly rule: string;
  readonly priority: AlarmPriority;
  readonly alarms: readonly AlarmRecord[];
}

/**
 * The open alarms and the actions of an operator on them. They come with the replica, so they are available
 * without a connection.
 */
export const useAlarms = defineStore('alarms', () => {
  const { client } = useSession();
  const { records } = useLive();
  const clock = useClock();
  const notices = useNotices();
  const vehicles = useVehicles();
  const tasks = useTasks();
  const { t } = i18n.global;

  /** The alarm that the person chose, by a click or through a notification of the desktop. */
  const picked = ref<number>();
  /** All alarms are shown on the board, not only the one that the keys answer. */
  const unfolded = ref(false);
  const stateOf = (alarm: AlarmRecord): AlarmState => alarmState(alarm, clock.now);
  const all = computed(() => (void records.alarms.version.value, [...records.alarms.values()]));
  /** Alarm states do not change until then, so thousands are not evaluated each second. */
  const turned = computed(() => lastTurn(all.value, clock.now));
  /** Unacknowledged first, then the graver, then the newer. */
  const open = computed<readonly AlarmRecord[]>(() =>
    all.value.filter((alarm) => alarmState(alarm, turned.value) !== 'cleared').sort(byUrgency(turned.value)),
  );
  const ofState = (...wanted: readonly AlarmState[]) =>
    open.value.filter((alarm) => wanted.includes(alarmState(alarm, turned.value)));
  const standing = computed(() => ofState('unacknowledged', 'acknowledged'));
  const shelved = computed(() => ofState('shelved'));
  const unanswered = computed(() => ofState('unacknowledged'));
  /** The gravest priority that is to be heard. */
  const heard = computed(
    () =>
      unanswered.value
        .filter((alarm) => sounds(alarm, turned.value))
        .map((alarm) => alarm.priority)
        .sort()[0],
  );
  /** Sounds are muted until this time, epoch ms. */
  const silentUntil = computed(() =>
    Math.max(
      0,
      ...unanswered.value
        .filter((alarm) => alarm.priority !== 4)
        .map((alarm) => alarm.silencedUntil)
        .filter((until) => until > turned.value),
    ),
  );
  /** More alarms than anybody can look at one by one. */
  const flood = computed<ReturnType<typeof flooded>>((before) => {
    const now = flooded(
      open.value.map((alarm) => alarm.raisedAt),
      clock.now,
    );
    return before && now?.count === before.count && now.since === before.since ? before : now;
  });
  const groups = computed<readonly AlarmGroup[]>(() =>
    [...Map.groupBy(standing.value, (alarm) => `${alarm.priority} ${alarm.rule}`).values()]
      .map((alarms) => ({ rule: alarms[0]!.rule, priority: alarms[0]!.priority, alarms }))
      .sort((one, other) => one.priority - other.priority || other.alarms.length - one.alarms.length),
  );

  const language = () => i18n.global.locale.value;
  const nameOf = (alarm: AlarmRecord) => alarm.name[language()];
  const responseOf = (alarm: AlarmRecord) => alarm.response[language()];
  /** Its subject: the vehicle or the task. */
  function subjectOf(alarm: AlarmRecord): string {
    const task = alarm.taskId ? tasks.byId(alarm.taskId) : undefined;
    return (
      [vehicles.nameOf(alarm.vehicleId), task && t('vehicles.taskNamed', { id: task.id, title: task.title })]
        .filter(Boolean)
        .join(' · ') || (alarm.taskId ? `#${alarm.taskId}` : alarm.vehicleId ? '' : alarm.info)
    );
  }

  /** Actions under way, by their path: a second click or key must not send one once more. */
  const underWay = new Set<string>();
  async function ask(alarm: AlarmRecord | undefined, action: string, body: object = {}): Promise<boolean> {
    const path = alarm ? `/alarms/${alarm.id}/${action}` : `/alarms/${action}`;
    if (underWay.has(path)) return false;
    underWay.add(path);
    try {
      await client.ask(path, { method: 'POST', body });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notices.show('refused', () => actionProblem(error));
      return false;
    } finally {
      underWay.delete(path);
    }
  }

  const named = (alarm: AlarmRecord) => [nameOf(alarm), subjectOf(alarm)].filter(Boolean).join(', ');
  const acknowledge = (alarm: AlarmRecord, comment = '') => ask(alarm, 'acknowledge', comment ? { comment } : {});
  const silence = () => ask(undefined, 'silence');

  async function acknowledgeAll(alarms: readonly AlarmRecord[]): Promise<void> {
    const waiting = alarms.filter((alarm) => stateOf(alarm) === 'unacknowledged');
    const done = (await Promise.all(waiting.map((alarm) => acknowledge(alarm)))).filter(Boolean).length;
    if (done > 0) notices.show('done', () => t('alarms.acknowledged', done));
  }

  /** `userId` 0: unassigned. */
  async function assign(alarm: AlarmRecord, userId: number): Promise<void> {
    const before = alarm.assignedTo;
    const put = (id: number) => ask(alarm, 'assign', { userId: id || null });
    if (!(await put(userId))) return;
    const person = tasks.personName(userId) ?? '';
    notices.show(
      'done',
      () =>
        userId
          ? t('alarms.assigned', { alarm: named(alarm), person })
          : t('alarms.unassigned', { alarm: named(alarm) }),
      async () => void (await put(before)),
    );
  }

  async function shelve(alarm: AlarmRecord, until: number, reason: string): Promise<boolean> {
    if (!(await ask(alarm, 'shelve', { until, reason }))) return false;
    notices.show(
      'done',
      () => t('alarms.shelvedNotice', { alarm: named(alarm) }),
      async () => void (await ask(alarm, 'unshelve')),
    );
    return true;
  }
  const unshelve = (alarm: AlarmRecord) => ask(alarm, 'unshelve');

  return {
    picked,
    unfolded,
    open,
    standing,
    shelved,
    unanswered,
    heard,
    silentUntil,
    flood,
    groups,
    stateOf,
    nameOf,
    responseOf,
    subjectOf,
    acknowledge,
    acknowledgeAll,
    silence,
    assign,
    shelve,
    unshelve,
  };
});
