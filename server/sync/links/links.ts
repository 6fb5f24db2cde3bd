import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { reason, sentenceOf, type Reason } from '../../../shared/refusals/reason.ts';
import { CloseStack } from '../../platform/close-stack.ts';
import { Emitter } from '../../platform/emitter.ts';
import type { Store } from '../../store/index.ts';
import { Leadership } from '../standby/leadership.ts';
import type { Missing } from '../standby/link-leadership.ts';
import { requireWhole, StandbyLinks } from './standby-links.ts';
import type { Channel, LinkSettings, LinkedStation } from '../types.ts';
import { CONNECTION_TIMINGS, LinkConnection, type ConnectionTimings } from './connection/connection.ts';
import { arrivalOf, dialOf, dialFault, refuse } from './arriving-dials.ts';
import { dial, DialRefused, PROOF_HEADER, stationAddress } from './dialling/dial.ts';
import { Dialler, type DialOutcome } from './dialling/dialler.ts';
import { Discovery, type NearbyStation } from './discovery.ts';
import { LARGEST_MESSAGE } from './connection/frames.ts';
import { Challenges, signDial } from './connection/handshake.ts';
import { clocksDiffer, MOST_CLOCK_DIFFERENCE, PROTOCOL, SCHEMA } from './connection/hello.ts';
import { exchangeHellos, HelloRefused } from './connection/hello-exchange.ts';
import { KnownStations } from './known-stations.ts';
import { LinkTable, type LinkRow } from './link-table.ts';
import { LiveLink } from './live-link.ts';
import { ownAddress, type Listening } from './pairing/own-address.ts';
import { isLoopbackAddress } from '../../platform/networks.ts';
import { Pairings, type MadeLink, type PairingOrder } from './pairing/pairings.ts';
import type { Code, PairedStation } from './pairing/pairing.ts';
import { RefusedDials } from './dialling/refused-dials.ts';
import { SeedCounters } from './seed-counters.ts';
import { SAME_TIME, whichStays } from './dialling/which-connection.ts';
import { watchSurroundings } from './surroundings.ts';
import {
  isBehind,
  standbyState,
  stateOf,
  waitingKinds,
  waitingOf,
  type ObservedRegion,
  type SyncState,
} from './sync-state.ts';
import {
  type Hello,
  LinkedStations,
  SettingsChanged,
  sentSettings,
  type PairingAnswer,
  type PairingOffer,
  type PairingProof,
  type PairingQuestion,
} from './connection/wire.ts';

/** ms between two writes of the last contact, and between two comparisons of the clocks. */
const CONTACT_INTERVAL = 30_000;
/** ms between two looks at the states. */
const LOOK_INTERVAL = 1_000;
/** Close reasons with a meaning for programs. */
const PAUSED = sentenceOf(reason('sync.pausedThere'));
const CUT = sentenceOf(reason('sync.cutThere'));

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
  readonly ids: KnownIds;
  /** Default: read from the store. */
  readonly leadership?: Leadership;
  /** Ends the sessions of a fresh station that becomes a standby: its accounts are replaced. */
  readonly endSessions?: () => Promise<void>;
  /** Whether somebody could administer this station. */
  readonly hasAdministrator?: () => boolean;
}

/** Ids that stations gave out, by counter. Each side of a link sends those that it knows of the other one. */
export interface KnownIds {
  /** The highest ids of another station that this one knows. */
  of(stationNumber: number): Record<string, number>;
  /** Called with the ids of this station that another one knows, before replication with it begins. */
  skip(known: Readonly<Record<string, number>>): Promise<void>;
}

export interface LinkChange extends Partial<LinkSettings> {
  readonly address?: string | null;
}

