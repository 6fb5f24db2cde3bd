import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Semaphore } from '../../../server/platform/semaphore.ts';

test('as many run as may, the others follow in their order, and one that fails frees its place', async () => {
  const semaphore = new Semaphore(2);
  const began: number[] = [];
  const gates = [0, 1, 2, 3, 4].map(() => Promise.withResolvers<void>());
  const ended = Promise.allSettled(
    gates.map(({ promise }, nth) =>
      semaphore.run(() => {
        began.push(nth);
        return promise;
      }),
    ),
  );
  await turn();
  expect(began).toEqual([0, 1]);
  gates[1]!.reject(new Error('no'));
  await turn();
  expect(began).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  expect((await ended).map(({ status }) => status)).toEqual([
    ...['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  ]);
  expect(began).toEqual([0, 1, 2, 3, 4]);
  // All places are free again.
  const later = [5, 6, 7].map((nth) => semaphore.run(async () => void began.push(nth)));
  expect(began).toEqual([0, 1, 2, 3, 4, 5, 6]);
  await Promise.all(later);
});
