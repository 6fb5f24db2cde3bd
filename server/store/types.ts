import type { CodeWithId } from '../../shared/refusals/reason.ts';
import type { Reason } from '../../shared/refusals/reason.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { RxCollection } from 'rxdb';
import type { z } from 'zod';
import type { COLLECTIONS, Stamps, TableIndex } from '../../shared/records/index.ts';

/** A record as rules make it, before the store adds key and stamps. */
export type Draft<T> = Omit<T, 'hlc' | 'key'>;

export type CollectionName = keyof typeof COLLECTIONS;
export type RecordOf<N extends CollectionName> = z.infer<(typeof COLLECTIONS)[N]['record']>;

/** The fields that all stored records have. */
export interface AnyStored {
  readonly key: string;
  readonly id: number;
  readonly hlc: Stamps;
  readonly kind?: string;
}

/**
 * Where a new record comes from. Like `entered`, but older than every edit: `seed`, the same record at every
 * station; `computed`, derived by each station for itself under the same id.
 */
export type Origin = 'entered' | 'seed' | 'computed';

export interface Change<T> {
  /** The record as it is now. */
  readonly record: T;
  readonly before: T | undefined;
  readonly deleted: boolean;
}

/**
 * SQL name of one of the `tableIndexes` of a table. It includes the fields, so an index with other fields is
 * made again.
 */
export function indexName(table: string, { name, fields }: TableIndex): string {
  return `${table.slice(0, -1)} by ${name}(${fields.join(',')})"`;
}

/**
 * The records of one collection, or of one kind in a shared one.
 *
 * Reads are synchronous and return plain objects, not RxDocuments. They are shared: do not change them. A
 * write resolves when it is on disk; writes of one turn of the event loop share one commit.
 */
export interface Records<T extends { id: number }> {
  get(id: number): T | undefined;
  /** Throws the refusal `missing` with the id. */
  require(id: number, missing: CodeWithId): T;
  all(): readonly T[];
  /** Inserts; the id comes from `nextId()`. Rejects when the id exists. */
  insert(draft: Draft<T>, origin?: Origin): Promise<T>;
  insertMany(drafts: readonly Draft<T>[], origin?: Origin): Promise<readonly T[]>;
  /**
   * Atomically replaces the record by the result of `rule`, and stamps the fields that differ. When `rule`
   * throws or returns the same object, nothing is written; the error is passed on.
   */
  change(id: number, rule: (record: T) => T | Draft<T>): Promise<T>;
  /**
   * Like `change` for several records, each once. Up to a hundred are changed all or none; more are changed
   * in steps, like in `insertMany`.
   */
  changeMany(ids: readonly number[], rule: (record: T) => T | Draft<T>): Promise<readonly T[]>;
  /** Physical deletion (a tombstone that replicates). Most records have `isDeleted` instead. */
  remove(id: number): Promise<void>;
  nextId(): number;
  count(): number;
  /**
   * Calls the listener after each commit, merges from other stations included. Returns the unsubscribe
   * function.
   */
  watch(listener: (changes: readonly Change<T>[]) => void): () => void;
  /**
   * Calls the listener inside the transaction of each write, merges included: its own writes are stored with
   * that write or not at all. It must not await them. When it throws, the write is refused. Returns the
   * unsubscribe function.
   */
  beforeCommit(listener: (changes: readonly Change<T>[]) => void): () => void;
}

/**
 * Feed for replicas and peers: the records that changed since a checkpoint, each once, in its current state,
 * in write order.
 */
export interface Feed {
  since(
    collection: CollectionName,
    checkpoint: number,
    limit: number,
  ): { records: readonly { record: Record<string, unknown>; deleted: boolean; seq: number }[]; checkpoint: number };
  /** The highest durable sequence number. */
  head(): number;
  /** Renewed by a wipe, a restore and `renewEpoch`; a checkpoint holds only within its epoch. */
  readonly epoch: string;
  /** Tells the listener after each commit which collections changed. Returns the unsubscribe function. */
  watch(listener: (changed: ReadonlySet<CollectionName>, head: number) => void): () => void;
}

export interface Store {
  readonly stationId: string;
  /** 0 to 213 */
  readonly stationNumber: number;
  /** Gives a station without ids of its own another number. Ids and stamps from now on carry it. */
  renumber(number: number): Promise<void>;
  /**
   * Begins a new epoch and skips ids: the store was set back to an older state, from which other stations have
   * read more than it holds now.
   */
  renewEpoch(): Promise<void>;
  /** Marks the ids up to these as used, by counter; other stations know them. */
  takeIds(last: Readonly<Record<string, number>>): Promise<void>;
  records<N extends CollectionName>(name: N): Records<RecordOf<N>>;
  /** The records of one kind in a collection that holds several. */
  kind<T extends { id: number; kind: string }>(name: 'directories' | 'accounts' | 'fleet', kind: T['kind']): Records<T>;
  /** The RxDB collection itself, for live queries in process and for tests. */
  collection<N extends CollectionName>(name: N): RxCollection<RecordOf<N>>;
  /**
   * Runs `work`. After a crash all of its writes are on disk, in all collections, or none. It is not a lock:
   * read inside `change` what you decide on.
   */
  transaction<R>(work: () => Promise<R>): Promise<R>;
  /**
   * The connection for reading by hand-written SQL and for plain tables, which never leave the station:
   * tokens, settings, queues, counters. Collections are written through `records` only. Plain-table writes
   * join the open group commit: use `writePlain`.
   */
  readonly sql: DatabaseSync;
  /** Writes plain tables in the grouped commit; resolves when it is on disk. */
  writePlain<R>(work: (sql: DatabaseSync) => R): Promise<R>;
  /**
   * SQL name of the table of a collection and the SQL for one of its fields, e.g. `table('tasks')`.
   * Indexed fields are generated columns named as the field; the record is in `data` (JSON text); `deleted`
   * is 0 or 1; `seq` the write order.
   */
  table(name: CollectionName): string;
  readonly feed: Feed;
  /** All records of a collection, of every kind. */
  whole(name: CollectionName): Pick<Records<AnyStored>, 'watch' | 'beforeCommit'>;
  /**
   * Calls the listener after each commit with the records that peers and merges changed. Returns the
   * unsubscribe function.
   */
  onMerged(listener: (collection: CollectionName, changes: readonly Change<AnyStored>[]) => void): () => void;
  /**
   * Purges the data of records that were deleted before so many milliseconds. That they were deleted stays known,
   * so that no linked station, however long it was away, brings them back.
   */
  purgeDeleted(olderThan: number): Promise<void>;
  /** Removes records without a tombstone, which would delete them at other stations. */
  evict(name: CollectionName, keys: readonly string[]): Promise<void>;
  /** Why this station may write no records of its own; undefined: it may. Those of linked stations are stored. */
  readonly readOnly: Reason | undefined;
  /** Refuses writes of records with this reason from now on; undefined: takes them again. */
  setReadOnly(why: Reason | undefined): void;
  /** Calls the listener when `readOnly` begins or ends. Returns the unsubscribe function. */
  onReadOnly(listener: () => void): () => void;
  /**
   * Sum of the hashes of the live records of a collection, as committed; undefined while it is counted, at the
   * first start with data of an older program.
   */
  digest(name: CollectionName): { readonly sum: string; readonly records: number } | undefined;
  /** Path of the database, for read-only connections in workers. */
  readonly file: string;
  /** A consistent copy while the station runs. */
  backup(toFile: string): Promise<void>;
  close(): Promise<void>;
}
