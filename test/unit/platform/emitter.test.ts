import { expect, test } from 'vitest';
import { Emitter } from '../../../server/platform/emitter.ts';

function makeEmitter() {
  const errors: unknown[] = [];
  const heard: string[] = [];
  const emitter = new Emitter<[word: string, count: number]>((error) => errors.push(error));
  return { emitter, errors, heard };
}

test('every listener is called with the arguments, in the order of adding', () => {
  const { emitter, heard } = makeEmitter();
  emitter.on((word, count) => heard.push(`first ${word} ${count}`));
  emitter.on((word) => heard.push(`second ${word}`));
  emitter.emit('road', 2);
  expect(heard).toEqual(['first road 2', 'second road']);
});

test('a listener that throws is reported and stops neither the others nor the emitter', () => {
  const { emitter, errors, heard } = makeEmitter();
  const error = new Error('no');
  emitter.on(() => {
    throw error;
  });
  emitter.on((word) => heard.push(word));
  emitter.emit('road', 1);
  expect([heard, errors]).toEqual([['road'], [error]]);
});

test('a listener that was removed is not called any more', () => {
  const { emitter, heard } = makeEmitter();
  const stop = emitter.on((word) => heard.push(word));
  expect(emitter.hasListeners).toBe(true);
  stop();
  expect(emitter.hasListeners).toBe(false);
  emitter.emit('road', 1);
  expect(heard).toEqual([]);
});

test('emitAndWait waits for all listeners, and then rejects with the first error', async () => {
  const { emitter, errors, heard } = makeEmitter();
  const { promise, resolve } = Promise.withResolvers<void>();
  emitter.on(() => Promise.reject(new Error('unreadable')));
  emitter.on((word) => promise.then(() => heard.push(word)));
  const done = emitter.emitAndWait('road', 1);
  resolve();
  await expect(done).rejects.toThrow('unreadable');
  expect([heard, errors]).toEqual([['road'], []]);
});
