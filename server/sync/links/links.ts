import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { WebSocketServer, type WebSocket } from 'ws';
import type { z } from 'zod';
import { COLLECTIONS } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { Emitter } from '../../platform/emitter.ts';
import type { Store } from '../../store/index.ts';
import type { Channel, LinkSettings, LinkedStation } from '../types.ts';
import { CONNECTION_TIMINGS, LinkConnection, type ConnectionTimings } from './connection.ts';
import { dial, DialRefused, PROOF_HEADER, REFUSAL_HEADER, stationAddress, type DialRefusal } from './dial.ts';
import { Dialler, type DialOutcome } from './dialler.ts';
import { LARGEST_MESSAGE } from './frames.ts';
import { Challenges, isSignedBy, signDial } from './handshake.ts';
import { KnownStations } from './known-stations.ts';
import { LinkTable, type LinkRow } from './link-table.ts';
import { LiveLink } from './live-link.ts';
import { isLoopbackAddress, Pairings, type Arrival } from './pairings.ts';
import type { Code, PairedStation } from './pairing.ts';
import {
  DialHeader,
  Hello,
  sentSettings,
  type PairingAnswer,
  type PairingOffer,
  type PairingProof,
  type PairingQuestion,
} from './wire.ts';

const PROTOCOL = 1;
/** ms that the clocks of two stations may differ. */
const MOST_CLOCK_DIFFERENCE = 5 * 60_000;
/** ms within which two connections count as dialled at the same time. */
const SAME_TIME = 5_000;
/** ms for the handshake after the WebSocket is open. */
const HELLO_TIMEOUT = 10_000;
/** ms between two writes of the last contact. */
const CONTACT_INTERVAL = 60_000;

export interface LinksOptions {
  readonly store: Store;
  /** Of this station. */
  readonly name: string;
  /** Of this program. */
  readonly version: string;
  /** Wall time in ms. */
  readonly now: () => number;
  readonly log: {
    info(message: string): void;
    warn(message: string): void;
    error(message: string, error?: unknown): void;
  };
  readonly timings?: Partial<ConnectionTimings> | undefined;
}

/** Where this station listens. */
export interface Listening {
  /** Host of the settings, which may be a wildcard. */
  readonly host: string;
  /** Address without TLS. */
  readonly plain: string;
  readonly secure: { readonly port: number; readonly fingerprint: string } | undefined;
}

export interface LinkOrder extends Partial<LinkSettings> {
  readonly address?: string | null | undefined;
}

/** The links of this station to others. */
export class Links {
  readonly #options: LinksOptions;
  readonly #timings: ConnectionTimings;
  readonly #table: LinkTable;
  readonly #links = new Map<number, LiveLink>();
  readonly #diallers = new Map<number, Dialler>();
  readonly #challenges = new Challenges();
  readonly #server: WebSocketServer;
  readonly #pairings: Pairings;
  readonly #connected: Emitter<[Channel]>;
  readonly #changed: Emitter<[]>;
  readonly known: KnownStations;
  #listening: Listening | undefined;
  #knownIds: (stationNumber: number) => Record<string, number> = () => ({});
  #isClosed = false;

  static async open(options: LinksOptions): Promise<Links> {
    return new Links(options, await LinkTable.open(options.store));
  }

