import { expect, test } from 'vitest';
import { ZonedTime } from '../../../../shared/zoned-time.ts';
import { hourOfWeek, nextHour } from '../../../../server/geo/speeds/hours.ts';
import { LearnedRoads, trimmedMean } from '../../../../server/geo/speeds/learned-roads.ts';

const MALTA = new ZonedTime('Europe/Malta');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Midnight of a Monday, by the clock of Malta. */
const MONDAY = Date.UTC(2026, 0, 4, 23);
const FREE = Int32Array.of(100, 100);

const learnedOf = (passages: readonly { time: number; tenths: number }[]): LearnedRoads => {
  const learned = new LearnedRoads(MALTA, FREE);
  learned.set(
    0,
    passages.toSorted((a, b) => a.time - b.time),
  );
  return learned;
};
const at = (day: number, hour: number, tenths: number) => ({ time: MONDAY + day * DAY + hour * HOUR, tenths });

test('hours of the week begin with Monday by the clock of the zone, and jump with its summer time', () => {
  expect(hourOfWeek(MONDAY, MALTA)).toBe(0);
  expect(hourOfWeek(MONDAY - 1, MALTA)).toBe(167);
  expect(hourOfWeek(MONDAY + 3 * DAY + 17 * HOUR, MALTA)).toBe(3 * 24 + 17);
  // On 29 March 2026 the clock goes from two to three.
  const sunday = Date.UTC(2026, 2, 29, 0, 30);
  expect([hourOfWeek(sunday, MALTA), hourOfWeek(sunday + HOUR, MALTA)]).toEqual([6 * 24 + 1, 6 * 24 + 3]);
  expect(nextHour(sunday, MALTA) - sunday).toBe(HOUR / 2);
});

test('the finest cell with enough counts: the hour, the hour of such days, the part of such days, any time, nothing', () => {
  const eights = [0, 0, 0, 7, 7].map((day) => at(day, 8, 200));
  const learned = learnedOf([
    ...eights,
    ...[1, 2, 3, 4, 1].map((day) => at(day, 9, 300)),
    ...[1, 1, 2, 3, 4].map((day) => at(day, 7, 400)),
    ...[5, 6, 5, 6, 12].map((day) => at(day, 20, 500)),
  ]);
  expect(learned.at(0, 8)).toMatchObject({ level: 'hour', tenths: 200, passages: 5 });
  expect(learned.at(0, 24 + 9)).toMatchObject({ level: 'hour-of-day', tenths: 300 });
  // Tuesday at six: nothing at six, but fifteen passages on mornings of working days.
  expect(learned.at(0, 24 + 6)).toMatchObject({ level: 'part-of-day', passages: 15 });
  // Friday night: nothing on such nights, twenty at any time.
  expect(learned.at(0, 4 * 24 + 23)).toMatchObject({ level: 'always', passages: 20 });
  expect(learned.at(1, 8)).toBeUndefined();
  expect([...learned.hoursOf(0)]).toEqual([[8, 5]]);
});

test('five passages on one day, or four on four, are not enough; when they are taken back nothing is left', () => {
  expect(learnedOf([0, 0, 0, 0, 0, 0].map((day) => at(day, 8, 200))).size).toBe(0);
  expect(learnedOf([0, 7, 14, 21].map((day) => at(day, 8, 200))).size).toBe(0);
  const learned = learnedOf([0, 0, 0, 0, 7].map((day) => at(day, 8, 200)));
  expect(learned.size).toBe(1);
  const { revision } = learned;
  learned.set(0, []);
  expect(learned.size).toBe(0);
  expect(learned.revision).toBeGreaterThan(revision);
});

test('one who waited for a friend changes nothing, only the newest hundred count, and no road is taken for absurdly quick or slow', () => {
  expect(trimmedMean([100, 100, 100, 100, 9_000])).toBe(100);
  expect(trimmedMean([5, 90, 100, 110, 9_000])).toBe(100);
  const often = (from: number, count: number, tenths: number) =>
    Array.from({ length: count }, (_, i) => ({
      time: MONDAY + (from + 7 * (i % 2)) * DAY + 8 * HOUR + i * 1_000,
      tenths,
    }));
  expect(learnedOf([...often(0, 200, 900), ...often(14, 100, 120)]).at(0, 8)).toMatchObject({
    tenths: 120,
    passages: 100,
  });
  expect(learnedOf([0, 7, 14, 21, 28].map((day) => at(day, 8, 3))).at(0, 8)?.tenths).toBe(40);
  expect(learnedOf([0, 7, 14, 21, 28].map((day) => at(day, 8, 90_000))).at(0, 8)?.tenths).toBe(1_200);
});
