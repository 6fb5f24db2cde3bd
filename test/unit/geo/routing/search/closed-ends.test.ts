import { describe, expect, test } from 'vitest';
import { packAffected } from '../../../../../server/geo/routing/closures/affected-pieces.ts';
import { findAlternative } from '../../../../../server/geo/routing/search/alternative.ts';
import { affectedPieces, closureCosts } from '../../../../../server/geo/routing/closures/closures.ts';
import { customize } from '../../../../../server/geo/routing/metric/customize.ts';
import { Dijkstra } from '../dijkstra.ts';
import { UNREACHABLE } from '../../../../../server/geo/routing/types.ts';
import type { Closure, Coordinate } from '../../../../../server/geo/routing/types.ts';
import { Engine } from '../../../../../server/geo/routing/search/engine.ts';
import { findTrip } from '../../../../../server/geo/routing/search/find-trip.ts';
import { Hierarchy } from '../../../../../server/geo/routing/graph/hierarchy.ts';
import { learnedCosts } from '../../../../../server/geo/routing/metric/learned-costs.ts';
import { freeFlowCosts } from '../../../../../server/geo/routing/metric/costs.ts';
import type { Costs } from '../../../../../server/geo/routing/metric/costs.ts';
import { Router } from '../../../../../server/geo/routing/router.ts';
import { Snapper } from '../../../../../server/geo/routing/snapping/snapper.ts';
import type { RoadPoint } from '../../../../../server/geo/routing/snapping/snapper.ts';
import { ROUNDABOUT, metresBetweenMicro } from '../../../../../server/geo/territory/roads/index.ts';
import type { Roads } from '../../../../../server/geo/territory/roads/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { times } from '../../../../support/long.ts';
import { expectGoodAlternative } from './alternative-rules.ts';
import { closeRoads, randomClosures, underClosures } from '../close-roads.ts';
import { anyPlace, placeAt, placeOn, pointOf } from '../places.ts';
import { randomRoads } from '../random.ts';
import { drawRoads, testbot } from '../town.ts';
import type { Town, TownOptions } from '../town.ts';

/** Random towns; more are asked of it now and then. */
const TOWNS = times(25, 2000);

