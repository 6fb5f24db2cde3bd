import { expect, test } from 'vitest';
import { ExtractBuilder } from '../../../../../server/geo/territory/index.ts';
import { Roads, buildRoads, metresBetweenMicro } from '../../../../../server/geo/territory/roads/index.ts';
import { turnCost } from '../../../../../server/geo/territory/roads/graph/turns.ts';
import type { Heading } from '../../../../../server/geo/routing/types.ts';
import { closeRoads } from '../close-roads.ts';
import { car, drawRoads, testbot } from '../town.ts';
import type { TownOptions } from '../town.ts';
import { EAST, drive } from './drive.ts';

/**
 * Costs, turns, restrictions, ends and via points of the car, rule by rule, where the other files here do not
 * test them.
 */

// Cost model

/** Tenths of a second of a stretch of the equator at 36 km/h, by its micro-degrees. */
function costOf(micro: number): number {
  const builder = new ExtractBuilder();
  builder
    .node(1, 0, 0)
    .node(2, 0, micro / 1e6)
    .way(1, [1, 2], { highway: 'primary' });
  return Roads.from(buildRoads(builder.build(), { profile: testbot, minComponent: 1 }).bytes.buffer).columns
    .pieceForward[0]!;
}

test('a piece of road costs whole tenths of a second, rounded, and at least one', () => {
  // A micro-degree is 0.111 m, and 1 m takes a tenth of a second.
  expect([1, 4, 9, 13, 14, 899, 8991, 1_000_000].map(costOf)).toEqual([1, 1, 1, 1, 2, 100, 1000, 111226]);
});

test('a piece that costs a single tenth is a road like any other, wherever it lies in one', () => {
  const builder = new ExtractBuilder();
  [0, 0.000004, 0.000899, 0.000903].forEach((lon, i) => builder.node(i + 1, 0, lon));
  builder.way(1, [1, 2, 3, 4], { highway: 'primary' });
  const roads = Roads.from(buildRoads(builder.build(), { profile: testbot, minComponent: 1 }).bytes.buffer);
  expect([roads.segments, [...roads.columns.pieceForward], [...roads.columns.pieceBackward]]).toEqual([
    1,
    [1, 100, 1, 0],
    [1, 100, 1, 0],
  ]);
  const ends = [
    { lat: 0, lon: 0 },
    { lat: 0, lon: 0.000903 },
  ];
  const router = closeRoads(roads, []);
  expect([
    router.route({ points: ends }).route?.time,
    router.route({ points: ends.toReversed() }).route?.time,
    router.route({ points: [...ends, ends[0]!] }).route?.time,
  ]).toEqual([10.2, 10.2, 40.4]);
});

test('lengths are those of a sphere of 6372797.560856 m', () => {
  expect(metresBetweenMicro(0, 0, 1e6, 0)).toBeCloseTo(111_226.3, 1);
  expect(metresBetweenMicro(0, 0, 0, 90e6)).toBeCloseTo(10_010_366.9, 0);
  expect(metresBetweenMicro(0, 60e6, 1e6, 60e6)).toBeCloseTo(55_612.6, 0);
});

test('lengths are as exact for near points as for far ones', () => {
  const haversine = (lat1: number, lon1: number, lat2: number, lon2: number): number => {
    const radians = (micro: number): number => (micro * 1e-6 * Math.PI) / 180;
    const [up, across] = [Math.sin(radians(lat2 - lat1) / 2), Math.sin(radians(lon2 - lon1) / 2)];
    return (
      2 *
      6372797.560856 *
      Math.asin(Math.sqrt(up * up + Math.cos(radians(lat1)) * Math.cos(radians(lat2)) * across * across))
    );
  };
  for (const lat of [0, 36e6, -71e6, 89e6]) {
    for (const off of [10, 1000, 50_000, 114_000, 115_000, 1_000_000]) {
      for (const [up, across] of [
        [off, off],
        [off, 0],
        [0, off],
        [-off, off / 3],
      ] as const) {
        const metres = metresBetweenMicro(14e6, lat, 14e6 + across, lat + up);
        expect(metres / haversine(lat, 14e6, lat + up, 14e6 + across), `${lat} ${up} ${across}`).toBeCloseTo(1, 9);
      }
    }
  }
});

