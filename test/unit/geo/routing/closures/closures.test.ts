import { describe, expect, test } from 'vitest';
import { Roads } from '../../../../../server/geo/territory/roads/index.ts';
import { packAffected } from '../../../../../server/geo/routing/closures/affected-pieces.ts';
import { closureCosts } from '../../../../../server/geo/routing/closures/closures.ts';
import { customize } from '../../../../../server/geo/routing/metric/customize.ts';
import type { Closure, Coordinate } from '../../../../../server/geo/routing/types.ts';
import { Engine } from '../../../../../server/geo/routing/search/engine.ts';
import { Hierarchy } from '../../../../../server/geo/routing/graph/hierarchy.ts';
import { freeFlowCosts } from '../../../../../server/geo/routing/metric/costs.ts';
import { Router } from '../../../../../server/geo/routing/router.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { times } from '../../../../support/long.ts';
import { closeRoads } from '../close-roads.ts';
import { randomRoads } from '../random.ts';
import { drawRoads } from '../town.ts';
import type { Town } from '../town.ts';

/** Random towns; 1,000 are asked of it now and then. */
const TOWNS = times(25, 2000);
const closed = (town: Town, closures: Closure[]): Router => closeRoads(town.roads, closures);

const DRAWING = `
  z---a---b-1-2-c---d
          |     |
          |     |
          e-----f
`;
const lonLat = (town: Town, letter: string, [east, north]: [number, number] = [0, 0]): [number, number] => [
  town.at(letter).lon + east,
  town.at(letter).lat + north,
];

test('a point closes the road it lies on, and one far from any road closes nothing', () => {
  const town = drawRoads(DRAWING);
  const at = (coordinates: [number, number]): number | undefined =>
    closed(town, [{ id: 1, geometry: { type: 'Point', coordinates }, factor: 0 }]).route({
      points: [town.at('a'), town.at('d')],
    }).route?.time;
  expect(at(lonLat(town, '1'))).toBe(65);
  expect(at(lonLat(town, '1', [0, 0.0002]))).toBe(65);
  expect(at(lonLat(town, '1', [0, 0.0004]))).toBe(35);
});

describe('a line closes', () => {
  const town = drawRoads(`
    z---a---b-1-2-c---d
            |     |
        g-3-h---i |
            |     |
            e-----f
  `);
  const lasting = (...line: [letter: string, east: number, north: number][]): number | undefined => {
    const coordinates = line.map(([letter, east, north]) => lonLat(town, letter, [east, north]));
    return closed(town, [{ id: 3, geometry: { type: 'LineString', coordinates }, factor: 0 }]).route({
      points: [town.at('a'), town.at('d')],
    }).route?.time;
  };

  test('the roads along it', () => expect(lasting(['1', 0, 0.00005], ['2', 0, 0.00005])).toBe(75));
  test('the road that it crosses, as a road block is drawn', () => {
    expect(lasting(['1', 0, 0.0005], ['1', 0, -0.0005])).toBe(75);
    expect(lasting(['1', 0.00003, 0.00004], ['1', -0.00002, -0.00004])).toBe(75);
    expect(lasting(['1', 0, 0.0001], ['1', 0, 0])).toBe(75);
    expect(lasting(['1', 0, 0.0001], ['1', 0, 0.00001])).toBe(35);
  });
  test('both roads of a junction that it passes between others', () =>
    expect(lasting(['b', -0.0002, 0.0002], ['b', 0.0002, -0.0002])).toBeUndefined());
  test('a short stretch of a long road that it lies beside', () =>
    expect(lasting(['1', -0.00005, 0.00002], ['1', 0.00005, 0.00002])).toBe(75));
  test('the road that it lies beside, however short it is', () => {
    expect(lasting(['1', -0.00001, 0.00003], ['1', 0.00001, 0.00003])).toBe(75);
    expect(lasting(['1', 0, 0.00003], ['1', 0, 0.00003])).toBe(75);
    expect(lasting(['1', -0.00001, 0.00003], ['1', 0.000001, 0.00003])).toBe(75);
  });
  test('none that it ends before', () => expect(lasting(['1', 0, 0.0005], ['1', 0, 0.0001])).toBe(35));
  test('not the side streets of the street that it lies on', () => {
    const side = (...line: string[]): number | undefined => {
      const coordinates = line.map((letter) => lonLat(town, letter));
      return closed(town, [{ id: 3, geometry: { type: 'LineString', coordinates }, factor: 0 }]).route({
        points: [town.at('b'), town.at('e')],
      }).route?.time;
    };
    expect(side('g', 'h', 'i')).toBe(20);
    expect(side('g', 'h')).toBe(20);
    expect(side('b', 'h')).toBe(50);
  });
  test('where it is a short block across a street, not the street that passes by', () => {
    const block = lasting(['b', -0.00005, -0.00008], ['b', 0.00005, -0.00008]);
    expect(block).toBe(35);
    const router = closed(town, [
      {
        id: 3,
        geometry: {
          type: 'LineString',
          coordinates: [lonLat(town, 'b', [-0.00005, -0.00008]), lonLat(town, 'b', [0.00005, -0.00008])],
        },
        factor: 0,
      },
    ]);
    expect(router.route({ points: [town.at('a'), town.at('3')] }).route?.time).toBeGreaterThan(70);
  });
});

