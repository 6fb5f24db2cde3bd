import { ZonedTime } from '../../../../shared/zoned-time.ts';

export const REPORT_TURNS = ['day', 'week', 'month'] as const;
export type ReportTurn = (typeof REPORT_TURNS)[number];

/** When a report is sent: each day, week or month, at a time of the zone's clock. */
export interface RunPattern {
  readonly every: ReportTurn;
  /** Of the week, 1 (Monday) to 7, or of the month, 1 to 31: its last day where it is shorter. */
  readonly day: number;
  /** Minutes after midnight. */
  readonly minute: number;
  /** IANA name. */
  readonly zone: string;
}

const DAY = 86_400_000;
const MINUTE = 60_000;
/** Days to look at: a month and a day, at both ends. */
const REACH = 33;

/** The first run after an instant. */
export function nextRun(pattern: RunPattern, after: number): number {
  return runsAround(pattern, after, -1, REACH).find((at) => at > after)!;
}

/** The last run that is not after an instant. */
export function lastRun(pattern: RunPattern, now: number): number {
  return runsAround(pattern, now, -REACH, 1).findLast((at) => at <= now)!;
}

function runsAround(pattern: RunPattern, instant: number, first: number, last: number): number[] {
  const time = new ZonedTime(pattern.zone);
  const today = Math.floor(time.wall(instant).getTime() / DAY) * DAY;
  return Array.from({ length: last - first + 1 }, (_, index) => today + (first + index) * DAY)
    .filter((day) => runsOn(pattern, new Date(day)))
    .map((day) => time.instantOf(day + pattern.minute * MINUTE));
}

/** @param day midnight of the wall clock, as if it were UTC */
function runsOn({ every, day: wanted }: RunPattern, day: Date): boolean {
  if (every === 'day') return true;
  if (every === 'week') return ((day.getUTCDay() + 6) % 7) + 1 === wanted;
  const lastOfMonth = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  return day.getUTCDate() === Math.min(wanted, lastOfMonth);
}

/**
 * Period of a report that is made at this instant: the whole days, or the month, before. `until` is not in
 * it.
 */
export function coveredPeriod({ every, zone }: RunPattern, at: number): { from: number; until: number } {
  const time = new ZonedTime(zone);
  const today = Math.floor(time.wall(at).getTime() / DAY) * DAY;
  if (every !== 'month')
    return { from: time.instantOf(today - (every === 'day' ? 1 : 7) * DAY), until: time.instantOf(today) };
  const day = new Date(today);
  const monthsAgo = (count: number) => time.instantOf(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - count, 1));
  return { from: monthsAgo(1), until: monthsAgo(0) };
}
