import type { BulkWriteRow, RxDocumentData, RxStorageWriteError } from 'rxdb';
import { createRevision, now } from 'rxdb';
import { plainOf } from './documents.ts';
import type { Statements } from './statements.ts';
import type { MergedDocument, PlainDocument, SqliteStorageRules } from './storage.ts';

/** How the contexts of writes begin that come from peers. */
export const FROM_PEER = 'replication-downstream-';
/** Context of writes that this station made from records that it had received before. */
export const MADE_HERE = `${FROM_PEER}made-here`;

interface PeerWritesOptions<T> {
  readonly collection: string;
  readonly primaryPath: string;
  readonly rules: SqliteStorageRules;
  readonly token: string;
  readonly statements: Statements;
  /** The document as a write would find it. */
  stored(key: string): RxDocumentData<T> | undefined;
}

/** Applies the writes of peers, inside the transaction. */
export class PeerWrites<T> {
  readonly #options: PeerWritesOptions<T>;

  constructor(options: PeerWritesOptions<T>) {
    this.#options = options;
  }

  /** Turns rows of peers into writes over the stored documents, for any revision that they assumed. */
  merge(
    rows: BulkWriteRow<T>[],
    context: string,
    refused: RxStorageWriteError<T>[],
    losing: MergedDocument[],
  ): BulkWriteRow<T>[] {
    const { rules, collection, token } = this.#options;
    const merged = new Map<string, BulkWriteRow<T>>();
    const renumbered = new Set<BulkWriteRow<T>>();
    const queue = [...rows];
    for (const row of queue) {
      const key = this.#keyOf(row.document);
      const incoming = plainOf(row.document as RxDocumentData<T>);
      try {
        if (context !== MADE_HERE && !renumbered.has(row)) rules.receive?.(collection, incoming);
      } catch (error) {
        refused.push({
          status: 422,
          isError: true,
          documentId: key,
          writeRow: row,
          context,
          validationErrors: [{ message: (error as Error).message }],
        } as unknown as RxStorageWriteError<T>);
        continue;
      }
      const stored = this.#options.stored(key);
      const before = (merged.get(key)?.document as RxDocumentData<T> | undefined) ?? stored;
      if (!before) {
        const document = this.#afterPurge(row.document, losing);
        if (document) merged.set(key, { document });
        continue;
      }
      const result = rules.merge!(collection, plainOf(before), incoming);
      if (!result) continue;
      if (result.lost.length > 0) losing.push(result);
      if (result.renumbered) {
        const { document } = result.renumbered;
        const { _rev, _meta, _attachments } = row.document;
        const again = { document: { ...document, _rev, _meta, _attachments } as BulkWriteRow<T>['document'] };
        renumbered.add(again);
        queue.push(again);
        if (result.renumbered.lost.length > 0) losing.push(result.renumbered);
      }
      if (!result.changed) continue;
      const document = {
        ...(result.document as PlainDocument & T),
        _rev: stored ? createRevision(token, stored) : row.document._rev,
        _meta: { lwt: now() },
        _attachments: before._attachments,
      };
      merged.set(key, stored ? { previous: stored, document } : { document });
    }
    return [...merged.values()];
  }

  /**
   * Result for a document whose key is not stored. If it was deleted here and purged, the deletion applies as
   * if its tombstone still existed, and is sent again to stations that did not know it; undefined: nothing
   * new.
   */
  #afterPurge(document: BulkWriteRow<T>['document'], losing: MergedDocument[]): typeof document | undefined {
    const key = this.#keyOf(document);
    const values = [this.#options.collection, key];
    const row = this.#options.statements
      .get('SELECT hlc FROM purged_records WHERE records = ? AND key = ?')
      .get(...values);
    if (!row) return document;
    const incoming = plainOf(document as RxDocumentData<T>);
    const tombstone = { ...incoming, hlc: JSON.parse(row['hlc'] as string) as unknown, _deleted: true };
    const result = this.#options.rules.merge!(this.#options.collection, tombstone, incoming);
    if (!result?.changed && incoming._deleted) return undefined;
    this.#options.statements.get('DELETE FROM purged_records WHERE records = ? AND key = ?').run(...values);
    if (result && result.lost.length > 0) losing.push(result);
    return { ...document, ...(result?.changed ? result.document : tombstone) };
  }

  /** Replicating writes that do not know all stored edits are conflicts, for any revision that they name. */
  guard(rows: BulkWriteRow<T>[], context: string, refused: RxStorageWriteError<T>[]): BulkWriteRow<T>[] {
    return rows.filter((row) => {
      const key = this.#keyOf(row.document);
      const stored = this.#options.stored(key);
      if (!stored || this.#options.rules.covers!(plainOf(row.document as RxDocumentData<T>), plainOf(stored)))
        return true;
      refused.push({ status: 409, isError: true, documentId: key, writeRow: row, documentInDb: stored, context });
      return false;
    });
  }

  #keyOf(document: BulkWriteRow<T>['document']): string {
    return document[this.#options.primaryPath as keyof T] as string;
  }
}
