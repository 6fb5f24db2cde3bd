import { expect, test } from 'vitest';
import { allowedStatuses, hasNotArrived, statusAfterTalk } from '../../../shared/fleet/unit-status.ts';

const SENT = 1_000_000;
const barred = (unitStatus: number | undefined, since: number, next: number) =>
  hasNotArrived({ unitStatus, unitStatusSince: since }, next, SENT);

test('who was sent and has not said that they are there is neither free nor at base', () => {
  for (const now of [undefined, 1, 2, 3, 9])
    for (const next of [1, 2]) expect([now, next, barred(now, SENT + 3_000, next)]).toEqual([now, next, true]);
});

test('who was there since is free when they say so', () => {
  for (const now of [4, 7, 8])
    for (const next of [1, 2]) expect([now, next, barred(now, SENT + 3_000, next)]).toEqual([now, next, false]);
});

test('to have been at another place before counts no longer', () => {
  expect(barred(4, SENT - 60_000, 1)).toBe(true);
});

test('every other step is possible, and who calls, talks or is out of service may have been there', () => {
  for (const next of [0, 3, 4, 5, 6, 7, 8, 9]) expect([next, barred(3, SENT + 1, next)]).toEqual([next, false]);
  for (const now of [0, 5, 6]) expect([now, barred(now, SENT + 1, 1)]).toEqual([now, false]);
});

test('what is allowed is everything but the barred steps, and without a task everything', () => {
  const report = { unitStatus: 3, unitStatusSince: SENT };
  expect(allowedStatuses(report, SENT)).toEqual([0, 3, 4, 5, 6, 7, 8, 9]);
  expect(allowedStatuses(report, undefined)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a crew that was answered is where its run says', () => {
  expect([undefined, { onSceneAt: 0 }, { onSceneAt: 5 }].map(statusAfterTalk)).toEqual([1, 3, 4]);
});
