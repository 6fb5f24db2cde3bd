import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinLines, spotsLength } from '../../../../renderer/src/map/base/labels/join-lines.ts';
import { arrowsAlong } from '../../../../renderer/src/map/base/oneway-arrows.ts';
import { levelOf } from '../../../../renderer/src/map/base/road-style.ts';
import { SEED } from '../../../support/chance.ts';

type Line = Parameters<typeof joinLines>[0][number];
const line = (...spots: [number, number][]) => spots.map(([x, y]) => ({ x, y })) as unknown as Line;
const spots = (lines: Line[]) => lines.map((joined) => joined.map(({ x, y }) => `${x},${y}`).join(' '));

test('the pieces of a street are one line, however they are cut and turned', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 29 }), { maxLength: 8 }),
      fc.infiniteStream(fc.boolean()),
      fc.infiniteStream(fc.nat()),
      (cuts, turns, order) => {
        const street = Array.from({ length: 31 }, (_, i): [number, number] => [
          i * 10,
          Math.round(20 * Math.sin(i / 4)),
        ]);
        const at = [...new Set([0, ...cuts, 30])].sort((a, b) => a - b);
        const pieces = at.slice(1).map((to, i) => street.slice(at[i]!, to + 1));
        const mixed = pieces
          .map((piece) => ({ piece: turns.next().value ? piece.toReversed() : piece, by: order.next().value! }))
          .sort((a, b) => a.by - b.by)
          .map(({ piece }) => line(...piece));
        const joined = joinLines(mixed);
        expect(joined).toHaveLength(1);
        const [whole] = spots(joined);
        expect([spots([line(...street)])[0], spots([line(...street.toReversed())])[0]]).toContain(whole);
      },
    ),
    { seed: SEED, numRuns: 100 },
  );
});

test('where a street forks, what goes on straight is joined, and the longest line comes first', () => {
  const joined = joinLines([line([50, 0], [60, 40]), line([0, 0], [50, 0]), line([50, 0], [100, 2])]);
  expect(joined.map((one) => Math.round(spotsLength(one)))).toEqual([100, 41]);
});

test('arrows stand at equal distances, along the line, and not on the shortest', () => {
  expect(
    arrowsAlong([
      { x: 0, y: 0 },
      { x: 20, y: 0 },
    ]),
  ).toEqual([]);
  expect(
    arrowsAlong([
      { x: 0, y: 0 },
      { x: 100, y: 0 },
    ]),
  ).toEqual([{ x: 50, y: 0, angle: 0 }]);
  expect(
    arrowsAlong([
      { x: 0, y: 0 },
      { x: 0, y: 100 },
      { x: 0, y: 440 },
    ]).map(({ y }) => Math.round(y)),
  ).toEqual([55, 165, 275, 385]);
});

test('a bridge lies over a road and a tunnel below, unless the layer says otherwise', () => {
  const level = (props: Record<string, unknown>) => levelOf({ props } as Parameters<typeof levelOf>[0]);
  expect([level({}), level({ bridge: true }), level({ tunnel: true }), level({ bridge: true, layer: 3 })]).toEqual([
    0, 1, -1, 3,
  ]);
});
