import { expect, test } from 'vitest';
import {
  bestOrder,
  exactRound,
  tourLength,
  searchedRound,
} from '../../../../../server/geo/routing/search/best-order.ts';
import { runToEnd } from '../../../../../server/geo/routing/search/run-to-end.ts';
import { SEED, numbers } from '../../../../support/chance.ts';

/** Driving times between points in a square: the air line, longer by up to a half, in each direction for itself. */
function timesBetween(count: number, random: () => number): Float64Array {
  const places = Array.from({ length: count }, () => [random(), random()] as const);
  const times = new Float64Array(count * count);
  places.forEach(([x, y], i) =>
    places.forEach(
      ([u, v], j) => (times[i * count + j] = i === j ? 1e12 : Math.hypot(x - u, y - v) * 1e4 * (1 + random() / 2)),
    ),
  );
  return times;
}

test('beyond the exact ones an order is at most 1 % longer than the best', () => {
  const random = numbers(SEED + 70);
  let [searched, exact, worst] = [0, 0, 0];
  for (let i = 0; i < 12; i++) {
    const count = 13 + (i % 3);
    const times = timesBetween(count, random);
    const found = tourLength(runToEnd(searchedRound(times, count)), times, count);
    const best = tourLength(exactRound(times, count), times, count);
    expect(found, `seed ${SEED}`).toBeGreaterThanOrEqual(best - 1e-6);
    searched += found;
    exact += best;
    worst = Math.max(worst, found / best - 1);
  }
  expect(searched / exact - 1, `seed ${SEED}`).toBeLessThan(0.01);
  expect(worst, `seed ${SEED}`).toBeLessThan(0.04);
});

test('a hundred points have an order, which visits each once', () => {
  const times = timesBetween(100, numbers(SEED + 71));
  const order = runToEnd(bestOrder(times, 100, Infinity, { roundtrip: false, fromFirst: true, toLast: true }))!;
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  expect([order[0], order.at(-1)]).toEqual([0, 99]);
});

test('points without a way between them have no order', () => {
  const NONE = 2147483647;
  const costs = [0, 5, NONE, 5, 0, NONE, NONE, NONE, 0];
  const options = { roundtrip: true, fromFirst: false, toLast: false };
  expect(runToEnd(bestOrder(costs, 3, NONE, options))).toBeUndefined();
  expect(runToEnd(bestOrder(costs.slice(0, 2).concat(costs.slice(3, 5)), 2, NONE, options))).toEqual([0, 1]);
});
