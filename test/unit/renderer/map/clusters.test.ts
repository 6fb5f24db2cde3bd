import { expect, test } from 'vitest';
import { measuredLength } from '../../../../renderer/src/features/board/map/hand/length-of.ts';
import { clustered } from '../../../../renderer/src/map/clusters.ts';
import { plateBox, plateMiddle } from '../../../../renderer/src/map/task-plate.ts';
import { Chance } from '../../../support/chance.ts';

const SPACING = 28;

test('spots of one cell are one cluster in their middle, and a spot alone stays itself', () => {
  const far = { x: 400, y: 20 };
  const { alone, clusters } = clustered([{ x: 30, y: 30 }, far, { x: 40, y: 50 }], SPACING, { x: 0, y: 0 });
  expect(alone).toEqual([far]);
  expect(clusters).toEqual([
    {
      x: 35,
      y: 40,
      spots: [
        { x: 30, y: 30 },
        { x: 40, y: 50 },
      ],
    },
  ]);
});

test('every spot is drawn once, alone or in a cluster of at least two, and a dragged map changes nothing', () => {
  const chance = new Chance();
  for (let round = 0; round < 200; round++) {
    const spots = Array.from({ length: chance.int(120) }, (_, id) => ({ id, x: chance.int(900), y: chance.int(700) }));
    const [dx, dy] = [chance.int(2_000) - 1_000, chance.int(2_000) - 1_000];
    const idsOf = ({ alone, clusters }: ReturnType<typeof clustered<(typeof spots)[number]>>) => ({
      alone: alone.map(({ id }) => id),
      clusters: clusters.map((cluster) => cluster.spots.map(({ id }) => id)),
    });
    const here = clustered(spots, SPACING, { x: 0, y: 0 });
    const dragged = clustered(
      spots.map(({ id, x, y }) => ({ id, x: x + dx, y: y + dy })),
      SPACING,
      { x: dx, y: dy },
    );
    expect(idsOf(dragged)).toEqual(idsOf(here));
    expect(here.clusters.every((cluster) => cluster.spots.length > 1)).toBe(true);
    const drawn = [...here.alone, ...here.clusters.flatMap((cluster) => cluster.spots)];
    expect(drawn.map(({ id }) => id).sort((one, other) => one - other)).toEqual(spots.map(({ id }) => id));
  }
});

test('a plate is clicked inside what is drawn of it', () => {
  for (const plate of ['dot', 'pin', 'worst', 'chosen'] as const) {
    const { above, below } = plateBox(plate);
    expect(plateMiddle(plate)).toBeGreaterThanOrEqual(-below);
    expect(plateMiddle(plate)).toBeLessThan(above);
  }
});

test('a measured line is as long as its parts, and a point has no length', () => {
  const [a, b, c] = [
    { lat: 56, lon: 18 },
    { lat: 56.01, lon: 18 },
    { lat: 56.01, lon: 18.02 },
  ] as const;
  expect(measuredLength([a])).toBe(0);
  expect(measuredLength([a, b])).toBeCloseTo(1_112, 0);
  expect(measuredLength([a, b, c])).toBeCloseTo(measuredLength([a, b]) + measuredLength([b, c]), 6);
});