test('a road that passes over another is closed alone by a line along it', () => {
  const town = drawRoads(
    `
        n
        |
    a-1-+-2-b
        |
        s
  `,
    { ways: { ns: {}, ab: { bridge: 'yes' } } },
  );
  const router = closed(town, [
    { id: 3, geometry: { type: 'LineString', coordinates: [lonLat(town, 'a'), lonLat(town, 'b')] }, factor: 0 },
  ]);
  expect(router.route({ points: [town.at('n'), town.at('s')] }).route?.closures).toEqual([]);
});

test('a polygon closes what touches it, its hole stays open', () => {
  const town = drawRoads(DRAWING);
  const box = (letter: string, size: number): [number, number][] =>
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
      [-1, -1],
    ].map(([x, y]) => lonLat(town, letter, [x! * size, y! * size]));
  const route = (coordinates: [number, number][][]): number | undefined =>
    closed(town, [{ id: 1, geometry: { type: 'Polygon', coordinates }, factor: 0 }]).route({
      points: [town.at('a'), town.at('d')],
    }).route?.time;
  expect(route([box('1', 0.0001)])).toBe(65);
  expect(route([box('b', 0.0001)])).toBeUndefined();
  expect(route([box('1', 0.0002), box('1', 0.00015)])).toBe(65);
  // Narrower than the steps in which roads were once looked at.
  const strip = [
    [0.00021, -1],
    [0.00022, -1],
    [0.00022, 1],
    [0.00021, 1],
    [0.00021, -1],
  ].map(([x, y]) => lonLat(town, '1', [x!, y! * 1e-4]));
  expect(route([strip])).toBe(65);
});

test('a closure forbids to pass, but a crew gets to a scene on a closed road, and out of it', () => {
  const town = drawRoads(DRAWING);
  const router = closed(town, [{ id: 1, geometry: { type: 'Point', coordinates: lonLat(town, '1') }, factor: 0 }]);
  expect(router.route({ points: [town.at('a'), town.at('1')] }).route?.time).toBe(15);
  expect(router.route({ points: [town.at('d'), town.at('1')] }).route?.time).toBe(20);
  expect(router.route({ points: [town.at('1'), town.at('d')] }).route?.time).toBe(20);
  expect(router.route({ points: [town.at('1'), town.at('2')] }).route?.time).toBe(5);
  expect([
    ...router.table({ sources: [town.at('1')], targets: [town.at('a'), town.at('d'), town.at('2')] }).times,
  ]).toEqual([150, 200, 50]);
});

test('several closures on one road: the slowest counts, and every one is named', () => {
  const town = drawRoads(DRAWING);
  const on = (id: number, factor: number): Closure => ({
    id,
    geometry: { type: 'Point', coordinates: lonLat(town, '1') },
    factor,
  });
  const router = closed(town, [on(1, 0.8), on(2, 0.75), on(3, 0.9)]);
  expect(router.route({ points: [town.at('b'), town.at('c')] }).route).toMatchObject({ time: 20, closures: [1, 2, 3] });
});

