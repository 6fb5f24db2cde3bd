import { createRevision, getDefaultRxDocumentMeta } from 'rxdb';
import { replicateRxCollection } from 'rxdb/plugins/replication';
import type { RxReplicationState } from 'rxdb/plugins/replication';
import type { BulkWriteRow, RxCollection, RxStorageInstance, RxReplicationPullStreamItem, WithDeleted } from 'rxdb';
import { NEVER, Subject } from 'rxjs';
import type { CollectionName, Store } from '../../../../store/types.ts';
import type { FeedPosition } from '../feed-page.ts';
import type { ReceivedRecord } from '../check-record.ts';

/** A page that came from the other station, after it was checked. */
export interface PulledPage {
  readonly records: readonly ReceivedRecord[];
  readonly position: FeedPosition;
  readonly more: boolean;
}

export interface PullCollectionOptions {
  readonly store: Store;
  readonly collection: CollectionName;
  /** Names the link: positions are kept under it. */
  readonly identifier: string;
  fetch(position: FeedPosition | undefined): Promise<PulledPage>;
  /** Called when all that the other station had is stored. */
  settled(): void;
  /** A page was not fetched or not stored; it is tried again. */
  failed(error: unknown): void;
}

/** RxDB ends a round with a page that is shorter than this; each of ours is a round of its own. */
const RXDB_BATCH = 1_000_000;
/** Records written in one step of the store, and steps that wait for the disk at once. */
const STEP = 100;
const STEPS_UNDER_WAY = 4;
/** ms until a page that could not be stored is asked for again. */
const RETRY_AFTER = 2_000;

type AnyDocument = Record<string, unknown>;

/**
 * Pulls one collection over one link by RxDB's replication: it keeps the position and writes the pages, which
 * the storage merges in its transaction. One page is fetched while the one before it is written, so memory is
 * bounded.
 */
