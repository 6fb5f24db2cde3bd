import { z } from 'zod';
import { digestOf } from '../../../store/index.ts';
import type { CollectionName } from '../../../store/types.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Channel } from '../types.ts';
import { GROUPS, isReplicated, REPLICATED } from './collections.ts';
import { PositionShape, type FeedPosition, type PullAnswer, type PullRequest } from './feed-page.ts';
import { serveFeed } from './serve-feed.ts';
import { Comparison } from './digests/comparison.ts';
import type { Evictions } from './scope/evictions.ts';
import type { FileFetcher, FilePiece, FileSource } from './files/file-fetcher.ts';
import { Intake } from './intake/intake.ts';
import { KnownToPeer } from './intake/known-to-peer.ts';
import { PullCollection, writeReceived, type PulledPage } from './intake/pull-collection.ts';
import { unread, type ReadPositions } from './read-positions.ts';
import { Reconciler } from './digests/reconcile.ts';
import type { RefusedRecords } from './intake/refused-records.ts';
import type { ReplicationRooms } from './replication.ts';
import { feedEpoch, FOLLOWERS, Scope } from './scope/scope.ts';
import type { ScopedLinks } from './scope/scoped-links.ts';
import type { TracksRoom } from './tracks/tracks-room.ts';
import { StatesLane } from './states-lane.ts';
import { TracksLane } from './tracks/tracks-lane.ts';
import { waitingByKind } from './waiting-kinds.ts';
import { stationSums } from './digests/station-digest.ts';

export interface SessionOptions extends ReplicationRooms {
  readonly channel: Channel;
  readonly refused: RefusedRecords;
  readonly positions: ReadPositions;
  readonly fetcher: FileFetcher;
  readonly scoped: ScopedLinks;
  readonly evictions: Evictions;
  /** Begins a new epoch: the other station has read more than this one holds. Resolves when it has begun. */
  wasSetBack(): Promise<void>;
}

/** Records that are asked for at once. */
const PAGE = 500;
/** ms between two tellings of the digest when nothing changes: both stations confirm each other with it. */
const TELL_EVERY = 3_000;
/** ms without a change after which the digest is sent. */
const QUIET = 60;
/** ms until refused records are tried again. */
const RETRY_REFUSED = 60_000;

const ChangedShape = z.object({ collections: z.array(z.string()).max(100) });
const DigestShape = z.object({
  digest: z.string().max(64),
  read: z.record(z.string(), PositionShape),
  /** Live records; older programs do not tell it. */
  records: z.int().min(0).optional(),
  /** Files whose bytes it waits for; older programs do not tell it. */
  files: z.int().min(0).optional(),
});

