import { expect, test } from 'vitest';
import { closeInReverse } from '../../../server/platform/close-in-reverse.ts';

test('what was opened last is closed first, once, and what cannot be closed keeps nothing open', async () => {
  const closed: string[] = [];
  const closers = [
    () => closed.push('lock'),
    async () => {
      await Promise.resolve();
      closed.push('store');
      throw new Error('The store is stuck.');
    },
    () => {
      closed.push('log');
      throw new Error('The log is stuck.');
    },
  ];
  await expect(closeInReverse(closers)).rejects.toThrow('The log is stuck.');
  await closeInReverse(closers);
  expect(closed).toEqual(['log', 'store', 'lock']);
});