test('a point at a junction closes every road that meets there', () => {
  const town = drawRoads(DRAWING);
  const router = closed(town, [{ id: 1, geometry: { type: 'Point', coordinates: lonLat(town, 'b') }, factor: 0 }]);
  expect(router.route({ points: [town.at('a'), town.at('d')] }).route).toBeUndefined();
  expect(router.route({ points: [town.at('2'), town.at('f')] }).route).toMatchObject({ time: 20, closures: [1] });
});

describe('a route names the closures that changed it', () => {
  // Through the middle 40 s, with two pieces of 10 s each between b and c; round by the south 70 s.
  const town = drawRoads(`
    a---b-1-m-2-c---d
        |       |
        |       |
        e---3---f
  `);
  const on = (id: number, letter: string, factor: number): Closure => ({
    id,
    geometry: { type: 'Point', coordinates: lonLat(town, letter) },
    factor,
  });
  const told = (
    from: string,
    to: string,
    ...closures: Closure[]
  ): [number | undefined, readonly number[] | undefined] => {
    const { route } = closed(town, closures).route({ points: [town.at(from), town.at(to)] });
    return [route?.time, route?.closures];
  };
  test('one that bars the usual way', () => expect(told('a', 'd', on(1, '1', 0))).toEqual([70, [1]]));
  test('one that makes it so slow that another is quicker', () =>
    expect(told('a', 'd', on(1, '1', 0.01))).toEqual([70, [1]]));
  test('one that slows the way that is driven', () => expect(told('a', 'd', on(1, '1', 0.5))).toEqual([50, [1]]));
  test('none that lies elsewhere', () => {
    expect(told('a', 'd', on(1, '3', 0.5))).toEqual([40, []]);
    expect(told('a', 'd', on(1, '3', 0))).toEqual([40, []]);
  });
  test('two on one and the same road', () =>
    expect(told('a', 'd', on(1, '1', 0.5), on(2, '1', 0.4))).toEqual([55, [1, 2]]));
  test('two that bar the usual way each', () =>
    expect(told('a', 'd', on(1, '1', 0), on(2, '2', 0))).toEqual([70, [1, 2]]));
  test('two that only together make another way quicker', () =>
    expect(told('a', 'd', on(1, '1', 0.3), on(2, '2', 0.3))).toEqual([70, [1, 2]]));
  test('one that bars the usual way and one that slows the other', () =>
    expect(told('a', 'd', on(1, '1', 0), on(2, '3', 0.5))).toEqual([90, [1, 2]]));
  test('all on the way that would be driven without any, also one that alone would not do', () =>
    expect(told('a', 'd', on(1, '1', 0), on(2, '2', 0.9))).toEqual([70, [1, 2]]));
  test('one on whose road it sets out, or ends', () => {
    expect(told('1', 'd', on(1, '1', 0))).toEqual([25, [1]]);
    expect(told('a', '1', on(1, '1', 0), on(2, '3', 0))).toEqual([15, [1]]);
    expect(told('1', '2', on(1, '1', 0), on(2, '2', 0))).toEqual([10, [1, 2]]);
  });
  test('none that slows a road that another closes: it is driven there as usual', () => {
    expect(told('1', 'd', on(1, '1', 0), on(2, '1', 0.5))).toEqual([25, [1]]);
    expect(told('a', 'd', on(1, '1', 0), on(2, '1', 0.5))).toEqual([70, [1]]);
  });
  test('none at whose edge it sets out, or ends', () => {
    expect(told('a', 'b', on(1, '1', 0))).toEqual([10, []]);
    expect(told('b', 'e', on(1, '1', 0))).toEqual([15, []]);
  });
  test('one that slows it where it sets out', () => expect(told('1', 'd', on(1, '1', 0.5))).toEqual([30, [1]]));
});

