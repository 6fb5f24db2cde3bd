import type { Metrics } from '../../http/app/metrics.ts';
import type { RegionConnection } from '../../replication/nats/index.ts';
import type { RegionGateway } from '../../tracking/telemetry/gateway.ts';
import { openProgramStatus } from './program-status.ts';

interface GatewayStatusOptions {
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly connection: RegionConnection;
  readonly gateway: RegionGateway;
  /** Whether the ports for trackers are open. */
  isListening(): boolean;
}

/** Says how a gateway is; it is ready while trackers should come to it. It names no vehicle and no tracker. */
export function openGatewayStatus(options: GatewayStatusOptions) {
  const { host, port, name, connection, gateway, isListening } = options;
  return openProgramStatus({
    ...{ host, port, connection },
    problems: () => [
      ...(gateway.problem === undefined ? [] : [{ code: 'region.refused', text: gateway.problem }]),
      ...(isListening() ? [] : [{ code: 'gateway.waiting', text: 'The ports for trackers are not open yet.' }]),
    ],
    about: () => ({ gateway: { name, region: connection.options.region, vehicles: gateway.vehicles } }),
    isReady: isListening,
    addMetrics: (metrics) => gatewayMetrics(metrics, options),
  });
}

function gatewayMetrics(metrics: Metrics, { gateway, isListening }: GatewayStatusOptions): void {
  const { counts } = gateway;
  metrics.gauge('waypost_gateway_listening', 'Whether the ports for trackers are open: 1 or 0.', () =>
    Number(isListening()),
  );
  metrics.gauge('waypost_gateway_vehicles', 'Vehicles of the region that the gateway knows.', () => gateway.vehicles);
  metrics.gauge(
    'waypost_gateway_packets_waiting',
    'Packets that the servers have not stored yet.',
    () => gateway.underWay,
  );
  metrics.counters('waypost_gateway_packets_total', 'Packets of trackers, by outcome.', () => [
    { labels: { result: 'stored' }, value: counts.stored },
    { labels: { result: 'failed' }, value: counts.failed },
  ]);
  metrics.counters('waypost_gateway_unknown_total', 'Logins of trackers that no vehicle carries.', () => [
    { labels: {}, value: counts.unknown },
  ]);
  metrics.counters('waypost_gateway_datagrams_dropped_total', 'Datagrams that were dropped.', () => [
    { labels: {}, value: counts.datagramsDropped },
  ]);
}
