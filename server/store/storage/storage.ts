import type { RxStorage, RxStorageInstanceCreationParams } from 'rxdb';
import { ensureRxStorageInstanceParamsAreCorrect, RXDB_VERSION } from 'rxdb';
import type { DatabaseSync } from 'node:sqlite';
import type { LostEdit } from '../../../shared/merge/merge.ts';
import type { KindIndex, TableIndex } from '../../../shared/records/index.ts';
import type { Commits } from '../sqlite/commits.ts';
import { SqliteInstance } from './instance.ts';

/**
 * The database below the storage. All collections of a station lie in one file, so that one transaction holds
 * them together.
 */
export interface SqliteFile {
  /** The one connection that writes; it sees what is not committed yet. */
  readonly writer: DatabaseSync;
  /** Reads only committed data: nobody sees a record that a crash could still undo. */
  readonly reader: DatabaseSync;
  readonly commits: Commits;
  /** The next number of the database-wide sequence of writes. */
  nextSeq(): number;
  /** Called after each commit, before its events, with the collection into which it wrote. */
  onWritten?(databaseName: string, collectionName: string): void;
}

export interface SqliteStorageRules {
  /**
   * Checks each document of a peer before it is merged; an error refuses that document (status 422), and no
   * other.
   */
  receive?(collectionName: string, incoming: PlainDocument): void;
  /**
   * Merges a document of a peer (context `replication-downstream-…`) into the stored one, within the
   * transaction of the write. `undefined`: nothing new. Without it such writes are like all others.
   */
  merge?(collectionName: string, stored: PlainDocument, incoming: PlainDocument): MergedDocument | undefined;
  /**
   * Gets the edits that merges overwrote, inside the transaction of the write. What it throws undoes the
   * write.
   */
  lost?(collectionName: string, documents: readonly MergedDocument[]): void;
  /**
   * Whether `incoming` knows all that `stored` does. Other replicating writes (context `replication-…`) that
   * do not are refused as conflicts.
   */
  covers?(incoming: PlainDocument, stored: PlainDocument): boolean;
}

export interface MergedDocument {
  readonly document: PlainDocument;
  /** Whether the document says more than the stored one. */
  readonly changed: boolean;
  /** Edits that were overwritten, of either side. */
  readonly lost: readonly LostEdit[];
  /** The stored and the incoming document were two records with one id: the one that gets another. */
  readonly renumbered?: MergedDocument;
}

/** A record with RxDB's `_deleted`, and without the rest of its fields. */
export type PlainDocument = Record<string, unknown> & { _deleted: boolean };

/** `instanceCreationOptions` of a collection. */
export interface InstanceOptions {
  /** Indexes that the table has instead of those of the schema. */
  readonly tableIndexes?: readonly TableIndex[];
  readonly kindIndexes?: readonly KindIndex[];
}

/** RxDB on `node:sqlite`: synchronous, in process. See the README of the room for why. */
export function sqliteStorage(
  file: SqliteFile,
  rules: SqliteStorageRules = {},
): RxStorage<SqliteFile, InstanceOptions> {
  return {
    name: 'waypost-sqlite',
    rxdbVersion: RXDB_VERSION,
    createStorageInstance<T>(params: RxStorageInstanceCreationParams<T, InstanceOptions>): Promise<SqliteInstance<T>> {
      try {
        ensureRxStorageInstanceParamsAreCorrect(params);
        return SqliteInstance.open(file, rules, params);
      } catch (error) {
        return Promise.reject(error as Error);
      }
    },
  };
}
