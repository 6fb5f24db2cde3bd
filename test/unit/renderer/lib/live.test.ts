import { expect, test } from 'vitest';
import { statusLight } from '../../../../renderer/src/lib/live/light.ts';
import { Observation } from '../../../../renderer/src/lib/live/observation.ts';
import { nextLeg, placeAt } from '../../../../renderer/src/lib/live/motion.ts';
import { delayBefore } from '../../../../renderer/src/lib/live/reconnect.ts';
import { decodePolyline } from '../../../../renderer/src/map/polyline.ts';

const fix = (over: object = {}) => ({
  glonassId: 1,
  data: 0,
  sysData: 0,
  lat: 10,
  lon: 20,
  speed: 30,
  direction: 0,
  ...over,
});

test('a vehicle moves evenly from where it is drawn to where it was seen, and never beyond', () => {
  const first = nextLeg(undefined, fix(), 0);
  expect(placeAt(first, 5_000)).toEqual({ lat: 10, lon: 20, direction: 0 });
  const second = nextLeg(first, fix({ lat: 10.001, direction: 90 }), 1_000);
  expect(placeAt(second, 1_500).lat).toBeCloseTo(10.0005, 6);
  expect(placeAt(second, 2_000).lat).toBeCloseTo(10.001, 6);
  expect(placeAt(second, 9_000).lat).toBeCloseTo(10.001, 6);
  const third = nextLeg(second, fix({ lat: 10.002 }), 1_500);
  expect(placeAt(third, 1_500).lat).toBeCloseTo(10.0005, 6);
});

test('a turn goes by the shorter side', () => {
  const leg = nextLeg(nextLeg(undefined, fix({ direction: 350 }), 0), fix({ direction: 20, lat: 10.0001 }), 3_000);
  expect(placeAt(leg, 3_500).direction).toBeCloseTo(5, 5);
  expect(placeAt(leg, 6_000).direction).toBeCloseTo(20, 5);
});

test('a vehicle that is found far away is not driven through the town', () => {
  const leg = nextLeg(nextLeg(undefined, fix(), 0), fix({ lat: 11 }), 1_000);
  expect(placeAt(leg, 1_000).lat).toBe(11);
});

test('a vehicle jumps when it is found more than 0.02 degrees away, in latitude or in longitude', () => {
  const leg = (over: object) => nextLeg(nextLeg(undefined, fix(), 0), fix(over), 1_000);
  const jumps = (over: object) => leg(over).lasts === 0;
  expect([0.0199, 0.0201].map((by) => jumps({ lat: 10 + by }))).toEqual([false, true]);
  expect([0.0199, 0.0201].map((by) => jumps({ lon: 20 + by }))).toEqual([false, true]);
  expect([0.0199, 0.0201].map((by) => jumps({ lon: 20 - by }))).toEqual([false, true]);
  expect(placeAt(leg({ lon: 21 }), 1_000).lon).toBe(21);
});

test('the first try to come back is within a second, none waits longer than ten', () => {
  expect(delayBefore(0, 1)).toBeLessThanOrEqual(1_000);
  for (let attempt = 0; attempt < 40; attempt++)
    for (const chance of [0, 0.5, 1]) expect(delayBefore(attempt, chance)).toBeLessThanOrEqual(10_000);
  expect(delayBefore(3, 0.5)).toBeGreaterThan(delayBefore(1, 0.5));
});

test('the light is green only when the line is open, alive and everything announced has arrived', () => {
  const line = { state: 'open' as const, caughtUp: true, positionsIn: true, lastHeard: 100_000, now: 101_000 };
  expect(statusLight(line)).toEqual({ level: 'good', reason: 'current', age: 1 });
  expect(statusLight({ ...line, caughtUp: false }).level).toBe('warn');
  expect(statusLight({ ...line, positionsIn: false })).toEqual({ level: 'warn', reason: 'catchingUp', age: 1 });
  expect(statusLight({ ...line, now: 110_000 })).toEqual({ level: 'warn', reason: 'quiet', age: 10 });
  expect(statusLight({ ...line, now: 120_000 })).toEqual({ level: 'lost', reason: 'cut', age: 20 });
  expect(statusLight({ ...line, state: 'connecting' }).level).toBe('warn');
  expect(statusLight({ ...line, state: 'lost' })).toEqual({ level: 'lost', reason: 'cut', age: 1 });
  expect(statusLight({ state: 'connecting', caughtUp: false, positionsIn: false, lastHeard: 0, now: 5 })).toEqual({
    level: 'warn',
    reason: 'connecting',
    age: undefined,
  });
});

test('positions are in when the station has answered about every vehicle that is known by now', () => {
  const observation = new Observation();
  expect(observation.covers([])).toBe(true);
  expect(observation.covers([7])).toBe(false);
  observation.ask([], 1);
  expect(observation.covers([])).toBe(true); // there is nothing to wait for
  observation.ask([7, 8], 2);
  observation.heard();
  expect(observation.covers([7, 8])).toBe(false);
  observation.heard();
  expect(observation.covers([7, 8])).toBe(true);
  expect(observation.covers([7, 8, 9])).toBe(false); // one more was just made known
  observation.ask([7, 8, 9], 1);
  expect(observation.covers([7, 8, 9])).toBe(false);
  observation.heard();
  expect(observation.covers([7, 9])).toBe(true);
});

test('the geometry of a route is read as the interface writes it', () => {
  expect(decodePolyline('_c`|@_upzA_c`|@_c`|@_c`|@_c`|@')).toEqual([
    [1, 1.5],
    [2, 2.5],
    [3, 3.5],
  ]);
  expect(() => decodePolyline('_c`')).toThrow('ends in the middle');
});
