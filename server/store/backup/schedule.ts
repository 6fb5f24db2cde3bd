const HOUR = 3_600_000;
/** A backup counts as missing twice the interval after the last one. */
export const STALE_AFTER = 48 * HOUR;
/** After a failure. */
const RETRY = HOUR;

export interface ScheduleFacts {
  /** `HH:MM`, local time of the station. */
  readonly time: string;
  /** Since when there could be backups, epoch ms. */
  readonly since: number;
  /** When the last one was begun that succeeded, and the last one of all; undefined: none. */
  readonly lastGood: number | undefined;
  readonly lastAttempt: number | undefined;
}

/** When the next backup is due, epoch ms. In the past: it was missed, because the station did not run. */
export function nextBackup({ time, since, lastGood, lastAttempt }: ScheduleFacts): number {
  const due = timeAfter(time, lastGood ?? since);
  const failed = lastAttempt !== undefined && lastAttempt > (lastGood ?? -Infinity);
  return failed ? Math.max(due, lastAttempt + RETRY) : due;
}

/** The first moment after `after` at which the clocks show this time. */
function timeAfter(time: string, after: number): number {
  const [hours, minutes] = time.split(':').map(Number);
  const day = new Date(after);
  for (let ahead = 0; ; ahead++) {
    const at = new Date(day.getFullYear(), day.getMonth(), day.getDate() + ahead, hours, minutes).getTime();
    if (at > after) return at;
  }
}

/** Whether the last good backup is too old; without one, whether the first is overdue. */
export function isStale(now: number, since: number, lastGood: number | undefined): boolean {
  return now - (lastGood ?? since) > STALE_AFTER;
}
