import type { AlarmRecord } from '../records/alarms.ts';

/** `shelved`: postponed by an operator. `cleared`: the cause is gone and the alarm was answered. */
export type AlarmState = 'unacknowledged' | 'acknowledged' | 'shelved' | 'cleared';

export const EMERGENCY = 1;
export const CAUTION = 4;

/** ms for which sounds are silenced. */
export const SILENCE_DURATION = 30_000;
/** Operators are alerted only about events younger than this (ms). */
export const ALERT_WITHIN = 15 * 60_000;
/** More alarms than this within so many ms are a flood. */
export const FLOOD = { count: 10, within: 10 * 60_000 } as const;

type Facts = Pick<AlarmRecord, 'priority' | 'raisedAt' | 'goneAt' | 'clearedAt' | 'acknowledgedAt' | 'shelvedUntil'>;

/**
 * Derives the state from the facts of an alarm. A caution needs no acknowledgement and clears with its cause.
 * After its shelf ends, an alarm is unacknowledged again, or cleared if its cause is gone.
 */
export function alarmState(
  { priority, goneAt, clearedAt, acknowledgedAt, shelvedUntil }: Facts,
  now: number,
): AlarmState {
  if (clearedAt > 0) return 'cleared';
  if (shelvedUntil > now) return 'shelved';
  const answered = acknowledgedAt > 0 || shelvedUntil > 0 || priority === CAUTION;
  if (goneAt > 0 && answered) return 'cleared';
  return acknowledgedAt > 0 ? 'acknowledged' : 'unacknowledged';
}

/** Whether the alarm sounds: unacknowledged, not silenced in the last half minute, and no caution. */
export function sounds(alarm: Facts & Pick<AlarmRecord, 'silencedUntil'>, now: number): boolean {
  return alarm.priority !== CAUTION && alarm.silencedUntil <= now && alarmState(alarm, now) === 'unacknowledged';
}

const RANK: Readonly<Record<AlarmState, number>> = { unacknowledged: 0, acknowledged: 1, shelved: 2, cleared: 3 };

/** The order of lists: unanswered first, then by severity, then newest first. */
export function byUrgency(now: number): (a: AlarmRecord, b: AlarmRecord) => number {
  return (a, b) =>
    RANK[alarmState(a, now)] - RANK[alarmState(b, now)] ||
    a.priority - b.priority ||
    b.raisedAt - a.raisedAt ||
    b.id - a.id;
}

/** Whether alarms come too fast for a list of single ones: more than 10 in 10 minutes. */
export function flooded(raisedAt: Iterable<number>, now: number): { count: number; since: number } | null {
  const recent = [...raisedAt].filter((at) => at > now - FLOOD.within && at <= now);
  return recent.length > FLOOD.count ? { count: recent.length, since: Math.min(...recent) } : null;
}
