import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isStamp,
  millisecondsOf,
  MAX_AHEAD,
  stampClock,
  stationOf,
  stationPart,
  stationPartOf,
} from '../../../shared/merge/stamps.ts';

const here = stationPart(17, 'abc');

test('stamps of one clock grow, whatever wall time does', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_102_444_800_000 }), { minLength: 1, maxLength: 200 }), (times) => {
      let at = 0;
      const clock = stampClock(here, () => times[at]!);
      let last = clock.latest;
      for (; at < times.length; at++) {
        const stamp = clock.next();
        expect(isStamp(stamp)).toBe(true);
        expect(stamp > last).toBe(true);
        last = stamp;
      }
    }),
  );
});

test('a stamp tells its time and its station', () => {
  const stamp = stampClock(here, () => 1_700_000_000_123).next();
  expect(millisecondsOf(stamp)).toBe(1_700_000_000_123);
  expect(stationOf(stamp)).toBe(17);
});

test('after a received stamp the next one is later, though our clock is behind', () => {
  const clock = stampClock(here, () => 1000);
  const theirs = stampClock(stationPart(200, 'zzz'), () => 1000 + MAX_AHEAD);
  let received = theirs.next();
  for (let number = 0; number < 5; number++) received = theirs.next();
  clock.receive(received);
  expect(clock.next() > received).toBe(true);
  expect(millisecondsOf(clock.latest)).toBe(1000 + MAX_AHEAD);
});

test('a stamp too far ahead is refused in words, and the clock stays as it was', () => {
  const clock = stampClock(here, () => 1000);
  const before = clock.next();
  const ahead = stampClock(stationPart(2, 'b'), () => 1001 + MAX_AHEAD).next();
  expect(() => clock.receive(ahead)).toThrow(/ahead of this station's clock/);
  expect(clock.latest).toBe(before);
  expect(() => clock.receive('yesterday')).toThrow(/is not a stamp/);
});

test('a clock set back before a restart does not give old stamps again', () => {
  const before = stampClock(here, () => 2_000_000).next();
  const after = stampClock(here, () => 1_000_000, before).next();
  expect(after > before).toBe(true);
});

test('more edits in a millisecond than the counter holds go on into the next one', () => {
  const clock = stampClock(here, () => 5);
  let last = '';
  for (let number = 0; number < 70_000; number++) {
    const stamp = clock.next();
    if (stamp <= last) throw new Error(`${stamp} after ${last}`);
    last = stamp;
  }
  expect(millisecondsOf(last)).toBe(6);
});

test('of two edits of one moment the station with the higher number has the later stamp', () => {
  const [nine, ten] = [9, 10].map((number) =>
    stampClock(stationPart(number, number === 9 ? 'zzz' : 'aaa'), () => 77).next(),
  );
  expect(ten! > nine!).toBe(true);
});

test('two runs from one state give different stamps while the clock is behind, and both are of the station', () => {
  const ahead = stampClock(stationPart(2, 'b'), () => 5_000).next();
  const stamps = ['7fq2', 'x0k9'].map((run) => {
    const clock = stampClock(here, () => 1_000, '', run);
    clock.receive(ahead);
    return clock.next();
  });
  expect(stamps[0]).not.toBe(stamps[1]);
  expect(stamps.map(isStamp)).toEqual([true, true]);
  expect(stamps.map(stationPartOf)).toEqual([here, here]);
  expect(stamps.map(stationOf)).toEqual([17, 17]);
});
