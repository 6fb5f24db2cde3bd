import type { EventWorker } from '../../tracking/event-workers/index.ts';
import type { Events } from '../../tracking/events/index.ts';
import type { Metrics } from '../../http/app/metrics.ts';
import type { RegionConnection } from '../../replication/nats/index.ts';
import { openProgramStatus } from './program-status.ts';

interface WorkerStatusOptions {
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly connection: RegionConnection;
  readonly worker: EventWorker;
  readonly events: Pick<Events, 'waiting'>;
}

/**
 * Says how an event worker is; it is ready when it has the records of the region and takes partitions. One that other
 * workers leave nothing to is ready, too.
 */
export function openWorkerStatus({ host, port, name, connection, worker, events }: WorkerStatusOptions) {
  return openProgramStatus({
    ...{ host, port, connection },
    problems: () => (worker.problem === undefined ? [] : [{ code: 'worker.waiting', text: worker.problem }]),
    about: () => ({ worker: { name, region: connection.options.region, partitions: worker.partitions } }),
    isReady: () => worker.problem === undefined,
    addMetrics: (metrics) => workerMetrics(metrics, worker, events),
  });
}

function workerMetrics(metrics: Metrics, worker: EventWorker, events: Pick<Events, 'waiting'>): void {
  const { counts } = worker;
  metrics.gauge('waypost_worker_partitions', 'Partitions that this worker processes.', () => worker.partitions.length);
  metrics.gauge('waypost_worker_vehicles_waiting', 'Vehicles whose events wait to be computed.', () => events.waiting);
  metrics.counters('waypost_worker_partitions_total', 'Partitions, by outcome.', () => [
    { labels: { result: 'taken' }, value: counts.taken },
    { labels: { result: 'lost' }, value: counts.lost },
  ]);
  metrics.counters('waypost_worker_entries_total', 'Entries of positions whose events are stored.', () => [
    { labels: {}, value: counts.entries },
  ]);
}
