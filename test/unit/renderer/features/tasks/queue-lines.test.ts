import { expect, test } from 'vitest';
import { linesOf, type PlacedRow } from '../../../../../renderer/src/features/board/queue/queue-lines.ts';

const places: Readonly<Record<number, PlacedRow>> = {
  1: { group: 'emergency', hasThree: true, date: 50 },
  2: { group: 'new', hasThree: false, date: 40 },
  3: { group: 'emergency', hasThree: true, date: 30 },
  4: { group: 'work', hasThree: false, date: 20 },
};
const placeOf = (id: number) => places[id];

test('rows stand under the heads of their groups, which count them and know the oldest', () => {
  expect(linesOf([1, 3, 2, 4], placeOf, new Set())).toEqual([
    { group: 'emergency', count: 2, oldest: 30 },
    1,
    3,
    { group: 'new', count: 1, oldest: 40 },
    2,
    { group: 'work', count: 1, oldest: 20 },
    4,
  ]);
});

test('a folded group is its head alone', () => {
  expect(linesOf([1, 3, 2], placeOf, new Set(['emergency'] as const))).toEqual([
    { group: 'emergency', count: 2, oldest: 30 },
    { group: 'new', count: 1, oldest: 40 },
    2,
  ]);
});

test('a row that is gone while rows are held stays under the head of the row before it', () => {
  expect(linesOf([1, 9, 2], placeOf, new Set())).toEqual([
    { group: 'emergency', count: 2, oldest: 50 },
    1,
    9,
    { group: 'new', count: 1, oldest: 40 },
    2,
  ]);
});
