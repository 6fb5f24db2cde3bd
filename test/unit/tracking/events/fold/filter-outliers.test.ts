import { expect, test } from 'vitest';
import { filterOutliers, INITIAL_FILTER_STATE } from '../../../../../server/tracking/events/fold/filter-outliers.ts';
import type { RawPoint } from '../../../../../server/tracking/events/index.ts';

const METRES_PER_DEGREE = 111_195;

/** A point some seconds after the start, some metres north of it. */
const at = (second: number, metresNorth: number): RawPoint => ({
  time: second * 1000,
  lat: metresNorth / METRES_PER_DEGREE,
  lon: 0,
  speed: 40,
  direction: 0,
  fixed: true,
  inputs: 0,
  adc: [],
  params: {},
});

/** For each point whether it is believed. */
function believed(...points: RawPoint[]): boolean[] {
  let state = INITIAL_FILTER_STATE;
  return points.map((raw) => {
    const { point, known } = filterOutliers(state, raw);
    state = known;
    return point.fixed;
  });
}

const far = (second: number) => at(second, 100_000);

test('two points in another place are not believed, the third one is', () => {
  expect(believed(at(0, 0), far(30), far(60), at(90, 0))).toEqual([true, false, false, true]);
  expect(believed(at(0, 0), far(30), far(60), far(90), far(120))).toEqual([true, false, false, true, true]);
});

test('three points in another place that do not agree with each other are not believed', () => {
  expect(believed(at(0, 0), far(30), at(60, 200_000), far(90), far(120), far(150))).toEqual([
    true,
    false,
    false,
    false,
    false,
    true,
  ]);
});

test('a point that takes more than 250 km/h to reach is not believed', () => {
  const after = (kmh: number) => believed(at(0, 0), at(36, kmh * 10))[1];
  expect([after(249.9), after(250.1)]).toEqual([true, false]);
});

test('a point without speed has that of the way from the last believed point', () => {
  const { known } = filterOutliers(INITIAL_FILTER_STATE, at(0, 0));
  expect(filterOutliers(known, { ...at(36, 900), speed: null }).point.speed).toBeCloseTo(90, 1);
});
