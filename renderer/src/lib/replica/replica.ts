import { createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb/plugins/core';
import { replicateRxCollection, type RxReplicationState } from 'rxdb/plugins/replication';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { Subject } from 'rxjs';
import type { Client } from '../api/client.ts';
import type { LiveRecords } from './live-records.ts';
import { Beginning, KeptFill, KeptLost } from './beginning.ts';
import type { ReplicaCheckpoint, KeptDocument, KeptRecords } from './kept-records.ts';
import { VehicleFill } from './vehicle-fill.ts';
import { REPLICA_NAMES, schemaOf, replicaWireName, type ReplicaName, type ReplicaRecords } from './schemas.ts';

interface ReplicaFeedPage {
  readonly epoch: string;
  readonly reset?: boolean;
  readonly documents: readonly KeptDocument[];
  readonly checkpoint: string;
  readonly more: boolean;
}

export type ReplicaSinks = { readonly [N in ReplicaName]: LiveRecords<ReplicaRecords[N]> };

const PAGE = 1_000;
const RETRY_MS = 2_000;
/** Instead of a position while what was kept is read, or vehicles are filled. */
const FILLING = 'filling';

/**
 * This console's copy of its station: read only, in memory, filled by pulling and kept current by nudges.
 * Every change that arrives is handed on to `sinks`.
 */
export class Replica {
  private readonly database: RxDatabase;
  private readonly nudges = new Map<ReplicaName, Subject<'RESYNC'>>();
  private readonly replications: RxReplicationState<unknown, ReplicaCheckpoint>[] = [];
  private readonly behind = new Set<ReplicaName>(REPLICA_NAMES);
  /** Collections whose first records have not reached the listeners of their sink yet. */
  private readonly filling = new Set<ReplicaName>(REPLICA_NAMES);
  private readonly listener: ReplicaListener;
  private readonly kept: KeptRecords | undefined;
  private readonly beginnings = new Map<ReplicaName, Promise<Beginning | undefined>>();

  private constructor(database: RxDatabase, listener: ReplicaListener, kept: KeptRecords | undefined) {
    this.database = database;
    this.listener = listener;
    this.kept = kept;
  }

  /** @param kept what was held before a reload; undefined: it begins from nothing. It is closed with the replica. */
  static async open(
    client: Client,
    sinks: ReplicaSinks,
    listener: ReplicaListener,
    kept?: KeptRecords,
  ): Promise<Replica> {
    // A new name each time: RxDB refuses to open the same one again before the old one is closed.
    const database = await createRxDatabase({
      name: `console-${crypto.randomUUID()}`,
      storage: getRxStorageMemory(),
      multiInstance: false,
      eventReduce: true,
    });
    const replica = new Replica(database, listener, kept);
    const collections = await database.addCollections(
      Object.fromEntries(REPLICA_NAMES.map((name) => [name, { schema: schemaOf(name) }])),
    );
    for (const name of REPLICA_NAMES)
      replica.follow(
        name,
        collections[name]!,
        client,
        sinks[name] as unknown as LiveRecords<{ key: string; id: number }>,
      );
    return replica;
  }

  /** All data of the station has arrived and was published, so an empty collection is really empty. */
  get caughtUp(): boolean {
    return this.behind.size === 0 && this.filling.size === 0;
  }

  /** The station reported changes of these collections, by its names; without names: possibly of any. */
  nudge(names: readonly string[] = REPLICA_NAMES.map(replicaWireName)): void {
    for (const name of REPLICA_NAMES) {
      if (!names.includes(replicaWireName(name))) continue;
      this.behind.add(name);
      this.nudges.get(name)?.next('RESYNC');
    }
    this.listener.onProgress();
  }

  /** A live query over the comments of one message, oldest first. */
  watchComments(taskId: number, listener: (comments: readonly ReplicaRecords['comments'][]) => void): () => void {
    const query = this.database.collections['comments']!.find({ selector: { taskId } });
    const subscription = query.$.subscribe((found) => {
      const comments = found.map((document) => document.toJSON() as ReplicaRecords['comments']);
      listener(comments.sort((one, other) => one.at - other.at || one.id - other.id));
    });
    return () => subscription.unsubscribe();
  }

  async close(): Promise<void> {
    await Promise.all(this.replications.map((replication) => replication.cancel()));
    await this.database.close();
    await this.kept?.close();
  }

  private follow(
    name: ReplicaName,
    collection: RxCollection,
    client: Client,
    sink: LiveRecords<{ key: string; id: number }>,
  ): void {
    collection.eventBulks$.subscribe((bulk) => {
      for (const event of bulk.events) {
        if (event.operation === 'DELETE') sink.remove(event.documentId);
        else sink.put(event.documentData as unknown as { key: string; id: number });
      }
    });
    const nudge = new Subject<'RESYNC'>();
    this.nudges.set(name, nudge);
    const replication = replicateRxCollection<unknown, ReplicaCheckpoint>({
      replicationIdentifier: `station-${name}`,
      collection: collection as RxCollection<unknown>,
      live: true,
      waitForLeadership: false,
      toggleOnDocumentVisible: false, // a board on a second screen is hidden to the browser and still looked at
      retryTime: RETRY_MS,
      pull: { batchSize: PAGE, stream$: nudge, handler: (checkpoint) => this.pull(name, client, checkpoint) },
    }) as RxReplicationState<unknown, ReplicaCheckpoint>;
    this.replications.push(replication);
    // A page is acknowledged before its records are stored and published.
    void replication
      .awaitInitialReplication()
      .then(() => (sink.endRefill(), sink.notified()))
      .then(() => {
        this.filling.delete(name);
        this.listener.onProgress();
      });
  }

  /** Fills the replica before the first page: from storage, or with one stream of vehicles. */
  private begin(name: ReplicaName, client: Client): Promise<Beginning | undefined> {
    const open = async (): Promise<Beginning | undefined> => {
      const position = await this.kept?.position(name);
      if (position) return new Beginning(new KeptFill(this.kept!, name, position));
      return name === 'vehicles' ? new Beginning(new VehicleFill(client, this.kept)) : undefined;
    };
    const found = this.beginnings.get(name) ?? open();
    this.beginnings.set(name, found);
    return found;
  }

  /**
   * One page. RxDB takes a page that is not full for the last one, so pages that rights have thinned out are
   * put together.
   */
  private async pull(name: ReplicaName, client: Client, from: ReplicaCheckpoint | undefined) {
    const documents: { key: string; id: number; _deleted: boolean }[] = [];
    const add = (found: readonly KeptDocument[]): void => {
      const own = name === 'comments' ? { taskId: 0 } : {};
      for (const document of found)
        documents.push({ id: 0, ...own, ...document, _deleted: document._deleted ?? false });
    };
    let checkpoint = from;
    // RxDB holds no position yet, in spite of received records.
    if (from === undefined || from.after === FILLING) {
      const beginning = await this.begin(name, client);
      const part = await beginning?.next(PAGE).catch(async (error: unknown) => {
        if (!(error instanceof KeptLost)) throw error;
        await this.kept?.clear();
        this.listener.onReset('kept');
        return { documents: [], checkpoint: undefined };
      });
      add(part?.documents ?? []);
      checkpoint = part?.checkpoint;
      if (part && !checkpoint) return { documents: documents as never[], checkpoint: { epoch: '', after: FILLING } };
    }
    for (;;) {
      const page = await client.ask<ReplicaFeedPage>(`/replica/${replicaWireName(name)}`, {
        query: { after: checkpoint?.after ?? 0, epoch: checkpoint?.epoch, limit: PAGE },
      });
      if (page.reset) {
        await this.kept?.clear();
        this.listener.onReset('station');
        return { documents: [], checkpoint: from };
      }
      add(page.documents);
      const next = { epoch: page.epoch, after: page.checkpoint };
      if (next.after !== checkpoint?.after) this.kept?.put(name, page.documents, next);
      checkpoint = next;
      if (page.more && documents.length < PAGE) continue;
      if (!page.more) this.arrived(name);
      return { documents: documents as never[], checkpoint };
    }
  }

  private arrived(name: ReplicaName): void {
    this.behind.delete(name);
    this.listener.onProgress();
  }
}

interface ReplicaListener {
  /**
   * The data is invalid (the station was restored, or access changed), or the stored data cannot be read: the
   * replica must be opened again.
   */
  onReset(why: 'station' | 'kept'): void;
  onProgress(): void;
}
