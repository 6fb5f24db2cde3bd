import { DECODERS, type DecoderName } from './decoders/index.ts';
import { listenForDevices, type DeviceGateway, type Listener } from './listeners/tcp-listener.ts';
import { listenForRequests } from './listeners/http-listener.ts';
import { AprsClient, type AprsServer } from './listeners/aprs-client.ts';
import type { Telemetry } from './telemetry.ts';

/** The port of each protocol; null: closed, 0: any free one. */
export type DevicePorts = Readonly<Record<DecoderName, number | null>>;

/** The vehicle of a device, by IMEI or device number. */
type FindDevice = (device: string) => { id: number; glonassId: number; password: string } | undefined;

export interface DeviceListeners {
  /** The ports that are open, by protocol. */
  readonly ports: Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Opens the ports that are set for devices that report to this station, and follows a server of APRS-IS. */
export async function openDeviceListeners(
  telemetry: Telemetry,
  find: FindDevice,
  ports: DevicePorts,
  host: string,
  now: () => number,
  connected: NonNullable<DeviceGateway['connected']>,
  server: AprsServer | undefined,
): Promise<DeviceListeners> {
  const gateway: DeviceGateway = {
    connected,
    find,
    now,
    ingest: (records, source, sender) => telemetry.ingest(records, source, undefined, sender),
    ingestOne: (record, source, waits, sender) => telemetry.ingestOne(record, source, waits, sender),
    quarantine: (faults, source, device, sender) => telemetry.quarantine(faults, source, device, sender),
    unknown: (device) => telemetry.countUnknown(device),
    datagramsDropped: (counts, source) => telemetry.countDroppedDatagrams(counts, source),
  };
  const listeners = await listenOnPorts(gateway, ports, host);
  const client = server && new AprsClient(gateway, server);
  return { ...listeners, close: async () => void (await Promise.all([client?.close(), listeners.close()])) };
}

/** Opens the ports that are set. If one cannot be opened, closes the others and throws. */
export async function listenOnPorts(
  gateway: DeviceGateway,
  ports: DevicePorts,
  host: string,
): Promise<DeviceListeners> {
  const open: Record<string, Listener> = {};
  const close = async () => {
    await Promise.all(Object.values(open).map((listener) => listener.close()));
  };
  try {
    for (const decoder of DECODERS) {
      const port = ports[decoder.name];
      if (port === null) continue;
      const at = { host, port };
      open[decoder.name] = await (decoder.transport === 'http'
        ? listenForRequests(decoder, gateway, at)
        : listenForDevices(decoder, gateway, at));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { ports: Object.fromEntries(Object.entries(open).map(([name, { port }]) => [name, port])), close };
}
