import { expect, test } from 'vitest';
import { beginBudget } from '../../../../server/geo/geocoding/search/work-budget.ts';

/** Whether a budget of 250 ms is used up after this much time. */
function isUsedUp({ wall, work }: { wall: number; work: number }): boolean {
  const now = { wall: 1000, work: 70 };
  const isOver = beginBudget(250, { wall: () => now.wall, work: () => now.work });
  [now.wall, now.work] = [now.wall + wall, now.work + work];
  return isOver();
}

test('a search ends by its own work, and a thread that waits for the processor has longer', () => {
  expect(isUsedUp({ wall: 250, work: 250 })).toBe(false);
  expect(isUsedUp({ wall: 251, work: 251 })).toBe(true);
  expect(isUsedUp({ wall: 900, work: 250 })).toBe(false);
  expect(isUsedUp({ wall: 1000, work: 3 })).toBe(false);
  expect(isUsedUp({ wall: 1001, work: 3 })).toBe(true);
});