test('closures on random routes are named where they change the time; where nothing changes, only closed roads at the ends are', () => {
  const random = numbers(SEED + 21);
  let named = 0;
  for (let i = 0; i < TOWNS; i++) {
    const roads = randomRoads(random, 6, 6);
    if (roads.segments === 0) continue;
    const point = (): Coordinate => {
      const node = Math.floor(random() * roads.nodes);
      return { lat: roads.columns.nodeLat[node]! / 1e6, lon: roads.columns.nodeLon[node]! / 1e6 };
    };
    const request = { points: [point(), point()], fullGeometry: true };
    const before = closeRoads(roads, []).route(request).route;
    if (!before || before.geometry.length < 4) continue;
    const closures = [0, 0.05, 0.5]
      .filter(() => random() < 0.5)
      .map((factor, id): Closure => {
        const [lat, lon] = before.geometry[1 + Math.floor(random() * (before.geometry.length - 2))]!;
        return { id, geometry: { type: 'Point', coordinates: [lon, lat] }, factor };
      });
    const after = closeRoads(roads, closures).route(request).route;
    if (!after) continue;
    if (after.time !== before.time) named++;
    if (after.time !== before.time) expect(after.closures.length, `seed ${SEED + 21}, town ${i}`).toBeGreaterThan(0);
    else if (JSON.stringify(after.geometry) === JSON.stringify(before.geometry))
      expect(
        after.closures.filter((id) => closures[id]!.factor > 0),
        `seed ${SEED + 21}, town ${i}`,
      ).toEqual([]);
  }
  expect(named, `seed ${SEED + 21}`).toBeGreaterThan(TOWNS / 10);
});

test('an alternative names the closures that changed it, which need not be those of the best way', () => {
  const town = drawRoads(
    `
    s---a-------b---t
        |       |
        c-------d
  `,
    {
      grid: 400,
      ways: {
        acdb: { name: 'South', maxspeed: '36' },
        ab: { 'name': 'North', 'highway': 'secondary', 'maxspeed:forward': '17' },
      },
    },
  );
  const between = (a: string, b: string) => ({
    type: 'LineString' as const,
    coordinates: [town.at(a), town.at(b)].map(({ lat, lon }) => [lon, lat]),
  });
  const under = (...closures: Closure[]): (readonly number[] | undefined)[] => {
    const { route, alternative } = closed(town, closures).route({
      points: [town.at('s'), town.at('t')],
      alternatives: true,
    });
    return [route?.closures, alternative?.closures];
  };
  expect(under()).toEqual([[], []]);
  expect(under({ id: 5, geometry: between('a', 'b'), factor: 0.97 })).toEqual([[], [5]]);
  expect(under({ id: 6, geometry: between('s', 'a'), factor: 0.9 })).toEqual([[6], [6]]);
  expect(under({ id: 7, geometry: between('a', 'b'), factor: 0 })).toEqual([[], undefined]);
});

test('under any closures the answers are those of roads that were never open', () => {
  const random = numbers(SEED + 20);
  for (let i = 0; i < 10; i++) {
    const roads = randomRoads(random, 6, 6);
    if (roads.segments === 0) continue;
    const hierarchy = Hierarchy.build(roads);
    const free = freeFlowCosts(roads);
    const affected = Array.from({ length: 8 }, (_, id) => ({
      piece: roads.columns.segmentFirst[Math.floor(random() * roads.segments)]!,
      id,
      factor: random() < 0.5 ? 0 : random(),
    }));
    const costs = closureCosts(affected, roads, free);
    const router = new Router(roads, new Engine(roads, hierarchy, customize(hierarchy, roads, free)));
    router.setConditions(new Engine(roads, hierarchy, customize(hierarchy, roads, costs)), packAffected(affected));
    router.setConditions(undefined, packAffected([]));
    const fresh = new Router(Roads.from(roads.buffer), new Engine(roads, hierarchy, customize(hierarchy, roads, free)));
    const points = Array.from({ length: 6 }, () => {
      const node = Math.floor(random() * roads.nodes);
      return { lat: roads.columns.nodeLat[node]! / 1e6, lon: roads.columns.nodeLon[node]! / 1e6 };
    });
    const question = { sources: points, targets: points };
    expect(router.table(question).times, `seed ${SEED + 20}`).toEqual(fresh.table(question).times);
    router.setConditions(new Engine(roads, hierarchy, customize(hierarchy, roads, costs)), packAffected(affected));
    const under = router.table(question);
    points.forEach((_, row) =>
      points.forEach((_, column) => {
        const { route } = router.route({
          points: [
            { ...points[row]!, hint: under.snappedSources[row]!.hint },
            { ...points[column]!, hint: under.snappedTargets[column]!.hint },
          ],
        });
        expect(under.times[row * points.length + column], `seed ${SEED + 20}`).toBe(
          route ? Math.round(route.time * 10) : 2147483647,
        );
      }),
    );
  }
});
