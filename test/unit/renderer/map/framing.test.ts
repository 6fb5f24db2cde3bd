import { expect, test } from 'vitest';
import { placesToFrame } from '../../../../renderer/src/map/framing.ts';

const MALTA = [14.18, 35.81, 14.57, 36.08] as const;
const WHOLE = [
  [35.81, 14.18],
  [36.08, 14.57],
];

test('the picture holds the vehicles on the territory, and none whose receiver errs', () => {
  expect(
    placesToFrame(MALTA, [
      [35.9, 14.5],
      [0, 0],
      [35.85, 14.4],
    ]),
  ).toEqual([
    [35.9, 14.5],
    [35.85, 14.4],
  ]);
});

test('with no more than one vehicle on it, the territory itself is shown', () => {
  expect(placesToFrame(MALTA, [])).toEqual(WHOLE);
  expect(
    placesToFrame(MALTA, [
      [35.9, 14.5],
      [56.2, 18.9],
    ]),
  ).toEqual(WHOLE);
});
