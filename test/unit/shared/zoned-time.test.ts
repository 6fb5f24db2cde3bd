import { expect, test } from 'vitest';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import { times } from '../../support/long.ts';

const berlin = new ZonedTime('Europe/Berlin');
const said = (zone: ZonedTime, wall: string) => new Date(zone.instantOf(Date.parse(`${wall}Z`))).toISOString();

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Every hour of the days around a change of the clock, and in the usual form every fifth of the others. */
function* hoursOf2018(zone: ZonedTime): Generator<number> {
  let next = Date.UTC(2018, 0, 1);
  for (let day = next; day < Date.UTC(2019, 0, 1); day += DAY) {
    const changes = zone.wall(day + 2 * DAY).getTime() - zone.wall(day - DAY).getTime() !== 3 * DAY;
    if (changes) next = day;
    for (; next < day + DAY; next += changes ? HOUR : times(5, 1) * HOUR) yield next;
  }
}

test('what a clock shows is the instant at which it shows it, in every hour of a year', () => {
  for (const name of ['Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC']) {
    const zone = new ZonedTime(name);
    for (const at of hoursOf2018(zone)) {
      const wall = zone.wall(at).getTime();
      const found = zone.instantOf(wall);
      expect(zone.wall(found).getTime(), `${name} ${new Date(at).toISOString()}`).toBe(wall);
      expect(found, `${name} ${new Date(at).toISOString()}`).toBeLessThanOrEqual(at);
      expect(at - found).toBeLessThanOrEqual(3_600_000); // the hour that a clock shows twice
    }
  }
});

test('of an hour that comes twice the first one is meant; one that does not come is counted on from before', () => {
  expect(said(berlin, '2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z');
  expect(said(berlin, '2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z');
});

test('a day begins at midnight, or with its first minute if midnight is skipped', () => {
  expect(new Date(berlin.dayOf(Date.UTC(2026, 2, 29, 12))).toISOString()).toBe('2026-03-28T23:00:00.000Z');
  expect(new Date(new ZonedTime('America/Sao_Paulo').dayOf(Date.UTC(2018, 10, 4, 15))).toISOString()).toBe(
    '2018-11-04T03:00:00.000Z',
  );
});
