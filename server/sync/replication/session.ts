import { z } from 'zod';
import { digestOf } from '../../store/index.ts';
import type { CollectionName } from '../../store/types.ts';
import { keyOf } from '../../../shared/ids.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Answered, Channel } from '../types.ts';
import { checkRecord, isFault, type Fault, type ReceivedRecord } from './check-record.ts';
import { GROUPS, isReplicated, REPLICATED } from './collections.ts';
import { feedPage, type FeedFilter, type Position, type PullAnswer, type PullRequest } from './feed-page.ts';
import { scopeFault } from './check-scope.ts';
import type { Evictions } from './evictions.ts';
import type { FileFetcher, FilePiece, FileSource } from './file-fetcher.ts';
import { KnownToPeer } from './known-to-peer.ts';
import { PullCollection, writeReceived, type PulledPage } from './pull-collection.ts';
import { countUnread, type ReadPositions } from './read-positions.ts';
import { Reconciler } from './reconcile.ts';
import type { RefusedRecords } from './refused-records.ts';
import type { ReplicationRooms } from './replication.ts';
import { feedEpoch, FOLLOWERS, Scope } from './scope.ts';
import type { ScopedLinks } from './scoped-links.ts';
import type { TracksRoom } from './tracks-room.ts';
import { StatesLane } from './states-lane.ts';
import { TracksLane } from './tracks-lane.ts';
import { stationSums } from './station-digest.ts';

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
/** Bytes of a file that are asked for at once. */
const PIECE = 256_000;
/** ms between two tellings of the digest when nothing changes: both stations confirm each other with it. */
const TELL_EVERY = 3_000;
/** ms without a change after which the digest is told. */
const QUIET = 60;
/** ms for which digests differ with nothing to read, until the records are compared; and between two comparisons. */
const COMPARE_AFTER = 4_000;
const COMPARE_AGAIN = 30_000;
const LONGEST_PAUSE = 15 * 60_000;
/** ms until refused records are tried again. */
const RETRY_REFUSED = 60_000;
/** ms of checking records before the event loop runs other work. */
const CHECK_BUDGET = 6;

const PositionShape = z.object({ epoch: z.string(), seq: z.int().min(0) });
const PullShape = z.object({
  collection: z.string(),
  position: PositionShape.nullable(),
  limit: z.int().min(1),
});
const ChangedShape = z.object({ collections: z.array(z.string()).max(100) });
const FileShape = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), offset: z.int().min(0) });
const DigestShape = z.object({
  digest: z.string().max(64),
  read: z.record(z.string(), PositionShape),
  /** Live records; older programs do not tell it. */
  records: z.int().min(0).optional(),
});

