import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import {
  readWorld,
  touches,
  WORLD_ZOOM,
  type WorldLine,
} from '../../../../renderer/src/map/base/world/world-outline.ts';

const file = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json');
const world = readWorld(JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof readWorld>[0]);
const SIZE = 256 * 2 ** WORLD_ZOOM;

function at(lat: number, lon: number): { readonly x: number; readonly y: number } {
  const mercator = Math.asinh(Math.tan((lat * Math.PI) / 180));
  return { x: ((lon + 180) / 360) * SIZE, y: ((1 - mercator / Math.PI) / 2) * SIZE };
}
/** Even and odd, as land is filled. */
function isLand(lat: number, lon: number): boolean {
  const { x, y } = at(lat, lon);
  let isInside = false;
  for (const { points } of world.land)
    for (let i = 0; i + 3 < points.length; i += 2) {
      const [ax, ay, bx, by] = points.slice(i, i + 4) as unknown as [number, number, number, number];
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
    }
  return isInside;
}
function around(lat: number, lon: number, pixels: number): WorldLine['box'] {
  const { x, y } = at(lat, lon);
  return { west: x - pixels, east: x + pixels, north: y - pixels, south: y + pixels };
}
/** Whether a point of one of the lines is in the box. */
const passes = (lines: readonly WorldLine[], { west, east, north, south }: WorldLine['box']) =>
  lines.some(({ points }) =>
    points.some((x, i) => i % 2 === 0 && x >= west && x <= east && points[i + 1]! >= north && points[i + 1]! <= south),
  );

test('towns lie on land, seas and the greatest lake do not', () => {
  expect([isLand(35.89, 14.44), isLand(47.14, 9.52), isLand(59.94, 30.4), isLand(-33.87, 150.9)]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([isLand(36.4, 14.3), isLand(42, 51), isLand(54, 3)]).toEqual([false, false, false]);
  // North of the latitude at which Russia crosses 180°, and on both sides of it.
  expect([isLand(71, 0), isLand(72.5, -5), isLand(68, 172), isLand(66.5, -175), isLand(-80, 60)]).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test('frontiers divide countries, coasts end the land, and none runs around the world', () => {
  expect(passes(world.frontiers, around(47.0, 11.5, 30)), 'Brenner').toBe(true);
  expect(passes(world.frontiers, around(35.9, 14.4, 30)), 'Malta').toBe(false);
  expect(passes(world.coasts, around(35.9, 14.4, 60)), 'Malta').toBe(true);
  for (const { points } of [...world.coasts, ...world.frontiers])
    for (let i = 2; i < points.length; i += 2)
      expect(Math.abs(points[i]! - points[i - 2]!), `a step at ${i}`).toBeLessThan(SIZE / 10);
});

test('every country is named once, in its largest part', () => {
  const codes = world.countries.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).toEqual(expect.arrayContaining(['MT', 'MC', 'LI', 'DE', 'RU', 'US', 'FJ']));
  const france = world.countries.find(({ code }) => code === 'FR')!;
  expect(touches({ west: france.x, east: france.x, north: france.y, south: france.y }, around(46.7, 2.5, 200))).toBe(
    true,
  );
  for (const { code, width } of world.countries) expect(width, code).toBeGreaterThan(0);
});

test('boxes that share an edge touch', () => {
  const box = { west: 10, east: 20, north: 10, south: 20 };
  expect(touches(box, { west: 20, east: 30, north: 0, south: 10 })).toBe(true);
  expect(touches(box, { west: 20.01, east: 30, north: 0, south: 10 })).toBe(false);
  expect(touches(box, { west: 12, east: 13, north: 20.01, south: 30 })).toBe(false);
});
