import { devicePorts, InvalidSetting, type StationConfig } from '../../config/index.ts';
import { RegionConnection } from '../../replication/nats/index.ts';
import { openOrClose } from '../../platform/close-stack.ts';
import { listenOnPorts, RegionGateway } from '../../tracking/telemetry/gateway.ts';
import { openGatewayStatus } from './gateway-status.ts';
import { regionOptions } from './region-options.ts';

/**
 * Listens for trackers on behalf of the stations of a region. The ports open when the vehicles of the region are
 * known, that of its status at once; `isStopped`: the program was stopped before that.
 */
export function openGateway(config: StationConfig, stop: AbortSignal) {
  const ports = devicePorts(config);
  if (config['nats.servers'].length === 0)
    throw new InvalidSetting('A gateway needs the servers of its region: set --nats-servers.');
  if (Object.values(ports).every((port) => port === null))
    throw new InvalidSetting('A gateway needs a port for trackers, such as WAYPOST_WIALON_PORT.');
  const log = { info: say, warn: say };
  return openOrClose(async (stack) => {
    const connection = stack.use(new RegionConnection({ ...regionOptions(config), log }));
    const gateway = stack.use(
      new RegionGateway({ connection, depot: config['nats.depot'] ?? undefined, now: Date.now, log }),
    );
    let isListening = false;
    const { name, host, 'gateway.port': port } = config;
    const status =
      port === null
        ? undefined
        : stack.use(await openGatewayStatus({ name, host, port, connection, gateway, isListening: () => isListening }));
    const stopped = new Promise<'stopped'>((resolve) => {
      if (stop.aborted) resolve('stopped');
      else stop.addEventListener('abort', () => resolve('stopped'), { once: true });
    });
    const isStopped = (await Promise.race([gateway.ready, stopped])) === 'stopped';
    const listeners = isStopped ? undefined : stack.use(await listenOnPorts(gateway, ports, host));
    isListening = listeners !== undefined;
    return { gateway, ports: { ...listeners?.ports, ...(status && { status: status.port }) }, isStopped };
  });
}

function say(message: string): void {
  console.error(message);
}
