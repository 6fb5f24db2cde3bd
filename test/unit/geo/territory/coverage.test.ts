import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Border } from '../../../../server/geo/territory/tiles/coverage/border.ts';
import { borderOf, coverage } from '../../../../server/geo/territory/tiles/coverage/coverage.ts';
import type { LandBox } from '../../../../server/geo/territory/tiles/coverage/coverage.ts';
import { Mask } from '../../../../server/geo/territory/tiles/coverage/mask.ts';
import { RUN } from './extracts.ts';

/** World units in a metre at the equator, where the drawings lie. */
const METRE = 2 ** 31 / 40_075_016.7;
const MIDDLE = 2 ** 30;
const at = (metres: number) => Math.round(MIDDLE + metres * METRE);
const BOX: LandBox = { west: at(0), north: at(0), east: at(30_000), south: at(30_000) };

function covered(isThere: (x: number, y: number) => boolean, box = BOX, areas: number[][] = []): Border[] {
  const length = (box.east - box.west) / METRE;
  return coverage(
    box,
    (mark) => {
      for (let x = 50; x < length; x += 200)
        for (let y = 50; y < length; y += 200) if (isThere(x, y)) mark(at(x), at(y));
    },
    areas,
  ).map((path) => new Border(path));
}
const holds = (borders: Border[], x: number, y: number) => borders.some((border) => border.contains(at(x), at(y)));

test('data along two sides of the box: the box is what is covered', () => {
  // The sea in the south-east has no data.
  expect(covered((x, y) => x + y < 32_000).map(({ path }) => path)).toEqual([borderOf(BOX)]);
});

test('data that only touch the box have an outline of their own', () => {
  const isThere = (x: number, y: number) => Math.hypot(x - 15_000, y - 15_000) < 14_900;
  const borders = covered(isThere);
  expect(borders).toHaveLength(1);
  expect([holds(borders, 1000, 1000), holds(borders, 29_000, 1000), holds(borders, 15_000, 15_000)]).toEqual([
    false,
    false,
    true,
  ]);
});

test('a lake without data and a narrow valley belong to what is covered, a wide gulf does not', () => {
  const isDisc = (x: number, y: number) => Math.hypot(x - 15_000, y - 15_000) < 14_900;
  const isLake = (x: number, y: number) => Math.hypot(x - 10_000, y - 10_000) < 4000;
  const isValley = (x: number, y: number) => x > 15_000 && Math.abs(y - 10_000) < 700;
  const isGulf = (x: number, y: number) => x > 15_000 && Math.abs(y - 20_000) < 4000;
  const borders = covered((x, y) => isDisc(x, y) && !isLake(x, y) && !isValley(x, y) && !isGulf(x, y));
  expect([holds(borders, 10_000, 10_000), holds(borders, 22_000, 10_000), holds(borders, 24_000, 20_000)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('places far apart have outlines of their own, as fine as those of one place', () => {
  const wide: LandBox = { ...BOX, east: at(6_000_000), south: at(6_000_000) };
  const isTown = (x: number, y: number) => Math.hypot(x - 9000, y - 9000) < 3000;
  const isOther = (x: number, y: number) => Math.hypot(x - 5_900_000, y - 5_900_000) < 3000;
  const borders = coverage(
    wide,
    (mark) => {
      for (const middle of [9000, 5_900_000])
        for (let x = -3000; x < 3000; x += 200)
          for (let y = -3000; y < 3000; y += 200)
            if (isTown(middle + x, middle + y) || isOther(middle + x, middle + y)) mark(at(middle + x), at(middle + y));
    },
    [],
  ).map((path) => new Border(path));
  expect(borders).toHaveLength(2);
  expect([holds(borders, 9000, 9000), holds(borders, 9000, 13_000), holds(borders, 5_900_000, 5_900_000)]).toEqual([
    true,
    false,
    true,
  ]);
});

test('fifty islands far apart have an outline each, and their points are asked for twice', () => {
  const wide: LandBox = { ...BOX, east: at(6_000_000), south: at(6_000_000) };
  const middles = Array.from({ length: 50 }, (_, i) => 20_000 + i * 119_000);
  let walks = 0;
  const paths = coverage(
    wide,
    (mark) => {
      walks++;
      for (const middle of middles)
        for (let x = -3000; x < 3000; x += 200)
          for (let y = -3000; y < 3000; y += 200) mark(at(middle + x), at(middle + y));
    },
    [],
  );
  expect(paths).toHaveLength(middles.length);
  expect(walks).toBe(2);
  const borders = paths.map((path) => new Border(path));
  for (const middle of middles)
    expect([holds(borders, middle, middle), holds(borders, middle, middle + 9000)]).toEqual([true, false]);
});

test('the waters of a country are covered', () => {
  const isIsland = (x: number, y: number) => Math.hypot(x - 15_000, y - 15_000) < 3000;
  const waters = [4000, 4000, 26_000, 4000, 26_000, 26_000, 4000, 26_000, 4000, 4000].map(at);
  const borders = covered(isIsland, BOX, [waters]);
  expect([holds(borders, 6000, 6000), holds(borders, 2000, 2000)]).toEqual([true, false]);
  expect(holds(covered(isIsland), 6000, 6000)).toBe(false);
});

test('outlines hold the middles of the covered squares and no others, and run clockwise', () => {
  const size = 12;
  fc.assert(
    fc.property(fc.array(fc.nat(size * size - 1), { maxLength: 80 }), (cells) => {
      const mask = new Mask(0, 0, 100, size + 2, size + 2);
      for (const cell of cells) mask.mark((1.5 + (cell % size)) * 100, (1.5 + Math.floor(cell / size)) * 100);
      mask.fillHoles();
      const outlines = mask.outlines().map((path) => new Border(path));
      for (let row = 0; row < size + 2; row++)
        for (let column = 0; column < size + 2; column++) {
          const found = outlines.filter((outline) => outline.contains(column * 100 + 50, row * 100 + 50)).length;
          expect({ row, column, found }).toEqual({ row, column, found: mask.bits[row * (size + 2) + column] });
        }
      for (const { path } of outlines) {
        let area = 0;
        for (let i = 2; i < path.length; i += 2) area += path[i - 2]! * path[i + 1]! - path[i]! * path[i - 1]!;
        expect(area).toBeGreaterThan(0);
      }
    }),
    RUN,
  );
});
