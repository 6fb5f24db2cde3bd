import { egts } from './decoders/egts.ts';
import { teltonika } from './decoders/teltonika.ts';
import { wialon } from './decoders/wialon.ts';
import { listenForDevices, type DeviceGateway, type Listener } from './listeners/tcp-listener.ts';
import { listenForOsmand } from './listeners/http-listener.ts';
import type { Telemetry } from './telemetry.ts';

/** Ports of the ways in besides `POST /telemetry`; null is off, 0 takes a free one. */
export interface DevicePorts {
  readonly osmand: number | null;
  readonly wialon: number | null;
  readonly teltonika: number | null;
  readonly egts: number | null;
}

/** A vehicle by what its device calls itself: an IMEI, or the number of the unit. */
type FindDevice = (device: string) => { id: number; glonassId: number; password: string } | undefined;

export interface DeviceListeners {
  /** The ports that are open, by protocol. */
  readonly ports: Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Opens the ways in that are set. When one port cannot be had, none is kept. */
export async function openDeviceListeners(
  telemetry: Telemetry,
  find: FindDevice,
  ports: DevicePorts,
  host: string,
  now: () => number,
): Promise<DeviceListeners> {
  const gateway: DeviceGateway = {
    find,
    now,
    ingest: (records, source, sender) => telemetry.ingest(records, source, undefined, sender),
    ingestOne: (record, source, waits, sender) => telemetry.ingestOne(record, source, waits, sender),
    quarantine: (faults, source, device, sender) => telemetry.quarantine(faults, source, device, sender),
    unknown: (device) => telemetry.countUnknown(device),
    datagramsDropped: (counts, source) => telemetry.countDroppedDatagrams(counts, source),
  };
  const open: Record<string, Listener> = {};
  const close = async () => {
    await Promise.all(Object.values(open).map((listener) => listener.close()));
  };
  try {
    for (const decoder of [wialon, teltonika, egts]) {
      const port = ports[decoder.name as keyof DevicePorts];
      if (port !== null) open[decoder.name] = await listenForDevices(decoder, gateway, { host, port });
    }
    if (ports.osmand !== null) open['osmand'] = await listenForOsmand(gateway, { host, port: ports.osmand });
  } catch (error) {
    await close();
    throw error;
  }
  return { ports: Object.fromEntries(Object.entries(open).map(([name, { port }]) => [name, port])), close };
}