/** Replication over one connection: answers the other station's pulls, and pulls from it. */
export class Session implements FileSource {
  readonly #options: SessionOptions;
  readonly #pulls = new Map<CollectionName, PullCollection>();
  readonly #known = new Map<CollectionName, KnownToPeer>();
  /** How far the other station has read; from the run before, until it tells. */
  readonly #read: Map<string, FeedPosition>;
  readonly #closers: (() => void)[] = [];
  readonly #states: StatesLane;
  readonly #tracks: TracksLane | undefined;
  /** Collections of which a page said that more follow. */
  readonly #inBulk = new Set<CollectionName>();
  /** Records of each collection that follow the last page of it. */
  readonly #waitingIn = new Map<CollectionName, number>();
  #group = -1;
  #theirs: { readonly digest: string; readonly at: number } | undefined;
  #unsaid = new Set<string>();
  #saying: NodeJS.Immediate | undefined;
  #telling: NodeJS.Timeout | undefined;
  readonly #intake: Intake;
  readonly #comparison: Comparison;
  #statesBegun = false;
  #scopeName: string | undefined;
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { channel, store, positions } = options;
    this.#read = positions.of(channel.link.id);
    for (const name of REPLICATED) this.#known.set(name, new KnownToPeer());
    channel.onNotify('changed', (body) => this.#onChanged(body));
    channel.onNotify('digest', (body) => this.#onDigest(body));
    serveFeed({
      ...options,
      scope: () => this.#scope,
      epoch: () => this.#feedEpoch,
      known: (collection) => this.#known.get(collection)!,
      read: (collection, position) => this.#read.set(collection, position),
      wasSetBack: () => options.wasSetBack(),
    });
    const reconciler: Reconciler = new Reconciler({
      store,
      channel,
      carries: (collection, record) => this.#scope?.carries(collection, record) ?? true,
      take: async (collection, text) => writeReceived(store, collection, await this.#intake.check(collection, text)),
    });
    this.#intake = new Intake({
      ...options,
      scope: () => this.#scope,
      known: (collection) => this.#known.get(collection)!,
      fetch: (collection, keys) => reconciler.fetch(collection, keys),
      evicting: () => this.#tellSoon(),
    });
    this.#comparison = new Comparison({
      channel,
      reconciler,
      sums: () => this.#sums(),
      warn: (message) => options.warn(message),
      recount: () => options.scoped.recount(channel.link.id),
      compared: () => this.#tellSoon(),
    });
    channel.handle('digests', () => ({ body: { digests: Object.fromEntries(this.#sums() ?? []) } }));
    const retry = setInterval(() => {
      if (!this.#closed && !channel.link.settings.readOnly) void this.#intake.retryRefused();
    }, RETRY_REFUSED);
    retry.unref();
    this.#closers.push(() => clearInterval(retry));
    this.#states = new StatesLane({
      channel,
      states: options.states,
      carries: (vehicleId) => this.#carriesState(vehicleId),
      now: options.now,
    });
    this.#closers.push(() => this.#states.close());
    this.#tracks = options.tracks && this.#openTracks(options.tracks);
    this.#closers.push(store.feed.watch((changed) => this.#onOwnChange(changed)));
    channel.link.report({ confirmedAt: undefined, digest: undefined });
    this.#tellSoon();
    options.scoped.follow(channel.link);
    this.#scopeName = this.#scope?.name;
    if (!channel.link.settings.readOnly) this.#nextGroup();
    this.#closers.push(channel.link.onSettings(() => this.#onSettings()));
    this.#closers.push(options.fetcher.add(this));
    this.reportFiles();
  }

  /** Scope of the link; undefined: everything. */
  get #scope(): Scope | undefined {
    return this.#options.scoped.scopeOf(this.#options.channel.link.id);
  }

  get #feedEpoch(): string {
    return feedEpoch(this.#options.store, this.#scope);
  }

  #carriesState(vehicleId: number): boolean {
    const { settings, theirSettings } = this.#options.channel.link;
    if (settings.tracks === 'none' || theirSettings.tracks === 'none') return false;
    return this.#scope?.carriesVehicle(vehicleId) ?? true;
  }

  #openTracks(tracks: TracksRoom): TracksLane {
    const { channel, store, now, warn } = this.#options;
    return new TracksLane({
      channel,
      tracks,
      epoch: () => store.feed.epoch,
      carries: (vehicleId) => this.#scope?.carriesVehicle(vehicleId) ?? true,
      knows: (vehicleId) => store.records('vehicles').get(vehicleId) !== undefined,
      isQuiet: () => this.isQuiet,
      now: () => now(),
      warn,
    });
  }

  #onSettings(): void {
    if (this.#closed) return;
    this.#options.scoped.follow(this.#options.channel.link);
    const { readOnly } = this.#options.channel.link.settings;
    const name = this.#scope?.name;
    this.#options.channel.link.report({ confirmedAt: undefined });
    if (readOnly && this.#pulls.size > 0) {
      for (const pull of this.#pulls.values()) void pull.close();
      this.#pulls.clear();
      this.#inBulk.clear();
      this.#waitingIn.clear();
      this.#group = -1;
    } else if (!readOnly && this.#group === -1) this.#nextGroup();
    else if (name !== this.#scopeName) for (const pull of this.#pulls.values()) pull.resync();
    this.#scopeName = name;
    this.#tellSoon();
  }

  reportFiles(): void {
    const { channel, fetcher } = this.#options;
    channel.link.report({ pendingFiles: fetcher.pending });
  }

  get isQuiet(): boolean {
    return !this.#closed && this.#pulls.size === REPLICATED.length && this.#inBulk.size === 0;
  }

  async fetchPiece(sha256: string, offset: number): Promise<FilePiece | undefined> {
    const { body, bytes } = await this.#options.channel.request<{ size: number | null }>('file', { sha256, offset });
    return body.size === null ? undefined : { size: body.size, bytes: bytes ?? Buffer.alloc(0) };
  }

  get caughtUp(): boolean {
    return this.#pulls.size === REPLICATED.length && [...this.#pulls.values()].every(({ caughtUp }) => caughtUp);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#telling);
    clearImmediate(this.#saying);
    for (const close of this.#closers) close();
    const { channel, positions } = this.#options;
    channel.link.report({ confirmedAt: undefined });
    await Promise.all([...[...this.#pulls.values()].map((pull) => pull.close()), this.#tracks?.close()]);
    await this.#comparison.close();
    await positions.save(channel.link.id, this.#read);
  }

  /** Groups follow each other, so that a fresh station has vehicles before tasks name them. */
  #nextGroup(): void {
    const { store, channel, warn } = this.#options;
    for (const collection of GROUPS[++this.#group] ?? []) {
      this.#pulls.set(
        collection,
        new PullCollection({
          store,
          collection,
          identifier: `link-${channel.link.id}-${channel.peer.id}`,
          fetch: (position) => this.#fetch(collection, position),
          settled: () => this.#onSettled(),
          failed: (error) => {
            if (this.#closed) return;
            const text =
              error instanceof Refusal ? error.message : `${collection} could not be read: ${(error as Error).message}`;
            const refusal = error instanceof Refusal ? { code: error.code, params: error.params } : undefined;
            channel.link.report({ error: text, refusal });
            if (!(error instanceof Refusal)) warn(text);
          },
        }),
      );
    }
  }

  #onSettled(): void {
    if (this.#closed) return;
    const group = [...this.#pulls.values()];
    if (this.#group + 1 < GROUPS.length && group.every(({ caughtUp }) => caughtUp)) this.#nextGroup();
    this.#options.fetcher.poke();
    if (this.caughtUp) {
      if (!this.#statesBegun) {
        this.#statesBegun = true;
        this.#states.begin();
        this.#tracks?.begin();
      }
      this.#waitingIn.clear();
      this.#options.channel.link.report({ waitingIn: 0, kindsIn: {}, error: undefined, refusal: undefined });
      this.#tellSoon();
    }
  }

  async #fetch(collection: CollectionName, position: FeedPosition | undefined): Promise<PulledPage> {
    const { channel } = this.#options;
    const request: PullRequest = { collection, position: position ?? null, limit: PAGE };
    const { body, bytes } = await channel.request<PullAnswer>('pull', request);
    const answer = z.object({ position: PositionShape, more: z.boolean(), waiting: z.int() }).parse(body);
    const records = await this.#intake.check(collection, bytes?.toString('utf8') ?? '');
    if (answer.more) this.#inBulk.add(collection);
    else this.#inBulk.delete(collection);
    const hadMore = (this.#waitingIn.get(collection) ?? 0) > 0;
    this.#waitingIn.set(collection, answer.waiting);
    if (answer.more || hadMore) {
      const { waiting, kinds } = waitingByKind(this.#waitingIn);
      channel.link.report({ waitingIn: waiting, kindsIn: kinds });
    }
    return { records, position: answer.position, more: answer.more };
  }

  #onOwnChange(changed: ReadonlySet<CollectionName>): void {
    if (this.#closed) return;
    const isLimited = this.#scopeName !== undefined;
    for (const name of changed) {
      if (!isReplicated(name)) continue;
      this.#unsaid.add(name);
      if (isLimited) for (const follower of Object.keys(FOLLOWERS[name] ?? {})) this.#unsaid.add(follower);
    }
    // A vehicle may have come into the scope.
    if (isLimited && changed.has('vehicles')) this.#tracks?.refill();
    if (this.#unsaid.size === 0) return;
    this.#options.channel.link.report({ confirmedAt: undefined });
    // One message covers all commits of a turn.
    this.#saying ??= setImmediate(() => {
      this.#saying = undefined;
      const collections = [...this.#unsaid];
      this.#unsaid = new Set();
      this.#options.channel.notify('changed', { collections });
      this.#tellSoon();
    });
  }

  #onChanged(body: unknown): void {
    const { collections } = ChangedShape.parse(body);
    this.#options.channel.link.report({ confirmedAt: undefined });
    for (const name of collections) this.#pulls.get(name as CollectionName)?.resync();
  }

  #onDigest(body: unknown): void {
    const { digest, read, records, files } = DigestShape.parse(body);
    if (records !== undefined)
      this.#options.channel.link.report({ records: { here: this.#recordCount(), there: records } });
    if (files !== undefined) this.#options.channel.link.report({ pendingFilesThere: files });
    for (const [name, position] of Object.entries(read)) if (isReplicated(name)) this.#read.set(name, position);
    this.#theirs = { digest, at: this.#options.now() };
    this.#confirm();
    const { evictions, channel, warn } = this.#options;
    evictions
      .run(channel.link.id, this.#read)
      .catch((error: unknown) => warn(`Records could not be evicted: ${(error as Error).message}`));
  }

  #tellSoon(): void {
    if (this.#closed) return;
    clearTimeout(this.#telling);
    this.#telling = setTimeout(() => this.#tell(), QUIET);
  }

  #tell(): void {
    if (this.#closed) return;
    this.#telling = setTimeout(() => this.#tell(), TELL_EVERY);
    const read = Object.fromEntries(
      [...this.#pulls].flatMap(([name, { position }]) => (position ? [[name, position]] : [])),
    );
    this.#options.channel.notify('digest', {
      digest: this.#digest(),
      read,
      records: this.#recordCount(),
      files: this.#options.fetcher.pending,
    });
    this.#confirm();
  }

  #recordCount(): number {
    return REPLICATED.reduce((sum, name) => sum + (this.#options.store.digest(name)?.records ?? 0), 0);
  }

  /** Over what the link carries; empty while that is counted. */
  #digest(): string {
    const sums = this.#sums();
    return sums ? digestOf(sums) : '';
  }

  #sums(): [CollectionName, string][] | undefined {
    const { store, scoped, channel } = this.#options;
    if (this.#scope) return scoped.sums(channel.link.id);
    return stationSums(store);
  }

  /** Both have the same data, as far as this station knows, or the list of missing data. */
  #confirm(): void {
    const { channel, now } = this.#options;
    const theirs = this.#theirs;
    const mine = this.#digest();
    if (!theirs) return;
    const equal = mine !== '' && theirs.digest === mine && this.#unsaid.size === 0;
    const fresh = now() - theirs.at < 2 * TELL_EVERY;
    const out = equal ? { waitingOut: 0, kindsOut: {} } : unread(this.#options.store, this.#read, this.#feedEpoch);
    channel.link.report({
      digest: mine === '' || theirs.digest === '' ? undefined : { mine, theirs: theirs.digest },
      confirmedAt: equal && fresh ? theirs.at : undefined,
      ...out,
    });
    if (!equal && this.caughtUp && out.waitingOut === 0) this.#comparison.needed();
    else this.#comparison.notNeeded();
  }
}