test('a duration is shared evenly by the pieces of the way, however long they are', () => {
  const town = drawRoads(
    `
    a---b---c---------------d---e
            |
            f
  `,
    { ways: { bcd: { route: 'ferry', duration: '0:10' } } },
  );
  expect(town.time('a', 'f')).toBe(10 + 300 + 10);
  expect(town.time('f', 'e')).toBe(10 + 300 + 10);
  // A node that is written twice makes no piece.
  const twice = drawRoads('a---b---c---d---e', { ways: { bccd: { route: 'ferry', duration: '0:10' } } });
  expect(twice.time('a', 'e')).toBe(10 + 600 + 10);
});

test('a way of one node, of one node twice, or with nodes that are missing loses these pieces only', () => {
  const builder = new ExtractBuilder();
  builder.node(1, 0, 0).node(2, 0, 0.000899).node(3, 0, 0.001798);
  builder
    .way(1, [1, 1, 2, 2, 3, 99], { highway: 'primary' })
    .way(2, [3], { highway: 'primary' })
    .way(3, [1, 1], { highway: 'primary' })
    .way(4, [98, 99], { highway: 'primary' });
  const roads = Roads.from(buildRoads(builder.build(), { profile: testbot, minComponent: 1 }).bytes.buffer);
  expect([roads.nodes, roads.segments, [...roads.columns.pieceForward]]).toEqual([3, 1, [100, 100, 0]]);
});

test('the time of a route has all penalties in it', () => {
  const drawing = `
        c
        |
    a---b---d
  `;
  // 100 m at 63 km/h are 5.7 s; to the left 1.2 s, the signal 2 s.
  expect(drawRoads(drawing, { profile: car }).time('a', 'c')).toBeCloseTo(5.7 * 2 + 1.2, 6);
  expect(drawRoads(drawing, { profile: car, nodes: { b: { highway: 'traffic_signals' } } }).time('a', 'c')).toBeCloseTo(
    5.7 * 2 + 1.2 + 2,
    6,
  );
});

// Turns

const CROSS = `
      n
      |
  w---x---e
      |
      s
`;

test('every movement at a node is allowed', () => {
  const town = drawRoads(CROSS, { minComponent: 1 });
  for (const from of 'nesw')
    for (const to of 'nesw') if (from !== to) expect(town.passes(from, to), from + to).toBe(`${from} x ${to}`);
});

/** Seconds from 1, going east, to a. */
function backFrom1(drawing: string, options: TownOptions = {}): number | undefined {
  const town = drawRoads(drawing, { minComponent: 1, ...options });
  return drive(town, [{ ...town.at('1'), heading: EAST }, town.at('a')]);
}

test('turning back is for dead ends, and for where no other road leads in', () => {
  expect(backFrom1('a-1-x'), 'a dead end').toBe(5 + 20 + 10);
  expect(backFrom1('a-1-x---y'), 'not on the way').toBe(5 + 10 + 20 + 10 + 10);
  expect(backFrom1('a-1-x---y', { ways: { xy: { oneway: 'yes' } } }), 'the other road leads away').toBe(5 + 20 + 10);
  expect(backFrom1('a-1-x---y', { ways: { xy: { oneway: '-1' } } }), 'the other road leads in').toBeUndefined();
});

