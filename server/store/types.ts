import type { DatabaseSync } from 'node:sqlite';
import type { RxCollection } from 'rxdb';
import type { z } from 'zod';
import type { COLLECTIONS, TableIndex } from '../../shared/records/index.ts';

/** A record as a rule makes it: the store adds key and stamps. */
export type Draft<T> = Omit<T, 'hlc' | 'key'>;

export type CollectionName = keyof typeof COLLECTIONS;
export type RecordOf<N extends CollectionName> = z.infer<(typeof COLLECTIONS)[N]['record']>;

export interface Change<T> {
  /** The record as it is now. */
  readonly record: T;
  readonly before: T | undefined;
  readonly deleted: boolean;
}

/**
 * SQL for one of the `tableIndexes` of a table. It says what the index holds, so that one which is to hold
 * something else is made anew.
 */
export function indexName(table: string, { name, fields }: TableIndex): string {
  return `${table.slice(0, -1)} by ${name}(${fields.join(',')})"`;
}

/**
 * The records of one collection, or of one kind in a shared one.
 *
 * Reading is synchronous and plain (no RxDocuments): what is returned is shared, so it must not be changed.
 * A write resolves when it is on disk; writes of one turn of the event loop share one commit.
 */
export interface Records<T extends { id: number }> {
  get(id: number): T | undefined;
  /** Throws a not-found Refusal that names `what`. */
  demand(id: number, what: string): T;
  all(): readonly T[];
  /** Inserts; the id comes from `nextId()`. Rejects when the id exists. */
  insert(draft: Draft<T>): Promise<T>;
  insertMany(drafts: readonly Draft<T>[]): Promise<readonly T[]>;
  /**
   * Atomically replaces the record by what `rule` makes of it, and stamps the fields that differ. When `rule`
   * throws, nothing is written and the error is passed on; when it returns the same object, nothing is
   * written.
   */
  change(id: number, rule: (record: T) => T | Draft<T>): Promise<T>;
  /**
   * As `change`, of several at once, each once: of up to a hundred all are changed or none; more are changed
   * in steps, as with `insertMany`.
   */
  changeMany(ids: readonly number[], rule: (record: T) => T | Draft<T>): Promise<readonly T[]>;
  /** Physical deletion (a tombstone that replicates). Most records have `isDeleted` instead. */
  remove(id: number): Promise<void>;
  nextId(): number;
  count(): number;
  /** Called after each commit, whoever wrote (also merges from other stations). Returns the way to stop. */
  watch(listener: (changes: readonly Change<T>[]) => void): () => void;
  /**
   * Called inside the transaction of each write, whoever writes: what the listener writes goes to the disk
   * together with that, or not at all. It waits for nothing that it writes; when it throws, the write is
   * refused. Returns the way to stop.
   */
  beforeCommit(listener: (changes: readonly Change<T>[]) => void): () => void;
}

/**
 * Feed for replicas and peers: what changed since a checkpoint, each record once, in its current state, in
 * write order.
 */
export interface Feed {
  since(
    collection: CollectionName,
    checkpoint: number,
    limit: number,
  ): { records: readonly { record: Record<string, unknown>; deleted: boolean; seq: number }[]; checkpoint: number };
  /** The highest sequence number that is committed. */
  head(): number;
  /** Renewed by a wipe or a restore; a checkpoint holds only within its epoch. */
  readonly epoch: string;
  /** Told after each commit which collections changed. Returns the way to stop. */
  watch(listener: (changed: ReadonlySet<CollectionName>, head: number) => void): () => void;
}

export interface Store {
  readonly stationId: string;
  /** 0 to 213 */
  readonly stationNumber: number;
  records<N extends CollectionName>(name: N): Records<RecordOf<N>>;
  /** The records of one kind in a collection that holds several. */
  kind<T extends { id: number; kind: string }>(name: 'directories' | 'accounts' | 'fleet', kind: T['kind']): Records<T>;
  /** The RxDB collection itself, for live queries in process and for tests. */
  collection<N extends CollectionName>(name: N): RxCollection<RecordOf<N>>;
  /**
   * Runs `work`; everything written in it, in whatever collections, is on disk together or not at all after a
   * crash. It is not a lock: read what you decide on inside `change`.
   */
  transaction<R>(work: () => Promise<R>): Promise<R>;
  /**
   * The connection for reading by hand-written SQL and for plain tables, which never leave the station:
   * tokens, settings, queues, counters. Collections are written through `records` only. Plain-table writes
   * join the open group commit: use `writePlain`.
   */
  readonly sql: DatabaseSync;
  /** Writes plain tables within the grouped commit; resolves when it is on disk. */
  writePlain<R>(work: (sql: DatabaseSync) => R): Promise<R>;
  /**
   * SQL name of the table of a collection and the SQL for one of its fields, e.g. `table('messages')`.
   * Indexed fields are generated columns named as the field; the record is in `data` (JSON text); `deleted`
   * is 0 or 1; `seq` the write order.
   */
  table(name: CollectionName): string;
  readonly feed: Feed;
  /** Path of the database, for read-only connections in workers. */
  readonly file: string;
  /** A consistent copy while the station runs. */
  backup(toFile: string): Promise<void>;
  close(): Promise<void>;
}
