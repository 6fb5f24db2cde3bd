import type { ZonedTime } from '../../../shared/zoned-time.ts';

export const HOURS = 168;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Cells of observations, finest first; where one has too few, the next counts (README rule 3). */
export const HOUR_LEVELS = ['hour', 'hour-of-day', 'part-of-day', 'always'] as const;
export type HourLevel = (typeof HOUR_LEVELS)[number];

/** Parts of the day by their first hour: night, morning, midday, afternoon, evening. */
const PARTS = [6, 10, 15, 19, 22];
const KINDS = HOURS;
const PART_CELLS = KINDS + 2 * 24;
const ALWAYS = PART_CELLS + 2 * PARTS.length;

/** Hour of the week in a zone: 0 is Monday 00:00 to 01:00. */
export function hourOfWeek(time: number, zone: ZonedTime): number {
  const wall = time + zone.offset(time);
  // 1 January 1970 was a Thursday.
  return Math.floor((wall / HOUR + 3 * 24) % HOURS);
}

/** Day number in a zone. */
export function dayNumber(time: number, zone: ZonedTime): number {
  return Math.floor((time + zone.offset(time)) / DAY);
}

/**
 * Cells of an hour of the week in the order of `HOUR_LEVELS`: itself, the same hour of all working days or of the
 * weekend, that part of those days, and all.
 */
export function cellsOf(hour: number): [number, number, number, number] {
  const weekend = hour >= 5 * 24 ? 1 : 0;
  const part = PARTS.findLastIndex((from) => hour % 24 >= from);
  return [
    hour,
    KINDS + weekend * 24 + (hour % 24),
    PART_CELLS + weekend * PARTS.length + (part < 0 ? PARTS.length - 1 : part),
    ALWAYS,
  ];
}

/** The next full hour. */
export function nextHour(time: number, zone: ZonedTime): number {
  const wall = time + zone.offset(time);
  return time + HOUR - (wall % HOUR);
}
