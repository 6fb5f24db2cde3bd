import { jetstream } from '@nats-io/jetstream';
import { describe, expect, test } from 'vitest';
import { PartitionSession, type SessionRooms } from '../../../../server/tracking/event-workers/partition-session.ts';
import { packPositions } from '../../../../server/tracking/telemetry/region/position-entry.ts';
import { openPositions } from '../../../../server/tracking/telemetry/region/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { HAS_NATS } from '../../../support/nats-servers.ts';
import { NOTHING, openRegion } from './in-region.ts';

const VEHICLE = 8;
const PARTITION = 0;
const RECORDS = 12;
/** How far a depot was computed that the next owner does not read. */
const OF_DEPOT = { epoch: 'e', sequence: 5 };

/**
 * A worker takes over a partition whose positions are in the stream.
 * @param before how many of them the owner before had computed
 * @param settled which vehicles failed, each time that their events were computed
 */
async function takeOver(before: number, settled: () => readonly number[], clockLimit = 0) {
  const { connection, open, readLog } = await openRegion();
  const positions = await openPositions(open, connection, undefined);
  for (let time = 1; time <= RECORDS; time++)
    await jetstream(open).publish(
      connection.subjects.position(VEHICLE),
      packPositions({ kind: 'records', source: 'test', sender: 'test', records: [{ time }] }),
    );
  const [owner, log] = [await readLog(), await readLog()];
  await owner.takeOver(PARTITION);
  const read = { '': { epoch: positions.epoch, sequence: before }, 'depot-1': OF_DEPOT };
  await owner.append(PARTITION, { ...NOTHING, read });
  await eventually(() => expect(log.head(PARTITION)).toEqual(owner.head(PARTITION)));

  const times = new Set<number>();
  const said: string[] = [];
  let counted = 0;
  const orders: number[] = [];
  const rooms: SessionRooms = {
    connection,
    log,
    telemetry: {
      ingest: async (records) => {
        for (const record of records) times.add((record as { time: number }).time);
        return { accepted: records.length, duplicates: 0, quarantined: [] };
      },
      markProcessed: () => undefined,
    },
    events: {
      tracksChanged: (spans) => void orders.push(...spans.map(({ vehicleId }) => vehicleId)),
      settled: async () => settled(),
    },
    depots: [],
    clockLimit,
    hasVehicle: () => true,
    computed: (entries) => void (counted += entries),
    warn: (message) => said.push(message),
  };
  const session = new PartitionSession(PARTITION, rooms);
  const sources = () => log.head(PARTITION)?.read;
  const computed = () => sources()?.['']?.sequence;
  return { session, open, times, said, orders, computed, sources, counted: () => counted };
}

describe.skipIf(!HAS_NATS)('the ownership of a partition', () => {
  test('events that are wanted before it is open wait for the past of their track', async () => {
    const { session, open, times } = await takeOver(RECORDS, () => []);
    const loading = session.load(VEHICLE, () => -1);
    await session.open(open);
    await loading;
    expect([...times].sort((a, b) => a - b)).toEqual(Array.from({ length: RECORDS }, (_, at) => at + 1));
    await session.close();
  });

  test('an ownership that is not opened loads nothing, and says so', async () => {
    const { session, open } = await takeOver(RECORDS, () => []);
    await open.close();
    const loading = session.load(VEHICLE, () => -1);
    await expect(session.open(open)).rejects.toThrow();
    await expect(loading).rejects.toThrow();
  });

  test('an ownership that ends before it is open leaves how far positions were computed', async () => {
    const { session, open, computed } = await takeOver(RECORDS, () => []);
    const opening = session.open(open);
    await session.close();
    await opening.catch(() => undefined);
    expect(computed()).toBe(RECORDS);
  });

  test('the past begins earlier by what clocks of devices may be ahead', async () => {
    const HOUR = 3_600_000;
    for (const [clockLimit, count] of [
      [0, 1],
      [24 * HOUR, RECORDS],
    ] as const) {
      const { session, open, times } = await takeOver(RECORDS, () => [], clockLimit);
      await session.open(open);
      // A state that is dated two hours ahead of the arrival of its record.
      await session.load(VEHICLE, () => Date.now() + 2 * HOUR);
      expect(times.size).toBe(count);
      await session.close();
    }
  });

  test('events that could not be stored are computed again', async () => {
    let failures = 2;
    const { session, open, orders, computed, sources, counted } = await takeOver(0, () =>
      failures-- > 0 ? [VEHICLE] : [],
    );
    await session.open(open);
    const running = session.run();
    await eventually(() => expect(orders.length).toBeGreaterThanOrEqual(3));
    await session.close();
    await running;
    expect([computed(), counted()]).toEqual([RECORDS, RECORDS]);
    expect(sources()).toMatchObject({ 'depot-1': OF_DEPOT });
  });

  test('positions whose events were not stored are left to the next owner', async () => {
    const owned = await takeOver(0, () => {
      owned.session.fail(new Error('Another worker owns it.'));
      return [];
    });
    const { session, open, computed } = owned;
    await session.open(open);
    await expect(session.run()).rejects.toThrow('Another worker owns it.');
    await session.close();
    expect(computed()).toBe(0);
  });

  test('a vehicle whose events fail each time does not hold up its partition', async () => {
    const { session, open, said, computed } = await takeOver(0, () => [VEHICLE]);
    await session.open(open);
    const running = session.run();
    await eventually(() => expect(said.join()).toMatch(/vehicles 8 could not be worked out/));
    await session.close();
    await running;
    expect(computed()).toBeGreaterThan(0);
  });
});
