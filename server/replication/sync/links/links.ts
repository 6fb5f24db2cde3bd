import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import { Refusal } from '../../../../shared/refusal.ts';
import { reason, sentenceOf } from '../../../../shared/refusals/reason.ts';
import { CloseStack } from '../../../platform/close-stack.ts';
import { Emitter } from '../../../platform/emitter.ts';
import { isLoopbackAddress } from '../../../platform/networks.ts';
import { Leadership } from '../standby/leadership.ts';
import type { Missing } from '../standby/link-leadership.ts';
import type { Channel, LinkSettings, LinkedStation } from '../types.ts';
import { ArrivingDials, arrivalOf } from './arriving-dials.ts';
import { CONNECTION_TIMINGS } from './connection/connection.ts';
import {
  sentSettings,
  type PairingAnswer,
  type PairingOffer,
  type PairingProof,
  type PairingQuestion,
  type SettingsChanged,
} from './connection/wire.ts';
import { stationAddress } from './dialling/dial.ts';
import { RefusedDials } from './dialling/refused-dials.ts';
import { Discovery, type NearbyStation } from './discovery.ts';
import { KnownStations } from './known-stations.ts';
import { LinkConnector } from './link-connector.ts';
import { CUT, PAUSED } from './close-reasons.ts';
import { LinkTable, type LinkRow } from './link-table.ts';
import type { LinksOptions } from './links-options.ts';
import { LiveLink } from './live-link.ts';
import { ownAddress, type Listening } from './pairing/own-address.ts';
import type { Code, PairedStation } from './pairing/pairing.ts';
import { Pairings, type MadeLink, type PairingOrder } from './pairing/pairings.ts';
import { SeedCounters } from './seed-counters.ts';
import { requireWhole, StandbyLinks } from './standby-links.ts';
import { watchSurroundings } from './surroundings.ts';
import { stateOf, syncStateOf, type ObservedRegion, type SyncState } from './sync-state.ts';

/** ms between two looks at the states. */
const LOOK_INTERVAL = 1_000;

export interface LinkChange extends Partial<LinkSettings> {
  readonly address?: string | null;
}

/** The links of this station to others. `SPEC.md` has the rules. */
export class Links {
  readonly #options: LinksOptions;
  readonly #table: LinkTable;
  readonly #seeds: SeedCounters;
  readonly #links = new Map<number, LiveLink>();
  readonly #refusedDials: RefusedDials;
  readonly #arrivingDials: ArrivingDials;
  readonly #pairings: Pairings;
  readonly #leadership: Leadership;
  readonly #standby: StandbyLinks;
  readonly #connector: LinkConnector;
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

  /** Open it after the rooms that seed a fresh station, and before anything else writes. */
  static async open(options: LinksOptions): Promise<Links> {
    const links = new Links(options, await LinkTable.open(options.store), await SeedCounters.open(options.store));
    await links.#standby.resume();
    return links;
  }

  private constructor(options: LinksOptions, table: LinkTable, seeds: SeedCounters) {
    this.#options = options;
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
    this.known = new KnownStations(options.store, () => this.own);
    this.#connector = new LinkConnector({
      ...options,
      timings: { ...CONNECTION_TIMINGS, ...options.timings },
      table,
      links: this.#links,
      known: this.known,
      standby: this.#standby,
      own: () => this.own,
      ownAddress: (localAddress, isLoopback) => this.#ownAddress(localAddress, isLoopback),
      isListening: () => this.#listening !== undefined,
      connected: (channel) => this.#connected.emit(channel),
      changed: () => this.#changed.emit(),
      report: this.#reportBug,
    });
    this.#arrivingDials = new ArrivingDials({
      table,
      own: () => this.own,
      linkTo: (stationId) => this.#withStation(stationId),
      refused: (address, why) => this.#refusedDials.add(address, why),
      connected: (link, webSocket, socket) => void this.#connector.introduce(link, webSocket, socket, 'them'),
    });
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
        this.#connector.dialAll();
      }),
    );
    if (discovers && secure && !isLoopbackAddress(host) && host !== 'localhost') {
      const discovery = new Discovery({ own: this.own, ...secure, warn: (message) => this.#options.log.warn(message) });
      this.#discovery = this.#started.use(discovery);
      discovery.onFound((station) => this.#found(station));
    }
    this.#connector.dialAll();
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

  /** Sets the station's state in its region, which the light shows beside the links. */
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

  /** State of the sync light. */
  state(): SyncState {
    const now = this.#options.now();
    const links = this.all();
    const region = this.#region?.report;
    const state = stateOf(links, now, region);
    if (this.#seen?.state !== state) this.#seen = { state, since: now };
    const { followed } = this;
    return syncStateOf({ links, now, region, followed, digest: this.#digest(), ...this.#seen });
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
    else if (link.row.cut === 'no') this.#connector.dialNow(id);
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
    if (link.row.cut === 'there') await this.#connector.forget(id);
    else {
      await this.#table.change(id, { cut: 'here' });
      link.connection?.close(CUT);
    }
    this.#options.log.info(`The link with ${link.station.name} was cut.`);
    if (link.settings.standby) this.#leadership.lead();
    this.#connector.tellLinked();
    this.#changed.emit();
  }

  /** A challenge for another station that wants to connect. */
  challenge(): string {
    return this.#arrivingDials.challenge();
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
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    this.#arrivingDials.upgrade(request, socket, head);

  async close(): Promise<void> {
    this.#connector.close();
    for (const { connection } of this.#links.values()) connection?.close(sentenceOf(reason('sync.stops')));
    await this.#started.close();
    await this.#arrivingDials.close();
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

  /** A linked station was heard on the local network. Its key and certificate are pinned, so any address will do. */
  #found({ id, address, fingerprint }: NearbyStation): void {
    const link = [...this.#links.values()].find(({ station }) => station.id === id);
    if (!link || link.row.fingerprint !== fingerprint) return;
    link.heardAt = address;
    if (!link.isConnected) this.#connector.dialNow(link.id);
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
    this.#options.log.info(`The number of this station is now ${number}: another linked station has ${before}.`);
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
    const existing = this.#withStation(made.station.id);
    existing?.connection?.close('The stations were paired again.');
    const row = await this.#standby.put({ ...made, lastContact: this.#options.now(), cut: 'no' });
    await this.known.learn([], row.station);
    this.#add(row);
    this.#options.log.info(`Linked with the station ${row.station.name}.`);
    // The other station is not ready yet when it dialled.
    if (row.dialledBy === 'us') this.#connector.dialNow(row.id);
    this.#connector.tellLinked();
    this.#changed.emit();
    return row;
  }

  #withStation(stationId: string): LiveLink | undefined {
    return this.#links.get(this.#table.withStation(stationId)?.id ?? -1);
  }

  #add(row: LinkRow): void {
    const link = new LiveLink(this.#table, row);
    this.#links.set(row.id, link);
    this.#connector.add(link);
  }
}
