import { expect, test } from 'vitest';
import type { CrewDuty, Shift } from '../../../../shared/records/index.ts';
import { isOffShift, rollOf, runningShift } from '../../../../shared/shifts/on-duty.ts';

const shift = (organizationId: number, at: number, ended = false) =>
  ({
    organizationId,
    everywhere: false,
    begun: { at, userId: 1 },
    ended: ended ? { at: at + 1, userId: 1 } : null,
    isDeleted: false,
  }) as Shift;

test('of two shifts that stations began apart the earlier one counts', () => {
  const [late, early] = [shift(1, 200), shift(1, 100)];
  expect(runningShift([late, early], 1)).toBe(early);
  expect(runningShift([shift(1, 50, true), late, shift(2, 10)], 1)).toBe(late);
  expect(runningShift([shift(1, 50, true)], 1)).toBeUndefined();
});

test('vehicles are passed over only while a shift of their organization runs', () => {
  const engine = { id: 7, organizationId: 1 };
  expect(isOffShift(engine, [shift(1, 100)], new Set([8]))).toBe(true);
  expect(isOffShift(engine, [shift(1, 100)], new Set([7]))).toBe(false);
  expect(isOffShift(engine, [shift(2, 100)], new Set())).toBe(false);
  expect(isOffShift(engine, [shift(1, 100, true)], new Set())).toBe(false);
  // A shift of all organizations is of the one that began it; the others notice nothing.
  const everywhere = { ...shift(2, 100), everywhere: true };
  expect(isOffShift(engine, [everywhere], new Set())).toBe(false);
  expect(isOffShift({ id: 9, organizationId: 2 }, [everywhere], new Set([7]))).toBe(true);
  expect(isOffShift(engine, [everywhere, shift(1, 200)], new Set())).toBe(true);
});

test('an answer counts from the moment of the roll call on', () => {
  const rollOfAt = (at: number) =>
    rollOf({ roll: { present: false, at, userId: 1 } } as CrewDuty, { rollCall: { at: 100, userId: 1 } });
  expect([99, 100].map(rollOfAt)).toEqual([undefined, 'missing']);
  expect(rollOf({ roll: { present: true, at: 1, userId: 1 } }, { rollCall: null })).toBeUndefined();
});
