import { expect, test } from 'vitest';
import { callState, RINGS_FOR } from '../../../shared/calls/state.ts';

const at = 1_000_000;
const untaken = { taken: null, endedAt: 0, at };
const taken = { ...untaken, taken: { userId: 3, at: at + 4_000 } };

test('a call rings until somebody takes it, it ends, or 3 min have passed (server/dispatch/calls rule 7)', () => {
  expect(callState(untaken, at + RINGS_FOR - 1)).toBe('ringing');
  expect(callState(untaken, at + RINGS_FOR)).toBe('missed');
  expect(callState({ ...untaken, endedAt: at + 5_000 }, at + 6_000)).toBe('missed');
});

test('a call that somebody took is never missed', () => {
  expect(callState(taken, at + 10 * RINGS_FOR)).toBe('taken');
  expect(callState({ ...taken, endedAt: at + 9_000 }, at + 10_000)).toBe('ended');
});
