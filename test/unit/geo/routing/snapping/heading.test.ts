import { expect, test } from 'vitest';
import type { Waypoint, Heading, Route } from '../../../../../server/geo/routing/types.ts';
import { UNREACHABLE } from '../../../../../server/geo/routing/types.ts';
import { matchesHeading } from '../../../../../server/geo/routing/snapping/heading.ts';
import { drawRoads } from '../town.ts';
import type { Town } from '../town.ts';

const east: Heading = { degrees: 90, range: 10 };
const west: Heading = { degrees: 270, range: 10 };

function go(town: Town, ...points: [letter: string, heading?: Heading][]): Route | undefined {
  return town.router.route({
    points: points.map(([letter, heading]): Waypoint => ({ ...town.at(letter), ...(heading && { heading }) })),
  }).route;
}

const ring = drawRoads(`
  a---1---b
  |       |
  c-------d
`);

test('a trip sets out in the direction asked for, and goes round when that is the wrong one', () => {
  expect(go(ring, ['1'], ['a'])!.distance).toBeCloseTo(100, 0);
  expect(go(ring, ['1', west], ['a'])!.distance).toBeCloseTo(100, 0);
  expect(go(ring, ['1', east], ['a'])!.distance).toBeCloseTo(500, 0);
});

test('a trip arrives in the direction asked for, and passes a via point in it', () => {
  expect(go(ring, ['a'], ['1', east])!.distance).toBeCloseTo(100, 0);
  expect(go(ring, ['a'], ['1', west])!.distance).toBeCloseTo(500, 0);
  // Westward: round to 1, on to a, and round again, as nobody turns back at a.
  expect(go(ring, ['a'], ['1', east], ['b'])!.distance).toBeCloseTo(200, 0);
  expect(go(ring, ['a'], ['1', west], ['b'])!.distance).toBeCloseTo(1000, 0);
});

test('the range says how far off the direction may be', () => {
  const off = (degrees: number, range: number): number =>
    Math.round(go(ring, ['1', { degrees, range }], ['a'])!.distance / 100);
  expect([off(260, 11), off(280, 11), off(80, 11), off(300, 180)]).toEqual([1, 1, 5, 1]);
  expect(go(ring, ['1', { degrees: 45, range: 20 }], ['a'])).toBeUndefined();
  expect(off(5, 6)).toBe(0); // put on the road that leads there, just at a
});

test('a point goes to a road on which one drives in that direction, not to the nearest', () => {
  const town = drawRoads(
    `
    a-------b
    |   1   |
    |       |
    c-------d
  `,
    { ways: { ab: { oneway: 'yes' } } },
  );
  const near = (heading?: Heading): string => town.router.nearest(town.at('1'), 1, heading)[0]!.name;
  expect([near(), near(east), near(west), near({ degrees: 0, range: 20 })]).toEqual(['ab', 'ab', 'cd', 'ac']);
  expect(town.router.nearest(town.at('1'), 1, { degrees: 45, range: 5 })).toEqual([]);
  expect(go(town, ['1', { degrees: 45, range: 5 }], ['b'])).toBeUndefined();
});

test('the direction is that of the piece of road at the point, the way back as well', () => {
  const bend = drawRoads(
    `
    a-1-b
        |
        2
        |
        c
  `,
    { ways: { abc: {} }, minComponent: 1 },
  );
  const drives = (letter: string): string[] =>
    Object.entries({ north: 0, east: 90, south: 180, west: 270 }).flatMap(([name, degrees]) => {
      const [place] = bend.router.nearest(bend.at(letter), 1, { degrees, range: 10 });
      return place && place.distance < 1 ? [name] : [];
    });
  expect(['1', '2'].map(drives)).toEqual([
    ['east', 'west'],
    ['north', 'south'],
  ]);
});

