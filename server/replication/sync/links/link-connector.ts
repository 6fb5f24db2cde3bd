import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { Refusal } from '../../../../shared/refusal.ts';
import { reason, sentenceOf, type Reason } from '../../../../shared/refusals/reason.ts';
import type { Channel, LinkedStation } from '../types.ts';
import { CUT, PAUSED } from './close-reasons.ts';
import { LinkConnection, type ConnectionTimings } from './connection/connection.ts';
import { exchangeHellos, HelloRefused } from './connection/hello-exchange.ts';
import { clocksDiffer, MOST_CLOCK_DIFFERENCE, PROTOCOL, SCHEMA } from './connection/hello.ts';
import { type Hello, LinkedStations, sentSettings, SettingsChanged } from './connection/wire.ts';
import { dial, DialRefused, stationAddress } from './dialling/dial.ts';
import { Dialler, type DialOutcome } from './dialling/dialler.ts';
import { SAME_TIME, whichStays } from './dialling/which-connection.ts';
import type { KnownStations } from './known-stations.ts';
import type { LinkTable } from './link-table.ts';
import type { LinksOptions } from './links-options.ts';
import type { LiveLink } from './live-link.ts';
import type { StandbyLinks } from './standby-links.ts';

/** ms between two writes of the last contact, and between two comparisons of the clocks. */
const CONTACT_INTERVAL = 30_000;

interface LinkConnectorOptions extends Pick<LinksOptions, 'store' | 'name' | 'version' | 'now' | 'log' | 'ids'> {
  readonly timings: ConnectionTimings;
  readonly table: LinkTable;
  /** By their ids. */
  readonly links: Map<number, LiveLink>;
  readonly known: KnownStations;
  readonly standby: StandbyLinks;
  /** This station. */
  own(): LinkedStation;
  /** Where others reach this station; null: nowhere. */
  ownAddress(localAddress: string | undefined, isLoopback: boolean): string | null;
  /** Whether the ports are open. */
  isListening(): boolean;
  /** Called for each new connection, and when a link or a state changes. */
  connected(channel: Channel): void;
  changed(): void;
  report(error: unknown): void;
}

/** Connects the links: dials, introduces the stations, keeps one connection for each link, and learns of its end. */
export class LinkConnector {
  readonly #options: LinkConnectorOptions;
  readonly #diallers = new Map<number, Dialler>();
  #isClosed = false;

  constructor(options: LinkConnectorOptions) {
    this.#options = options;
  }

  /** Begins to dial the link whenever it should have a connection and has none. */
  add(link: LiveLink): void {
    this.#diallers.get(link.id)?.close();
    const dialler = new Dialler({
      isWanted: () =>
        !this.#isClosed &&
        this.#options.isListening() &&
        link.addresses.length > 0 &&
        link.row.cut !== 'there' &&
        !link.settings.paused &&
        !link.isConnected,
      dial: () => this.#dial(link),
    });
    this.#diallers.set(link.id, dialler);
  }

  dialNow(id: number): void {
    this.#diallers.get(id)?.dialNow();
  }

  dialAll(): void {
    for (const dialler of this.#diallers.values()) dialler.dialNow();
  }

  /** Stops dialling and accepting connections. */
  close(): void {
    this.#isClosed = true;
    for (const dialler of this.#diallers.values()) dialler.close();
  }

  /** Removes the link. */
  async forget(id: number): Promise<void> {
    this.#diallers.get(id)?.close();
    this.#diallers.delete(id);
    this.#options.links.delete(id);
    await this.#options.table.remove(id);
  }

  /** Tries each address. The first failure is the one that is shown. */
  async #dial(link: LiveLink): Promise<DialOutcome> {
    let first: unknown;
    for (const address of link.addresses) {
      try {
        const { socket, raw, renewed } = await dial(new URL(address), {
          ownId: this.#options.own().id,
          keys: this.#options.table.keys,
          station: { id: link.station.id, publicKey: link.row.publicKey, fingerprint: link.row.fingerprint },
        });
        if (renewed !== undefined) await this.#renewed(link, renewed);
        return await this.introduce(link, socket, raw, 'us');
      } catch (error) {
        first ??= error;
      }
    }
    return this.#dialFailed(link, first);
  }

  /** The other station has a new certificate, and has signed it with its key. */
  async #renewed(link: LiveLink, fingerprint: string): Promise<void> {
    await this.#options.table.change(link.id, { fingerprint });
    this.#options.log.info(`${link.station.name} has a new certificate (${fingerprint}), signed with its own key.`);
  }