/** The links of this station to others. `SPEC.md` has the rules. */
export class Links {
  readonly #options: LinksOptions;
  readonly #timings: ConnectionTimings;
  readonly #table: LinkTable;
  readonly #seeds: SeedCounters;
  readonly #links = new Map<number, LiveLink>();
  readonly #diallers = new Map<number, Dialler>();
  readonly #challenges = new Challenges();
  readonly #refusedDials: RefusedDials;
  readonly #server: WebSocketServer;
  readonly #pairings: Pairings;
  readonly #leadership: Leadership;
  readonly #standby: StandbyLinks;
  readonly #connected: Emitter<[Channel]>;
  readonly #changed: Emitter<[]>;
  readonly #started = new CloseStack();
  /** Stations whose numbers and names are known. */
  readonly known: KnownStations;
  #discovery: Discovery | undefined;
  #listening: Listening | undefined;
  #digest: () => string = () => '';
  #region: ObservedRegion | undefined;
  #seen: { readonly state: SyncState['state']; readonly since: number } | undefined;
  #isClosed = false;

  /** Open it after the rooms that seed a fresh station, and before anything else writes. */
  static async open(options: LinksOptions): Promise<Links> {
    const links = new Links(options, await LinkTable.open(options.store), await SeedCounters.open(options.store));
    await links.#standby.resume();
    return links;
  }