describe('an accident on a road of several pieces: b to d is closed', () => {
  const DRAWING = `
    a---b---c-1-d---e
        |   |   |
        |   s   |
        |       |
        f---2---g
  `;
  const along = (town: Town, ...letters: string[]): Closure['geometry'] => ({
    type: 'LineString',
    coordinates: letters.map((letter) => [town.at(letter).lon, town.at(letter).lat]),
  });
  const times = (
    options: TownOptions = {},
    ...more: Closure['geometry'][]
  ): ((...letters: string[]) => number | undefined) => {
    const town = drawRoads(DRAWING, options);
    const router = closeRoads(
      town.roads,
      [along(town, 'b', 'c', 'd'), ...more].map((geometry, id) => ({ id, geometry, factor: 0 })),
    );
    return (...letters) => router.route({ points: letters.map((letter) => town.at(letter)) }).route?.time;
  };

  test('an ambulance gets to the middle of it, from either side, and out again', () => {
    const time = times();
    expect([time('a', '1'), time('e', '1'), time('a', 'c'), time('e', 'c')]).toEqual([25, 15, 20, 20]);
    expect([time('1', 'a'), time('1', 'e'), time('c', 'a'), time('c', '1')]).toEqual([25, 15, 20, 5]);
  });
  test('nobody drives through it, nor starts into it from its edge to come out at the other', () => {
    const time = times();
    expect([time('a', 'e'), time('b', 'd'), time('d', 'b'), time('b', 'e')]).toEqual([80, 60, 60, 70]);
  });
  test('another closure is not entered on the way', () => {
    const town = drawRoads(DRAWING);
    const time = times({}, { type: 'Point', coordinates: [town.at('2').lon, town.at('2').lat] });
    expect([time('a', 'e'), time('a', '1'), time('1', 'e')]).toEqual([undefined, 25, 15]);
    expect(time('e', '1'), 'two ends, each in a closure of its own').toBe(15);
    expect(time('1', '2'), 'from one closure into another').toBe(5 + 20 + 10);
  });
  test('a crew stops in it on the way to elsewhere, and goes on ahead', () =>
    expect(times()('a', '1', 'a')).toBe(25 + 5 + 60 + 10));
  test('a signal at which it stops there counts when it goes on', () => {
    const town = drawRoads('a---b---c-1-d---e', { ways: { bcd: {} }, nodes: { c: { highway: 'traffic_signals' } } });
    const router = closeRoads(town.roads, [{ id: 1, geometry: along(town, 'b', 'd'), factor: 0 }]);
    const time = (...letters: string[]): number | undefined =>
      router.route({ points: letters.map((letter) => town.at(letter)) }).route?.time;
    expect(
      [time('a', '1'), time('1', 'a'), time('a', 'c', '1'), time('a', 'c', 'd')],
      'passed, and stopped at',
    ).toEqual([32, 32, 32, 37]);
    expect([time('a', 'c'), time('c', 'e'), time('a', 'c', 'e'), time('a', 'e')]).toEqual([20, 20, 47, undefined]);
  });
  test('one-ways hold inside', () => {
    const time = times({ ways: { cd: { oneway: 'yes' } } });
    expect([time('1', 'a'), time('a', '1'), time('e', '1'), time('d', 'c')]).toEqual([
      5 + 60 + 10,
      25,
      10 + 60 + 15,
      70,
    ]);
  });
  test('the way inside counts, and so does the way out and in again, whichever is quicker', () => {
    expect(times({ ways: { cd: { maxspeed: '18' } } })('c', '1')).toBe(10);
    expect(times({ ways: { cd: { maxspeed: '3' } } })('b', 'c')).toBe(10);
    expect(times({ ways: { cd: { 'maxspeed:forward': '2' } } })('c', '1')).toBe(10 + 60 + 5);
  });
  test('open road that closed road encloses stays out of reach', () =>
    expect([times()('s', 'a'), times()('a', 's'), times()('s', 'c')]).toEqual([undefined, undefined, 10]));
});

test('closed roads are driven at the speeds that were learned', () => {
  const town = drawRoads('a---b---c-1-d---e');
  const { roads } = town;
  const at = (letter: string): Coordinate => town.at(letter);
  const hierarchy = Hierarchy.build(roads);
  const free = freeFlowCosts(roads);
  const speeds = {
    checksum: roads.checksum,
    version: 1,
    arcs: Uint32Array.from({ length: roads.arcs }, (_, arc) => arc),
    tenths: new Uint32Array(roads.arcs).fill(300),
  };
  const usual = learnedCosts(speeds, roads, free, {
    arc: free.arc.slice(),
    forward: free.forward.slice(),
    backward: free.backward.slice(),
  });
  const affected = affectedPieces(
    [
      {
        id: 1,
        geometry: { type: 'LineString', coordinates: ['b', 'd'].map((letter) => [at(letter).lon, at(letter).lat]) },
        factor: 0,
      },
    ],
    roads,
    new Snapper(roads),
  );
  const engine = (costs: Costs): Engine => new Engine(roads, hierarchy, customize(hierarchy, roads, costs));
  const router = new Router(roads, engine(free));
  router.setConditions(engine(closureCosts(affected, roads, usual)), packAffected(affected), engine(usual));
  expect(router.route({ points: [at('1'), at('a')] }).route?.time).toBe(15 + 30 + 30);
  expect([...router.table({ sources: [at('a')], targets: [at('1')] }).times]).toEqual([750]);
});