  private constructor(options: LinksOptions, table: LinkTable) {
    this.#options = options;
    this.#timings = { ...CONNECTION_TIMINGS, ...options.timings };
    this.#table = table;
    const report = (error: unknown) => options.log.error('A bug: a link failed.', error);
    this.#connected = new Emitter(report);
    this.#changed = new Emitter(report);
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: LARGEST_MESSAGE + 4096,
      perMessageDeflate: { threshold: 256 },
    });
    this.known = new KnownStations(options.store, this.own);
    this.#pairings = new Pairings({
      own: () => this.#paired(),
      ownAddress: (localAddress, isLoopback) => this.#ownAddress(localAddress, isLoopback),
      known: this.known,
      now: options.now,
      renumber: (number) => this.#renumber(number),
      made: (link) => this.#made(link),
    });
    for (const row of table.all()) this.#add(row);
  }

  /** This station. */
  get own(): LinkedStation {
    const { store, name } = this.#options;
    return { id: store.stationId, number: store.stationNumber, name };
  }

  /** Begins to dial. Call it when the ports are open and the listeners of `onConnected` are there. */
  start(listening: Listening): void {
    this.#listening = listening;
    for (const dialler of this.#diallers.values()) dialler.dialNow();
  }

  /** Calls the listener for each new connection. Returns the unsubscribe function. */
  onConnected(listener: (channel: Channel) => void): () => void {
    return this.#connected.on(listener);
  }

  /** Calls the listener when a link is made, changed, cut, connected or disconnected. */
  onChange(listener: () => void): () => void {
    return this.#changed.on(listener);
  }

  /** Sets where the highest known ids of another station come from, by counter. They are told at handshakes. */
  tellKnownIds(knownIds: (stationNumber: number) => Record<string, number>): void {
    this.#knownIds = knownIds;
  }

  all(): readonly LiveLink[] {
    return [...this.#links.values()].filter(({ row }) => row.cut !== 'here');
  }

  demand(id: number): LiveLink {
    const link = this.#links.get(id);
    if (!link || link.row.cut === 'here') throw new Refusal('not-found', `There is no link ${id}.`);
    return link;
  }

  showCode(settings: LinkSettings): Code {
    return this.#pairings.showCode(settings);
  }

  /** Pairs with the station that shows the code. */
  async pair(order: {
    address: string;
    code: string;
    ownAddress: string | null | undefined;
    settings: LinkSettings;
  }): Promise<LiveLink> {
    const row = await this.#pairings.pair(order);
    return this.demand(row.id);
  }

  async change(id: number, { address, ...settings }: LinkOrder): Promise<LiveLink> {
    const link = this.demand(id);
    await this.#table.change(id, {
      settings: { ...link.row.settings, ...settings },
      ...(address !== undefined && { address: address === null ? null : stationAddress(address).origin }),
    });
    link.settingsChanged();
    link.connection?.notify('link.settings', link.settings);
    if (link.settings.paused) link.connection?.close('Paused by the other station.');
    else this.#diallers.get(id)?.dialNow();
    this.#changed.emit();
    return link;
  }

  /** Cuts the link: its keys are dead at once. The other station is told when it is there. */
  async cut(id: number): Promise<void> {
    const link = this.demand(id);
    if (link.row.cut === 'there') await this.#forget(id);
    else {
      await this.#table.change(id, { cut: 'here' });
      link.connection?.notify('link.cut', {});
      link.connection?.close('Cut by the other station.');
    }
    this.#options.log.info(`The link with ${link.station.name} was cut.`);
    this.#changed.emit();
  }

  /** A challenge for another station that wants to connect. */
  challenge(): string {
    return this.#challenges.give();
  }

  beginPairing(question: z.output<typeof PairingQuestion>): z.input<typeof PairingOffer> {
    return this.#pairings.begin(question);
  }

  finishPairing(
    proof: z.output<typeof PairingProof>,
    request: IncomingMessage,
  ): Promise<z.input<typeof PairingAnswer>> {
    return this.#pairings.finish(proof, arrivalOf(request));
  }

  /** Takes the connection of another station, or refuses it over HTTP. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const asked = dialOf(request);
    const link = asked && this.#links.get(this.#table.withStation(asked.from)?.id ?? -1);
    const { certificate, isLoopback } = arrivalOf(request);
    // The challenge is used up in any case.
    const isFresh = asked !== undefined && this.#challenges.use(asked.challenge);
    const isGenuine =
      isFresh &&
      link !== undefined &&
      asked.to === this.own.id &&
      asked.certificate === certificate &&
      (certificate !== '' || isLoopback) &&
      isSignedBy(link.row.publicKey, 'dialler', asked, asked.signature);
    if (asked && isFresh && !link)
      return refuse(socket, 401, 'unknown', 'This station has no link with you: it was cut here, or never made.');
    if (!isGenuine) return refuse(socket, 401, 'forged', 'The signature of this connection is not valid.');
    if (link.row.cut === 'here') return refuse(socket, 401, 'cut', 'This station has cut the link.');
    if (link.settings.paused) return refuse(socket, 409, 'paused', 'This station has paused the link.');
    const proof = signDial(this.#table.keys, 'listener', asked);
    const addProof = (headers: string[]) => void headers.push(`${PROOF_HEADER}: ${proof}`);
    this.#server.on('headers', addProof);
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      void this.#introduce(link, webSocket, socket as Socket, 'them');
    });
    this.#server.off('headers', addProof);
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const dialler of this.#diallers.values()) dialler.close();
    for (const link of this.#links.values()) link.connection?.terminate('The station stops.');
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #paired(): PairedStation {
    return {
      ...this.own,
      publicKey: this.#table.keys.publicKey,
      fingerprint: this.#listening?.secure?.fingerprint ?? '',
    };
  }

  #ownAddress(localAddress: string | undefined, isLoopback: boolean): string | null {
    const listening = this.#listening;
    if (!listening) return null;
    const { host, plain, secure } = listening;
    const isWildcard = host === '0.0.0.0' || host === '::';
    const name = isWildcard ? (localAddress ?? '').replace(/^::ffff:/, '') : host;
    if (isLoopbackAddress(name) || name === 'localhost') {
      if (!isLoopback) return null;
      return secure ? `https://${bracketed(name)}:${secure.port}` : plain;
    }
    return secure && name !== '' ? `https://${bracketed(name)}:${secure.port}` : null;
  }

  #renumber(number: number): Promise<void> {
    throw new Refusal(
      'invalid',
      `Both stations have the number ${this.own.number}. Give one of them another (free is ${number}) with the setting stationNumber, before its first start.`,
    );
  }

  async #made(made: Omit<LinkRow, 'id' | 'lastContact' | 'cut'>): Promise<LinkRow> {
    const row = await this.#table.put({ ...made, lastContact: this.#options.now(), cut: 'no' });
    await this.known.learn([], row.station);
    const existing = this.#links.get(row.id);
    existing?.connection?.close('The stations were paired again.');
    this.#diallers.get(row.id)?.close();
    this.#add(row);
    this.#options.log.info(`Linked with the station ${row.station.name}.`);
    if (row.dialledBy === 'us') this.#diallers.get(row.id)?.dialNow();
    this.#changed.emit();
    return row;
  }

  #add(row: LinkRow): void {
    const link = new LiveLink(this.#table, row);
    this.#links.set(row.id, link);
    this.#diallers.set(
      row.id,
      new Dialler({
        isWanted: () =>
          !this.#isClosed &&
          this.#listening !== undefined &&
          link.row.address !== null &&
          link.row.cut === 'no' &&
          !link.settings.paused &&
          !link.isConnected,
        dial: () => this.#dial(link),
      }),
    );
  }

  async #forget(id: number): Promise<void> {
    this.#diallers.get(id)?.close();
    this.#diallers.delete(id);
    this.#links.delete(id);
    await this.#table.remove(id);
  }

  async #dial(link: LiveLink): Promise<DialOutcome> {
    const { row } = link;
    try {
      const { socket, raw } = await dial(new URL(row.address!), {
        ownId: this.own.id,
        keys: this.#table.keys,
        station: { id: row.station.id, publicKey: row.publicKey, fingerprint: row.fingerprint },
      });
      return await this.#introduce(link, socket, raw, 'us');
    } catch (error) {
      return this.#dialFailed(link, error);
    }
  }

  #dialFailed(link: LiveLink, error: unknown): DialOutcome {
    const { message } = error as Error;
    if (!(error instanceof DialRefused)) {
      if (!(error instanceof Refusal)) this.#options.log.error('A bug: dialling a station failed.', error);
      link.failure = message;
      link.isPausedThere = false;
      this.#changed.emit();
      return { kind: 'failed', reason: message };
    }
    link.isPausedThere = error.refusal === 'paused';
    if (error.refusal === 'cut') void this.#wasCut(link);
    else if (error.refusal !== 'paused') this.#refused(link, REFUSED[error.refusal] ?? message);
    this.#changed.emit();
    return { kind: link.isPausedThere ? 'paused' : 'refused' };
  }

  #refused(link: LiveLink, why: string): void {
    if (link.refusal !== why) this.#options.log.warn(`The link with ${link.station.name}: ${why}`);
    link.refusal = why;
  }

  async #wasCut(link: LiveLink): Promise<void> {
    if (link.row.cut !== 'no') return;
    this.#options.log.warn(`${link.station.name} has cut the link.`);
    await this.#table.change(link.id, { cut: 'there' });
    link.connection?.close('The link was cut.');
    this.#changed.emit();
  }

  /** The second half of the handshake: both tell who they are and what they can. */
  async #introduce(link: LiveLink, socket: WebSocket, raw: Socket, dialledBy: 'us' | 'them'): Promise<DialOutcome> {
    const report = (error: unknown) => this.#options.log.error('A bug: a link failed.', error);
    const connection = new LinkConnection(socket, raw, { link, timings: this.#timings, report });
    try {
      const hello = await this.#exchangeHellos(link, connection);
      if (!this.#claim(link, connection, dialledBy)) {
        connection.close('There is a connection already.');
        return { kind: 'unwanted' };
      }
      connection.peer = { ...link.station, epoch: hello.epoch, knownIds: hello.knownIds };
    } catch (error) {
      const { message } = error as Error;
      // The words are on their way to the other station.
      await new Promise((resolve) => setImmediate(resolve));
      connection.close(message);
      if (error instanceof HelloRefused) {
        this.#refused(link, message);
        this.#changed.emit();
        return { kind: 'refused' };
      }
      link.failure = message;
      return { kind: 'failed', reason: message };
    }
    this.#opened(link, connection, dialledBy);
    return { kind: 'connected' };
  }

  async #exchangeHellos(link: LiveLink, connection: LinkConnection): Promise<Hello> {
    const theirs = new Promise<Hello>((resolve, reject) => {
      connection.handle('hello', (body) => {
        const { data, error } = Hello.safeParse(body);
        const refusal = error ? 'The other station speaks an unknown version of the link.' : this.#refusalOf(data);
        if (refusal !== undefined) {
          reject(new HelloRefused(refusal));
          throw new Refusal('conflict', refusal);
        }
        resolve(data!);
        return { body: {} };
      });
      void connection.closed.then(() => reject(new Error(connection.closeReason || 'It closed the connection.')));
    });
    theirs.catch(() => undefined);
    try {
      await connection.request('hello', this.#hello(link), { urgent: true, timeout: HELLO_TIMEOUT });
    } catch (error) {
      // Its own refusal says both sides.
      throw error instanceof Refusal && error.code === 'busy' ? new HelloRefused(error.message) : error;
    }
    const hello = await theirs;
    await this.known.learn(hello.stations, { id: link.station.id, number: hello.number, name: hello.name });
    await this.#table.change(link.id, {
      station: { id: link.station.id, number: hello.number, name: hello.name },
      theirSettings: hello.settings,
    });
    return hello;
  }

  #hello(link: LiveLink): Hello {
    const { store, name, version, now } = this.#options;
    return {
      protocol: PROTOCOL,
      version,
      schema: SCHEMA,
      number: store.stationNumber,
      name,
      epoch: store.feed.epoch,
      clock: now(),
      settings: sentSettings(link.settings),
      knownIds: this.#knownIds(link.station.number),
      stations: [...this.known.all()],
    };
  }

  /** Why the other station is refused, in words that hold on both sides; undefined: it is not. */
  #refusalOf(hello: Hello): string | undefined {
    const { now, version } = this.#options;
    const difference = newerOf(hello.schema);
    const names = [
      { name: this.own.name, version },
      { name: hello.name, version: hello.version },
    ];
    if (hello.protocol !== PROTOCOL || difference !== 'equal') {
      const [newer, older] = difference === 'mine' || hello.protocol < PROTOCOL ? names : names.toReversed();
      return `${newer!.name} has Waypost ${newer!.version}, whose records ${older!.name} with Waypost ${older!.version} does not know. Update ${older!.name}: nothing is lost meanwhile.`;
    }
    const ahead = hello.clock - now();
    if (Math.abs(ahead) > MOST_CLOCK_DIFFERENCE)
      return `The clocks differ by ${Math.round(Math.abs(ahead) / 60_000)} min: it is ${timeOf(now())} at ${this.own.name} and ${timeOf(hello.clock)} at ${hello.name}. The link goes on when both are right.`;
    if (hello.number === this.own.number)
      return `${this.own.name} and ${hello.name} have the same station number, ${hello.number}.`;
    return undefined;
  }

  /**
   * Whether this connection becomes the one of the link. Of two that were dialled at the same time, the one
   * dialled by the station with the lower number stays; else the newer one, since the other side has lost the
   * older.
   */
  #claim(link: LiveLink, connection: LinkConnection, dialledBy: 'us' | 'them'): boolean {
    if (connection.isClosed || this.#isClosed || link.row.cut !== 'no' || link.settings.paused) return false;
    const current = link.connection;
    if (current && !current.isClosed) {
      const winner = this.own.number < link.station.number ? 'us' : 'them';
      const isYoung = connection.openedAt - current.openedAt < SAME_TIME;
      if (isYoung && link.dialledBy !== dialledBy && link.dialledBy === winner) return false;
      current.close('Replaced by a newer connection.');
    }
    return true;
  }

  #opened(link: LiveLink, connection: LinkConnection, dialledBy: 'us' | 'them'): void {
    const { now, log } = this.#options;
    link.connection = connection;
    link.dialledBy = dialledBy;
    link.refusal = undefined;
    link.failure = undefined;
    link.isPausedThere = false;
    link.lastContact = now();
    void this.#table.change(link.id, { dialledBy, lastContact: link.lastContact });
    log.info(`Connected with ${link.station.name}.`);
    connection.onNotify('link.cut', () => void this.#wasCut(link));
    connection.onNotify('link.settings', (body) => {
      const settings = Hello.shape.settings.safeParse(body).data;
      if (!settings) return;
      void this.#table.change(link.id, { theirSettings: settings });
      link.settingsChanged();
    });
    const contacts = setInterval(() => {
      link.lastContact = now();
      void this.#table.change(link.id, { lastContact: link.lastContact });
    }, CONTACT_INTERVAL);
    const lasting = setTimeout(() => this.#diallers.get(link.id)?.lasted(), SAME_TIME);
    void connection.closed.then(() => {
      clearInterval(contacts);
      clearTimeout(lasting);
      if (link.connection !== connection) return;
      link.connection = undefined;
      link.failure = connection.closeReason || 'The connection broke off.';
      link.isPausedThere = connection.closeReason === 'Paused by the other station.';
      log.info(`Disconnected from ${link.station.name}: ${link.failure}`);
      this.#diallers.get(link.id)?.lost(link.failure);
      this.#changed.emit();
    });
    this.#connected.emit(connection);
    this.#changed.emit();
  }
}

