import { expect, test } from 'vitest';
import { FRESH_MS, isFreshMention } from '../../../../../renderer/src/features/task/watching/fresh-mention.ts';

const BEGAN = 1_000_000_000;
const ANNA = 7;
const named = (at: number, userId = ANNA) => ({ mentions: { [userId]: at } });
const rings = (change: Parameters<typeof isFreshMention>[0], present: number) =>
  isFreshMention(change, ANNA, { beganAt: BEGAN, present });

test('a comment that names the person makes a notice, the first one and each later one', () => {
  const first = BEGAN + 5_000;
  expect(rings({ before: {}, now: named(first) }, first)).toBe(true);
  expect(rings({ before: named(first), now: named(first + 1) }, first + 1)).toBe(true);
});

test('another change of a task that named the person before makes none', () => {
  const at = BEGAN + 5_000;
  expect(rings({ before: named(at), now: named(at) }, at + 1_000)).toBe(false);
});

test('a task that enters the working set makes a notice only of what is newer than the console', () => {
  expect(rings({ now: named(BEGAN + 1) }, BEGAN + 1_000)).toBe(true);
  expect(rings({ now: named(BEGAN) }, BEGAN + 1_000)).toBe(false);
});

test('a mention makes a notice until it is ten minutes old', () => {
  const at = BEGAN + 5_000;
  expect(rings({ before: {}, now: named(at) }, at + FRESH_MS)).toBe(true);
  expect(rings({ before: {}, now: named(at) }, at + FRESH_MS + 1)).toBe(false);
});

test('mentions of others, a task without any and a task that is gone make none', () => {
  const at = BEGAN + 5_000;
  expect(rings({ before: {}, now: named(at, 8) }, at)).toBe(false);
  expect(rings({ before: {}, now: {} }, at)).toBe(false);
  expect(rings({ before: named(at) }, at)).toBe(false);
});
