import { expect, test } from 'vitest';
import { CloseStack, openOrClose } from '../../../server/platform/close-stack.ts';

test('what was opened last is closed first, once, and what cannot be closed keeps nothing open', async () => {
  const closed: string[] = [];
  const stack = new CloseStack();
  stack.defer(() => closed.push('lock'));
  const store = stack.use({
    async close() {
      await Promise.resolve();
      closed.push('store');
      throw new Error('The store is stuck.');
    },
  });
  expect(store).toHaveProperty('close');
  stack.defer(() => {
    closed.push('log');
    throw new Error('The log is stuck.');
  });
  await expect(stack.close()).rejects.toThrow('The log is stuck.');
  await stack.close();
  expect(closed).toEqual(['log', 'store', 'lock']);
});

test('what openOrClose opened has one close', async () => {
  const closed: string[] = [];
  const opened = await openOrClose(async (stack) => {
    stack.defer(() => closed.push('log'));
    return { port: 8480 };
  });
  expect([opened.port, closed]).toEqual([8480, []]);
  await opened.close();
  expect(closed).toEqual(['log']);
});

test('when openOrClose fails half-way, it closes what was open and throws the error', async () => {
  const closed: string[] = [];
  const opening = openOrClose(async (stack) => {
    stack.defer(() => closed.push('log'));
    await Promise.reject(new Error('The port is taken.'));
    return {};
  });
  await expect(opening).rejects.toThrow('The port is taken.');
  expect(closed).toEqual(['log']);
});
