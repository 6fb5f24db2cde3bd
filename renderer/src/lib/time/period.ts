/** A stretch of time, epoch ms. */
export interface Period {
  readonly from: number;
  readonly till: number;
}

export const PRESETS = ['hour', 'eight', 'today', 'yesterday', 'week'] as const;
export type Preset = (typeof PRESETS)[number] | 'month';

const HOUR = 3_600_000;

/** The period that a word means at `now`; days begin at midnight of this machine's zone. */
export function periodOf(preset: Preset, now: number): Period {
  const midnight = (daysAgo: number) => {
    const day = new Date(now);
    day.setHours(0, 0, 0, 0);
    day.setDate(day.getDate() - daysAgo); // by the calendar: a day may have 23 or 25 hours
    return day.getTime();
  };
  switch (preset) {
    case 'hour':
      return { from: now - HOUR, till: now };
    case 'eight':
      return { from: now - 8 * HOUR, till: now };
    case 'today':
      return { from: midnight(0), till: now };
    case 'yesterday':
      return { from: midnight(1), till: midnight(0) };
    case 'week':
      return { from: midnight(6), till: now };
    case 'month':
      return { from: midnight(29), till: now };
  }
}

const two = (value: number) => String(value).padStart(2, '0');

/** A minute of this machine's zone, as days are typed everywhere in the console: 22.11.2026 14:05. */
export function minuteText(at: number): string {
  const time = new Date(at);
  return `${two(time.getDate())}.${two(time.getMonth() + 1)}.${time.getFullYear()} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** The same minute as a field of date and time takes it: 2026-11-22T14:05. */
export function momentOf(at: number): string {
  const time = new Date(at);
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** A second of this machine's zone, for files: 2026-11-22 14:05:09. */
export function secondText(at: number): string {
  const time = new Date(at);
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

const MINUTE =
  /^\s*(?:(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})|(?<day2>\d{1,2})\.(?<month2>\d{1,2})\.(?<year2>\d{4}))(?:[\sT]+(?<hour>\d{1,2}):(?<minute>\d{2}))?\s*$/;

/** Reads such a text, and 2026-11-22 14:05; midnight without a time. Undefined: no such minute. */
export function minuteTime(text: string): number | undefined {
  const found = MINUTE.exec(text)?.groups;
  if (!found) return undefined;
  const [year, month, day, hour, minute] = [
    found['year'] ?? found['year2'],
    found['month'] ?? found['month2'],
    found['day'] ?? found['day2'],
    found['hour'] ?? 0,
    found['minute'] ?? 0,
  ].map(Number);
  const time = new Date(year!, month! - 1, day, hour, minute);
  // The thirtieth of February would have become a day of March.
  return time.getMonth() === month! - 1 && time.getDate() === day && hour! < 24 && minute! < 60
    ? time.getTime()
    : undefined;
}
