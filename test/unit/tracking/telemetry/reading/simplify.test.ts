import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simplified, type TimedPoint } from '../../../../../server/tracking/telemetry/reading/simplify.ts';
import { airDistance } from '../../../../../shared/geo/geometry.ts';
import { SEED } from '../../../../support/chance.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const at = (second: number, metres: number, marked = false): TimedPoint => ({
  time: NOON + second * 1000,
  lat: 50 + metres / 111_195,
  lon: 20,
  marked,
});
function kept(points: TimedPoint[], tolerance: number): TimedPoint[] {
  const stays = simplified(points, tolerance);
  return points.filter((_, index) => stays[index]);
}

test('a steady drive along a straight road needs its two ends', () => {
  expect(
    kept(
      Array.from({ length: 100 }, (_, second) => at(second, second * 10)),
      1,
    ),
  ).toEqual([at(0, 0), at(99, 990)]);
});

test('a stop on a straight road stays: by the line alone it would be gone', () => {
  const points = [at(0, 0), at(10, 100), at(20, 200), at(30, 200), at(300, 200), at(310, 300), at(320, 400)];
  expect(kept(points, 5)).toEqual([at(0, 0), at(20, 200), at(300, 200), at(320, 400)]);
});

test('both ends of a gap stay, and what is marked', () => {
  const gap = [at(0, 0), at(10, 100), at(1000, 10_000), at(1010, 10_100)];
  expect(kept(gap, 1000)).toEqual(gap);
  const marked = [at(0, 0), at(10, 5000, true), at(20, 200), at(30, 300)];
  expect(kept(marked, 10)).toEqual([marked[0], marked[1], marked[3]]);
  expect(kept([], 1)).toEqual([]);
  expect(kept([at(0, 0)], 1)).toEqual([at(0, 0)]);
});

test(`nowhere further than the tolerance from where it was at that time (WAYPOST_SEED=${SEED})`, () => {
  const step = fc.record({
    seconds: fc.integer({ min: 1, max: 500 }),
    north: fc.integer({ min: -60, max: 60 }),
    east: fc.integer({ min: -60, max: 60 }),
    marked: fc.boolean().map((flag) => flag && true),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 0, max: 300 }), (steps, tolerance) => {
      let place = { time: NOON, lat: 55, lon: 37 };
      const points = steps.map(({ seconds, north, east, marked }) => ({
        ...(place = {
          time: place.time + seconds * 1000,
          lat: place.lat + north / 111_195,
          lon: place.lon + east / 63_780,
        }),
        marked: marked && steps.length % 3 === 0,
      }));
      const stays = simplified(points, tolerance);
      const line = points.filter((point, index) => stays[index] && !point.marked);
      for (const [index, point] of points.entries()) {
        if (point.marked) expect(stays[index]).toBe(1);
        else {
          const after = line.findIndex(({ time }) => time >= point.time);
          const [a, b] = [line[Math.max(0, after - 1)]!, line[after]!];
          const share = b.time === a.time ? 0 : (point.time - a.time) / (b.time - a.time);
          const there = { lat: a.lat + share * (b.lat - a.lat), lon: a.lon + share * (b.lon - a.lon) };
          // The plane that is reckoned on and the sphere differ by a per mille.
          expect(airDistance(point, there)).toBeLessThanOrEqual(tolerance * 1.002 + 0.05);
        }
      }
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test('a long track is cut into pieces, and nothing is lost at the cuts', () => {
  const points = Array.from({ length: 20_000 }, (_, second) => ({
    ...at(second, second * 10),
    lon: 20 + Math.sin(second / 50) / 100,
  }));
  const stay = kept(points, 3);
  expect(stay.length).toBeLessThan(4000);
  expect([stay[0], stay.at(-1)]).toEqual([points[0], points.at(-1)]);
});
