import type { BulkWriteRow, CategorizeBulkWriteRowsOutput, RxAttachmentWriteData } from 'rxdb';
import type { Statements } from './statements.ts';

/**
 * Attachments of RxDB, beside their collection. Waypost keeps uploads as files and does not use them; they
 * are here because the contract of a storage has them.
 */
export class AttachmentTable {
  readonly create: string;
  readonly drop: string;
  readonly #table: string;
  readonly #write: Statements;
  readonly #read: Statements;
  /** A Blob gives its bytes later; a transaction cannot wait. */
  readonly #bytes = new WeakMap<Blob, Uint8Array>();

  constructor(documentTable: string, write: Statements, read: Statements) {
    this.#table = `${documentTable.slice(0, -1)}/attachments"`;
    this.#write = write;
    this.#read = read;
    this.create = `CREATE TABLE IF NOT EXISTS ${this.#table} (key TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, type TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID`;
    this.drop = `DROP TABLE IF EXISTS ${this.#table}`;
  }

  async load<T>(rows: readonly BulkWriteRow<T>[]): Promise<void> {
    for (const row of rows) {
      for (const attachment of Object.values(row.document._attachments)) {
        const { data } = attachment as RxAttachmentWriteData;
        if (data) this.#bytes.set(data, new Uint8Array(await data.arrayBuffer()));
      }
    }
  }

  save<T>({ attachmentsAdd, attachmentsUpdate, attachmentsRemove }: CategorizeBulkWriteRowsOutput<T>): void {
    for (const { documentId, attachmentId, attachmentData, digest } of [...attachmentsAdd, ...attachmentsUpdate]) {
      this.#write
        .get(`INSERT OR REPLACE INTO ${this.#table} (key, id, digest, type, data) VALUES (?, ?, ?, ?, ?)`)
        .run(documentId, attachmentId, digest, attachmentData.type, this.#bytes.get(attachmentData.data)!);
    }
    for (const { documentId, attachmentId } of attachmentsRemove)
      this.#write.get(`DELETE FROM ${this.#table} WHERE key = ? AND id = ?`).run(documentId, attachmentId);
  }

  removeAll(documentId: string): void {
    this.#write.get(`DELETE FROM ${this.#table} WHERE key = ?`).run(documentId);
  }

  read(documentId: string, attachmentId: string, digest: string): Blob | undefined {
    const row = this.#read
      .get(`SELECT type, data FROM ${this.#table} WHERE key = ? AND id = ? AND digest = ?`)
      .get(documentId, attachmentId, digest);
    return row && new Blob([row['data'] as Uint8Array<ArrayBuffer>], { type: row['type'] as string });
  }
}
