import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cheapestAssignment } from '../../../../../server/dispatch/fleet/index.ts';

/** What rule 4 compares: places without a vehicle, the largest cost, the sum. */
type Objective = readonly [open: number, latest: number, sum: number];

function objectiveOf(costs: readonly (readonly number[])[], candidates: readonly (number | undefined)[]): Objective {
  const used = candidates.flatMap((candidate, place) => (candidate === undefined ? [] : [costs[place]![candidate]!]));
  return [candidates.length - used.length, Math.max(0, ...used), used.reduce((sum, cost) => sum + cost, 0)];
}

const isBetter = (one: Objective, other: Objective): boolean => {
  const difference = one.findIndex((value, index) => value !== other[index]);
  return difference >= 0 && one[difference]! < other[difference]!;
};

/** Tries every way to fill the places. */
function exhaustive(costs: readonly (readonly number[])[]): Objective {
  let best: Objective = [costs.length, 0, 0];
  const used = new Set<number>();
  const fill = (place: number, open: number, latest: number, sum: number): void => {
    if (open > best[0]) return;
    if (place === costs.length) {
      if (isBetter([open, latest, sum], best)) best = [open, latest, sum];
      return;
    }
    for (const [candidate, cost] of costs[place]!.entries()) {
      if (cost === Infinity || used.has(candidate)) continue;
      used.add(candidate);
      fill(place + 1, open, Math.max(latest, cost), sum + cost);
      used.delete(candidate);
    }
    fill(place + 1, open + 1, latest, sum);
  };
  fill(0, 0, 0, 0);
  return best;
}

const table = (places: number, vehicles: number, most = 900) =>
  fc.tuple(fc.integer({ min: 1, max: places }), fc.integer({ min: 0, max: vehicles })).chain(([rows, columns]) =>
    fc.array(
      fc.array(
        // Few levels make ties; Infinity: of another kind.
        fc.oneof(
          { weight: 3, arbitrary: fc.integer({ min: 0, max: most }) },
          { weight: 1, arbitrary: fc.constant(Infinity) },
        ),
        { minLength: columns, maxLength: columns },
      ),
      { minLength: rows, maxLength: rows },
    ),
  );

const check = (tables: fc.Arbitrary<number[][]>, numRuns: number) =>
  fc.assert(
    fc.property(tables, (costs) => {
      const candidates = cheapestAssignment(costs);
      const used = candidates.filter((candidate) => candidate !== undefined);
      expect(new Set(used).size).toBe(used.length);
      expect(objectiveOf(costs, candidates)).toEqual(exhaustive(costs));
    }),
    { numRuns },
  );

test('rule 4: plans of up to 4 units over up to 50 vehicles are filled as an exhaustive search fills them', () => {
  check(table(4, 50), 12);
  check(table(4, 9), 400);
});

test('rule 4: with many equal times, too', () => check(table(4, 8, 3), 400));

test('rule 4: so are larger plans', () => check(table(7, 7, 30), 60));

test('the last arrival counts before the sum', () => {
  expect(
    cheapestAssignment([
      [10, 60],
      [55, 100],
    ]),
  ).toEqual([1, 0]);
});

test('a place that only one vehicle fills gets it', () => {
  const none = Infinity;
  expect(
    cheapestAssignment([
      [5, 90],
      [7, none],
    ]),
  ).toEqual([1, 0]);
  expect(cheapestAssignment([[none], [none]])).toEqual([undefined, undefined]);
  expect(cheapestAssignment([])).toEqual([]);
});
