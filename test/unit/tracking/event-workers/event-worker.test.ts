import { expect, onTestFinished, test, vi } from 'vitest';
import { keyOf } from '../../../../shared/ids.ts';
import { stampClock } from '../../../../shared/merge/stamps.ts';
import { EventWorker } from '../../../../server/tracking/event-workers/index.ts';
import type { WorkedRooms } from '../../../../server/tracking/event-workers/event-worker.ts';
import { Leases } from '../../../../server/tracking/event-workers/leases.ts';
import { takeRecords } from '../../../../server/replication/sync/region/index.ts';
import { HAS_NATS } from '../../../support/nats-servers.ts';
import { RegionConnection } from '../../../../server/replication/nats/index.ts';
import { temporaryStore } from '../../store/open-store.ts';
import { openRegion } from './in-region.ts';

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

test.skipIf(!HAS_NATS)(
  'an event that a station wrote is computed again by the next owner of the partition',
  async () => {
    const { connection, open } = await openRegion();
    const log = { info: () => undefined, warn: () => undefined };
    const store = await temporaryStore();
    const other = new Leases(connection);
    await other.follow(open);
    await other.hold(0, 'another worker');
    const worker = new EventWorker({
      connection,
      store,
      partitions: [0],
      depots: [],
      clockLimit: 0,
      now: Date.now,
      log,
    });
    onTestFinished(() => worker.close());
    onTestFinished(() => other.close());
    const recompute = vi.fn();
    const rooms = {
      telemetry: { markProcessed: () => undefined, unprocessedSpans: () => [] },
      events: { recompute, leaveTo: () => undefined, forget: () => undefined, settled: async () => [] },
      ...{ hasVehicle: () => true, vehicles: () => [8], wasFilled: () => true },
    };
    worker.start(rooms as unknown as WorkedRooms);
    const event = {
      type: 1,
      vehicleId: 8,
      from: 5_000,
      until: 9_000,
      seenAt: 7_000,
      lat: 35,
      lon: 14,
      bySilence: false,
    };
    const record = {
      ...{ ...event, id: 17, key: keyOf(17), subject: '', info: 'stop', data: {}, reason: 'live', revisedAt: 1 },
      hlc: { base: stampClock('001.a', Date.now).next(), fields: {} },
    };
    await takeRecords(store, 'events', [{ text: JSON.stringify(record), isDeleted: false }], Date.now(), expect.fail);
    expect(recompute).not.toHaveBeenCalled();
    // The lease of the other one ends, since nobody renews it.
    await expect.poll(() => recompute.mock.calls, { timeout: 30_000 }).toContainEqual([[8], 5_000]);
  },
);
