import type { AlarmRecord } from '../../../../shared/records/index.ts';

/**
 * The last instant, epoch ms, at which time alone changed one of the alarms: a shelf or a silence ended. Until the next
 * one each of them is in the state that it had then.
 */
export function lastTurn(alarms: Iterable<Pick<AlarmRecord, 'shelvedUntil' | 'silencedUntil'>>, now: number): number {
  let last = 0;
  for (const { shelvedUntil, silencedUntil } of alarms)
    for (const at of [shelvedUntil, silencedUntil]) if (at > last && at <= now) last = at;
  return last;
}
