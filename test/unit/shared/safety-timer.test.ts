import { expect, test } from 'vitest';
import {
  alarmAt,
  missedChecks,
  nextCheck,
  safetyTimer,
  shareLeft,
  DEFAULT_SAFETY_MINUTES,
} from '../../../shared/fleet/safety-timer.ts';
import { AT_HOSPITAL, EN_ROUTE, ON_SCENE, WANTS_TO_TALK } from '../../../shared/fleet/unit-status.ts';
import { Chance, SEED } from '../../support/chance.ts';

const MINUTE = 60_000;
const onScene = { onSceneAt: 1_000, clearAt: 0, status: ON_SCENE, statusSince: 1_000 };
const timerOf = (change: Partial<typeof onScene> = {}, heardAt = 0, minutes = DEFAULT_SAFETY_MINUTES) =>
  safetyTimer({ ...onScene, ...change }, heardAt, minutes);

test('a timer runs only while the crew is on scene', () => {
  expect(timerOf()).toEqual({ since: 1_000, period: 20 * MINUTE });
  expect(timerOf({ onSceneAt: 0, status: EN_ROUTE })).toBeUndefined();
  expect(timerOf({ status: AT_HOSPITAL })).toBeUndefined();
  expect(timerOf({ clearAt: 5_000 })).toBeUndefined();
  expect(timerOf({}, 0, 0)).toBeUndefined();
});

test('a status and a word of the crew begin it again, and a request to talk does not stop it', () => {
  expect(timerOf({ status: WANTS_TO_TALK, statusSince: 7_000 })?.since).toBe(7_000);
  expect(timerOf({}, 9_000)?.since).toBe(9_000);
  expect(timerOf({ statusSince: 9_500 }, 9_000)?.since).toBe(9_500);
});

test('a check is missed at its time, and not a millisecond before', () => {
  const timer = timerOf()!;
  const due = 1_000 + 20 * MINUTE;
  expect([missedChecks(timer, due - 1), nextCheck(timer, due - 1)]).toEqual([0, due]);
  expect([missedChecks(timer, due), nextCheck(timer, due)]).toEqual([1, due + 20 * MINUTE]);
  expect(shareLeft(timer, due - 5 * MINUTE)).toBeCloseTo(0.25);
  expect(missedChecks(timer, alarmAt(timer) - 1)).toBe(1);
  expect(missedChecks(timer, alarmAt(timer))).toBe(2);
});

test(`from any signs of life the alarm comes exactly after two silent periods (seed ${SEED})`, () => {
  const chance = new Chance();
  for (let turn = 0; turn < 300; turn++) {
    const minutes = 1 + chance.int(60);
    const onSceneAt = chance.int(1_000_000);
    // Signs in any order, as stations that were apart bring them.
    const signs = Array.from({ length: chance.int(6) }, () => onSceneAt + chance.int(100 * MINUTE));
    const [statusSince = onSceneAt] = signs;
    const heardAt = Math.max(0, ...signs.slice(1));
    const timer = timerOf({ onSceneAt, statusSince }, heardAt, minutes)!;
    const last = Math.max(onSceneAt, ...signs);
    expect(timer.since).toBe(last);
    const now = last + chance.int(5 * minutes * MINUTE);
    expect(missedChecks(timer, now) >= 2).toBe(now - last >= 2 * minutes * MINUTE);
    expect(now >= alarmAt(timer)).toBe(missedChecks(timer, now) >= 2);
    const left = shareLeft(timer, now);
    expect(left > 0 && left <= 1).toBe(true);
    expect(nextCheck(timer, now) - now).toBeCloseTo(left * timer.period, 3);
    // A clock that is set back misses nothing.
    expect([missedChecks(timer, last - 10), shareLeft(timer, last - 10)]).toEqual([0, 1]);
  }
});
