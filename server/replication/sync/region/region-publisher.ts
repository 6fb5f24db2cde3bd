import { covers } from '../../../../shared/merge/merge.ts';
import type { Stamps } from '../../../../shared/records/index.ts';
import {
  packEntry,
  unpackEntry,
  wrongLastSequence,
  type RecordEntry,
  type RegionStream,
  type Subjects,
} from '../../nats/index.ts';
import { parsedJson } from '../../../platform/parsing/parsed-json.ts';
import type { CollectionName, Store } from '../../../store/types.ts';
import { countAfter, type FeedPosition } from '../replication/feed-page.ts';
import type { LastEntries } from './last-entries.ts';
import type { RegionIntake } from './region-intake.ts';

interface RegionPublisherOptions {
  readonly store: Store;
  readonly stream: RegionStream;
  readonly subjects: Subjects;
  readonly intake: RegionIntake;
  /** Identifies this run of the program in its messages. */
  readonly run: string;
  /** The most bytes of an entry that the servers take. */
  readonly largestEntry: number;
  known(collection: CollectionName): LastEntries;
  warn(message: string): void;
}

interface StoredRow {
  readonly key: string;
  readonly data: string;
  readonly deleted: number;
  readonly seq: number;
}

/** Records of one page of the feed. */
const PAGE = 500;
/** Entries that wait for the servers at once. */
const UNDER_WAY = 64;
/** Lost races after which a record is left to the next page. */
const TRIES = 20;

/**
 * Puts what is new in a collection into the stream. A record is written over the entry that this station knows to be
 * the last one of its subject. If another station was faster, its entry is merged here, and the result is published.
 */
export class RegionPublisher {
  readonly #options: RegionPublisherOptions;

  constructor(options: RegionPublisherOptions) {
    this.#options = options;
  }

  /** Resolves with the position up to which the stream has everything, and whether more follows. */
  async publishPage(
    collection: CollectionName,
    from: FeedPosition | undefined,
  ): Promise<{ readonly position: FeedPosition; readonly more: boolean }> {
    const { store } = this.#options;
    const { epoch } = store.feed;
    const head = store.feed.head();
    const after = from?.epoch === epoch ? from.seq : 0;
    const rows = store.sql
      .prepare(
        `SELECT key, data, deleted, seq FROM ${store.table(collection)} WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
      )
      .all(after, head, PAGE) as unknown as StoredRow[];
    const more = rows.length === PAGE;
    let next = 0;
    await Promise.all(
      Array.from({ length: Math.min(UNDER_WAY, rows.length) }, async () => {
        while (next < rows.length) await this.#publish(collection, rows[next++]!);
      }),
    );
    return { position: { epoch, seq: more ? rows.at(-1)!.seq : head }, more };
  }

  /** Records that the stream does not have yet. */
  waiting(collection: CollectionName, position: FeedPosition | undefined): number {
    const { store } = this.#options;
    return countAfter(store, collection, position?.epoch === store.feed.epoch ? position.seq : 0);
  }

  /** Publishes one record as it is stored. */
  async publishKey(collection: CollectionName, key: string): Promise<void> {
    const row = this.#read(collection, key);
    if (row) await this.#publish(collection, row);
  }

  /**
   * The keys of entries that hold less than this station has. A server under load may let two stations write over the
   * same entry: then the later one does not hold what was in the earlier one.
   */
  lackingHere(collection: CollectionName, entries: readonly RecordEntry[]): readonly string[] {
    return entries.flatMap(({ key, text }) => {
      const row = this.#read(collection, key);
      const stamps = (parsedJson(text) as { hlc?: Stamps } | undefined)?.hlc;
      return row && stamps && !covers(stamps, (JSON.parse(row.data) as { hlc: Stamps }).hlc) ? [key] : [];
    });
  }

  /** The last entry of a record in the stream. */
  async last(collection: CollectionName, key: string): Promise<RecordEntry | undefined> {
    const { stream, subjects } = this.#options;
    const stored = await stream.manager.streams.getMessage(stream.name, {
      last_by_subj: subjects.change(collection, key),
    });
    return stored ? unpackEntry(key, { seq: stored.seq, headers: stored.header, data: stored.data }) : undefined;
  }

  async #publish(collection: CollectionName, first: StoredRow): Promise<void> {
    const known = this.#options.known(collection);
    let row = first;
    let expected = known.sequenceOf(row.key);
    for (let tries = 0; tries < TRIES; tries++) {
      const { hlc } = JSON.parse(row.data) as { hlc: Stamps };
      if (known.has(row.key, hlc)) return;
      const sequence = await this.#put(collection, row, expected);
      if (sequence !== undefined) return known.note(row.key, sequence, hlc);
      const last = await this.last(collection, row.key);
      expected = last?.sequence ?? 0;
      if (!last) continue;
      const faults = await this.#options.intake.take(collection, [last]);
      // An unreadable record must not be overwritten. It is tried again with the refused records.
      if (faults.length > 0) return;
      const now = this.#read(collection, row.key);
      if (!now) return;
      if (covers((JSON.parse(last.text) as { hlc: Stamps }).hlc, (JSON.parse(now.data) as { hlc: Stamps }).hlc)) return;
      row = now;
    }
    throw new Error(`Other stations changed ${collection} ${first.key} each time before it could be published.`);
  }

  /** Resolves with the sequence of the entry; undefined: the subject has another last entry than expected. */
  async #put(collection: CollectionName, row: StoredRow, expected: number): Promise<number | undefined> {
    const { stream, subjects, run, largestEntry, warn } = this.#options;
    const { headers, bytes } = await packEntry(row.data, row.deleted === 1, run);
    if (bytes.length > largestEntry) {
      warn(`${collection} ${row.key} has ${bytes.length} bytes; the servers of the region take ${largestEntry}.`);
      return expected;
    }
    try {
      const { seq } = await stream.client.publish(subjects.change(collection, row.key), bytes, {
        headers,
        expect: { lastSubjectSequence: expected },
      });
      return seq;
    } catch (error) {
      if (wrongLastSequence(error)) return undefined;
      throw error;
    }
  }

  /** The record as it is on disk. */
  #read(collection: CollectionName, key: string): StoredRow | undefined {
    const { store } = this.#options;
    return store.sql
      .prepare(`SELECT key, data, deleted, seq FROM ${store.table(collection)} WHERE key = ? AND seq <= ?`)
      .get(key, store.feed.head()) as StoredRow | undefined;
  }
}
