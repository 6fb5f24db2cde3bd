import { expect, test } from 'vitest';
import { duplicatesOf } from '../../../../../renderer/src/features/board/intake/duplicates.ts';
import { makeTask } from '../../task.ts';

const MINUTE = 60_000;
const now = 100 * MINUTE;
const here = { lat: 50, lon: 10 };
const near = { lat: 50.0008, lon: 10, zoom: 16 }; // some 90 m
const far = { lat: 50.05, lon: 10, zoom: 16 };
const draft = { title: 'Tree across the road', text: '', typeId: 1, point: here };

test('an open task at the same corner a few minutes ago is hinted at, whatever its words are', () => {
  const found = duplicatesOf(
    draft,
    [
      makeTask({ id: 1, title: 'Blocked lane', point: near, date: now - 4 * MINUTE, typeId: 2 }),
      makeTask({ id: 2, title: 'Tree across the road', point: far, date: now }),
    ],
    now,
  );
  expect(found.map(({ task }) => task.id)).toEqual([1]);
  expect(found[0]!.distance).toBeCloseTo(89, -1);
});

test('words in the other alphabet count, done and old ones do not', () => {
  const open = [
    makeTask({ id: 1, title: 'Derevo na doroge', date: now - MINUTE }),
    makeTask({ id: 2, title: 'Дерево на дороге', date: now - MINUTE, status: 4 }),
    makeTask({ id: 3, title: 'Derevo na doroge', date: now - 5 * 60 * MINUTE, typeId: 9 }),
  ];
  const found = duplicatesOf({ title: 'дерево на дороге', text: '', typeId: 1, point: undefined }, open, now);
  expect(found.map(({ task }) => task.id)).toEqual([1]);
});

test('an empty draft has no duplicates', () => {
  expect(
    duplicatesOf({ title: '', text: '', typeId: 1, point: undefined }, [makeTask({ id: 1, date: now })], now),
  ).toEqual([]);
});
