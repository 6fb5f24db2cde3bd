import { Bonjour, type Service } from 'bonjour-service';
import { readAnnouncement, SERVICE_TYPE } from '../../server/platform/station-announcement.ts';
import type { StationNearby } from './states.ts';

/** ms between two questions to the network while a person looks at the list. */
const INTERVAL = 10_000;

interface BrowseOptions {
  /** For tests: the network interface, and a port of its own. */
  readonly multicast?: { readonly interface: string; readonly port: number };
}

/**
 * Browses for stations on the local network (multicast DNS) and publishes nothing. Calls `changed` with all
 * stations found. Returns the stop function. Without multicast nothing is found.
 */
export function browseStations(
  changed: (nearby: readonly StationNearby[]) => void,
  { multicast }: BrowseOptions = {},
): () => void {
  const found = new Map<string, StationNearby>();
  const ignore = (): void => undefined;
  const bonjour = new Bonjour({ ...multicast, bind: '0.0.0.0' } as object, ignore);
  // The library does not listen to errors of its socket, such as a port that is taken.
  (bonjour as unknown as WithSocket).server.mdns.on('error', ignore);
  const browser = bonjour.find({ type: SERVICE_TYPE });
  const add = (service: Service): void => {
    const station = readAnnouncement(service);
    if (!station) return;
    const { name, address, fingerprint } = station;
    found.set(service.name, { name, address, fingerprint });
    changed([...found.values()]);
  };
  browser.on('up', add);
  browser.on('txt-update', add);
  browser.on('srv-update', add);
  browser.on('down', (service: Service) => found.delete(service.name) && changed([...found.values()]));
  const timer = setInterval(() => {
    browser.expire();
    browser.update();
  }, INTERVAL);
  timer.unref();
  return () => {
    clearInterval(timer);
    browser.stop();
    bonjour.destroy();
  };
}

interface WithSocket {
  readonly server: { readonly mdns: { on(event: 'error', listener: (error: unknown) => void): void } };
}