  private constructor(options: LinksOptions, table: LinkTable, seeds: SeedCounters) {
    this.#options = options;
    this.#timings = { ...CONNECTION_TIMINGS, ...options.timings };
    this.#table = table;
    this.#seeds = seeds;
    this.#leadership = options.leadership ?? new Leadership(options.store);
    this.#standby = new StandbyLinks({
      store: options.store,
      table,
      seeds,
      leadership: this.#leadership,
      own: () => this.own,
      links: () => this.all(),
      changed: () => this.#leadershipChanged(),
      endSessions: async () => options.endSessions?.(),
      hasAdministrator: () => options.hasAdministrator?.() ?? true,
      now: options.now,
      warn: (message) => options.log.warn(message),
      report: this.#reportBug,
    });
    this.#connected = new Emitter(this.#reportBug);
    this.#changed = new Emitter(this.#reportBug);
    this.#refusedDials = new RefusedDials((message) => options.log.warn(message));
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: LARGEST_MESSAGE,
      perMessageDeflate: { threshold: 256 },
    });
    this.known = new KnownStations(options.store, () => this.own);
    this.#pairings = new Pairings({
      own: () => this.#introduction(),
      ownAddress: (localAddress, isLoopback) => this.#ownAddress(localAddress, isLoopback),
      known: this.known,
      now: options.now,
      mayRenumber: () => this.mayRenumber,
      renumber: (number) => this.#renumber(number),
      refused: (address, why) => this.#refusedDials.add(address, why),
      requireFresh: (stationId) => this.#standby.requireFresh(stationId),
      following: () => this.#leadership.following,
      made: (link) => this.#made(link),
    });
    for (const row of table.all()) this.#add(row);
  }

  /** This station. */
  get own(): LinkedStation {
    const { store, name } = this.#options;
    return { id: store.stationId, number: store.stationNumber, name };
  }

  /** Connections and pairings that were refused since the start because they were not genuine. */
  get refusedDials(): number {
    return this.#refusedDials.count;
  }

  /** Begins to dial. Call it when the ports are open and the listeners of `onConnected` are there. */
  start(listening: Listening): void {
    this.#listening = listening;
    const { secure, host, discovers } = listening;
    const looking = setInterval(() => this.#look(), LOOK_INTERVAL);
    this.#started.defer(() => clearInterval(looking));
    this.#started.defer(
      watchSurroundings(() => {
        for (const { connection } of this.#links.values()) connection?.test();
        this.#dialAll();
      }),
    );
    if (discovers && secure && !isLoopbackAddress(host) && host !== 'localhost') {
      const discovery = new Discovery({ own: this.own, ...secure, warn: (message) => this.#options.log.warn(message) });
      this.#discovery = this.#started.use(discovery);
      discovery.onFound((station) => this.#found(station));
    }
    this.#dialAll();
  }

  /** Calls the listener for each new connection. Returns the unsubscribe function. */
  onConnected(listener: (channel: Channel) => void): () => void {
    return this.#connected.on(listener);
  }

  /** Calls the listener when a link or a state changes. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#changed.on(listener);
  }

  /** Whether this station has no links and has given out no ids: it may still take another number. */
  get mayRenumber(): boolean {
    return this.#table.all().length === 0 && this.#seeds.areLast();
  }

  /** Sets how the station stands in its region, which the light shows beside the links. */
  joinRegion(region: ObservedRegion): void {
    this.#region = region;
    this.#started.defer(region.onChange(() => this.#changed.emit()));
  }

  /** Sets where the digest over all replicated records comes from. */
  tellDigest(digest: () => string): void {
    this.#digest = digest;
  }

  all(): readonly LiveLink[] {
    return [...this.#links.values()].filter(({ row }) => row.cut !== 'here');
  }

  /** The link to the station whose standby this one is. */
  get followed(): LiveLink | undefined {
    return this.#standby.followed;
  }

  demand(id: number): LiveLink {
    const link = this.#links.get(id);
    if (!link || link.row.cut === 'here') throw new Refusal('sync.noLink', { id });
    return link;
  }

  /** The stations with which the other station of a link has links, besides this one. */
  neighbours(link: LiveLink): readonly LinkedStation[] {
    const known = new Map(this.known.all().map((station) => [station.id, station]));
    return link.linkedWith.flatMap((id) => (id === this.own.id ? [] : (known.get(id) ?? [])));
  }

  /** What the sync light shows. */
  state(): SyncState {
    const now = this.#options.now();
    const links = this.all();
    const region = this.#region?.report;
    const state = stateOf(links, now, region);
    if (this.#seen?.state !== state) this.#seen = { state, since: now };
    const { followed } = this;
    const rivals = links.filter(({ row: { leadership } }) => leadership.promotedAt > 0 || leadership.replacedAt > 0);
    return {
      state,
      waiting: [...links, ...(region ? [{ progress: region }] : [])].reduce((sum, one) => sum + waitingOf(one), 0),
      kinds: waitingKinds([...links, ...(region ? [{ progress: region }] : [])]),
      region: region ?? null,
      since: this.#seen.since,
      behind: links
        .filter((link) => isBehind(link, now))
        .map((link) => ({
          station: link.station,
          state: link.state(now),
          waiting: waitingOf(link),
          since: link.since(now),
        })),
      digest: this.#digest(),
      standby: followed ? standbyState(followed, now) : null,
      rivals: rivals.map(({ station, row: { leadership } }) => ({
        station,
        since: leadership.promotedAt || leadership.replacedAt,
        isPromotedHere: leadership.promotedAt > 0,
      })),
    };
  }

  /** Stations on the local network that are not linked. */
  nearby(): readonly NearbyStation[] {
    const linked = new Set(this.all().map(({ station }) => station.id));
    return (this.#discovery?.all() ?? []).filter(({ id }) => !linked.has(id));
  }

  showCode(settings: LinkSettings): Code {
    return this.#pairings.showCode(settings);
  }

  /** Pairs with the station that shows the code. */
  async pair(order: PairingOrder): Promise<LiveLink> {
    const row = await this.#pairings.pair(order);
    return this.demand(row.id);
  }

  async change(id: number, { address, standby, ...settings }: LinkChange): Promise<LiveLink> {
    const link = this.demand(id);
    if (standby === true && !link.settings.standby) await this.#standby.follow(link);
    else if (standby === false) await this.#standby.settle(link);
    requireWhole(link, settings);
    await this.#table.change(id, {
      settings: { ...link.row.settings, ...settings },
      ...(address !== undefined && {
        address: address === null ? null : stationAddress(address).origin,
        isAddressGiven: true,
      }),
    });
    link.settingsChanged();
    this.#tellSettings(link);
    if (link.settings.paused) link.connection?.close(PAUSED);
    else if (link.row.cut === 'no') this.#diallers.get(id)?.dialNow();
    this.#changed.emit();
    return link;
  }

  /**
   * Promotes this standby: it leads in place of the station that it followed. The link stays, and
   * merges what only the other one has. Resolves when it is on disk.
   * @param confirm the name of the station that is replaced, as an operator typed it
   */
  promote(confirm: string): Promise<{ readonly link: LiveLink; readonly missing: Missing }> {
    return this.#standby.promote(confirm);
  }

  /** Cuts the link and revokes its key. The other station learns it now, or when it connects. */
  async cut(id: number): Promise<void> {
    const link = this.demand(id);
    if (link.settings.standby && link.row.leadership.isFilled)
      throw new Refusal('sync.cutStandby', { name: link.station.name });
    if (link.row.cut === 'there') await this.#forget(id);
    else {
      await this.#table.change(id, { cut: 'here' });
      link.connection?.close(CUT);
    }
    this.#options.log.info(`The link with ${link.station.name} was cut.`);
    if (link.settings.standby) this.#leadership.lead();
    this.#tellLinked();
    this.#changed.emit();
  }

  /** A challenge for another station that wants to connect. */
  challenge(): string {
    return this.#challenges.give();
  }

  beginPairing(question: z.output<typeof PairingQuestion>, request: IncomingMessage): z.input<typeof PairingOffer> {
    return this.#pairings.begin(question, arrivalOf(request));
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
    const arrival = arrivalOf(request);
    // The challenge is used up in any case.
    const isFresh = asked !== undefined && this.#challenges.use(asked.challenge);
    const link = asked && this.#links.get(this.#table.withStation(asked.from)?.id ?? -1);
    const fault = dialFault(asked, { arrival, isFresh, ownId: this.own.id, publicKey: link?.row.publicKey });
    if (!asked || !link || fault !== undefined) {
      this.#refusedDials.add(arrival.from, fault!);
      const isUnknown = isFresh && asked.to === this.own.id && !link;
      return refuse(socket, 401, isUnknown ? 'unknown' : 'forged', `The connection was refused: ${fault}.`);
    }
    if (link.row.cut !== 'no') return refuse(socket, 401, 'cut', CUT);
    if (link.settings.paused) return refuse(socket, 409, 'paused', PAUSED);
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
    for (const { connection } of this.#links.values()) connection?.close(sentenceOf(reason('sync.stops')));
    await this.#started.close();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  readonly #reportBug = (error: unknown): void => this.#options.log.error('A bug: a link failed.', error);

  /** States change by themselves, when a confirmation grows old. */
  #look(): void {
    const now = this.#options.now();
    const before = [this.#seen?.since, ...this.all().map((link) => link.seenSince)].join();
    this.state();
    this.#standby.look(now);
    const after = [this.#seen?.since, ...this.all().map((link) => link.since(now))].join();
    if (before !== after) this.#changed.emit();
  }

  #dialAll(): void {
    for (const dialler of this.#diallers.values()) dialler.dialNow();
  }

  /** A linked station was heard on the local network. Its key and certificate are pinned, so any address will do. */
  #found({ id, address, fingerprint }: NearbyStation): void {
    const link = [...this.#links.values()].find(({ station }) => station.id === id);
    if (!link || link.row.fingerprint !== fingerprint) return;
    link.heardAt = address;
    if (!link.isConnected) this.#diallers.get(link.id)?.dialNow();
  }

  #introduction(): PairedStation {
    return {
      ...this.own,
      publicKey: this.#table.keys.publicKey,
      fingerprint: this.#listening?.secure?.fingerprint ?? '',
    };
  }

  #ownAddress(localAddress: string | undefined, isLoopback: boolean): string | null {
    return this.#listening ? ownAddress(this.#listening, localAddress, isLoopback) : null;
  }

  async #renumber(number: number): Promise<void> {
    const before = this.own.number;
    await this.#options.store.renumber(number);
    this.#options.log.info(`The station has the number ${number} now: another linked station has ${before}.`);
  }

  #leadershipChanged(): void {
    for (const link of this.all()) {
      link.settingsChanged();
      this.#tellSettings(link);
    }
    this.#changed.emit();
  }

  #tellSettings(link: LiveLink): void {
    link.connection?.notify('link.settings', {
      ...sentSettings(link.settings),
      leadership: this.#standby.sent(link),
    } satisfies z.input<typeof SettingsChanged>);
  }

  async #made(made: MadeLink): Promise<LinkRow> {
    const existing = this.#links.get(this.#table.withStation(made.station.id)?.id ?? -1);
    existing?.connection?.close('The stations were paired again.');
    const row = await this.#standby.put({ ...made, lastContact: this.#options.now(), cut: 'no' });
    await this.known.learn([], row.station);
    this.#diallers.get(row.id)?.close();
    this.#add(row);
    this.#options.log.info(`Linked with the station ${row.station.name}.`);
    // The other station is not ready yet when it dialled.
    if (row.dialledBy === 'us') this.#diallers.get(row.id)?.dialNow();
    this.#tellLinked();
    this.#changed.emit();
    return row;
  }

  #add(row: LinkRow): void {
    const link = new LiveLink(this.#table, row);
    this.#links.set(row.id, link);
    const dialler = new Dialler({
      isWanted: () =>
        !this.#isClosed &&
        this.#listening !== undefined &&
        link.addresses.length > 0 &&
        link.row.cut !== 'there' &&
        !link.settings.paused &&
        !link.isConnected,
      dial: () => this.#dial(link),
    });
    this.#diallers.set(row.id, dialler);
  }

  async #forget(id: number): Promise<void> {
    this.#diallers.get(id)?.close();
    this.#diallers.delete(id);
    this.#links.delete(id);
    await this.#table.remove(id);
  }

  /** Tries each address. The first failure is the one that is shown. */
  async #dial(link: LiveLink): Promise<DialOutcome> {
    let first: unknown;
    for (const address of link.addresses) {
      try {
        const { socket, raw, renewed } = await dial(new URL(address), {
          ownId: this.own.id,
          keys: this.#table.keys,
          station: { id: link.station.id, publicKey: link.row.publicKey, fingerprint: link.row.fingerprint },
        });
        if (renewed !== undefined) await this.#renewed(link, renewed);
        return await this.#introduce(link, socket, raw, 'us');
      } catch (error) {
        first ??= error;
      }
    }
    return this.#dialFailed(link, first);
  }

  /** The other station has a new certificate, and has signed it with its key. */
  async #renewed(link: LiveLink, fingerprint: string): Promise<void> {
    await this.#table.change(link.id, { fingerprint });
    this.#options.log.info(`${link.station.name} has a new certificate (${fingerprint}), signed with its own key.`);
  }

  async #dialFailed(link: LiveLink, error: unknown): Promise<DialOutcome> {
    const { message } = error as Error;
    if (!(error instanceof DialRefused)) {
      if (!(error instanceof Refusal)) this.#reportBug(error);
      link.failed(message, error instanceof Refusal ? { code: error.code, params: error.params } : undefined);
      this.#changed.emit();
      return { kind: 'failed', reason: message };
    }
    if (link.row.cut === 'here') {
      // The other station knows: it has no link, or does not want this one.
      if (error.refusal !== 'paused') await this.#forget(link.id);
    } else if (error.refusal === 'cut') await this.#wasCut(link);
    else if (error.refusal === 'paused') link.isPausedThere = true;
    else this.#refused(link, REFUSED[error.refusal] ?? error.reason ?? message);
    this.#changed.emit();
    return { kind: error.refusal === 'paused' ? 'paused' : 'refused' };
  }

  #refused(link: LiveLink, why: Reason | string): void {
    const text = typeof why === 'string' ? why : sentenceOf(why);
    if (link.refusal !== text) this.#options.log.warn(`The link with ${link.station.name} is refused. ${text}`);
    link.refuse(text, typeof why === 'string' ? undefined : why);
    this.#changed.emit();
  }

  async #wasCut(link: LiveLink): Promise<void> {
    if (link.row.cut !== 'no') return;
    this.#options.log.warn(`${link.station.name} has cut the link.`);
    await this.#table.change(link.id, { cut: 'there' });
    link.connection?.close('The link was cut.');
    this.#tellLinked();
    this.#changed.emit();
  }

  /** The second half of the handshake: both send who they are and what they support. Never rejects. */
  async #introduce(link: LiveLink, socket: WebSocket, raw: Socket, dialledBy: 'us' | 'them'): Promise<DialOutcome> {
    const connection = new LinkConnection(socket, raw, { link, timings: this.#timings, report: this.#reportBug });
    if (link.row.cut === 'here') {
      connection.close(CUT);
      await connection.closed;
      await this.#forget(link.id);
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
      this.#changed.emit();
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
    await this.known.learn(hello.stations, station);
    await this.#standby.receive(link, hello.settings, hello.leadership, {
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
          ? this.#ownAddress(local.address, local.isLoopback)
          : ownAddress === 'none'
            ? null
            : ownAddress,
      settings: sentSettings(link.settings),
      leadership: this.#standby.sent(link),
      knownIds: this.#options.ids.of(link.station.number),
      stations: [...this.known.all()],
      linkedWith: this.#linkedWith(),
    };
  }

  /** Ids of the stations with which this one has links that nobody has cut. */
  #linkedWith(): string[] {
    return [...this.#links.values()].filter(({ row }) => row.cut === 'no').map(({ station }) => station.id);
  }

  /** Sends the list of links to the linked stations: a link was made or cut. */
  #tellLinked(): void {
    const body = { linkedWith: this.#linkedWith(), stations: [...this.known.all()] };
    for (const { connection } of this.#links.values()) connection?.notify('link.stations', body);
  }

  /** Whether the link uses this connection. A former one is then closed. */
  #claim(link: LiveLink, connection: LinkConnection, dialledBy: 'us' | 'them'): boolean {
    if (connection.isClosed || this.#isClosed || link.row.cut !== 'no' || link.settings.paused) return false;
    // Paired again meanwhile.
    if (this.#links.get(link.id) !== link) return false;
    const current = link.connection;
    if (!current || current.isClosed) return true;
    const older = { age: connection.openedAt - current.openedAt, dialledBy: link.dialledBy };
    const numbers = { ours: this.own.number, theirs: link.station.number };
    if (whichStays(older, { dialledBy }, numbers) === 'older') return false;
    current.close('Replaced by a newer connection.');
    return true;
  }

  #opened(link: LiveLink, connection: LinkConnection, dialledBy: 'us' | 'them'): void {
    const { now, log } = this.#options;
    link.connected(connection, dialledBy, now());
    void this.#table.change(link.id, { dialledBy, lastContact: link.lastContact });
    log.info(`Connected with ${link.station.name}.`);
    connection.onNotify('link.settings', (body) => {
      const { leadership, ...settings } = SettingsChanged.parse(body);
      void this.#standby.receive(link, settings, leadership);
      link.settingsChanged();
      this.#changed.emit();
    });
    connection.onNotify('link.stations', (body) => {
      const { linkedWith, stations } = LinkedStations.parse(body);
      link.linkedWith = linkedWith;
      void this.known.learn(stations);
      this.#changed.emit();
    });
    connection.onNotify('link.clock', (clock) => this.#compareClocks(link, connection, Number(clock)));
    const contacts = setInterval(() => {
      connection.notify('link.clock', now());
      void this.#table.change(link.id, { lastContact: now() });
    }, CONTACT_INTERVAL);
    const lasting = setTimeout(() => this.#diallers.get(link.id)?.lasted(), SAME_TIME);
    void connection.closed.then(async () => {
      clearInterval(contacts);
      clearTimeout(lasting);
      if (connection.closeReason === CUT) await this.#wasCut(link);
      if (link.connection === connection) this.#closed(link, connection);
    });
    this.#connected.emit(connection);
    this.#changed.emit();
  }

  #closed(link: LiveLink, { closeReason, closeRefusal }: LinkConnection): void {
    const text = closeReason || sentenceOf(reason('sync.brokeOff'));
    link.disconnected(text, this.#options.now(), closeRefusal);
    if (link.settings.standby) this.#standby.save(link);
    link.isPausedThere = closeReason === PAUSED && !link.settings.paused;
    this.#options.log.info(`Disconnected from ${link.station.name}: ${text}`);
    if (link.row.cut !== 'there') this.#diallers.get(link.id)?.lost(text);
    this.#changed.emit();
  }

  /** A clock may be set while the connection is open. */
  #compareClocks(link: LiveLink, connection: LinkConnection, clock: number): void {
    const now = this.#options.now();
    if (!(Math.abs(clock - now) > MOST_CLOCK_DIFFERENCE)) return;
    const why = clocksDiffer({ name: this.own.name, clock: now }, { name: link.station.name, clock });
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
