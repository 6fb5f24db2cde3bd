import { expect, test } from 'vitest';
import type { RoadClosure } from '../../../../../shared/records/index.ts';
import {
  closuresAt,
  closuresNear,
  closuresOfWay,
  metresToClosure,
} from '../../../../../renderer/src/features/routes/closures/closed-places.ts';
import { brokenLegs } from '../../../../../renderer/src/features/routes/plan/no-way.ts';
import { readDrives } from '../../../../../renderer/src/features/routes/options/drive.ts';

const METRE = 1 / 111_194.93; // degrees of latitude
const closure = (id: number, geometry: RoadClosure['geometry'], factor = 0) => ({ id, geometry, factor });
const north = (metres: number) => ({ lat: 43.7 + metres * METRE, lon: 7.4 });

const point = closure(1, { type: 'Point', coordinates: [7.4, 43.7] });
const line = closure(2, {
  type: 'LineString',
  coordinates: [
    [7.39, 43.7],
    [7.41, 43.7],
  ],
});
const area = closure(3, {
  type: 'Polygon',
  coordinates: [
    [
      [7.39, 43.7],
      [7.41, 43.7],
      [7.41, 43.71],
      [7.39, 43.71],
      [7.39, 43.7],
    ],
  ],
});

test('a place lies in a closure as far from what was drawn as the closure holds', () => {
  expect([29, 31].map((metres) => closuresAt([point], north(metres)).length)).toEqual([1, 0]);
  expect([14, 16].map((metres) => closuresAt([line], north(metres)).length)).toEqual([1, 0]);
  expect([-1, 1, 500].map((metres) => closuresAt([area], north(metres)).length)).toEqual([0, 1, 1]);
  expect(metresToClosure(area, north(-100))).toBeCloseTo(100, 0);
});

test('what is only slowed closes nothing', () => {
  const slowed = closure(4, point.geometry, 0.3);
  expect(closuresAt([slowed, point], north(0))).toEqual([point]);
  expect(closuresNear([slowed], [north(0)], 1_000)).toEqual([]);
});

test('of the closures that a way names, those at each of its stops are listed, and the others changed it; what it does not name is open where it stops', () => {
  const elsewhere = closure(6, { type: 'Point', coordinates: [7.6, 43.9] });
  const slowed = closure(4, point.geometry, 0.3);
  expect(closuresOfWay([1, 4, 6], [point, line, slowed, elsewhere], [north(20), north(40)])).toEqual({
    at: [[1], []],
    others: [4, 6],
  });
  expect(closuresOfWay([7], [], [north(0)])).toEqual({ at: [[]], others: [7] }); // its record comes a moment later
});

test('closed roads near any of the places, the nearest first, and none from far away', () => {
  const far = closure(5, { type: 'Point', coordinates: [7.4, 43.9] });
  expect(closuresNear([far, area, point], [north(-200), { lat: 50, lon: 9 }], 1_000).map(({ id }) => id)).toEqual([
    1, 3,
  ]);
});

test('of a drive without a way the legs that have none are listed, and whether there is one back', () => {
  const times = [
    [0, undefined, 9, 9],
    [5, 0, undefined, 9],
    [9, undefined, 0, 7],
    [9, 9, 9, 0],
  ];
  expect(brokenLegs({ times })).toEqual([
    { from: 0, wayBack: true },
    { from: 1, wayBack: false },
  ]);
  expect(
    brokenLegs({
      times: [
        [0, 1],
        [undefined, 0],
      ],
    }),
  ).toEqual([]);
});

test('each stop off the road is reported by its own place, for any other stops', () => {
  const places = [0, 100, 20, 300].map((metres) => ({ ...north(metres), label: '' }));
  const answer = {
    status: 0,
    route_geometry: '',
    route_instructions: [],
    route_summary: { total_time: 1, total_distance: 1 },
    route_name: [],
    via_points: places.map(() => [43.7, 7.4] as const),
    via_indices: [],
  };
  const { offRoad, onRoads } = readDrives({ places, profile: '' }, answer);
  expect(offRoad.map(({ index, metres }) => [index, Math.round(metres)])).toEqual([
    [1, 100],
    [3, 300],
  ]);
  expect(onRoads).toHaveLength(4);
  expect(readDrives({ places, profile: '' }, { ...answer, status: 207 })).toMatchObject({
    drives: [],
    onRoads: [],
    offRoad: [],
  });
});
