import type { AlarmRecord } from './records/alarms.ts';

/** `shelved`: put aside for a while by a person. `cleared`: its cause is gone, and it was answered. */
export type AlarmState = 'unacknowledged' | 'acknowledged' | 'shelved' | 'cleared';

export const EMERGENCY = 1;
export const CAUTION = 4;

/** ms for which sounds are silenced. */
export const SILENCE = 30_000;
/** Operators are alerted only about what is younger (ms). */
export const ALERT_WITHIN = 15 * 60_000;
/** More alarms than this within so many ms are a flood. */
export const FLOOD = { count: 10, within: 10 * 60_000 } as const;

type Facts = Pick<AlarmRecord, 'priority' | 'raisedAt' | 'goneAt' | 'clearedAt' | 'acknowledgedAt' | 'shelvedUntil'>;

/**
 * The state that follows from the facts of an alarm. A caution needs no acknowledgement: it clears when its
 * cause is gone. One that comes back from the shelf is unacknowledged again, or cleared when its cause went
 * meanwhile.
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

/**
 * Whether it is to be heard: unacknowledged, and not silenced within the last half minute. A caution is seen
 * and not heard.
 */
export function sounds(alarm: Facts & Pick<AlarmRecord, 'silencedUntil'>, now: number): boolean {
  return alarm.priority !== CAUTION && alarm.silencedUntil <= now && alarmState(alarm, now) === 'unacknowledged';
}

const RANK: Readonly<Record<AlarmState, number>> = { unacknowledged: 0, acknowledged: 1, shelved: 2, cleared: 3 };

/** The order of lists: what needs an answer first, then the graver, then the newer. */
export function byUrgency(now: number): (a: AlarmRecord, b: AlarmRecord) => number {
  return (a, b) =>
    RANK[alarmState(a, now)] - RANK[alarmState(b, now)] ||
    a.priority - b.priority ||
    b.raisedAt - a.raisedAt ||
    b.id - a.id;
}

/** Whether so many alarms come that a list of single ones helps nobody: more than 10 in 10 minutes. */
export function flooded(raisedAt: Iterable<number>, now: number): { count: number; since: number } | null {
  const recent = [...raisedAt].filter((at) => at > now - FLOOD.within && at <= now);
  return recent.length > FLOOD.count ? { count: recent.length, since: Math.min(...recent) } : null;
}