test('a bend where a closed piece ends and open road goes on is the edge of the closure, whichever piece it is put on', () => {
  const town = drawRoads(
    `
    a---b---c---d---e
    |               |
    f---------------g
  `,
    { ways: { bcd: {} } },
  );
  const { roads } = town;
  const closure: Closure = {
    id: 1,
    geometry: {
      type: 'LineString',
      coordinates: ['b', 'c'].map((letter) => [town.at(letter).lon, town.at(letter).lat]),
    },
    factor: 0,
  };
  const { conditions } = underClosures(roads, [closure]);
  const first = Array.from({ length: roads.segments }, (_, segment) => segment).find(
    (segment) => roads.pieces(segment) === 2,
  )!;
  const piece = roads.columns.segmentFirst[first]!;
  const [lat, lon] = [town.at('a').lat, town.at('a').lon].map((degrees) => Math.round(degrees * 1e6)) as [
    number,
    number,
  ];
  const [a] = new Snapper(roads).nearest(lat, lon);
  for (const bend of [placeAt(roads, first, piece, 1), placeAt(roads, first, piece + 1, 0)]) {
    expect(findTrip([bend, a!], conditions)?.cost).toBe(800);
    expect(findTrip([a!, bend], conditions)?.cost).toBe(800);
  }
});

test('a turn between closed roads takes its time on the way from one closure over an open piece into another, too', () => {
  const town = drawRoads(
    `
    b-1-c---d---e
                |
                3
                |
                f
  `,
    { ways: { bcde: {} }, profile: { ...testbot, turns: { ...testbot.turns, right: 10, left: 10 } } },
  );
  const router = closeRoads(
    town.roads,
    ['bc', 'def'].map((letters, id) => ({
      id,
      geometry: {
        type: 'LineString',
        coordinates: [...letters].map((letter) => [town.at(letter).lon, town.at(letter).lat]),
      },
      factor: 0,
    })),
  );
  const points = [...'13'].map((letter) => town.at(letter));
  const expected = [
    [0, 45],
    [45, 0],
  ];
  expect(points.map((from) => points.map((to) => router.route({ points: [from, to] }).route?.time))).toEqual(expected);
  expect([...router.table({ sources: points, targets: points }).times]).toEqual(
    expected.flat().map((seconds) => seconds * 10),
  );
});

test('a trip does not pass one closure into another behind an open piece, nor out that way', () => {
  const town = drawRoads('z---a---b---c-1-d', { ways: { bcd: {} } });
  const router = closeRoads(
    town.roads,
    ['ab', 'cd'].map((letters, id) => ({
      id,
      geometry: {
        type: 'LineString',
        coordinates: [...letters].map((letter) => [town.at(letter).lon, town.at(letter).lat]),
      },
      factor: 0,
    })),
  );
  const [z, one] = [town.at('z'), town.at('1')];
  expect(
    [
      [z, one],
      [one, z],
    ].map((points) => router.route({ points }).route),
  ).toEqual([undefined, undefined]);
  expect([...router.table({ sources: [z, one], targets: [z, one] }).times]).toEqual([0, UNREACHABLE, UNREACHABLE, 0]);
});

test('nobody drives through a closed piece to the bend at its far edge, straight on along the same road or from another closure', () => {
  const town = drawRoads('z-2-a-1-b---c---d', { ways: { abcd: {} } });
  const router = closeRoads(
    town.roads,
    ['za', 'bc'].map((letters, id) => ({
      id,
      geometry: {
        type: 'LineString',
        coordinates: [...letters].map((letter) => [town.at(letter).lon, town.at(letter).lat]),
      },
      factor: 0,
    })),
  );
  const points = [...'12b'].map((letter) => town.at(letter));
  const targets = [...'bcd'].map((letter) => town.at(letter));
  const expected = [
    [5, undefined, undefined],
    [15, undefined, undefined],
    [0, undefined, undefined],
  ];
  expect(points.map((from) => targets.map((to) => router.route({ points: [from, to] }).route?.time))).toEqual(expected);
  expect([...router.table({ sources: points, targets }).times]).toEqual(
    expected.flat().map((seconds) => (seconds === undefined ? UNREACHABLE : seconds * 10)),
  );
});

