import { afterEach, expect, test } from 'vitest';
import { SpeedsThread } from '../../../../server/geo/speeds/speeds-thread.ts';

let thread: SpeedsThread;
const start = () =>
  (thread = new SpeedsThread(
    { tracks: '', book: '', zone: 'UTC' },
    () => {},
    new URL('./telling.worker.ts', import.meta.url),
  ));
afterEach(() => thread.close());

test('roads alone wake no thread; the one that a question wakes has the last of them, and so has the one after it died', async () => {
  start();
  await thread.open('/roads/old');
  await thread.open('/roads/town');
  expect(thread.isAwake).toBe(false);
  expect(await thread.ask('facts')).toEqual(['/roads/town']);
  await expect(thread.ask('forgetAll')).rejects.toMatchObject({ kind: 'busy' });
  expect(thread.isAwake).toBe(false);
  await thread.open('/roads/new');
  expect(await thread.ask('facts')).toEqual(['/roads/new']);
});

test('a running thread switches to other roads, and each answer has its revision', async () => {
  start();
  await thread.open('/roads/town');
  await thread.ask('facts');
  expect(thread.revision).toBe(7);
  await thread.open('/roads/new');
  expect(await thread.ask('facts')).toEqual(['/roads/town', '/roads/new']);
});

test('a thread for which opening the roads takes long is kept for longer, also one that a question woke', async () => {
  start();
  await thread.open('/roads/town');
  await thread.ask('facts');
  expect(thread.idle).toBe(5_000);
  await thread.open('/roads/country');
  await thread.ask('facts');
  expect(thread.idle).toBe(1_500_000);
  await expect(thread.ask('forgetAll')).rejects.toMatchObject({ kind: 'busy' });
  await thread.ask('facts');
  expect(thread.idle).toBe(1_500_000);
});
