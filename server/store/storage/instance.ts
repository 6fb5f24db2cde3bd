import type {
  BulkWriteRow,
  BulkWriteRowProcessed,
  CategorizeBulkWriteRowsOutput,
  EventBulk,
  PreparedQuery,
  RxDocumentData,
  RxJsonSchema,
  RxStorageBulkWriteResponse,
  RxStorageChangeEvent,
  RxStorageCountResult,
  RxStorageInstance,
  RxStorageInstanceCreationParams,
  RxStorageQueryResult,
  RxStorageWriteError,
  StringKeys,
} from 'rxdb';
import { addRxStorageMultiInstanceSupport, categorizeBulkWriteRows, now } from 'rxdb';
import { Subject } from 'rxjs';
import type { Observable } from 'rxjs';
import { randomId } from '../sqlite/random-id.ts';
import { AttachmentTable } from './attachments.ts';
import { DocumentReader, type SeqCheckpoint } from './document-reader.ts';
import { rowOf } from './documents.ts';
import { layoutOf, makeTable } from './layout.ts';
import type { Layout } from './layout.ts';
import { FROM_PEER, PeerWrites } from './peer-writes.ts';
import { Statements } from './statements.ts';
import type { InstanceOptions, MergedDocument, SqliteFile, SqliteStorageRules } from './storage.ts';

type StorageEvents<T> = EventBulk<RxStorageChangeEvent<RxDocumentData<T>>, SeqCheckpoint>;

/** More rows than this are written in several steps, between which the event loop turns. */
const ROWS_AT_ONCE = 100;
/** Tombstones purged by one call of `cleanup`. */
const PURGED_AT_ONCE = 200;

const REPLICATING = 'replication-';

/** One collection at one schema version. */
export class SqliteInstance<T> implements RxStorageInstance<T, SqliteFile, InstanceOptions, SeqCheckpoint> {
  readonly databaseName: string;
  readonly collectionName: string;
  readonly schema: Readonly<RxJsonSchema<RxDocumentData<T>>>;
  readonly internals: SqliteFile;
  readonly options: Readonly<InstanceOptions>;
  readonly layout: Layout;
  /** Called inside the transaction with the written records; if one throws, the write is undone. */
  readonly beforeCommit = new Set<(events: StorageEvents<T>['events']) => void>();

  /** Called after the commit of records from peers. */
  readonly merged = new Set<(events: StorageEvents<T>['events']) => void>();

  readonly #rules: SqliteStorageRules;
  readonly #write: Statements;
  readonly #read: Statements;
  /** Readers of committed data, and of data with uncommitted writes. */
  readonly #stored: DocumentReader<T>;
  readonly #uncommitted: DocumentReader<T>;
  readonly #peers: PeerWrites<T>;
  readonly #attachments: AttachmentTable | undefined;
  readonly #changes = new Subject<StorageEvents<T>>();
  #state: 'open' | 'closed' | 'removed' = 'open';
  #closing: Promise<void> | undefined;