test('in a direction in which roads only begin at a junction among closed roads, one comes to it and goes on from it', () => {
  const town = drawRoads(`
    m
    |
    n
    |
    j---e---f
  `);
  const router = closeRoads(
    town.roads,
    ['nj', 'je'].map((letters, id) => ({
      id,
      geometry: {
        type: 'LineString',
        coordinates: [...letters].map((letter) => [town.at(letter).lon, town.at(letter).lat]),
      },
      factor: 0,
    })),
  );
  const east = { ...town.at('j'), heading: { degrees: 90, range: 10 } };
  expect(router.route({ points: [town.at('m'), east] }).route?.time).toBe(20);
  expect(router.route({ points: [town.at('m'), east, town.at('f')] }).route?.time).toBe(40);
  expect(router.route({ points: [east, town.at('m')] }).route).toBeUndefined();
});

test('over an open piece between two closures, where no whole road is open, one gets from one of them into the other, and out of it', () => {
  const town = drawRoads('a-3-b-2-c-1-d', { ways: { abc: {} } });
  const router = closeRoads(
    town.roads,
    ['ab', 'cd'].map((letters, id) => ({
      id,
      geometry: {
        type: 'LineString',
        coordinates: [...letters].map((letter) => [town.at(letter).lon, town.at(letter).lat]),
      },
      factor: 0,
    })),
  );
  const points = [...'123'].map((letter) => town.at(letter));
  const expected = [
    [0, 10, 20],
    [10, 0, 10],
    [20, 10, 0],
  ];
  expect(points.map((from) => points.map((to) => router.route({ points: [from, to] }).route?.time))).toEqual(expected);
  expect([...router.table({ sources: points, targets: points }).times]).toEqual(
    expected.flat().map((seconds) => seconds * 10),
  );
});

test('a road whose directions are cheapest on two ways is one road: where it ends among open ones is the edge of its closure', () => {
  const ways = {
    ab: { oneway: 'yes' },
    ba: { highway: 'secondary' },
    bc: { oneway: 'yes' },
    cb: { highway: 'secondary' },
  };
  const town = drawRoads('z---a-1-b-2-c---d', { ways });
  const times = (closed: string, ...trips: string[]): (number | undefined)[] => {
    const router = closeRoads(
      town.roads,
      [...closed].map((letter, id) => ({
        id,
        geometry: { type: 'Point', coordinates: [town.at(letter).lon, town.at(letter).lat] },
        factor: 0,
      })),
    );
    return trips.map((letters) => router.route({ points: [...letters].map((letter) => town.at(letter)) }).route?.time);
  };
  expect(times('1', 'bz', 'ac', 'zb')).toEqual([undefined, undefined, undefined]);
  expect(times('1', 'z1', '1d')).toEqual([15, 25]);
  expect(times('12', 'bz', 'ab', 'bd', 'az', 'ad'), 'b lies between two closed roads').toEqual([
    30,
    10,
    20,
    10,
    undefined,
  ]);

  const end = drawRoads('z---a-1-b', { ways: { ab: { oneway: 'yes' }, ba: { highway: 'secondary' } } });
  const router = closeRoads(end.roads, [
    { id: 1, geometry: { type: 'Point', coordinates: [end.at('1').lon, end.at('1').lat] }, factor: 0 },
  ]);
  expect(router.route({ points: [end.at('b'), end.at('z')] }).route?.time, 'no other road leads from b').toBe(30);
});

test('the least factor above 0 slows a road and does not close it', () => {
  const town = drawRoads('z---a-1-b---c');
  for (const factor of [0.001, 1e-9, Number.MIN_VALUE]) {
    const router = closeRoads(town.roads, [
      { id: 1, geometry: { type: 'Point', coordinates: [town.at('1').lon, town.at('1').lat] }, factor },
    ]);
    const time = (...letters: string[]): number | undefined =>
      router.route({ points: letters.map((letter) => town.at(letter)) }).route?.time;
    expect([time('b', 'z'), time('z', 'c')], `${factor}`).toEqual([10_000 + 10, 10_000 + 20]);
    expect(time('1', 'z'), `${factor}, from the middle`).toBeCloseTo(5_000 + 10, -2);
  }
});

