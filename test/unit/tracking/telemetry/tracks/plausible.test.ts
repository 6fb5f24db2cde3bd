import { expect, test } from 'vitest';
import { speedBetween } from '../../../../../shared/geo/plausible-speed.ts';
import {
  bitsToMarks,
  hasPosition,
  implausible,
  POSITION_MARKS,
  marksToBits,
} from '../../../../../server/tracking/telemetry/tracks/plausible.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;
/** How far ahead a clock may be. */
const LIMIT = 300_000;
type Fix = Parameters<typeof implausible>[0];
const fix = (more: Partial<Fix> = {}): Fix =>
  ({ time: NOW, lat: 55, lon: 37, direction: 0, height: 0, ...more }) as Fix;
const marks = (more: Partial<Fix>, before?: { time: number; lat: number; lon: number }) =>
  implausible(fix(more), before, NOW + LIMIT);
/** 111.195 km for each degree to the north. */
const north = (km: number) => 55 + km / 111.195;

test('a speed of more than 250 km/h from the point before is a jump, in whatever direction of time', () => {
  const before = { time: NOW - HOUR, lat: 55, lon: 37 };
  expect(marks({ lat: north(249) }, before)).toEqual([]);
  expect(marks({ lat: north(251) }, before)).toEqual(['jump']);
  expect(marks({ lat: north(251) }, { ...before, time: NOW + HOUR })).toEqual(['jump']);
  expect(marks({ lat: north(251) })).toEqual([]);
  expect(speedBetween(before, { time: NOW, lat: north(90), lon: 37 })).toBeCloseTo(90, 1);
  // Two places at one time; the same place is none.
  expect(marks({ lat: north(0.1) }, { ...before, time: NOW })).toEqual(['jump']);
  expect(marks({}, { ...before, time: NOW })).toEqual([]);
});

test('0, 0 is no place, but the equator and Greenwich have places', () => {
  expect(marks({ lat: 0, lon: 0 })).toEqual(['zero']);
  expect([...marks({ lat: 0 }), ...marks({ lon: 0 })]).toEqual([]);
});

test('what is later than a clock may be is the future', () => {
  expect(marks({ time: NOW + LIMIT })).toEqual([]);
  expect(marks({ time: NOW + LIMIT + 1 })).toEqual(['future']);
});

test('fewer than three satellites of both systems together, where a device sends them', () => {
  expect(marks({ gpsCount: 2, glonassCount: 1 })).toEqual([]);
  expect([
    marks({ gpsCount: 2 }),
    marks({ glonassCount: 2 }),
    marks({ gpsCount: 1, glonassCount: 1 }),
    marks({ gpsCount: 0 }),
  ]).toEqual([['satellites'], ['satellites'], ['satellites'], ['satellites']]);
  expect([marks({ gpsCount: 3 }), marks({ glonassCount: 3 }), marks({})]).toEqual([[], [], []]);
});

test('a course is from 0 to 360, a height from -12,000 to 18,000 m', () => {
  expect([marks({ direction: 360 }), marks({ height: -12_000 }), marks({ height: 18_000 })]).toEqual([[], [], []]);
  expect([
    marks({ direction: -1 }),
    marks({ direction: 361 }),
    marks({ height: -12_001 }),
    marks({ height: 18_001 }),
  ]).toEqual([['course'], ['course'], ['altitude'], ['altitude']]);
});

test('all faults of a record are reported and stored as bits; after a jump alone the position still counts', () => {
  const wrong = marks(
    { lat: 0, lon: 0, time: NOW + 30 * HOUR, gpsCount: 0, direction: 999, height: 99_999 },
    { time: NOW + 29 * HOUR, lat: 55, lon: 37 },
  );
  expect(wrong).toEqual(POSITION_MARKS.filter((mark) => mark !== 'jump' && mark !== 'unplaced'));
  expect(marks({ lat: NaN, lon: NaN }, { time: NOW - 1, lat: 55, lon: 37 })).toEqual(['unplaced']);
  for (const mark of POSITION_MARKS) {
    expect(bitsToMarks(marksToBits([mark]))).toEqual([mark]);
    expect(hasPosition(marksToBits([mark])), mark).toBe(mark === 'jump');
  }
  expect(bitsToMarks(marksToBits([...POSITION_MARKS]))).toEqual([...POSITION_MARKS]);
  expect(hasPosition(0)).toBe(true);
});