export class PullCollection {
  readonly #options: PullCollectionOptions;
  readonly #stream = new Subject<RxReplicationPullStreamItem<AnyDocument, FeedPosition>>();
  readonly #state: RxReplicationState<AnyDocument, FeedPosition>;
  /** Everything up to there is stored; ahead of RxDB's position while pages bring nothing to store. */
  #position: FeedPosition | undefined;
  #fetched: FeedPosition | undefined;
  #ahead: { readonly from: FeedPosition; readonly page: Promise<PulledPage> } | undefined;
  /** The last page was the end. */
  #atEnd = false;
  #caughtUp = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: PullCollectionOptions) {
    this.#options = options;
    const { store, collection, identifier } = options;
    this.#state = replicateRxCollection<AnyDocument, FeedPosition>({
      replicationIdentifier: identifier,
      collection: pullView(store.collection(collection) as unknown as RxCollection),
      deletedField: '_deleted',
      live: true,
      waitForLeadership: false,
      retryTime: RETRY_AFTER,
      pull: {
        batchSize: RXDB_BATCH,
        stream$: this.#stream,
        handler: async (stored) => {
          const page = await this.#next(stored);
          const documents = page?.records.map(({ record, deleted }) => ({ ...record, _deleted: deleted })) ?? [];
          return { documents: documents as WithDeleted<AnyDocument>[], checkpoint: page?.position ?? stored! };
        },
      },
    });
    this.#state.error$.subscribe((error) => this.#onFailure(error));
    this.#state.active$.subscribe((active) => !active && this.#onIdle());
  }

  /** Whether everything is stored that the other station had when it was asked last. */
  get caughtUp(): boolean {
    return this.#caughtUp;
  }

  /** Everything up to there is stored. */
  get position(): FeedPosition | undefined {
    return this.#position;
  }

  /** Requests new records from the other station. */
  resync(): void {
    this.#caughtUp = false;
    this.#atEnd = false;
    if (!this.#closed) this.#stream.next('RESYNC');
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#state.cancel();
  }

  async #next(stored: FeedPosition | undefined): Promise<PulledPage | undefined> {
    const from = furthest(stored, this.#position);
    const ahead = this.#ahead && from && samePosition(this.#ahead.from, from) ? this.#ahead.page : undefined;
    this.#ahead = undefined;
    const page = await (ahead ?? this.#options.fetch(from)).catch((error: unknown) => this.#onFailure(error));
    if (this.#closed || !page) return undefined;
    this.#fetched = page.position;
    if (page.more) {
      this.#ahead = { from: page.position, page: this.#options.fetch(page.position) };
      this.#ahead.page.catch(() => undefined); // Awaited by the next round.
      // Runs after this page is stored.
      setImmediate(() => !this.#closed && this.#stream.next('RESYNC'));
    } else this.#atEnd = true;
    return page;
  }

  #onIdle(): void {
    if (this.#closed || !this.#fetched) return;
    this.#position = this.#fetched;
    if (!this.#atEnd || this.#caughtUp) return;
    this.#caughtUp = true;
    this.#options.settled();
  }

  #onFailure(error: unknown): undefined {
    if (this.#closed) return;
    this.#atEnd = false;
    this.#caughtUp = false;
    this.#ahead = undefined;
    this.#fetched = undefined;
    this.#position = undefined;
    this.#options.failed(error);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.resync(), RETRY_AFTER);
    this.#retry.unref();
  }
}

function samePosition(a: FeedPosition, b: FeedPosition): boolean {
  return a.epoch === b.epoch && a.seq === b.seq;
}

function furthest(stored: FeedPosition | undefined, inMemory: FeedPosition | undefined): FeedPosition | undefined {
  if (!stored || !inMemory) return inMemory ?? stored;
  return inMemory.epoch === stored.epoch && inMemory.seq < stored.seq ? stored : inMemory;
}

function instanceOf(collection: unknown): RxStorageInstance<AnyDocument, unknown, unknown> {
  return (
    collection as {
      storageInstance: { originalStorageInstance: RxStorageInstance<AnyDocument, unknown, unknown> };
    }
  ).storageInstance.originalStorageInstance;
}

/**
 * The collection as seen by a pull-only replication. RxDB would read every local write to push it nowhere,
 * and read the stored record before it writes; here the storage merges with the stored record.
 */
function pullView(collection: RxCollection): RxCollection<AnyDocument> {
  const instance = instanceOf(collection);
  const storageInstance = {
    databaseName: instance.databaseName,
    collectionName: instance.collectionName,
    schema: instance.schema,
    internals: instance.internals,
    options: instance.options,
    findDocumentsById: () => Promise.resolve([]),
    changeStream: () => NEVER,
    getChangedDocumentsSince: (_limit: number, checkpoint?: unknown) => Promise.resolve({ documents: [], checkpoint }),
    bulkWrite: (rows: BulkWriteRow<AnyDocument>[], context: string) => writeInSteps(instance, rows, context),
  };
  return Object.create(collection, { storageInstance: { value: storageInstance } }) as RxCollection<AnyDocument>;
}

/** Writes records of another station outside of a round, merged as in one. */
export async function writeReceived(
  store: Store,
  collection: CollectionName,
  records: readonly ReceivedRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(({ record, deleted }) => ({
    document: {
      ...record,
      _deleted: deleted,
      _attachments: {},
      _meta: getDefaultRxDocumentMeta(),
      _rev: createRevision('received'),
    },
  })) as unknown as BulkWriteRow<AnyDocument>[];
  const { error } = await writeInSteps(
    instanceOf(store.collection(collection)),
    rows,
    'replication-downstream-received',
  );
  if (error.length > 0) throw new Error(`${error.length} records of ${collection} were not stored.`);
}

/** Several steps wait for the disk together. */
async function writeInSteps(
  instance: RxStorageInstance<AnyDocument, unknown, unknown>,
  rows: BulkWriteRow<AnyDocument>[],
  context: string,
): ReturnType<typeof instance.bulkWrite> {
  const steps: ReturnType<typeof instance.bulkWrite>[] = [];
  for (let at = 0; at < rows.length; at += STEP) {
    if (steps.length >= STEPS_UNDER_WAY) await steps[steps.length - STEPS_UNDER_WAY];
    // RxDB notes in `_meta` where a document came from, which only a push would need.
    const step = rows.slice(at, at + STEP).map(({ document }) => ({
      document: { ...document, _meta: { lwt: document._meta.lwt } },
    }));
    steps.push(instance.bulkWrite(step, context));
  }
  return { error: (await Promise.all(steps)).flatMap(({ error }) => error) };
}
