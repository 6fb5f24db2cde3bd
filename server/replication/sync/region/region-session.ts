import type { NatsConnection } from '@nats-io/transport-node';
import {
  epochOf,
  followStream,
  isOfRun,
  unpackEntry,
  type Followed,
  type JsEntry,
  type RegionStream,
  type Subjects,
} from '../../nats/index.ts';
import type { CollectionName, Store } from '../../../store/types.ts';
import { GROUPS, isReplicated, REPLICATED } from '../replication/collections.ts';
import type { RefusedRecords } from '../replication/intake/refused-records.ts';
import { knownIds, skipKnownIds } from '../replication/known-ids.ts';
import { REGION_TAKEN } from '../replication/link-rows.ts';
import { LastEntries } from './last-entries.ts';
import { RegionIntake } from './region-intake.ts';
import { RegionPositions } from './region-positions.ts';
import { RegionPublisher } from './region-publisher.ts';

export interface RegionSessionOptions {
  readonly store: Store;
  readonly stream: RegionStream;
  readonly subjects: Subjects;
  readonly connection: NatsConnection;
  readonly refused: RefusedRecords;
  /** Publishes nothing. */
  readonly readsOnly: boolean;
  readonly run: string;
  now(): number;
  warn(message: string): void;
  /** Called when what waits may have changed. */
  changed(): void;
}

/** ms until refused records are tried again. */
const RETRY_REFUSED = 60_000;
/** ms between two looks whether the stream is still the same. */
const LOOK_EVERY = 5_000;
/** Looks without an answer after which the stream counts as away. */
const MAX_UNANSWERED = 2;
/** Bytes of subject and headers, beside those of a record. */
const ENVELOPE = 1_024;

/**
 * Replication over one stream: follows each collection, then publishes records that the stream lacks. Ends
 * when anything fails; its owner opens the next one, which continues from the stored positions.
 */
export class RegionSession {
  readonly #options: RegionSessionOptions;
  readonly #positions: RegionPositions;
  readonly #publisher: RegionPublisher;
  readonly #intake: RegionIntake;
  readonly #known = new Map(REPLICATED.map((name) => [name, new LastEntries()]));
  readonly #followed = new Map<CollectionName, Followed>();
  /** Collections in which something waits to be published. */
  readonly #dirty = new Set<CollectionName>();
  /** Records of which the stream holds less than this station. */
  readonly #again = new Map<string, readonly [CollectionName, string]>();
  readonly #closing = Promise.withResolvers<void>();
  #wake = Promise.withResolvers<void>();
  #unanswered = 0;
  #isCaughtUp = false;
  #isClosed = false;
  #comparesAll = false;

