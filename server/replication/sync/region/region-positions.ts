import type { CollectionName, Store } from '../../../store/types.ts';
import type { FeedPosition } from '../replication/feed-page.ts';
import { REGION_PUT, REGION_TAKEN } from '../replication/link-rows.ts';
import { ReadPositions } from '../replication/read-positions.ts';

/** ms between two writes of the positions. Being late is no harm: entries are taken in once more. */
const SAVE_EVERY = 1_000;

/**
 * This station's read position in the stream, and the position of its own records that the stream has, by
 * collection. Both restart in another stream.
 */
export class RegionPositions {
  readonly #store: Store;
  readonly #saved: ReadPositions;
  readonly #streamEpoch: string;
  readonly #taken = new Map<string, FeedPosition>();
  readonly #put = new Map<string, FeedPosition>();
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(store: Store, streamEpoch: string, lastEntry: number, failed: (error: unknown) => void) {
    this.#store = store;
    this.#saved = new ReadPositions(store);
    this.#streamEpoch = streamEpoch;
    this.#failed = failed;
    const taken = [...this.#saved.of(REGION_TAKEN)].filter(([, { epoch }]) => epoch === streamEpoch);
    // If the stream is shorter than this station's position in it, the stream was set back to an older state.
    if (taken.some(([, { seq }]) => seq > lastEntry)) return;
    for (const [name, position] of taken) this.#taken.set(name, position);
    for (const [name, { epoch, seq }] of this.#saved.of(REGION_PUT)) {
      const [stream, feed] = epoch.split(' ');
      if (stream === streamEpoch) this.#put.set(name, { epoch: feed ?? '', seq });
    }
  }

  /** The sequence of the last entry that was taken in. */
  taken(collection: CollectionName): number {
    return this.#taken.get(collection)?.seq ?? 0;
  }

  put(collection: CollectionName): FeedPosition | undefined {
    return this.#put.get(collection);
  }

  noteTaken(collection: CollectionName, sequence: number): void {
    this.#taken.set(collection, { epoch: this.#streamEpoch, seq: sequence });
    this.#saveSoon();
  }

  notePut(collection: CollectionName, position: FeedPosition): void {
    const before = this.#put.get(collection);
    if (before?.epoch === position.epoch && before.seq === position.seq) return;
    this.#put.set(collection, position);
    this.#saveSoon();
  }

  /** Starts again: everything is read and compared again. */
  async reset(): Promise<void> {
    this.#taken.clear();
    this.#put.clear();
    await this.#store.writePlain((sql) =>
      sql.prepare('DELETE FROM read_positions WHERE link IN (?, ?)').run(REGION_TAKEN, REGION_PUT),
    );
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#saving;
    await this.#save();
  }

  #saveSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#saving = this.#save().catch(this.#failed);
    }, SAVE_EVERY);
  }

  async #save(): Promise<void> {
    await this.#saved.save(REGION_TAKEN, this.#taken);
    await this.#saved.save(
      REGION_PUT,
      new Map([...this.#put].map(([name, { epoch, seq }]) => [name, { epoch: `${this.#streamEpoch} ${epoch}`, seq }])),
    );
  }
}
