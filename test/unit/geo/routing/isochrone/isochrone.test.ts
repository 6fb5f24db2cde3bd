import { expect, test } from 'vitest';
import type { Coordinate, IsochroneAnswer } from '../../../../../server/geo/routing/types.ts';
import type { Router } from '../../../../../server/geo/routing/router.ts';
import { flatDistance } from '../../../../../server/geo/routing/snapping/snapper.ts';
import type { Roads } from '../../../../../server/geo/territory/roads/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { times } from '../../../../support/long.ts';
import { closeRoads, randomClosures } from '../close-roads.ts';
import { placeAt, pointOf } from '../places.ts';
import { randomRoads } from '../random.ts';
import { drawRoads, testbot } from '../town.ts';

function reach(router: Router, point: Coordinate, ...limits: number[]): IsochroneAnswer {
  const steps = router.isochrone({ point, limits });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** By the even-odd rule over all rings, as GeoJSON polygons are meant. */
function contains(polygons: readonly Int32Array[][], lat: number, lon: number): boolean {
  let odd = false;
  for (const ring of polygons.flat()) {
    for (let i = 2; i < ring.length; i += 2) {
      const [lonA, latA, lonB, latB] = [ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!];
      if (
        latA > lat * 1e6 !== latB > lat * 1e6 &&
        lon * 1e6 < ((lonB - lonA) * (lat * 1e6 - latA)) / (latB - latA) + lonA
      )
        odd = !odd;
    }
  }
  return odd;
}

const METRE = 1 / 111_226;
/** Random towns; more are asked of it now and then. */
const TOWNS = times(10, 1000);

test('the area goes as far along the road as one drives in the time, and a little around it', () => {
  const town = drawRoads('a---b---c---d---e---f---g---h');
  const { areas, near } = reach(town.router, town.at('a'), 30, 50);
  const { lat, lon } = town.at('a');
  const has = (area: number, east: number, north = 0): boolean =>
    contains(areas[area]!.polygons, lat + north * METRE, lon + east * METRE);
  expect(areas.map(({ seconds }) => seconds)).toEqual([30, 50]);
  // 10 m/s: 300 m and 500 m
  expect([has(0, 1), has(0, 299), has(0, 300 + near - 10), has(0, 300 + near + 10)]).toEqual([true, true, true, false]);
  expect([has(1, 499), has(1, 500 + near - 10), has(1, 500 + near + 10)]).toEqual([true, true, false]);
  expect([has(1, 200, near - 10), has(1, 200, -near + 10), has(1, 200, near + 10), has(1, -near - 10)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('driving times must be there, ascending and above zero', () => {
  const town = drawRoads('a---b');
  for (const limits of [[], [0], [-60], [60, 60], [60, 30], [NaN]])
    expect(() => reach(town.router, town.at('a'), ...limits), `${limits}`).toThrow(
      'Driving times must be given, ascending and above zero.',
    );
  expect(reach(town.router, town.at('a'), 30, 60).areas).toHaveLength(2);
});

test('the area goes into a closed piece of road and not beyond it; from within it goes out to both sides', () => {
  const town = drawRoads('a---b---c---d---e---f---g---h', { ways: { abcdefgh: {} } });
  const [from, to] = [town.at('c'), town.at('d')];
  const router = closeRoads(town.roads, [
    {
      id: 1,
      geometry: {
        type: 'LineString',
        coordinates: [
          [from.lon, from.lat],
          [to.lon, to.lat],
        ],
      },
      factor: 0,
    },
  ]);
  const { lat, lon } = town.at('a');
  const reaches = (start: Coordinate, ...east: number[]): boolean[] => {
    const [{ polygons }] = reach(router, start, 90).areas as [IsochroneAnswer['areas'][0]];
    return east.map((metres) => contains(polygons, lat, lon + metres * METRE));
  };
  expect(reaches(town.at('a'), 190, 250, 290, 400, 600)).toEqual([true, true, true, false, false]);
  expect(reaches(town.at('h'), 190, 100, 210, 310, 600)).toEqual([true, false, true, true, true]);
  expect(reaches({ lat, lon: lon + 250 * METRE }, 10, 190, 310, 690)).toEqual([true, true, true, true]);
});

test('turns inside a closure take their time from the area', () => {
  const town = drawRoads(
    `
    a---b---c---d
                |
                |
                |
                |
                |
                |
                |
                e
  `,
    { profile: { ...testbot, turns: { ...testbot.turns, right: 40, left: 40 } } },
  );
  const router = closeRoads(town.roads, [
    {
      id: 1,
      geometry: {
        type: 'LineString',
        coordinates: [...'bcde'].map((letter) => [town.at(letter).lon, town.at(letter).lat]),
      },
      factor: 0,
    },
  ]);
  const [{ polygons }] = reach(router, town.at('a'), 90).areas as [IsochroneAnswer['areas'][0]];
  const { lat, lon } = town.at('d');
  // 30 s to d, 40 s round the corner, 200 m beyond.
  expect([190, 290, 390].map((metres) => contains(polygons, lat - metres * METRE, lon))).toEqual([true, false, false]);
});

test('along a road of several pieces the area begins inside one of them, and signals on the way keep it shorter', () => {
  const reaches = (nodes: Record<string, Record<string, string>>, ...east: number[]): boolean[] => {
    const town = drawRoads('a---------------1-----------b---c---d---e---f', { ways: { abcdef: {} }, nodes });
    const [{ polygons }] = reach(town.router, town.at('1'), 60).areas as [IsochroneAnswer['areas'][0]];
    return east.map((metres) => contains(polygons, town.at('b').lat, town.at('b').lon + metres * METRE));
  };
  // 30 s to b, and 300 m beyond, or 160.
  expect(reaches({}, 150, 290, 390)).toEqual([true, true, false]);
  const signal = { highway: 'traffic_signals' };
  expect(reaches({ b: signal, c: signal }, 150, 290, 390)).toEqual([true, false, false]);
});

test('an area that has gone into one closure over several roads comes to no other behind it', () => {
  const town = drawRoads('a---b---c---d---e---f---g---h', { ways: { cdef: {} } });
  const router = closeRoads(
    town.roads,
    ['bcd', 'fg'].map((letters, id) => ({
      id,
      geometry: {
        type: 'LineString',
        coordinates: [...letters].map((letter) => [town.at(letter).lon, town.at(letter).lat]),
      },
      factor: 0,
    })),
  );
  const [{ polygons }] = reach(router, town.at('a'), 120).areas as [IsochroneAnswer['areas'][0]];
  const { lat, lon } = town.at('a');
  expect([90, 190, 290, 450, 550, 650].map((metres) => contains(polygons, lat, lon + metres * METRE))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('an area from closed road over an open piece of the same road goes on into the next closure', () => {
  const town = drawRoads('a---b-1-c---d---e---f---g', { ways: { bcde: {} } });
  const router = closeRoads(
    town.roads,
    ['bc', 'df'].map((letters, id) => ({
      id,
      geometry: {
        type: 'LineString',
        coordinates: [...letters].map((letter) => [town.at(letter).lon, town.at(letter).lat]),
      },
      factor: 0,
    })),
  );
  const [{ polygons }] = reach(router, town.at('1'), 60).areas as [IsochroneAnswer['areas'][0]];
  const { lat, lon } = town.at('a');
  expect([10, 390, 490, 590].map((metres) => contains(polygons, lat, lon + metres * METRE))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('a start in the middle of a one-way street reaches what is ahead at once, and what is behind by going round', () => {
  const town = drawRoads(
    `
    a-----1-----------b
    |                 |
    |                 |
    |                 |
    |                 |
    c-----------------d
  `,
    { ways: { ab: { oneway: 'yes' }, bd: {}, dc: {}, ca: {} } },
  );
  const { lat, lon } = town.at('1');
  const areas = (seconds: number): IsochroneAnswer['areas'] => reach(town.router, town.at('1'), seconds).areas;
  const behind = lon - 50 * METRE;
  // Round: 300 m to b, 250 down, 450 to c, 250 up, and 100 from a.
  const before = areas(109)[0]!.polygons;
  expect(contains(before, lat, lon - 10 * METRE)).toBe(true); // beside the start
  expect(contains(before, lat, lon - 90 * METRE)).toBe(false);
  expect(contains(areas(136)[0]!.polygons, lat + 70 * METRE, behind)).toBe(true);
  expect(contains(areas(127)[0]!.polygons, lat + 70 * METRE, behind)).toBe(false);
  expect(contains(areas(30)[0]!.polygons, lat, lon + 290 * METRE)).toBe(true);
});

test('there is a hole where a road is that is not reached, and none where no road is', () => {
  const drawing = (inside: string): string => `
    a-------------------b
    |                   |
    |                   |
    |                   |
    |                   |
    |         ${inside}         |
    |                   |
    |                   |
    |                   |
    |                   |
    c-------------------d
  `;
  const rings = (town: ReturnType<typeof drawRoads>): number[] =>
    reach(town.router, town.at('a'), 600).areas[0]!.polygons.map((polygon) => polygon.length);
  expect(rings(drawRoads(drawing(' ')))).toEqual([1]);
  // A yard that no road leads to.
  const yard = drawRoads(drawing('x').replace('x  ', 'x-y'), { minComponent: 4 });
  expect(rings(yard)).toEqual([2]);
});

test('an area over the 180th meridian is cut there', () => {
  // The start on either side of it.
  for (const west of [179.9985, 179.997]) {
    const town = drawRoads('a---b---c---d---e---f---g', { origin: [10, west] });
    const { areas } = reach(town.router, town.at('d'), 20);
    const [{ polygons }] = areas as [IsochroneAnswer['areas'][0]];
    const lons = polygons.flat().flatMap((ring) => [...ring].filter((_, i) => i % 2 === 0));
    expect(lons.every((lon) => Math.abs(lon) <= 180e6)).toBe(true);
    expect(polygons).toHaveLength(2);
    expect(new Set(lons.map(Math.sign)).size).toBe(2);
    for (const letter of 'bcdef') {
      const { lat, lon } = town.at(letter);
      expect(contains(polygons, lat + METRE, lon), letter).toBe(true);
    }
  }
});

test('points that a route reaches in time are inside and far roads outside, on random towns with closures', () => {
  const random = numbers(SEED);
  for (let town = 0; town < TOWNS; town++) {
    const roads = randomRoads(
      random,
      3 + Math.floor(random() * 4),
      3 + Math.floor(random() * 4),
      undefined,
      1 + random() * 8,
    );
    if (roads.segments < 20) continue;
    const closures = randomClosures(roads, random);
    const router = closeRoads(roads, closures);
    const start = onRoad(roads, random);
    const spots = everywhere(roads);
    const { times, snappedSources, snappedTargets } = router.table({
      sources: [start],
      targets: spots,
      distances: false,
    });
    const { areas, near, snapped } = reach(router, start, 60, 150);
    expect(snapped).toEqual(snappedSources[0]);
    for (const { seconds, polygons } of areas) {
      const reached = snappedTargets.filter((_, i) => times[i]! <= seconds * 10);
      const isFar = ({ lat, lon }: Coordinate): boolean =>
        reached.every((other) => flatDistance(lat * 1e6, lon * 1e6, other.lat * 1e6, other.lon * 1e6) > near + 100);
      const wrong = snappedTargets.filter((spot, i) =>
        times[i]! <= seconds * 10
          ? !contains(polygons, spot.lat, spot.lon)
          : contains(polygons, spot.lat, spot.lon) && isFar(spot),
      );
      expect(wrong, `seed ${SEED}, town ${town}, ${seconds} s`).toEqual([]);
    }
  }
});

function onRoad(roads: Roads, random: () => number): Coordinate & { hint: string } {
  const segment = Math.floor(random() * roads.segments);
  return pointOf(
    placeAt(
      roads,
      segment,
      roads.columns.segmentFirst[segment]! + Math.floor(random() * roads.pieces(segment)),
      random(),
    ),
    roads,
  );
}

/** Points on all roads, some 25 m apart. */
function everywhere(roads: Roads): Coordinate[] {
  const points: Coordinate[] = [];
  for (let segment = 0; segment < roads.segments; segment++) {
    for (let k = 0; k < roads.pieces(segment); k++) {
      const piece = roads.columns.segmentFirst[segment]! + k;
      const parts = Math.ceil(flatDistance(...roads.along(piece, 0), ...roads.along(piece, 1)) / 25);
      for (let i = 0; i <= parts; i++) points.push(pointOf(placeAt(roads, segment, piece, i / parts), roads));
    }
  }
  return points;
}
