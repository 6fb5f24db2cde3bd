import { expect, test } from 'vitest';
import { daysAreWrong, limitsDraft, limitsOf } from '../../../../../renderer/src/features/stations/links/limits.ts';

test('a new link carries everything, the last positions, both ways', () => {
  expect(limitsOf(limitsDraft())).toEqual({ organizations: null, tracks: 'last', readOnly: false });
});

test.each([
  { organizations: null, tracks: 'all', readOnly: true },
  { organizations: [7, 9], tracks: { days: 30 }, readOnly: false },
] as const)('limits come out of the form as they went in: %j', (limits) => {
  expect(limitsOf(limitsDraft(limits))).toEqual(limits);
});

test('days of tracks are a whole number from 1 to 3650', () => {
  const wrong = (days: string) => daysAreWrong({ ...limitsDraft(), tracks: 'days', days });
  expect(['1', ' 7 ', '3650'].map(wrong)).toEqual([false, false, false]);
  expect(['0', '3651', '', '1.5', '-1', 'x'].map(wrong)).toEqual([true, true, true, true, true, true]);
  expect(limitsOf({ ...limitsDraft(), tracks: 'days', days: '0' })).toBeUndefined();
});
