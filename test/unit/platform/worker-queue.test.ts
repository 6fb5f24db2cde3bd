import { expect, onTestFinished, test, vi } from 'vitest';
import { WorkerQueue } from '../../../server/platform/threads/worker-queue.ts';

type Job = number | 'fail' | 'hang' | 'exit';
const SCRIPT = new URL(
  'data:text/javascript,' +
    encodeURIComponent(`
  import { parentPort, threadId } from 'node:worker_threads';
  let before = 0;
  parentPort.on('message', async (job) => {
    if (job === 'fail') throw new Error('No such letter.');
    if (job === 'hang') for (;;);
    if (job === 'exit') process.exit(0);
    parentPort.postMessage({ job, before: before++, thread: threadId });
  });
`),
);
const LIMIT = 60_000;
const start = () => new WorkerQueue<Job, { job: number; before: number; thread: number }>(SCRIPT, 'The paper', LIMIT);

test('one thread does one job after the other', async () => {
  const thread = start();
  const done = await Promise.all([1, 2, 3].map((job) => thread.run(job)));
  expect(done.map(({ job, before }) => [job, before])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
  ]);
  expect(new Set(done.map((one) => one.thread)).size).toBe(1);
});

test.each([
  ['fail', 'No such letter.'],
  ['hang', 'The paper took too long.'],
  ['exit', 'its thread ended'],
] as const)('a job that does %s is refused so, and the next has a thread of its own', async (job, message) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const thread = start();
  const failed = expect(thread.run(job)).rejects.toThrow(message);
  const next = thread.run(7);
  if (job === 'hang') await vi.advanceTimersByTimeAsync(LIMIT);
  await failed;
  expect(await next).toMatchObject({ job: 7, before: 0 });
});

test('what would wait too long is refused as busy, and what waits is done', async () => {
  const thread = start();
  const waiting = Array.from({ length: 50 }, (_, job) => thread.run(job));
  await expect(thread.run(50)).rejects.toMatchObject({ kind: 'busy' });
  expect((await Promise.all(waiting)).map(({ job }) => job)).toEqual(Array.from({ length: 50 }, (_, job) => job));
  expect(await thread.run(51)).toMatchObject({ job: 51 });
});