  constructor(options: RegionSessionOptions) {
    this.#options = options;
    const { store, stream, readsOnly } = options;
    if (!readsOnly) for (const name of REPLICATED) this.#dirty.add(name);
    this.#positions = new RegionPositions(store, stream.epoch, stream.last, (error) =>
      options.warn(`Positions of the region could not be stored: ${(error as Error).message}`),
    );
    const known = (collection: CollectionName) => this.#known.get(collection)!;
    this.#intake = new RegionIntake({ ...options, known });
    this.#publisher = new RegionPublisher({
      ...options,
      intake: this.#intake,
      largestEntry: (options.connection.info?.max_payload ?? 1_048_576) - ENVELOPE,
      known,
    });
  }

  /** Everything was read that was there at the beginning. */
  get isCaughtUp(): boolean {
    return this.#isCaughtUp;
  }

  /** Records that this station has not read, by collection. */
  get waitingIn(): readonly (readonly [CollectionName, number])[] {
    return [...this.#followed].map(([name, { waiting }]) => [name, waiting] as const);
  }

  /** Records that the stream does not have, by collection. */
  get waitingOut(): readonly (readonly [CollectionName, number])[] {
    return [...this.#dirty].map(
      (name) => [name, Math.max(1, this.#publisher.waiting(name, this.#positions.put(name)))] as const,
    );
  }

  /** Nothing waits, in either direction. */
  get isSettled(): boolean {
    return (
      this.#isCaughtUp &&
      this.#dirty.size + this.#again.size === 0 &&
      this.waitingIn.every(([, waiting]) => waiting === 0)
    );
  }

  /** Runs until it is closed; rejects when something failed. */
  async run(): Promise<void> {
    const { store, readsOnly, changed } = this.#options;
    const stop = store.feed.watch((names) => {
      if (readsOnly) return changed();
      for (const name of names) if (isReplicated(name)) this.#dirty.add(name);
      this.#wake.resolve();
      changed();
    });
    const retry = setInterval(() => this.#retryRefused(), RETRY_REFUSED);
    const watch = setInterval(() => void this.#look(), LOOK_EVERY);
    try {
      await Promise.race([this.#replicate(), this.#closing.promise]);
    } finally {
      this.#isClosed = true;
      this.#wake.resolve();
      clearInterval(retry);
      stop();
      await Promise.all([...this.#followed.values()].map((followed) => followed.close()));
      clearInterval(watch);
      await this.#positions.close();
      if (this.#comparesAll) await this.#positions.reset();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#closing.resolve();
  }

  /** Ends, so that the next session compares everything and each of the two gets the records that it lacks. */
  compareAll(): void {
    this.#comparesAll = true;
    this.close();
  }

  async #replicate(): Promise<void> {
    const { store, readsOnly, warn, changed } = this.#options;
    // Groups follow each other, so that a fresh station has vehicles before tasks name them.
    for (const group of GROUPS) {
      if (this.#isClosed) return;
      await Promise.all(group.map((collection) => this.#follow(collection)));
      await this.#orFailed(Promise.all(group.map((collection) => this.#followed.get(collection)!.caughtUp)));
      changed();
    }
    if (!readsOnly && (await skipKnownIds(store, knownIds(store, store.stationNumber))))
      warn('The region knows records of this station that are not here: its data are of an older day. They come back.');
    this.#isCaughtUp = true;
    changed();
    await this.#orFailed(readsOnly ? this.#closing.promise : this.#publish());
  }

  /** Ends if the stream does not answer, is gone, or was replaced: its readers would wait without end. */
  async #look(): Promise<void> {
    const { stream, warn } = this.#options;
    let epoch: string | undefined;
    try {
      epoch = await epochOf(stream);
      this.#unanswered = 0;
    } catch (error) {
      // The connection may be open while the stream is unavailable: a leaf node answers without its centre.
      if (++this.#unanswered >= MAX_UNANSWERED) this.#closing.reject(error);
      return;
    }
    if (epoch === stream.epoch || this.#isClosed) return;
    warn('The stream of the region is another one than before. It is read from its beginning, and filled.');
    this.close();
  }

  /** Rejects as soon as one collection is not followed any more. */
  #orFailed<T>(work: Promise<T>): Promise<T | void> {
    return Promise.race([work, ...[...this.#followed.values()].map(({ ended }) => ended)]);
  }

  async #follow(collection: CollectionName): Promise<void> {
    const { stream, subjects, changed } = this.#options;
    const followed = await followStream({
      stream,
      filter: subjects.changesOf(collection),
      after: this.#positions.taken(collection),
      take: async (entries) => {
        await this.#take(collection, entries);
        changed();
      },
    });
    this.#followed.set(collection, followed);
  }

  async #take(collection: CollectionName, entries: readonly JsEntry[]): Promise<void> {
    const { subjects, run } = this.#options;
    // Records that this run published are already here.
    const foreign = entries.filter(({ headers }) => !isOfRun(headers, run));
    const unpacked = await Promise.all(foreign.map((entry) => unpackEntry(subjects.keyOf(entry.subject), entry)));
    if (unpacked.length > 0) {
      const faults = new Set((await this.#intake.take(collection, unpacked)).map(({ key }) => key));
      const lacking = this.#options.readsOnly
        ? []
        : this.#publisher.lackingHere(collection, unpacked).filter((key) => !faults.has(key));
      for (const key of lacking) this.#again.set(`${collection} ${key}`, [collection, key]);
      if (lacking.length > 0) this.#wake.resolve();
    }
    this.#positions.noteTaken(collection, entries.at(-1)!.seq);
  }

  async #publish(): Promise<void> {
    while (!this.#isClosed) {
      this.#wake = Promise.withResolvers();
      for (const name of REPLICATED) {
        // Removed first: a write from now on marks it again.
        for (let more = this.#dirty.has(name); more && !this.#isClosed;) {
          this.#dirty.delete(name);
          try {
            const page = await this.#publisher.publishPage(name, this.#positions.put(name));
            this.#positions.notePut(name, page.position);
            more = page.more || this.#dirty.has(name);
          } catch (error) {
            this.#dirty.add(name);
            throw error;
          }
          if (more) this.#dirty.add(name);
        }
      }
      for (const [name, [collection, key]] of this.#again) {
        await this.#publisher.publishKey(collection, key);
        this.#again.delete(name);
      }
      this.#options.changed();
      if (this.#dirty.size + this.#again.size === 0) await this.#wake.promise;
    }
  }

  /** Reads refused records again: their time may have come, and a newer program may accept them. */
  #retryRefused(): void {
    const { refused, now, warn } = this.#options;
    const retry = async (): Promise<void> => {
      for (const { collection, key } of refused.toRetry(REGION_TAKEN, now() - RETRY_REFUSED)) {
        const entry = await this.#publisher.last(collection, key);
        if (!entry || this.#isClosed) continue;
        const faults = await this.#intake.take(collection, [entry]);
        if (faults.length === 0 && !this.#options.readsOnly) await this.#publisher.publishKey(collection, key);
      }
    };
    retry().catch((error: unknown) => warn(`Refused records could not be read again: ${(error as Error).message}`));
  }
}
