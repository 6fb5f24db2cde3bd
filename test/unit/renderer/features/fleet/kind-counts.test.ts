import { expect, test } from 'vitest';
import { kindCounts, type CountedUnit } from '../../../../../renderer/src/features/board/kind-counts.ts';

const unit = (kindId: number, isFree: boolean, inService = true): CountedUnit => ({ kindId, isFree, inService });

test('kinds nobody of whom is free stand first, then the larger ones', () => {
  const units = [unit(1, true), unit(2, true), unit(2, false), unit(3, false), unit(2, true)];
  expect(kindCounts(units)).toEqual([
    { kindId: 3, free: 0, all: 1, isShort: true },
    { kindId: 2, free: 2, all: 3, isShort: false },
    { kindId: 1, free: 1, all: 1, isShort: false },
  ]);
});

test('vehicles on maintenance do not count, and those without a kind have no line', () => {
  expect(kindCounts([unit(1, true, false), unit(1, true), unit(0, true)])).toEqual([
    { kindId: 1, free: 1, all: 1, isShort: false },
  ]);
});