test('lengths in tables are those of the ways, over closed and open pieces of the same road too', () => {
  const town = drawRoads('a---b-1-c---d-2-e-3-f---g', { ways: { bcde: {} } });
  const line = (from: string, to: string): Closure['geometry'] => ({
    type: 'LineString',
    coordinates: [from, to].map((letter) => [town.at(letter).lon, town.at(letter).lat]),
  });
  const router = closeRoads(
    town.roads,
    [line('b', 'c'), line('d', 'f')].map((geometry, id) => ({ id, geometry, factor: 0 })),
  );
  const points = [...'a1c23g'].map((letter) => town.at(letter));
  const { times, distances } = router.table({ sources: points, targets: points });
  const none = -1;
  const expected = [
    [0, 150, none, none, none, none],
    [150, 0, 50, 200, 300, none],
    [none, 50, 0, 150, 250, none],
    [none, 200, 150, 0, 100, 250],
    [none, 300, 250, 100, 0, 150],
    [none, none, none, 250, 150, 0],
  ].flat();
  expect([...distances].map((metres) => (metres === UNREACHABLE ? none : Math.round(metres / 10) * 10))).toEqual(
    expected,
  );
  expect([...times].map((tenths) => (tenths === UNREACHABLE ? none : tenths))).toEqual(expected);

  const bare = drawRoads('b-1-c---d-2-e-3-f---g---h', { ways: { bcde: {} } });
  const alone = closeRoads(
    bare.roads,
    [
      ['b', 'c'],
      ['d', 'f'],
      ['g', 'h'],
    ].map((letters, id) => ({
      id,
      geometry: {
        type: 'LineString',
        coordinates: letters.map((letter) => [bare.at(letter).lon, bare.at(letter).lat]),
      },
      factor: 0,
    })),
  );
  expect(
    [...alone.table({ sources: [bare.at('1')], targets: ['3', 'h'].map((letter) => bare.at(letter)) }).times],
    'a row that comes to no whole open road',
  ).toEqual([300, UNREACHABLE]);

  const street = drawRoads('a---b---c---d-1-e---f', { ways: { bcd: {} } });
  const closed = closeRoads(street.roads, [
    {
      id: 1,
      geometry: {
        type: 'LineString',
        coordinates: ['c', 'e'].map((letter) => [street.at(letter).lon, street.at(letter).lat]),
      },
      factor: 0,
    },
  ]);
  const [from, to] = [['a', 'f'], ['1']].map((letters) => letters.map((letter) => street.at(letter))) as [
    Coordinate[],
    Coordinate[],
  ];
  expect(
    [...closed.table({ sources: from, targets: to }).distances].map((metres) => Math.round(metres / 10) * 10),
  ).toEqual([350, 150]);
  expect(
    [...closed.table({ sources: to, targets: from }).distances].map((metres) => Math.round(metres / 10) * 10),
  ).toEqual([350, 150]);
});

test('into a closure that begins in the middle of a road the quickest way is taken, turns and all', () => {
  const turns = { ...testbot.turns, right: 10, left: 10 };
  const town = drawRoads(
    `
    a---b---j---c
            |   |
            t---d
  `,
    { ways: { abj: {}, jt: { maxspeed: '13' }, jcdt: {} }, profile: { ...testbot, turns } },
  );
  const letters = [...'bjcdtj'].map((letter) => town.at(letter)).map(({ lat, lon }) => [lon, lat]);
  const router = closeRoads(town.roads, [{ id: 1, geometry: { type: 'LineString', coordinates: letters }, factor: 0 }]);
  // From j to t it takes 27.7 s and the turn before, or straight on 30 s.
  expect(router.route({ points: [town.at('a'), town.at('t')] }).route?.time).toBe(10 + 10 + 30);
});

