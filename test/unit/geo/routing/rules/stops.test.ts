import { expect, test } from 'vitest';
import { UNREACHABLE } from '../../../../../server/geo/routing/types.ts';
import { drawRoads } from '../town.ts';
import { EAST, drive } from './drive.ts';

// Ends of a trip, via points

test('an end ahead on the same piece is driven to directly, along one road', () => {
  const town = drawRoads('a-1-2-b');
  expect([town.time('1', '2'), town.codes('1', '2'), town.route('1', '2')]).toEqual([5, '10,15', 'ab']);
  expect([town.time('2', '1'), town.codes('2', '1')]).toEqual([5, '10,15']);
});

test('the same place as start and end is a way of no length, also with an alternative asked for', () => {
  const town = drawRoads('a-1-b');
  const { route } = town.router.route({ points: [town.at('1'), town.at('1')], alternatives: true });
  expect(route).toMatchObject({ time: 0, distance: 0, viaIndices: [0, 1] });
  expect(route!.steps.map(({ code }) => code)).toEqual(['10', '15']);
});

test('who stands at the tip of a one-way that nobody can leave is already there', () => {
  const town = drawRoads(
    `
    a---b---c
  `,
    { ways: { ab: {}, bc: { oneway: 'yes' } }, minComponent: 1 },
  );
  for (const alternatives of [false, true]) {
    const { route } = town.router.route({ points: [town.at('c'), town.at('c')], alternatives });
    expect(route).toMatchObject({ time: 0, distance: 0, viaIndices: [0, 1], start: 'bc', end: 'bc' });
    expect(route!.steps.map(({ code }) => code)).toEqual(['10', '15']);
  }
  expect(town.time('c', 'c', 'c')).toBe(0);
  expect(town.time('b', 'c', 'c')).toBe(10);
  // From there nobody gets anywhere.
  expect([town.time('c', 'b'), town.time('c', 'c', 'b'), town.time('b', 'c', 'c', 'b')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const points = [town.at('c'), town.at('a')];
  const table = town.router.table({ sources: points, targets: points });
  expect([[...table.times], [...table.distances]]).toEqual([
    [0, UNREACHABLE, 200, 0],
    [0, UNREACHABLE, 200, 0],
  ]);
});

test('a via point in a dead end of length zero is turned at once; start and end are free in direction', () => {
  const town = drawRoads(`
    a---b---c
    |       |
    d-------e
  `);
  for (const from of 'abcde')
    for (const to of 'abcde') if (from !== to) expect(town.time(from, to), from + to).toBeLessThanOrEqual(30);
  const end = drawRoads('a---b---c');
  expect(end.time('a', 'c', 'a')).toBe(20 + 20 + 20);
});

test('of all directions at via points, the combination with the least total time is driven', () => {
  // To 1 it is shorter from the west; but then 2, just behind it, is only reached by going round.
  const town = drawRoads(
    `
    a---b-2-1---c---d
    |               |
    e---f-------g---h
  `,
    { grid: 100 },
  );
  const points = [town.at('a'), town.at('1'), town.at('2')];
  const east = drive(town, [points[0]!, { ...points[1]!, heading: EAST }, points[2]!])!;
  const west = drive(town, [points[0]!, { ...points[1]!, heading: { degrees: 270, range: 10 } }, points[2]!])!;
  expect(drive(town, points)).toBe(Math.min(east, west));
  expect(west).toBeLessThan(east);
  expect(town.time('a', '1')).toBeLessThan(town.time('d', '1')! + 50);
});

test('if one leg has no route, the trip has none', () => {
  const town = drawRoads(
    `
    a---b---c

    x---y
  `,
    { minComponent: 1 },
  );
  expect([
    town.time('a', 'b', 'c'),
    town.time('a', 'b', 'x'),
    town.time('x', 'a', 'b'),
    town.time('a', 'x', 'b'),
  ]).toEqual([20, undefined, undefined, undefined]);
});