test('a road whose directions are cheapest on two ways is one road: to turn back on it takes a dead end and 20 s, and has its row', () => {
  const pair = { ab: { oneway: 'yes', name: 'same' }, ba: { highway: 'secondary', name: 'same' } };
  const end = drawRoads('b-1-a', {
    ways: { ba: { oneway: 'yes', name: 'same' }, ab: { highway: 'secondary', name: 'same' } },
    minComponent: 1,
  });
  const { route } = end.router.route({ points: [{ ...end.at('1'), heading: EAST }, end.at('b')] });
  expect([route!.time, route!.steps.map(({ code }) => code).join()]).toEqual([5 + 20 + 20, '10,5,15']);
  // In a row with a third piece, where nobody may turn in the middle.
  expect(backFrom1('a-1-b---c', { ways: { ...pair, bc: { name: 'same' } } })).toBe(5 + 10 + 20 + 10 + 20);
  expect(
    backFrom1(
      `
    a-1-b---c
        |
        d
  `,
      { ways: { ...pair, bc: {}, bd: {} } },
    ),
    'a junction',
  ).toBe(5 + 10 + 20 + 10 + 20);
});

test('a place on a piece that is cheapest on two ways is left, reached and passed in both directions', () => {
  const ways = { ab: { oneway: 'yes' }, ba: { highway: 'secondary' } };
  const town = drawRoads('x---a-1-b---y', { ways });
  // 50 m towards b take 5 s on the primary road, towards a 10 s on the secondary one.
  expect([town.time('1', 'y'), town.time('1', 'x'), town.time('x', '1'), town.time('y', '1')]).toEqual([
    15, 20, 15, 20,
  ]);
  expect([town.time('x', '1', 'y'), town.time('y', '1', 'x')]).toEqual([30, 40]);
  const points = ['x', '1', 'y'].map((letter) => town.at(letter));
  const { times } = town.router.table({ sources: points, targets: points });
  expect([...times]).toEqual([0, 150, 300, 200, 0, 150, 400, 200, 0]);
  // Whichever of the two the point was put on.
  const west = { degrees: 270, range: 10 };
  const facing = (heading: Heading | undefined, to: string): number | undefined =>
    town.router.route({ points: [{ ...town.at('1'), ...(heading && { heading }) }, town.at(to)] }).route?.time;
  expect([facing(EAST, 'y'), facing(west, 'x')]).toEqual([15, 20]);
  expect(town.router.route({ points: [{ ...town.at('1'), heading: west }, town.at('1')] }).route?.time).toBe(0);
  // Turning back on the spot, where that is allowed, has a sentence.
  const { route } = town.router.route({ points: [town.at('x'), { ...town.at('1'), uturn: true }, town.at('x')] });
  expect([route!.time, route!.steps.map(({ code }) => code).join()]).toEqual([35, '10,1,9,5,1,15']);
});

test('at a barrier one can only turn back, and the road on each side is reached', () => {
  const options: TownOptions = {
    profile: { ...testbot, barriers: { obeyed: true, passable: [] } },
    nodes: { x: { barrier: 'bollard' } },
  };
  expect(backFrom1('a-1-x---y', options)).toBe(5 + 20 + 10);
  const town = drawRoads('a-1-x---y', { ...options, minComponent: 1 });
  expect([town.time('a', 'x'), town.time('y', 'x'), town.time('a', 'y'), town.time('y', 'a')]).toEqual([
    10,
    10,
    undefined,
    undefined,
  ]);
  expect(backFrom1('a-1-x---y', { ...options, ways: { axy: {} } }), 'in the middle of a way').toBe(5 + 20 + 10);
  expect(drawRoads('a-1-x---y', { ...options, ways: { axy: {} }, minComponent: 1 }).time('a', 'y')).toBeUndefined();
});

