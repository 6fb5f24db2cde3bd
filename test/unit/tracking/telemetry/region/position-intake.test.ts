import { setTimeout as wait } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { RegionConnection } from '../../../../../server/replication/nats/index.ts';
import { PositionIntake } from '../../../../../server/tracking/telemetry/region/index.ts';
import { packPositions } from '../../../../../server/tracking/telemetry/region/position-entry.ts';
import { eventually } from '../../../../support/eventually.ts';
import { HAS_NATS, NatsServers } from '../../../../support/nats-servers.ts';

const SLOW_DISK = 300;

test.skipIf(!HAS_NATS)('an entry under way is confirmed before the intake closes', async () => {
  const servers = await NatsServers.start();
  const log = { info: () => undefined, warn: () => undefined };
  const region = { servers: servers.addresses, region: 'r', credentials: undefined, authority: undefined };
  const connection = new RegionConnection({ ...region, replicas: 1, name: 'test', log });
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const stored = async () => {
    begin();
    await wait(SLOW_DISK);
    return { accepted: 1, duplicates: 0, quarantined: [] };
  };
  const intake = new PositionIntake({
    ...{
      connection,
      log,
      stationId: 's',
      partitions: [0],
      onlyNow: false,
      hasVehicle: () => true,
      mayTake: () => true,
    },
    telemetry: { ingest: stored, quarantine: () => expect.unreachable(), countUnknown: () => undefined },
  });
  const observer = await connect({ servers: [...servers.addresses] });
  try {
    const entry = packPositions({ kind: 'records', source: 'test', sender: 'test', records: [{ time: 1 }] });
    const manager = await jetstreamManager(observer);
    const { positionsStream, position } = {
      positionsStream: connection.subjects.positionsStream,
      position: connection.subjects.position(0),
    };
    const consumer = async () => (await manager.consumers.list(positionsStream).next())[0]!;
    await eventually(async () => expect(await consumer()).toBeDefined());
    observer.publish(position, entry);
    await begun;
    await intake.close();
    await connection.close();
    await eventually(async () => expect(await consumer()).toMatchObject({ num_ack_pending: 0, num_redelivered: 0 }));
  } finally {
    await observer.close();
    await intake.close();
    await connection.close();
    await servers.close();
  }
});

test.skipIf(!HAS_NATS)('it closes while it opens its readers', { timeout: 30_000 }, async () => {
  const servers = await NatsServers.start();
  const log = { info: () => undefined, warn: () => undefined };
  const region = { servers: servers.addresses, region: 'r', credentials: undefined, authority: undefined };
  const connection = new RegionConnection({ ...region, replicas: 1, name: 'test', log });
  await connection.connected(new AbortController().signal);
  try {
    for (let turns = 0; turns < 60; turns++) {
      const intake = new PositionIntake({
        ...{ connection, log, stationId: 's', partitions: [0, 1, 2, 3], onlyNow: false },
        ...{ hasVehicle: () => true, mayTake: () => true },
        telemetry: { ingest: () => expect.fail(), quarantine: () => expect.fail(), countUnknown: () => undefined },
      });
      await wait(turns / 2);
      await intake.close();
    }
  } finally {
    await connection.close();
    await servers.close();
  }
});
