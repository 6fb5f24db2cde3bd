import { expect, test } from 'vitest';
import {
  coveredPeriod,
  lastRun,
  nextRun,
  type RunPattern,
} from '../../../../server/reporting/notify/schedules/run-times.ts';
import { dueRun, periodOfRun, type ReportSchedule } from '../../../../server/reporting/notify/schedules/schedule.ts';
import { ZonedTime } from '../../../../shared/zoned-time.ts';

const MOSCOW = new ZonedTime('Europe/Moscow');
const BERLIN = new ZonedTime('Europe/Berlin');
const at = (text: string, time = MOSCOW) => time.instantOf(Date.parse(`${text}Z`));
const said = (instant: number, time = MOSCOW) => time.wall(instant).toISOString().slice(0, 16);
const pattern = (more: Partial<RunPattern> = {}): RunPattern => ({
  every: 'day',
  day: 1,
  minute: 7 * 60,
  zone: 'Europe/Moscow',
  ...more,
});

test.each([
  [{}, '2026-11-27T06:59', '2026-11-27T07:00'],
  [{}, '2026-11-27T07:00', '2026-11-28T07:00'],
  [{ every: 'week', day: 1 }, '2026-11-27T12:00', '2026-11-30T07:00'],
  [{ every: 'week', day: 5 }, '2026-11-27T07:00', '2026-12-04T07:00'],
  [{ every: 'week', day: 7 }, '2026-11-27T12:00', '2026-11-29T07:00'],
  [{ every: 'month', day: 31 }, '2026-11-27T12:00', '2026-11-30T07:00'],
  [{ every: 'month', day: 31 }, '2027-02-01T12:00', '2027-02-28T07:00'],
  [{ every: 'month', day: 1 }, '2026-12-01T07:00', '2027-01-01T07:00'],
] as const)('%j after %s runs at %s', (more, after, next) => {
  expect(said(nextRun(pattern(more), at(after)))).toBe(next);
});

test('the last run is the one before the next, at any time and for any pattern', () => {
  for (const every of ['day', 'week', 'month'] as const)
    for (const day of every === 'week' ? [1, 7] : [1, 29, 31])
      for (let hour = 0; hour < 24 * 70; hour += 7) {
        const now = at('2026-01-20T00:00') + hour * 3_600_000;
        const one = pattern({ every, day });
        expect(lastRun(one, now)).toBeLessThanOrEqual(now);
        expect(nextRun(one, lastRun(one, now))).toBe(nextRun(one, now));
      }
});

test('a run keeps the time of the clock when the clock changes; a time that is left out comes once', () => {
  const berlin = pattern({ zone: 'Europe/Berlin', minute: 150 });
  expect(said(nextRun(berlin, at('2026-10-24T12:00', BERLIN)), BERLIN)).toBe('2026-10-25T02:30');
  const spring = nextRun(berlin, at('2026-03-28T12:00', BERLIN));
  expect(said(nextRun(berlin, spring), BERLIN)).toBe('2026-03-30T02:30');
});

test('a run covers whole days before: a day, a week, the month by the calendar', () => {
  const covers = (more: Partial<RunPattern>, when: string) => {
    const { from, until } = coveredPeriod(pattern(more), at(when));
    return [said(from), said(until)];
  };
  expect(covers({}, '2026-11-27T07:00')).toEqual(['2026-11-26T00:00', '2026-11-27T00:00']);
  expect(covers({ every: 'week' }, '2026-11-30T07:00')).toEqual(['2026-11-23T00:00', '2026-11-30T00:00']);
  expect(covers({ every: 'month' }, '2026-03-01T07:00')).toEqual(['2026-02-01T00:00', '2026-03-01T00:00']);
  expect(covers({ every: 'month' }, '2027-01-31T07:00')).toEqual(['2026-12-01T00:00', '2027-01-01T00:00']);
});

const schedule = (more: Partial<ReportSchedule> = {}): ReportSchedule => ({
  ...pattern(),
  ...{ id: 1, organizationId: 1, ownerId: 1, name: 'Mileage', report: 'mileage', form: 'xlsx', language: 'en' },
  ...{ vehicleIds: [], groupIds: [], addresses: [], userIds: [], isPaused: false },
  uid: 'one',
  since: at('2026-11-20T12:00'),
  coveredUntil: 0,
  last: null,
  ...more,
});
const ran = (when: string) => ({ at: at(when), from: 0, until: 0, mails: 1, problem: null });

test('a run is due once; none from before it was set up, and none while it is paused', () => {
  expect(dueRun(schedule(), at('2026-11-21T06:59'))).toBeUndefined();
  expect(dueRun(schedule(), at('2026-11-21T07:00'))).toBe(at('2026-11-21T07:00'));
  expect(dueRun(schedule({ last: ran('2026-11-21T07:00') }), at('2026-11-21T23:00'))).toBeUndefined();
  expect(dueRun(schedule({ isPaused: true }), at('2026-11-21T07:00'))).toBeUndefined();
});

test('one that was sent by hand is still due, and one that was due before stays done', () => {
  const byHand = { ...ran('2026-11-22T06:50'), dueAt: at('2026-11-21T07:00') };
  expect(dueRun(schedule({ last: byHand }), at('2026-11-22T07:00'))).toBe(at('2026-11-22T07:00'));
  expect(dueRun(schedule({ last: byHand }), at('2026-11-22T06:59'))).toBeUndefined();
  const late = { ...ran('2026-11-22T07:05'), dueAt: at('2026-11-21T07:00') };
  expect(dueRun(schedule({ last: late }), at('2026-11-22T07:06'))).toBe(at('2026-11-22T07:00'));
});

test('after days without the station one run is due, which covers all that was missed', () => {
  const away = schedule({ last: ran('2026-11-22T07:00'), coveredUntil: at('2026-11-22T00:00') });
  const due = dueRun(away, at('2026-11-26T09:00'))!;
  expect(said(due)).toBe('2026-11-26T07:00');
  const { from, until } = periodOfRun(away, due);
  expect([said(from), said(until)]).toEqual(['2026-11-22T00:00', '2026-11-26T00:00']);
});