  private constructor(
    file: SqliteFile,
    rules: SqliteStorageRules,
    params: RxStorageInstanceCreationParams<T, InstanceOptions>,
  ) {
    this.databaseName = params.databaseName;
    this.collectionName = params.collectionName;
    this.schema = params.schema;
    this.options = params.options;
    this.internals = file;
    // RxDB's internal store comes without options
    this.layout = layoutOf(
      params.databaseName,
      params.collectionName,
      params.schema,
      params.options as InstanceOptions | undefined,
    );
    this.#rules = rules;
    this.#write = new Statements(file.writer);
    this.#read = new Statements(file.reader);
    this.#stored = new DocumentReader(this.layout, this.schema, this.#read);
    this.#uncommitted = new DocumentReader(this.layout, this.schema, this.#write);
    this.#peers = new PeerWrites({
      collection: this.collectionName,
      primaryPath: this.layout.primaryPath,
      rules,
      token: params.databaseInstanceToken,
      statements: this.#write,
      stored: (key) => this.readForWrite(key),
    });
    this.#attachments = params.schema.attachments
      ? new AttachmentTable(this.layout.table, this.#write, this.#read)
      : undefined;
  }

  static async open<T>(
    file: SqliteFile,
    rules: SqliteStorageRules,
    params: RxStorageInstanceCreationParams<T, InstanceOptions>,
  ): Promise<SqliteInstance<T>> {
    const instance = new SqliteInstance<T>(file, rules, params);
    await file.commits.write(() => {
      makeTable(file.writer, instance.layout);
      if (instance.#attachments) file.writer.exec(instance.#attachments.create);
    });
    if (params.multiInstance) addRxStorageMultiInstanceSupport('waypost-sqlite', params, instance);
    return instance;
  }

  bulkWrite(rows: BulkWriteRow<T>[], context: string): Promise<RxStorageBulkWriteResponse<T>> {
    this.#requireOpen();
    const { commits } = this.internals;
    if (commits.insideTransaction && !commits.insideWrite) {
      // Its promise would wait for the end of the transaction, which waits for it.
      return Promise.reject(
        new Error(`Inside a transaction ${this.collectionName} is written through its records, not through RxDB.`),
      );
    }
    if (this.#attachments) return this.#attachments.load(rows).then(() => this.#writeInSteps(rows, context));
    return this.#writeInSteps(rows, context);
  }

  async findDocumentsById(ids: string[], withDeleted: boolean): Promise<RxDocumentData<T>[]> {
    this.#requireOpen();
    return this.#stored.find(ids, withDeleted);
  }

  async query(prepared: PreparedQuery<T>): Promise<RxStorageQueryResult<T>> {
    this.#requireOpen();
    return this.#stored.query(prepared);
  }

  async count(prepared: PreparedQuery<T>): Promise<RxStorageCountResult> {
    this.#requireOpen();
    return this.#stored.count(prepared);
  }

  async getChangedDocumentsSince(
    limit: number,
    checkpoint?: SeqCheckpoint,
  ): Promise<{ documents: RxDocumentData<T>[]; checkpoint: SeqCheckpoint }> {
    this.#requireOpen();
    return this.#stored.changedSince(limit, checkpoint);
  }

  changeStream(): Observable<StorageEvents<T>> {
    this.#requireOpen();
    return this.#changes.asObservable();
  }

  async getAttachmentData(documentId: string, attachmentId: string, digest: string): Promise<Blob> {
    this.#requireOpen();
    const data = this.#attachments?.read(documentId, attachmentId, digest);
    if (!data) throw new Error(`There is no attachment ${attachmentId} of ${documentId} with the digest ${digest}.`);
    return data;
  }

  async cleanup(minimumDeletedTime: number): Promise<boolean> {
    this.#requireOpen();
    const { table } = this.layout;
    const purged = await this.internals.commits.write(() => {
      const old = this.#write
        .get(`SELECT key, seq, json_extract(data, '$.hlc') AS hlc FROM ${table} WHERE deleted = 1 AND lwt < ? LIMIT ?`)
        .all(now() - minimumDeletedTime, PURGED_AT_ONCE);
      for (const { key, seq, hlc } of old) {
        if (hlc !== null)
          this.#write
            .get('INSERT OR REPLACE INTO purged_records (records, key, hlc) VALUES (?, ?, ?)')
            .run(this.collectionName, key!, hlc!);
        this.#write.get(`DELETE FROM ${table} WHERE key = ?`).run(key!);
        this.#notePurge(seq as number);
        this.#attachments?.removeAll(key as string);
      }
      return old.length;
    });
    return purged < PURGED_AT_ONCE;
  }

  async close(): Promise<void> {
    if (this.#state === 'removed') return;
    this.#state = 'closed';
    this.#closing ??= this.internals.commits.whenDurable().then(() => {
      this.#changes.complete();
      this.#write.drop();
      this.#read.drop();
    });
    return this.#closing;
  }

  async remove(): Promise<void> {
    this.#requireOpen();
    await this.close();
    this.#state = 'removed';
    await this.internals.commits.write(() => {
      this.internals.writer.exec(`DROP TABLE IF EXISTS ${this.layout.table}`);
      if (this.#attachments) this.internals.writer.exec(this.#attachments.drop);
    });
  }

  /**
   * The document as a write sees it, with uncommitted writes. For rules that decide and write in one step:
   * call it inside `commits.write`.
   */
  readForWrite(key: string): RxDocumentData<T> | undefined {
    return this.#uncommitted.find([key], true)[0];
  }

  readManyForWrite(keys: string[]): RxDocumentData<T>[] {
    return this.#uncommitted.find(keys, true);
  }

  /** Takes records away as if they had never been here: without a tombstone, which would delete them elsewhere. */
  evict(keys: string[]): Promise<void> {
    const { table } = this.layout;
    return this.internals.commits
      .write(
        () => {
          const documents = this.#uncommitted.find(keys, true);
          for (const key of keys) this.#write.get(`DELETE FROM ${table} WHERE key = ?`).run(key);
          const seq = this.internals.nextSeq();
          this.#notePurge(seq);
          const events = documents
            .filter(({ _deleted: isGone }) => !isGone)
            .map((document) => ({
              operation: 'DELETE' as const,
              documentId: document[this.layout.primaryPath as keyof T] as string,
              documentData: { ...document, _deleted: true },
              previousDocumentData: document,
            }));
          for (const listener of this.beforeCommit) listener(events);
          return { id: randomId(), events, checkpoint: { seq }, context: 'waypost-evict' };
        },
        (bulk) => {
          this.internals.onWritten?.(this.databaseName, this.collectionName);
          if (bulk.events.length > 0) this.#changes.next(bulk);
        },
      )
      .then(() => undefined);
  }

  #notePurge(seq: number): void {
    this.#write
      .get(
        'INSERT INTO purges (records, seq) VALUES (?, ?) ON CONFLICT (records) DO UPDATE SET seq = max(seq, excluded.seq)',
      )
      .run(this.layout.table, seq);
  }

  #writeInSteps(rows: BulkWriteRow<T>[], context: string): Promise<RxStorageBulkWriteResponse<T>> {
    if (rows.length <= ROWS_AT_ONCE) return this.#writeStep(rows, context);
    return (async () => {
      const error: RxStorageWriteError<T>[] = [];
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
        error.push(...(await this.#writeStep(rows.slice(at, at + ROWS_AT_ONCE), context)).error);
      return { error };
    })();
  }

  #writeStep(rows: BulkWriteRow<T>[], context: string): Promise<RxStorageBulkWriteResponse<T>> {
    return this.internals.commits
      .write(
        () => this.#writeRows(rows, context),
        ({ changed, events }) => {
          if (changed) this.internals.onWritten?.(this.databaseName, this.collectionName);
          if (events.events.length === 0) return;
          this.#changes.next(events);
          if (context.startsWith(FROM_PEER)) for (const listener of this.merged) listener(events.events);
        },
      )
      .then(({ error }) => ({ error }));
  }

  /** Inside the transaction, in one go. */
  #writeRows(
    rows: BulkWriteRow<T>[],
    context: string,
  ): { error: RxStorageWriteError<T>[]; changed: boolean; events: StorageEvents<T> } {
    const refused: RxStorageWriteError<T>[] = [];
    const losing: MergedDocument[] = [];
    let accepted = rows;
    if (context.startsWith(FROM_PEER) && this.#rules.merge)
      accepted = this.#peers.merge(rows, context, refused, losing);
    else if (context.startsWith(REPLICATING) && this.#rules.covers)
      accepted = this.#peers.guard(rows, context, refused);

    const { primaryPath } = this.layout;
    const keys = accepted.map((row) => row.document[primaryPath as keyof T] as string);
    const categorized = categorizeBulkWriteRows<T>(
      this,
      primaryPath as StringKeys<T>,
      this.#revisions(keys),
      accepted,
      context,
    );
    for (const error of categorized.errors)
      if (error.status === 409) Object.assign(error, { documentInDb: this.readForWrite(error.documentId) });
    const last = this.#save(categorized);
    const events = categorized.eventBulk as unknown as StorageEvents<T>;
    events.checkpoint = { seq: last };
    // RxDB's categorizing makes an event also of an insertion that it refuses for its attachments.
    const without = new Set(
      categorized.errors.filter((error) => error.status === 510).map((error) => error.documentId),
    );
    if (without.size > 0) events.events = events.events.filter((event) => !without.has(event.documentId));
    if (losing.length > 0) this.#rules.lost?.(this.collectionName, losing);
    if (events.events.length > 0) for (const listener of this.beforeCommit) listener(events.events);
    return {
      error: refused.length > 0 ? [...refused, ...categorized.errors] : categorized.errors,
      changed: last > 0,
      events,
    };
  }

  /** Returns the sequence number of the last row, or 0. */
  #save(categorized: CategorizeBulkWriteRowsOutput<T>): number {
    const { table } = this.layout;
    let seq = 0;
    const insert = this.#write.get(
      `INSERT INTO ${table} (key, rev, deleted, lwt, data, meta, attachments, seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const row of categorized.bulkInsertDocs) {
      seq = this.internals.nextSeq();
      insert.run(...this.#rowOf(row), seq);
    }
    if (categorized.bulkUpdateDocs.length > 0) {
      const update = this.#write.get(
        `UPDATE ${table} SET rev = ?2, deleted = ?3, lwt = ?4, data = ?5, meta = ?6, attachments = ?7, seq = ?8 WHERE key = ?1`,
      );
      for (const row of categorized.bulkUpdateDocs) {
        seq = this.internals.nextSeq();
        update.run(...this.#rowOf(row), seq);
      }
    }
    this.#attachments?.save(categorized);
    return seq;
  }

  #rowOf(row: BulkWriteRowProcessed<T>): ReturnType<typeof rowOf> {
    const document = row.document as unknown as RxDocumentData<Record<string, unknown>>;
    return rowOf(document, document[this.layout.primaryPath] as string);
  }

  /** Only the revisions: that is all that finding conflicts takes. */
  #revisions(keys: string[]): Map<string, RxDocumentData<T>> {
    const select = `SELECT key, rev FROM ${this.layout.table} WHERE key `;
    const rows =
      keys.length === 1
        ? this.#write.get(`${select} = ?`).all(keys[0]!)
        : this.#write.get(`${select} IN (SELECT value FROM json_each(?))`).all(JSON.stringify(keys));
    return new Map(rows.map((row) => [row['key'] as string, { _rev: row['rev'] } as RxDocumentData<T>]));
  }

  #requireOpen(): void {
    if (this.#state !== 'open') throw new Error(`The collection ${this.collectionName} is ${this.#state}.`);
  }
}
