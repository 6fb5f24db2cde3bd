import { expect, test } from 'vitest';
import { MessageQueue } from '../../../../server/http/live/message-queue.ts';

/** A client that notes whether it is read from. */
function line() {
  return {
    OPEN: 1 as const,
    readyState: 1 as 0 | 1 | 2 | 3,
    paused: false,
    pause() {
      this.paused = true;
    },
    resume() {
      this.paused = false;
    },
  };
}

const busy = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test('short messages are handled at once, long ones in turn, each client’s in order of arrival', async () => {
  const queue = new MessageQueue();
  const [a, b] = [line(), line()];
  const handled: string[] = [];
  const done = new Promise<void>((resolve) => {
    queue.enqueue(a, 100_000, () => handled.push('a1'));
    queue.enqueue(a, 100_000, () => handled.push('a2'));
    queue.enqueue(a, 10, () => handled.push('a3'));
    queue.enqueue(b, 100_000, () => handled.push('b1'));
    queue.enqueue(b, 10, () => (handled.push('b2'), resolve()));
    queue.enqueue(line(), 10, () => handled.push('c'));
  });
  expect([handled, a.paused, b.paused]).toEqual([['c'], true, true]);
  await done;
  await expect.poll(() => [a.paused, b.paused]).toEqual([false, false]);
  expect(handled).toEqual(['c', 'a1', 'b1', 'a2', 'b2', 'a3']);
});

test('what a client sent that has been closed meanwhile is dropped', async () => {
  const queue = new MessageQueue();
  const [gone, stays] = [line(), line()];
  const handled: string[] = [];
  queue.enqueue(gone, 100_000, () => handled.push('gone'));
  gone.readyState = 2;
  await new Promise<void>((resolve) => queue.enqueue(stays, 100_000, () => (handled.push('stays'), resolve())));
  expect([handled, gone.paused]).toEqual([['stays'], false]);
});

test('long messages leave most of the time to everything else', async () => {
  const queue = new MessageQueue();
  let others = 0;
  let stopped = false;
  const tick = (): void => void (stopped || (busy(1), others++, setImmediate(tick)));
  const began = performance.now();
  tick();
  await Promise.all(
    Array.from(
      { length: 30 },
      () => new Promise<void>((resolve) => queue.enqueue(line(), 100_000, () => (busy(5), resolve()))),
    ),
  );
  stopped = true;
  // Each of the 30 messages takes 5 ms, and 20 ms of rest come between two of them.
  expect(performance.now() - began).toBeGreaterThan(30 * 5 + 29 * 20);
  expect(others).toBeGreaterThan(30);
});
