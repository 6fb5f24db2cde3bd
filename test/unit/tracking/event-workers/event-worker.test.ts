import { expect, onTestFinished, test, vi } from 'vitest';
import { EventWorker } from '../../../../server/tracking/event-workers/index.ts';
import { RegionConnection } from '../../../../server/replication/nats/index.ts';
import { temporaryStore } from '../../store/open-store.ts';

test('a change of surroundings stays on disk while a next owner repeats it', async () => {
  const log = { info: () => undefined, warn: () => undefined };
  const connection = new RegionConnection({
    ...{ servers: ['nats://127.0.0.1:1'], region: 'r', credentials: undefined, authority: undefined },
    ...{ replicas: 1, name: 'test', log },
  });
  const store = await temporaryStore();
  const worker = new EventWorker({ connection, store, partitions: [0], depots: [], clockLimit: 0, now: Date.now, log });
  onTestFinished(async () => {
    vi.useRealTimers();
    await worker.close();
    await connection.close();
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const done = vi.fn();
  worker.recompute([8], 0, done);
  await vi.advanceTimersByTimeAsync(10 * 60_000 - 1);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toHaveBeenCalledOnce();
});
