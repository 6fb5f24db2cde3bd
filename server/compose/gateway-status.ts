import type { IncomingMessage, ServerResponse } from 'node:http';
import { Metrics } from '../http/app/metrics.ts';
import { listen } from '../http/listener/listen.ts';
import type { RegionConnection } from '../nats/index.ts';
import { VERSION } from '../platform/program.ts';
import type { RegionGateway } from '../telemetry/gateway.ts';

interface GatewayStatusOptions {
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly connection: RegionConnection;
  readonly gateway: RegionGateway;
  /** Whether the ports for trackers are open. */
  isListening(): boolean;
}

interface Answer {
  readonly status: number;
  readonly type: 'application/json' | 'text/plain; version=0.0.4';
  readonly body: string;
}

/**
 * Answers how a gateway is: `/health` with 200 as long as it runs, since a restart mends no server; `/ready` with 503
 * while trackers had better go to another gateway; `/metrics` for Prometheus. It names no vehicle and no tracker.
 */
export async function openGatewayStatus(options: GatewayStatusOptions) {
  const metrics = new Metrics();
  gatewayMetrics(metrics, options);
  const stopWatching = metrics.watchProcess();
  const answers: Record<string, () => Answer | Promise<Answer>> = {
    '/health': () => json(200, health(options)),
    '/ready': () => json(isReady(options) ? 200 : 503, { ready: isReady(options) }),
    '/metrics': async () => ({ status: 200, type: 'text/plain; version=0.0.4', body: await metrics.text() }),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const began = performance.now();
    const path = (request.url ?? '').split('?')[0]!;
    const isKnown = Object.hasOwn(answers, path);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { status, type, body } =
      isKnown && isRead ? await answers[path]!() : json(isKnown ? 405 : 404, { error: isKnown ? 'method' : 'path' });
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : body);
    const method = isRead ? request.method! : 'other';
    metrics.answered(method, isKnown ? path : 'other', status, (performance.now() - began) / 1000);
  };
  try {
    const { port, stop } = await listen((request, response) => {
      answer(request, response).catch(() => response.destroy());
    }, options);
    return {
      port,
      close: () => {
        stopWatching();
        return stop();
      },
    };
  } catch (error) {
    stopWatching();
    throw error;
  }
}

function health(options: GatewayStatusOptions) {
  const { name, connection, gateway } = options;
  const { isConnected, problem } = connection.state;
  const problems = [
    ...(isConnected ? [] : [{ code: 'region.away', text: `No server of the region answers: ${problem}` }]),
    ...(gateway.problem === undefined ? [] : [{ code: 'region.refused', text: gateway.problem }]),
    ...(options.isListening() ? [] : [{ code: 'gateway.waiting', text: 'The ports for trackers are not open yet.' }]),
  ];
  return {
    status: problems.length === 0 ? 'ok' : 'degraded',
    problems,
    version: VERSION,
    gateway: { name, region: connection.options.region, vehicles: gateway.vehicles },
  };
}

function isReady({ connection, isListening }: GatewayStatusOptions): boolean {
  return connection.state.isConnected && isListening();
}

function gatewayMetrics(metrics: Metrics, options: GatewayStatusOptions): void {
  const { connection, gateway } = options;
  const { counts } = gateway;
  metrics.gauge('waypost_region_connected', 'Whether a server of the region answers: 1 or 0.', () =>
    Number(connection.state.isConnected),
  );
  metrics.gauge('waypost_gateway_listening', 'Whether the ports for trackers are open: 1 or 0.', () =>
    Number(options.isListening()),
  );
  metrics.gauge('waypost_gateway_vehicles', 'Vehicles of the region that it knows.', () => gateway.vehicles);
  metrics.gauge(
    'waypost_gateway_packets_waiting',
    'Packets that the servers have not stored yet.',
    () => gateway.underWay,
  );
  metrics.counters('waypost_gateway_packets_total', 'Packets of trackers, by what became of them.', () => [
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

function json(status: number, body: object): Answer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}