test('a second way between closed ends is offered: on open road alone it has to be the quickest, and closed road counts as what is driven', () => {
  // Between a and b it takes 47.4 s by x and 45 s by c. Within 15 % of the best way before y, coming from r,
  // and behind x, going there, there is closed road.
  const town = drawRoads(
    `
      w         u v   q
      |         | |   |
    z-s---a-----x-y-b-t-r
          |         |
          c---------d
  `,
    { ways: { sa: { maxspeed: '3' }, axyb: { maxspeed: '19' }, acdb: {} } },
  );
  const found = (from: string, to: string, ...closed: [string, string][]): (number | undefined)[] => {
    const closures = closed.map((letters, id): Closure => ({
      id,
      geometry: {
        type: 'LineString',
        coordinates: letters.map((letter) => [town.at(letter).lon, town.at(letter).lat]),
      },
      factor: 0,
    }));
    const { route, alternative } = closeRoads(town.roads, closures).route({
      points: [town.at(from), town.at(to)],
      alternatives: true,
    });
    return [route?.time, alternative?.time];
  };
  const [quick, slow] = [120 + 45 + 5, 120 + 47.4 + 5];
  expect(found('s', 't')).toEqual([quick, slow]);
  expect(found('s', 'r', ['b', 'r']), 'into a closure').toEqual([quick + 5, slow + 5]);
  expect(found('r', 's', ['b', 'r']), 'out of a closure').toEqual([quick + 5, slow + 5]);
  expect(found('z', 't', ['z', 'a']), 'out over a slow closed road').toEqual([quick + 5, slow + 5]);
  expect(found('t', 'z', ['z', 'a']), 'into it').toEqual([quick + 5, slow + 5]);
});

/** A random town under random closures, at the speeds of the profile or at others. */
function* towns(
  seed: number,
  count: number,
  size: () => number,
  random: () => number,
): Generator<{ roads: Roads; closures: Closure[]; usual: Costs; told: string }> {
  for (let town = 0; town < count; town++) {
    const roads = randomRoads(random, size(), size());
    if (roads.segments > 0)
      yield {
        roads,
        closures: randomClosures(roads, random),
        usual: town % 2 ? freeFlowCosts(roads) : otherCosts(roads, random),
        told: `seed ${seed}, town ${town}`,
      };
  }
}

function otherCosts(roads: Roads, random: () => number): Costs {
  const free = freeFlowCosts(roads);
  const arcs = Uint32Array.from({ length: roads.arcs }, (_, arc) => arc).filter(() => random() < 0.4);
  const speeds = {
    checksum: roads.checksum,
    version: 1,
    arcs,
    tenths: arcs.map((arc) => Math.min(9999, Math.round(free.arc[arc]! * (0.5 + 2 * random())))),
  };
  return learnedCosts(speeds, roads, free, {
    arc: free.arc.slice(),
    forward: free.forward.slice(),
    backward: free.backward.slice(),
  });
}

/** Places anywhere; now and then the one before again, or another on the same piece of road. */
function stops(roads: Roads, count: number, random: () => number): RoadPoint[] {
  const places = [anyPlace(roads, random)];
  while (places.length < count) {
    const last = places.at(-1)!;
    const luck = random();
    places.push(luck < 0.1 ? last : luck < 0.3 ? placeOn(roads, last.piece, random) : anyPlace(roads, random));
  }
  return places;
}

test('trips out of, into and through points on closed roads equal a plain search over single pieces', () => {
  const random = numbers(SEED + 30);
  let [shut, found] = [0, 0];
  for (const { roads, closures, usual, told } of towns(SEED + 30, TOWNS, () => 3 + Math.floor(random() * 7), random)) {
    const { conditions, plain } = underClosures(roads, closures, usual);
    for (let i = 0; i < 25; i++) {
      const places = stops(roads, 2 + Math.floor(random() * random() * 4), random);
      const mayTurnAt = i % 4 === 0 ? (point: number): boolean => point % 2 === 1 : undefined;
      const trip = findTrip(places, conditions, mayTurnAt);
      expect(trip?.cost, `${told}, trip ${i}`).toBe(plain.cost(places, mayTurnAt));
      if (!trip) continue;
      expect(plain.follow(trip, places, mayTurnAt), `${told}, trip ${i}`).toBe(trip.cost);
      if (conditions.positions.departures(places[0]!).some(({ isClosed }) => isClosed)) shut++;
      found++;
    }
  }
  expect(shut, `seed ${SEED + 30}`).toBeGreaterThan(TOWNS);
  expect(found, `seed ${SEED + 30}`).toBeGreaterThan(TOWNS * 8);
});