test('a direction is as far from another as the shorter way round the compass, the border included', () => {
  for (let course = 0; course < 360; course += 5) {
    for (let degrees = 0; degrees < 360; degrees++) {
      const apart = Math.min(Math.abs(course - degrees), 360 - Math.abs(course - degrees));
      expect(
        [
          matchesHeading(course, { degrees, range: apart }),
          apart > 0 && matchesHeading(course, { degrees, range: apart - 0.5 }),
        ],
        `${course} ${degrees}`,
      ).toEqual([true, false]);
    }
  }
});

test('at a junction the directions of the roads there count', () => {
  expect(go(ring, ['a', { degrees: 180, range: 10 }], ['b'])!.distance).toBeCloseTo(400, 0); // down to c first
  expect(go(ring, ['a', east], ['b'])!.distance).toBeCloseTo(200, 0);
  expect(go(ring, ['b'], ['d', { degrees: 180, range: 10 }])!.distance).toBeCloseTo(100, 0);
  expect(go(ring, ['b'], ['d', east])!.distance).toBeCloseTo(500, 0);
  // No road ends at d northward, but one begins there.
  expect(go(ring, ['c'], ['d', { degrees: 0, range: 10 }])!.distance).toBeCloseTo(200, 0);
});

test('a trip that a heading leads out of a junction begins on the road that is driven first', () => {
  const cross = drawRoads(`
        e
        |
    a---b---c
        |
        d
  `);
  const route = go(cross, ['b', east], ['d'])!; // eastward over b, arriving from a or going on to c
  expect(route.start).toBe(route.steps[0]!.name);
  expect([route.start, route.steps[0]!.name, route.end]).toEqual(['bd', 'bd', 'bd']);
  // southward over b: come from e, and turned at once
  expect(go(cross, ['b', { degrees: 180, range: 10 }], ['c'])!.start).toBe('bc');
});

test('directions are compared in whole degrees, so the bearing of an instruction is a valid query', () => {
  const slanting = drawRoads(
    `
    a
                                              .
              b
  `,
    { ways: { ab: {} }, minComponent: 1 },
  );
  for (const [from, to] of ['ab', 'ba']) {
    const degrees = go(slanting, [from!], [to!])!.steps[0]!.bearing;
    const { steps } = go(slanting, [from!, { degrees, range: 0 }], [to!]) ?? {};
    expect(steps, from).toMatchObject([{ code: '10', bearing: degrees }, { code: '15' }]);
    const roadsAt = (course: number) =>
      slanting.router.nearest(slanting.at(from!), 1, { degrees: course % 360, range: 0 });
    expect(
      [359, 360, 361].map((turn) => roadsAt(degrees + turn).length),
      from,
    ).toEqual([0, 1, 0]);
  }
  // As rows round them.
  expect([90.4, 89.5, 90.5, 89.4].map((course) => matchesHeading(course, { degrees: 90, range: 0 }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([359.6, 0.4, 0.5].map((course) => matchesHeading(course, { degrees: 0, range: 0 }))).toEqual([
    true,
    true,
    false,
  ]);
  expect([100.4, 100.5].map((course) => matchesHeading(course, { degrees: 90, range: 10 }))).toEqual([true, false]);
});

test('a table keeps to the directions as routes do', () => {
  const headings = [undefined, east, west, { degrees: 45, range: 1 }];
  const points = [...'a1bd'].flatMap((letter) =>
    headings.map((heading): Waypoint => ({ ...ring.at(letter), ...(heading && { heading }) })),
  );
  const table = ring.router.table({
    sources: points.filter(({ heading }) => heading?.range !== 1),
    targets: points.filter(({ heading }) => heading?.range !== 1),
  });
  const asked = points.filter(({ heading }) => heading?.range !== 1);
  asked.forEach((from, row) =>
    asked.forEach((to, column) => {
      const { route } = ring.router.route({ points: [from, to] });
      expect(table.times[row * asked.length + column], `${JSON.stringify(from)} ${JSON.stringify(to)}`).toBe(
        route ? Math.round(route.time * 10) : UNREACHABLE,
      );
    }),
  );
  expect([...ring.router.table({ sources: points, targets: points }).times].every((time) => time === UNREACHABLE)).toBe(
    true,
  );
});