const SCHEMA: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(COLLECTIONS).map(([name, { version }]) => [name, version]),
);

function newerOf(theirs: Readonly<Record<string, number>>): 'equal' | 'mine' | 'theirs' {
  const names = Object.keys({ ...SCHEMA, ...theirs });
  if (names.some((name) => (theirs[name] ?? -1) > (SCHEMA[name] ?? -1))) return 'theirs';
  return names.some((name) => (theirs[name] ?? -1) < (SCHEMA[name] ?? -1)) ? 'mine' : 'equal';
}

/** The other station, or this one, refuses the other after the handshake. */
class HelloRefused extends Error {}

const REFUSED: Partial<Record<DialRefused['refusal'], string>> = {
  unknown: 'The other station has no link with this one: it was cut there, or the station was made anew. Pair again.',
  forged: 'The other station does not accept the key of this one. Cut the link and pair again.',
};

function dialOf(request: IncomingMessage): z.output<typeof DialHeader> | undefined {
  const encoded = /^Waypost ([\w-]{1,4000})$/.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  try {
    return DialHeader.safeParse(JSON.parse(Buffer.from(encoded, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

function arrivalOf({ socket }: IncomingMessage): Arrival {
  const certificate =
    'getCertificate' in socket
      ? ((socket as TLSSocket).getCertificate() as { fingerprint256?: string } | null)?.fingerprint256
      : undefined;
  return { certificate: certificate ?? '', isLoopback: isLoopbackAddress(socket.remoteAddress) };
}

function refuse(socket: Duplex, status: 401 | 409, refusal: DialRefusal, body: string): void {
  socket.end(
    `HTTP/1.1 ${status} ${status === 401 ? 'Unauthorized' : 'Conflict'}\r\nConnection: close\r\n${REFUSAL_HEADER}: ${refusal}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function bracketed(name: string): string {
  return name.includes(':') ? `[${name}]` : name;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ') + ' UTC';
}
