import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EventIntake } from '../../../../server/tracking/event-workers/event-intake.ts';
import { Leases } from '../../../../server/tracking/event-workers/leases.ts';
import { partitionOf } from '../../../../server/replication/nats/index.ts';
import { HAS_NATS } from '../../../support/nats-servers.ts';
import { temporaryStore } from '../../store/open-store.ts';
import { openRegion } from './in-region.ts';

describe.skipIf(!HAS_NATS)('a station beside event workers', () => {
  test('logs from when and until when it computes the events of a partition that no worker is at', async () => {
    const { connection, open } = await openRegion();
    const leases = new Leases(connection);
    await leases.follow(open);
    const store = await temporaryStore();
    const said: string[] = [];
    const say = (message: string) => void said.push(message);
    let isLeft = (_vehicleId: number) => false;
    const intake = new EventIntake({
      ...{ connection, store, cameFromGateway: () => true, now: Date.now, log: { info: say, warn: say } },
      events: { announce: () => undefined, leaveTo: (is) => (isLeft = is) },
    });
    onTestFinished(async () => {
      vi.restoreAllMocks();
      await intake.close();
      await leases.close();
    });
    await intake.known();
    const vehicle = Array.from({ length: 1000 }, (_, id) => id).find((id) => partitionOf(id) === 3)!;
    expect(isLeft(vehicle)).toBe(false);
    await leases.hold(3, 'worker');
    await expect.poll(() => isLeft(vehicle)).toBe(true);
    expect(said).toEqual([]);

    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    expect(isLeft(vehicle)).toBe(false);
    const gone = 'No event worker is at the partitions 3 any more. The stations compute these events.';
    expect(said).toEqual([gone]);
    expect(intake.problem).toBe(gone);

    vi.restoreAllMocks();
    await expect.poll(() => said).toEqual([gone, 'Event workers are at all partitions again.']);
    expect(isLeft(vehicle)).toBe(true);
  });
});
