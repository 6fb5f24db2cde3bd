import { expect, test } from 'vitest';
import { shareChange } from '../../../../server/tracking/event-workers/shares.ts';

const ALL = [0, 1, 2, 3, 4, 5, 6, 7];

/** Lets workers take and give back in turn until nothing changes. */
function settle(
  workers: ReadonlyMap<string, readonly number[]>,
  owners: Map<number, string>,
): Record<string, number[]> {
  for (let round = 0; round < 20; round++)
    for (const id of workers.keys()) {
      const { claim, release } = shareChange(id, workers, (partition) => owners.get(partition));
      for (const partition of release) owners.delete(partition);
      for (const partition of claim) owners.set(partition, id);
    }
  return Object.fromEntries(
    [...workers.keys()].map((id) => [id, ALL.filter((partition) => owners.get(partition) === id)]),
  );
}

test('one worker takes all partitions, and gives half of them to the next one', () => {
  const owners = new Map<number, string>();
  expect(settle(new Map([['a', ALL]]), owners)).toEqual({ a: ALL });
  const { a, b } = settle(
    new Map([
      ['a', ALL],
      ['b', ALL],
    ]),
    owners,
  );
  expect([a!.length, b!.length]).toEqual([4, 4]);
});

test('shares differ by one at most, and what a worker has it keeps', () => {
  const owners = new Map<number, string>();
  const before = settle(
    new Map([
      ['a', ALL],
      ['b', ALL],
    ]),
    owners,
  );
  const after = settle(
    new Map([
      ['a', ALL],
      ['b', ALL],
      ['c', ALL],
    ]),
    owners,
  );
  expect([after['a']!.length, after['b']!.length, after['c']!.length].sort()).toEqual([2, 3, 3]);
  for (const id of ['a', 'b']) expect(before[id]).toEqual(expect.arrayContaining(after[id]!));
});

test('the partitions of a worker that is gone go to those that are left', () => {
  const owners = new Map<number, string>();
  settle(
    new Map([
      ['a', ALL],
      ['b', ALL],
    ]),
    owners,
  );
  for (const [partition, id] of owners) if (id === 'b') owners.delete(partition);
  expect(settle(new Map([['a', ALL]]), owners)).toEqual({ a: ALL });
});

test('a worker takes nothing but what it may, and keeps what nobody else may take', () => {
  const workers = new Map<string, readonly number[]>([
    ['a', ALL],
    ['b', [6, 7]],
  ]);
  const { a, b } = settle(workers, new Map(ALL.map((partition) => [partition, 'a'])));
  expect(a).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5]));
  expect(b!.length).toBeGreaterThan(0);
  expect([...a!, ...b!].sort()).toEqual(ALL);
});