  async #dialFailed(link: LiveLink, error: unknown): Promise<DialOutcome> {
    const { message } = error as Error;
    if (!(error instanceof DialRefused)) {
      if (!(error instanceof Refusal)) this.#options.report(error);
      link.failed(message, error instanceof Refusal ? { code: error.code, params: error.params } : undefined);
      this.#options.changed();
      return { kind: 'failed', reason: message };
    }
    if (link.row.cut === 'here') {
      // The other station knows: it has no link, or does not want this one.
      if (error.refusal !== 'paused') await this.forget(link.id);
    } else if (error.refusal === 'cut') await this.#wasCut(link);
    else if (error.refusal === 'paused') link.isPausedThere = true;
    else this.#refused(link, REFUSED[error.refusal] ?? error.reason ?? message);
    this.#options.changed();
    return { kind: error.refusal === 'paused' ? 'paused' : 'refused' };
  }

  #refused(link: LiveLink, why: Reason | string): void {
    const text = typeof why === 'string' ? why : sentenceOf(why);
    if (link.refusal !== text) this.#options.log.warn(`The link with ${link.station.name} is refused. ${text}`);
    link.refuse(text, typeof why === 'string' ? undefined : why);
    this.#options.changed();
  }

  async #wasCut(link: LiveLink): Promise<void> {
    if (link.row.cut !== 'no') return;
    this.#options.log.warn(`${link.station.name} has cut the link.`);
    await this.#options.table.change(link.id, { cut: 'there' });
    link.connection?.close('The link was cut.');
    this.tellLinked();
    this.#options.changed();
  }

  /** The second half of the handshake: both send their identity and their features. Never rejects. */
  async introduce(link: LiveLink, socket: WebSocket, raw: Socket, dialledBy: 'us' | 'them'): Promise<DialOutcome> {
    const { timings, report } = this.#options;
    const connection = new LinkConnection(socket, raw, { link, timings, report });
    try {
      return await this.#introduce(link, connection, dialledBy);
    } catch (error) {
      // The list of links could not be written, as on a full disk.
      report(error);
      const { message } = error as Error;
      connection.close(message);
      return { kind: 'failed', reason: message };
    }
  }

  async #introduce(link: LiveLink, connection: LinkConnection, dialledBy: 'us' | 'them'): Promise<DialOutcome> {
    if (link.row.cut === 'here') {
      connection.close(CUT);
      await connection.closed;
      await this.forget(link.id);
      return { kind: 'unwanted' };
    }
    let hello: Hello;
    try {
      hello = await this.#exchangeHellos(link, connection);
    } catch (error) {
      const { message } = error as Error;
      // The words are on their way to the other station.
      await new Promise((resolve) => setImmediate(resolve));
      connection.close(message);
      if (error instanceof HelloRefused) {
        this.#refused(link, error.reason);
        return { kind: 'refused' };
      }
      if (message === CUT) await this.#wasCut(link);
      if (!link.isConnected) link.failed(message);
      this.#options.changed();
      return { kind: 'failed', reason: message };
    }
    if (!this.#claim(link, connection, dialledBy)) {
      connection.close('There is a connection already.');
      return { kind: 'unwanted' };
    }
    link.linkedWith = hello.linkedWith;
    connection.peer = { ...link.station, epoch: hello.epoch };
    this.#opened(link, connection, dialledBy);
    return { kind: 'connected' };
  }

  async #exchangeHellos(link: LiveLink, connection: LinkConnection): Promise<Hello> {
    const hello = await exchangeHellos(connection, this.#hello(link, connection), this.#options.now);
    await this.#options.ids.skip(hello.knownIds);
    const station = { id: link.station.id, number: hello.number, name: hello.name };
    await this.#options.known.learn(hello.stations, station);
    await this.#options.standby.receive(link, hello.settings, hello.leadership, {
      station,
      ...(!link.row.isAddressGiven && { address: addressTold(hello.address) }),
    });
    return hello;
  }

  #hello(link: LiveLink, { local }: LinkConnection): Hello {
    const { store, name, version, now } = this.#options;
    const { ownAddress } = link.row;
    return {
      protocol: PROTOCOL,
      version,
      schema: { ...SCHEMA },
      number: store.stationNumber,
      name,
      epoch: store.feed.epoch,
      clock: now(),
      address:
        ownAddress === 'auto'
          ? this.#options.ownAddress(local.address, local.isLoopback)
          : ownAddress === 'none'
            ? null
            : ownAddress,
      settings: sentSettings(link.settings),
      leadership: this.#options.standby.sent(link),
      knownIds: this.#options.ids.of(link.station.number),
      stations: [...this.#options.known.all()],
      linkedWith: this.#linkedWith(),
    };
  }

  /** Ids of the stations with which this one has links that nobody has cut. */
  #linkedWith(): string[] {
    return [...this.#options.links.values()].filter(({ row }) => row.cut === 'no').map(({ station }) => station.id);
  }

  /** Sends the list of links to the linked stations: a link was made or cut. */
  tellLinked(): void {
    const body = { linkedWith: this.#linkedWith(), stations: [...this.#options.known.all()] };
    for (const { connection } of this.#options.links.values()) connection?.notify('link.stations', body);
  }

  /** Whether the link uses this connection. A former one is then closed. */
  #claim(link: LiveLink, connection: LinkConnection, dialledBy: 'us' | 'them'): boolean {
    if (connection.isClosed || this.#isClosed || link.row.cut !== 'no' || link.settings.paused) return false;
    // Paired again meanwhile.
    if (this.#options.links.get(link.id) !== link) return false;
    const current = link.connection;
    if (!current || current.isClosed) return true;
    const older = { age: connection.openedAt - current.openedAt, dialledBy: link.dialledBy };
    const numbers = { ours: this.#options.own().number, theirs: link.station.number };
    if (whichStays(older, { dialledBy }, numbers) === 'older') return false;
    current.close('Replaced by a newer connection.');
    return true;
  }

  #opened(link: LiveLink, connection: LinkConnection, dialledBy: 'us' | 'them'): void {
    const { now, log } = this.#options;
    link.connected(connection, dialledBy, now());
    this.#inBackground(this.#options.table.change(link.id, { dialledBy, lastContact: link.lastContact }));
    log.info(`Connected with ${link.station.name}.`);
    connection.onNotify('link.settings', (body) => {
      const { leadership, ...settings } = SettingsChanged.parse(body);
      this.#inBackground(this.#options.standby.receive(link, settings, leadership));
      link.settingsChanged();
      this.#options.changed();
    });
    connection.onNotify('link.stations', (body) => {
      const { linkedWith, stations } = LinkedStations.parse(body);
      link.linkedWith = linkedWith;
      this.#inBackground(this.#options.known.learn(stations));
      this.#options.changed();
    });
    connection.onNotify('link.clock', (clock) => this.#compareClocks(link, connection, Number(clock)));
    const contacts = setInterval(() => {
      connection.notify('link.clock', now());
      this.#inBackground(this.#options.table.change(link.id, { lastContact: now() }));
    }, CONTACT_INTERVAL);
    const lasting = setTimeout(() => this.#diallers.get(link.id)?.lasted(), SAME_TIME);
    const closed = connection.closed.then(async () => {
      clearInterval(contacts);
      clearTimeout(lasting);
      if (connection.closeReason === CUT) await this.#wasCut(link);
      if (link.connection === connection) this.#closed(link, connection);
    });
    this.#inBackground(closed);
    this.#options.connected(connection);
    this.#options.changed();
  }

  /** Reports a rejection, as of a write on a full disk. */
  #inBackground(work: Promise<unknown>): void {
    work.catch(this.#options.report);
  }

  #closed(link: LiveLink, { closeReason, closeRefusal }: LinkConnection): void {
    const text = closeReason || sentenceOf(reason('sync.brokeOff'));
    link.disconnected(text, this.#options.now(), closeRefusal);
    if (link.settings.standby) this.#options.standby.save(link);
    link.isPausedThere = closeReason === PAUSED && !link.settings.paused;
    this.#options.log.info(`Disconnected from ${link.station.name}: ${text}`);
    if (link.row.cut !== 'there') this.#diallers.get(link.id)?.lost(text);
    this.#options.changed();
  }

  /** A clock may be set while the connection is open. */
  #compareClocks(link: LiveLink, connection: LinkConnection, clock: number): void {
    const now = this.#options.now();
    if (!(Math.abs(clock - now) > MOST_CLOCK_DIFFERENCE)) return;
    const why = clocksDiffer({ name: this.#options.own().name, clock: now }, { name: link.station.name, clock });
    connection.close(sentenceOf(reason('sync.clocksTooMuch')));
    this.#refused(link, why);
  }
}

const REFUSED: Partial<Record<DialRefused['refusal'], Reason>> = {
  unknown: reason('sync.unknownLink'),
  forged: reason('sync.wrongKey'),
};

/** The address that another station gives; null: it may not be dialled. */
function addressTold(address: string | null): string | null {
  try {
    return address === null ? null : stationAddress(address).origin;
  } catch {
    return null;
  }
}
