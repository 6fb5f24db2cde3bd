import { join } from 'node:path';
import { reason } from '../../../shared/refusals/reason.ts';
import { InvalidSetting, type StationConfig } from '../../config/index.ts';
import { EventWorker } from '../../tracking/event-workers/index.ts';
import { partitionOf, RegionConnection } from '../../replication/nats/index.ts';
import { openOrClose } from '../../platform/close-stack.ts';
import { Replication } from '../../replication/sync/index.ts';
import { RegionReplication } from '../../replication/sync/region/index.ts';
import { openTerritory, TERRITORY_FILES } from '../../geo/territory/index.ts';
import { openDispatch } from '../dispatch.ts';
import { openFoundation } from '../foundation.ts';
import { regionOptions } from './region-options.ts';
import { openTracking } from '../tracking.ts';
import { openWorkerStatus } from './worker-status.ts';

/**
 * Computes events for the stations of a region: a copy of their records, positions of the partitions that
 * this worker owns, and the computation of a station. It has no interface and writes no record of its own.
 */
export function openEventWorker(config: StationConfig) {
  if (config['nats.servers'].length === 0)
    throw new InvalidSetting('A worker needs the servers of its region: set --nats-servers.');
  const partitions = config['nats.partitions'] ?? [];
  if (partitions.length === 0) throw new InvalidSetting('A worker without partitions has no work: set --partitions.');
  return openOrClose(async (stack) => {
    const foundation = stack.use(await openFoundation(config, { readsOnly: reason('workers.readsOnly') }));
    const { store, now, log } = foundation;
    const logger = log.logger('region');
    const dispatch = stack.use(await openDispatch(foundation));
    const { fleet, files } = dispatch;
    const connection = stack.use(new RegionConnection({ ...regionOptions(config), log: logger }));
    const worker = new EventWorker({
      ...{ connection, store, partitions, now },
      depots: config['nats.depots'],
      clockLimit: config['telemetry.futureLimit'] * 1000,
      log: logger,
    });
    const tracking = stack.use(await openTracking(foundation, dispatch, worker));
    // Closed before the rooms that it uses, and before the connection.
    stack.use(worker);
    const { name, host, 'worker.port': port } = config;
    const { events } = tracking;
    const status =
      port === null ? undefined : stack.use(await openWorkerStatus({ name, host, port, connection, worker, events }));
    const territory = stack.use(
      await openTerritory(join(config.data, 'territory'), {
        now,
        onDamage: (damaged) => logger.error(`Files of the territory are damaged: ${damaged.join(', ')}.`),
      }),
    );
    const useLimits = async (directory: string | undefined) => {
      if (directory !== undefined)
        await tracking.limits.switchTo(
          directory.slice(directory.lastIndexOf('/') + 1),
          join(directory, TERRITORY_FILES.limits),
        );
    };
    await useLimits(territory.directory);
    stack.defer(territory.onSwitch(useLimits));
    const replication = stack.use(
      new Replication({
        ...{ store, files, states: fleet.states, now },
        links: () => [],
        warn: (message) => logger.warn(message),
      }),
    );
    const region = stack.use(
      new RegionReplication({
        ...{ store, connection, now },
        refused: replication.refused,
        readsOnly: true,
        mayRenumber: () => false,
        own: () => ({ id: store.stationId, number: store.stationNumber, name: config.name }),
        blobs: files.blobs,
        pendingFiles: () => 0,
        heard: () => undefined,
        log: logger,
      }),
    );
    region.start();
    worker.start({
      telemetry: tracking.telemetry,
      events: tracking.events,
      hasVehicle: (id) => fleet.organizationOf(id) !== undefined,
      vehicles: (partition) => fleet.all().flatMap(({ id }) => (partitionOf(id) === partition ? [id] : [])),
      wasFilled: () => region.wasFilled,
    });
    return { worker, statusPort: status?.port };
  });
}