test('a signal costs whenever it is passed, in either direction, at a junction and in the middle, and not when it is not reached', () => {
  const town = drawRoads(
    `
    a-1-b-2-c-3-d
            |
            e
  `,
    {
      ways: { abc: {}, cd: {}, ce: {} },
      nodes: { b: { highway: 'traffic_signals' }, c: { highway: 'traffic_signals' } },
    },
  );
  expect([
    town.time('1', '2'),
    town.time('2', '1'),
    town.time('2', '3'),
    town.time('3', '2'),
    town.time('2', 'e'),
  ]).toEqual([17, 17, 17, 17, 22]);
  expect([town.time('1', 'b'), town.time('b', '1'), town.time('2', 'c'), town.time('c', '3')]).toEqual([5, 5, 5, 5]);
  expect([town.time('1', 'b', '2'), town.time('2', 'c', 'e')]).toEqual([17, 22]);
  // Where a trip passes a point at the signal, the time is in the row that goes on from there.
  expect(town.found('1', 'b', '2').steps.map(({ time }) => time)).toEqual([5, 12, 0]);
});

// Penalties of the car

test('the samples of the turn penalty', () => {
  const samples: [angle: number, right: number, left: number][] = [
    [0, 0, 0],
    [30, 0, 1],
    [45, 2, 3],
    [60, 3, 5],
    [90, 8, 12],
    [120, 14, 21],
    [135, 18, 27],
    [150, 23, 33],
  ];
  // Angles count from the way back, counter-clockwise: less than 180 is to the right.
  for (const [angle, right, left] of samples)
    expect([turnCost(180 - angle, car), turnCost(180 + angle, car)], `${angle}`).toEqual([right, left]);
  // From 157 and 156 degrees on it is a U-turn, which costs the same at every angle.
  expect([157.1, 160, 180].map((angle) => turnCost(180 - angle, car))).toEqual([200, 200, 200]);
  expect([156, 160, 180].map((angle) => turnCost(180 + angle, car))).toEqual([200, 200, 200]);
  expect([turnCost(180 - 157, car), turnCost(180 + 155.9, car)]).toEqual([25, 36]);
  // As an angle comes out of drawn roads: cut off, but not by its last digit.
  expect([turnCost(270 - 1e-9, car), turnCost(270 - 1, car)]).toEqual([12, 11]);
});

test('a curve inside one road costs nothing; where name, mode or one-way changes, it does', () => {
  const bend = (options: TownOptions): number => {
    const town = drawRoads(
      `
      a---b
          |
          c
    `,
      { profile: car, minComponent: 1, ...options },
    );
    return Math.round((town.time('a', 'c')! - town.time('a', 'b')! - town.time('b', 'c')!) * 10);
  };
  expect(bend({ ways: { abc: {} } })).toBe(0);
  expect(bend({ ways: { ab: { name: 'same' }, bc: { name: 'same' } } })).toBe(0);
  expect(bend({ ways: { ab: { name: 'one' }, bc: { name: 'other' } } })).toBe(8);
  expect(bend({ ways: { ab: { name: 'same' }, bc: { name: 'same', oneway: 'yes' } } })).toBe(8);
  const bridge = drawRoads(
    `
    a---b
        |
        c
        |
        d
  `,
    {
      profile: car,
      minComponent: 1,
      ways: { ab: { name: 'same' }, bc: { name: 'same', bridge: 'movable' }, cd: { name: 'same' } },
    },
  );
  // Nobody starts on the bridge: 100 m at 15 km/h are 24 s, at 63 km/h 5.7 s.
  expect(bridge.time('a', 'd')).toBeCloseTo(5.7 + 0.8 + 24 + 5.7, 6);
});

test('a car loses 2 s at a signal and 20 s by turning back, and nothing more for the angle', () => {
  const town = drawRoads('a-1-x', { profile: car, minComponent: 1 });
  const away = drive(town, [{ ...town.at('1'), heading: EAST }, town.at('a')])!;
  expect(away - town.time('1', 'x')! - town.time('x', 'a')!).toBeCloseTo(20, 6);
  const light = drawRoads('a---b---c', {
    profile: car,
    ways: { abc: {} },
    nodes: { b: { highway: 'traffic_signals' } },
  });
  expect(light.time('a', 'c')! - light.time('a', 'b')! - light.time('b', 'c')!).toBeCloseTo(2, 6);
});
