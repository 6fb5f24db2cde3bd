import { Bonjour, type Service } from 'bonjour-service';
import { readAnnouncement, SERVICE_TYPE } from '../../../platform/station-announcement.ts';
import { Emitter } from '../../../platform/emitter.ts';
import type { LinkedStation } from '../types.ts';

/** ms between two questions to the network */
const INTERVAL = 60_000;
/** Bytes of one entry of a DNS text record. */
const LONGEST_TEXT = 200;

/** A station that was found on the local network. Anybody there can pretend to be one: pairing proves it. */
export interface NearbyStation extends LinkedStation {
  /** Such as `https://192.168.1.20:8443`. */
  readonly address: string;
  /** SHA-256 of its certificate, by its own announcement. */
  readonly fingerprint: string;
}

interface DiscoveryOptions {
  readonly own: LinkedStation;
  readonly port: number;
  readonly fingerprint: string;
  readonly warn: (message: string) => void;
  /** For tests: the network interface, and a port of its own. */
  readonly multicast?: { readonly interface: string; readonly port: number };
}

/** Names this station on the local network, and finds others (DNS-SD over multicast DNS, RFC 6763 and 6762). */
export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #bonjour: Bonjour;
  readonly #found = new Map<string, NearbyStation>();
  readonly #emitter = new Emitter<[NearbyStation]>();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    let isTold = false;
    const fail = (error: unknown): void => {
      if (isTold || this.#isClosed) return;
      isTold = true;
      options.warn(`Stations on this network cannot be found: ${(error as Error).message}`);
    };
    this.#bonjour = new Bonjour({ ...options.multicast, bind: '0.0.0.0' } as object, fail);
    // The library does not listen to errors of its socket, such as a port that is taken.
    (this.#bonjour as unknown as WithSocket).server.mdns.on('error', fail);
    const { own, port, fingerprint } = options;
    this.#bonjour.publish({
      name: own.id,
      type: SERVICE_TYPE,
      port,
      probe: false,
      txt: { id: own.id, number: String(own.number), name: cut(own.name), fp: fingerprint.replaceAll(':', '') },
    });
    const browser = this.#bonjour.find({ type: SERVICE_TYPE });
    browser.on('up', (service) => this.#add(service));
    browser.on('txt-update', (service) => this.#add(service));
    browser.on('srv-update', (service) => this.#add(service));
    browser.on('down', (service) => void this.#found.delete(service.name));
    this.#timer = setInterval(() => {
      browser.expire();
      browser.update();
    }, INTERVAL);
    this.#timer.unref();
  }

  /** The stations that answer at present. */
  all(): readonly NearbyStation[] {
    return [...this.#found.values()];
  }

  /** Calls the listener for each station that appears or changes. Returns the unsubscribe function. */
  onFound(listener: (station: NearbyStation) => void): () => void {
    return this.#emitter.on(listener);
  }

  /** Says goodbye to the network. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#emitter.clear();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 500);
      this.#bonjour.unpublishAll(() => this.#bonjour.destroy(() => (clearTimeout(timer), resolve())));
    });
  }

  #add(service: Service): void {
    const station = readAnnouncement(service);
    if (!station || station.id === this.#options.own.id || this.#isClosed) return;
    const known = this.#found.get(service.name);
    this.#found.set(service.name, station);
    if (JSON.stringify(known) !== JSON.stringify(station)) this.#emitter.emit(station);
  }
}

interface WithSocket {
  readonly server: { readonly mdns: { on(event: 'error', listener: (error: unknown) => void): void } };
}

function cut(name: string): string {
  return Buffer.from(name).subarray(0, LONGEST_TEXT).toString().replace(/�$/, '');
}
