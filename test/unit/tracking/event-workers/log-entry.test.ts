import { expect, test } from 'vitest';
import { headAfter, type RevisionStep, type LogHead } from '../../../../server/tracking/event-workers/log-entry.ts';

function step(owner: string, previous: number): RevisionStep {
  return { previous, owner, stamp: '', read: {}, events: [], withdrawn: [], checkpoints: [] };
}

/** Reads entries from the beginning; the sequences of those that hold, and the head. */
function read(entries: readonly (readonly [sequence: number, entry: RevisionStep | undefined])[], first = 1) {
  let head: LogHead | undefined;
  const valid: number[] = [];
  for (const [sequence, entry] of entries) {
    const after = headAfter(head, sequence, entry, first);
    head = after.head;
    if (after.isValid) valid.push(sequence);
  }
  return { valid, head };
}

test('of two steps that both follow the same one, the first holds for every reader', () => {
  const { valid, head } = read([
    [3, step('a', 0)],
    [5, step('b', 3)],
    [6, step('a', 3)],
    [9, step('b', 5)],
  ]);
  expect(valid).toEqual([3, 5, 9]);
  expect(head).toMatchObject({ sequence: 9, last: 9, owner: 'b' });
});

test('after a void step the next one still follows the last that holds', () => {
  const { head } = read([
    [3, step('a', 0)],
    [6, step('late', 1)],
  ]);
  expect(head).toMatchObject({ sequence: 3, last: 6, owner: 'a' });
});

test('what is no step at all keeps no partition from being taken', () => {
  const { valid, head } = read([
    [2, undefined],
    [4, step('a', 0)],
  ]);
  expect(valid).toEqual([4]);
  expect(head).toMatchObject({ sequence: 4, owner: 'a' });
});

test('a reader that was away for longer than steps are kept begins at the oldest one', () => {
  const old: LogHead = { sequence: 10, last: 10, owner: 'a', stamp: '', read: {} };
  expect(headAfter(old, 25, step('a', 24), 25).isValid).toBe(true);
  expect(headAfter(old, 25, step('a', 24), 8).isValid).toBe(false);
});
