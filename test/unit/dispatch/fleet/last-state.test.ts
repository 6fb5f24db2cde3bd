import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeStates, unknownState, type LastState } from '../../../../shared/fleet/last-state.ts';

const seed = Number(process.env['WAYPOST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** One source never tells two things of one time. */
const states = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .map(([time, since]): LastState => ({
    ...unknownState(1),
    time,
    lat: time * 2,
    odometer: time,
    unitStatusSince: since,
    unitStatus: since % 10,
  }));

test('two sources of a state merge in any order to the same', () => {
  fc.assert(
    fc.property(states, states, states, (a, b, c) => {
      expect(mergeStates(a, b)).toEqual(mergeStates(b, a));
      expect(mergeStates(mergeStates(a, b), c)).toEqual(mergeStates(a, mergeStates(b, c)));
      expect(mergeStates(a, a)).toBe(a);
    }),
    { seed },
  );
});

test('the later fix and the later crew status win, each for itself', () => {
  const device = { ...unknownState(1), time: 100, lat: 1, unitStatus: 3, unitStatusSince: 10 };
  const dispatcher = { ...unknownState(1), time: 50, lat: 2, unitStatus: 6, unitStatusSince: 90 };
  expect(mergeStates(device, dispatcher)).toMatchObject({ time: 100, lat: 1, unitStatus: 6, unitStatusSince: 90 });
});

test('a state that adds nothing changes nothing', () => {
  const known = { ...unknownState(1), time: 100 };
  expect(mergeStates(known, { ...unknownState(1), time: 50 })).toBe(known);
});
