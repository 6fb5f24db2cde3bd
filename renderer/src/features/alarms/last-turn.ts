import type { AlarmRecord } from '../../../../shared/records/index.ts';

/**
 * Last instant, epoch ms, at which time alone changed an alarm: a shelf or a silence ended. Until the next
 * one all alarms keep their states.
 */
export function lastTurn(alarms: Iterable<Pick<AlarmRecord, 'shelvedUntil' | 'silencedUntil'>>, now: number): number {
  let last = 0;
  for (const { shelvedUntil, silencedUntil } of alarms)
    for (const at of [shelvedUntil, silencedUntil]) if (at > last && at <= now) last = at;
  return last;
}