test('tables equal single routes, out of and into closed roads; and routes are drawn with the time they cost', () => {
  const random = numbers(SEED + 31);
  let [cells, otherLength] = [0, 0];
  for (const { roads, closures, told } of towns(SEED + 31, TOWNS / 4, () => 3 + Math.floor(random() * 8), random)) {
    // Time and length on a ring are in no row, so that here rings are roads as others.
    roads.columns.segmentFlags.forEach((flags, segment, all) => (all[segment] = flags & ~ROUNDABOUT));
    const router = closeRoads(roads, closures);
    const points = Array.from({ length: 14 }, () => pointOf(anyPlace(roads, random), roads));
    const table = router.table({ sources: points, targets: points });
    points.forEach((from, row) =>
      points.forEach((to, column) => {
        const cell = row * points.length + column;
        const { route } = router.route({ points: [from, to], fullGeometry: true });
        expect(table.times[cell], `${told}, ${row} to ${column}`).toBe(
          route ? Math.round(route.time * 10) : UNREACHABLE,
        );
        expect(table.distances[cell] === UNREACHABLE).toBe(route === undefined);
        if (!route) return;
        cells++;
        // Two ways of equal time may differ in length.
        if (Math.abs(table.distances[cell]! - route.distance) > 1.5) otherLength++;
        expect(
          route.steps.reduce((sum, { time }) => sum + time, 0),
          `${told}, ${row} to ${column}`,
        ).toBeCloseTo(route.time, 6);
        expect(
          route.steps.reduce((sum, { distance }) => sum + distance, 0),
          `${told}, ${row} to ${column}`,
        ).toBeCloseTo(route.distance, 6);
        const drawn = route.geometry
          .slice(1)
          .reduce(
            (sum, [lat, lon], k) =>
              sum + metresBetweenMicro(route.geometry[k]![1] * 1e6, route.geometry[k]![0] * 1e6, lon * 1e6, lat * 1e6),
            0,
          );
        expect(drawn, `${told}, ${row} to ${column}`).toBeCloseTo(route.distance, 3);
      }),
    );
  }
  expect(otherLength, `seed ${SEED + 31}, of ${cells}`).toBeLessThan(cells * 0.03);
});

test('alternatives out of and into closed roads are legal, have the stated cost and keep the limits of alternatives', () => {
  const random = numbers(SEED + 32);
  let [out, into] = [0, 0];
  for (const { roads, closures, usual, told } of towns(
    SEED + 32,
    Infinity,
    () => 25 + Math.floor(random() * 10),
    random,
  )) {
    const all = [...closures, ...randomClosures(roads, random)];
    const pieces = affectedPieces(all, roads, new Snapper(roads))
      .filter(({ factor }) => factor === 0)
      .map(({ piece }) => piece);
    if (pieces.length === 0) continue;
    const { conditions, plain } = underClosures(roads, all, usual);
    const oracle = new Dijkstra(roads, conditions.costs);
    const shut = (): RoadPoint => placeOn(roads, pieces[Math.floor(random() * pieces.length)]!, random);
    for (let i = 0; i < 150; i++) {
      const places = [
        i % 3 === 0 ? anyPlace(roads, random) : shut(),
        i % 3 === 1 ? anyPlace(roads, random) : shut(),
      ] as const;
      const best = findTrip(places, conditions);
      const other = best && findAlternative(best, places, conditions);
      if (!best || !other) continue;
      if (i % 3 !== 0) out++;
      if (i % 3 !== 1) into++;
      expect(plain.follow(other, places), `${told}, ${i}`).toBe(other.cost);
      expectGoodAlternative(other, best, conditions, oracle, `${told}, ${i}`);
    }
    if (out >= 10 && into >= 10) break;
  }
});