/** Replication over one connection: answers the other station's pulls, and pulls from it. */
export class Session implements FileSource {
  readonly #options: SessionOptions;
  readonly #pulls = new Map<CollectionName, PullCollection>();
  readonly #known = new Map<CollectionName, KnownToPeer>();
  /** How far the other station has read; from the run before, until it tells. */
  readonly #read: Map<string, Position>;
  readonly #closers: (() => void)[] = [];
  readonly #states: StatesLane;
  readonly #tracks: TracksLane | undefined;
  /** Collections of which a page said that more follow. */
  readonly #inBulk = new Set<CollectionName>();
  #group = -1;
  #theirs: { readonly digest: string; readonly at: number } | undefined;
  #unsaid = new Set<string>();
  #saying: NodeJS.Immediate | undefined;
  #telling: NodeJS.Timeout | undefined;
  readonly #reconciler: Reconciler;
  /** Since when the digests differ with nothing to read, and when they were last compared; `performance.now()`. */
  #differsSince: number | undefined;
  #comparedAt = -Infinity;
  #pause = COMPARE_AGAIN;
  #comparing: Promise<void> | undefined;
  #statesBegun = false;
  #scopeName: string | undefined;
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { channel, store, positions } = options;
    this.#read = positions.of(channel.link.id);
    for (const name of REPLICATED) this.#known.set(name, new KnownToPeer());
    channel.handle('pull', (body) => this.#answerPull(body));
    channel.onNotify('changed', (body) => this.#onChanged(body));
    channel.onNotify('digest', (body) => this.#onDigest(body));
    channel.handle('file', (body) => this.#answerFile(body));
    this.#reconciler = new Reconciler({
      store,
      channel,
      carries: (collection, record) => this.#scope?.carries(collection, record) ?? true,
      take: async (collection, text) => writeReceived(store, collection, await this.#check(collection, text)),
    });
    channel.handle('digests', () => ({ body: { digests: Object.fromEntries(this.#sums() ?? []) } }));
    const retry = setInterval(() => void this.#retryRefused(), RETRY_REFUSED);
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
    this.#scopeName = this.#scope?.name;
    if (!channel.link.settings.readOnly) this.#nextGroup();
    this.#closers.push(channel.link.onSettings(() => this.#onSettings()));
    this.#closers.push(options.fetcher.add(this));
    this.reportFiles();
  }

  /** What the link carries; undefined: everything. */
  get #scope(): Scope | undefined {
    return this.#options.scoped.scopeOf(this.#options.channel.link);
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
    const { readOnly } = this.#options.channel.link.settings;
    const name = this.#scope?.name;
    this.#options.channel.link.report({ confirmedAt: undefined });
    if (readOnly && this.#pulls.size > 0) {
      for (const pull of this.#pulls.values()) void pull.close();
      this.#pulls.clear();
      this.#inBulk.clear();
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
    await this.#comparing;
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
            channel.link.report({ error: text });
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
      this.#options.channel.link.report({ waitingIn: 0, error: undefined });
      this.#tellSoon();
    }
  }

  async #fetch(collection: CollectionName, position: Position | undefined): Promise<PulledPage> {
    const { channel } = this.#options;
    const request: PullRequest = { collection, position: position ?? null, limit: PAGE };
    const { body, bytes } = await channel.request<PullAnswer>('pull', request);
    const answer = z.object({ position: PositionShape, more: z.boolean(), waiting: z.int() }).parse(body);
    const records = await this.#check(collection, bytes?.toString('utf8') ?? '');
    if (answer.more) this.#inBulk.add(collection);
    else this.#inBulk.delete(collection);
    if (answer.more) channel.link.report({ waitingIn: answer.waiting });
    return { records, position: answer.position, more: answer.more };
  }

  /** What of a page may be taken in. */
  async #check(collection: CollectionName, text: string): Promise<readonly ReceivedRecord[]> {
    const { now, refused, channel, warn } = this.#options;
    const records: ReceivedRecord[] = [];
    const faults: Fault[] = [];
    const known = this.#known.get(collection)!;
    const gone: string[] = [];
    let until = performance.now() + CHECK_BUDGET;
    for (const line of text === '' ? [] : text.split('\n')) {
      if (line.startsWith('!')) {
        gone.push(line.slice(1, 61));
        continue;
      }
      const readable = checkRecord(collection, line.slice(1), line.startsWith('-'), now());
      const checked = isFault(readable) ? readable : await this.#checkScope(collection, readable);
      if (isFault(checked)) faults.push(checked);
      else {
        records.push(checked);
        known.note(checked.record.key, checked.record.hlc);
      }
      if (performance.now() < until) continue;
      await new Promise((resolve) => setImmediate(resolve));
      until = performance.now() + CHECK_BUDGET;
    }
    const { evictions } = this.#options;
    if (gone.length > 0) {
      await evictions.note(channel.link.id, collection, gone);
      this.#tellSoon();
    }
    if (records.length > 0)
      await evictions.forget(
        channel.link.id,
        collection,
        records.map(({ record }) => record.key),
      );
    if (faults.length > 0) {
      const told = await refused.note(channel.link.id, collection, faults);
      for (const { key, reason } of told.slice(0, 3))
        warn(
          `${channel.peer.name} sent a record that is not taken in (${collection} ${key.startsWith('?') ? 'without a key' : key}): ${reason}`,
        );
      if (told.length > 3)
        warn(`${channel.peer.name} sent ${told.length - 3} more records of ${collection} that are not taken in.`);
      channel.link.report({ error: `${faults.length} records of ${collection} were refused: ${faults[0]!.reason}` });
    } else if (records.length > 0) {
      const keys = records.map(({ record }) => record.key);
      await refused.taken(channel.link.id, collection, keys);
    }
    return records;
  }

  async #checkScope(collection: CollectionName, received: ReceivedRecord): Promise<ReceivedRecord | Fault> {
    const scope = this.#scope;
    if (!scope) return received;
    const { store } = this.#options;
    const fault = scopeFault(store, scope, collection, received);
    const taskId = received.record['taskId'];
    if (!fault || typeof taskId !== 'number' || taskId === 0 || store.records('tasks').get(taskId))
      return fault ?? received;
    // It came before its task: collections are read side by side.
    await this.#reconciler.fetch('tasks', [keyOf(taskId)]);
    return scopeFault(store, scope, collection, received) ?? received;
  }

  #filterOf(collection: CollectionName): FeedFilter | undefined {
    const scope = this.#scope;
    if (!scope) return undefined;
    const { channel, store, scoped } = this.#options;
    const { organizations } = channel.link.settings;
    const mine = organizations && organizations.length > 0 ? new Scope(store, organizations) : undefined;
    return {
      epoch: this.#feedEpoch,
      carries: (record) => scope.carries(collection, record),
      leaves: FOLLOWERS[collection] !== undefined,
      isGone: (record) => mine !== undefined && !mine.carries(collection, record),
      moves: (after, upTo) => scoped.moves(channel.link.id, collection, after, upTo),
    };
  }

  async #answerPull(body: unknown): Promise<{ body: PullAnswer; bytes: Buffer }> {
    const { collection, position, limit } = PullShape.parse(body);
    if (!isReplicated(collection)) throw new Refusal('invalid', `This station does not replicate ${collection}.`);
    const { store, wasSetBack } = this.#options;
    if (position?.epoch === this.#feedEpoch && position.seq > store.feed.head()) await wasSetBack();
    if (position) this.#read.set(collection, position);
    const known = this.#known.get(collection)!;
    const page = feedPage(
      store,
      { collection, position, limit },
      (key, data) => known.has(key, data),
      this.#filterOf(collection),
    );
    return { body: page.answer, bytes: page.bytes };
  }

  async #answerFile(body: unknown): Promise<Answered<{ size: number | null }>> {
    const { sha256, offset } = FileShape.parse(body);
    const { blobs } = this.#options.files;
    if (!blobs.has(sha256)) return { body: { size: null } };
    return { body: { size: blobs.size(sha256) }, bytes: await blobs.readPiece(sha256, offset, PIECE), isFile: true };
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
    // Many commits of one turn are told at once.
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
    const { digest, read, records } = DigestShape.parse(body);
    if (records !== undefined)
      this.#options.channel.link.report({ records: { here: this.#recordCount(), there: records } });
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
    this.#options.channel.notify('digest', { digest: this.#digest(), read, records: this.#recordCount() });
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

  /** Both have read everything and hold something else: what is missing is looked for. */
  #compareWhenDue(): void {
    const now = performance.now();
    const { channel } = this.#options;
    const isDue =
      !this.#comparing &&
      now - (this.#differsSince ??= now) >= COMPARE_AFTER &&
      now - this.#comparedAt >= this.#pause &&
      !channel.link.settings.readOnly;
    if (!isDue) return;
    this.#comparedAt = now;
    this.#comparing = this.#compare()
      .catch((error: unknown) => {
        if (!this.#closed) channel.link.report({ error: `Records could not be compared: ${(error as Error).message}` });
      })
      .finally(() => (this.#comparing = undefined));
  }

  async #compare(): Promise<void> {
    const { channel, warn } = this.#options;
    const { body } = await channel.request<{ digests: unknown }>('digests', {});
    const theirs = z.record(z.string(), z.string()).parse(body.digests);
    let count = 0;
    for (const [name, sum] of this.#sums() ?? []) {
      if (this.#closed || theirs[name] === undefined || theirs[name] === sum) continue;
      const taken = await this.#reconciler.run(name);
      count += taken;
      if (taken > 0)
        warn(`${taken} records of ${name} at ${channel.peer.name} had not come by the feed. They were taken over.`);
    }
    if (count === 0) this.#options.scoped.recount(channel.link.id);
    // Where a record is refused the digests stay different.
    this.#pause = count > 0 ? COMPARE_AGAIN : Math.min(LONGEST_PAUSE, this.#pause * 2);
    this.#tellSoon();
  }

  /** What came from the future may be taken in by now; what an older program refused, by this one. */
  async #retryRefused(): Promise<void> {
    const { refused, channel, now } = this.#options;
    if (this.#closed || channel.link.settings.readOnly) return;
    const byCollection = new Map<CollectionName, string[]>();
    for (const { collection, key } of refused.toRetry(channel.link.id, now() - RETRY_REFUSED))
      byCollection.set(collection, [...(byCollection.get(collection) ?? []), key]);
    for (const [collection, keys] of byCollection)
      await this.#reconciler.fetch(collection, keys).catch(() => undefined); // tried again in a minute
  }

  /** Both hold the same, as far as this station knows, or what is missing. */
  #confirm(): void {
    const { channel, now } = this.#options;
    const theirs = this.#theirs;
    const mine = this.#digest();
    if (!theirs) return;
    const equal = mine !== '' && theirs.digest === mine && this.#unsaid.size === 0;
    const fresh = now() - theirs.at < 2 * TELL_EVERY;
    const waitingOut = equal ? 0 : this.#waitingOut();
    channel.link.report({
      digest: mine === '' || theirs.digest === '' ? undefined : { mine, theirs: theirs.digest },
      confirmedAt: equal && fresh ? theirs.at : undefined,
      waitingOut,
    });
    if (!equal && this.caughtUp && waitingOut === 0) this.#compareWhenDue();
    else this.#differsSince = undefined;
  }

  #waitingOut(): number {
    return countUnread(this.#options.store, this.#read, this.#feedEpoch);
  }
}
