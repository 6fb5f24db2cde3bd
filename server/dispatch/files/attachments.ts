import type { Actor } from '../../../shared/access.ts';
import { isLonger } from '../../../shared/text/characters.ts';
import type { Attachment, Conversion } from '../../../shared/records/index.ts';
import { ID_SPACE, keyOf } from '../../../shared/ids.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Change, Draft, Records, Store } from '../../store/types.ts';
import { COUNTED, formsToMake, nextNum, type AttachmentKindName } from './attach.ts';
import type { Files, Upload } from './uploads.ts';

/** An upload that becomes an attachment. */
export interface AttachOrder {
  kind: AttachmentKindName;
  /** The name that `/fileload` returned. */
  uuid: string;
  /** The name that the sender gives it; by default the name of the upload. */
  name?: string | undefined;
  description?: string | undefined;
}

/** Attachments that were checked before the task is written, since reading pictures takes time. */
export interface Prepared {
  readonly attachments: readonly { readonly order: AttachOrder; readonly upload: Upload; readonly turned: boolean }[];
  /** The number of each kind, by the field of the task that counts them. */
  readonly counts: Readonly<Record<(typeof COUNTED)[AttachmentKindName], number>>;
}

const MAX_ATTACHMENTS = 100;
const LONGEST_NAME = 500;
const LONGEST_DESCRIPTION = 10_000;
/** The interface's name of this kind of file. */
const SENT_AS = { photo: 'photos', video: 'video', file: 'files', sound: 'sounds' } as const;
const CALLED = { photo: 'photo', video: 'video', sound: 'sound' } as const;

/**
 * The attachments of tasks: records that say which bytes belong to which task. Callers check who may see or
 * change the task.
 */
export class Attachments {
  readonly #store: Store;
  readonly #files: Files;
  readonly #records: Records<Attachment>;
  readonly #now: () => number;

  constructor({ store, files, now }: { store: Store; files: Files; now: () => number }) {
    this.#store = store;
    this.#files = files;
    this.#records = store.records('attachments');
    this.#now = now;
    this.#records.beforeCommit((changes) => this.#noteForms(changes));
  }

  /**
   * Refuses uploads that do not exist, that `by` may not see or that are of another kind, and pictures that
   * cannot be opened.
   */
  async prepare(orders: readonly AttachOrder[], by: Actor): Promise<Prepared> {
    if (orders.length > MAX_ATTACHMENTS) throw new Refusal('tasks.tooManyAttachments', { most: MAX_ATTACHMENTS });
    const counts = { photos: 0, videos: 0, files: 0, sounds: 0 };
    const attachments: Prepared['attachments'][number][] = [];
    for (const order of orders) {
      const sentAs = SENT_AS[order.kind];
      if (isLonger(order.name ?? '', LONGEST_NAME) || isLonger(order.description ?? '', LONGEST_DESCRIPTION))
        throw new Refusal('tasks.longNames', { field: sentAs, most: LONGEST_NAME, longest: LONGEST_DESCRIPTION });
      const upload = this.#files.seenBy(by, order.uuid);
      if (!upload) throw new Refusal('field.noUpload', { field: sentAs, file: order.uuid.slice(0, 60) });
      if (order.kind !== 'file' && upload.family !== order.kind)
        throw new Refusal('tasks.notKind', { field: sentAs, name: upload.name, what: CALLED[order.kind] });
      const picture = order.kind === 'photo' ? await this.#files.look(upload.sha256) : undefined;
      if (order.kind === 'photo' && !picture)
        throw new Refusal('tasks.brokenPicture', { field: sentAs, name: upload.name });
      attachments.push({ order, upload, turned: picture?.turned ?? false });
      counts[COUNTED[order.kind]]++;
    }
    return { attachments, counts };
  }

  /** Writes the records, inside the transaction that changes the task. Returns the ordinals of the photos. */
  async add(taskId: number, { attachments }: Prepared, authorId: number): Promise<{ photoNums: number[] }> {
    const known = await this.#rowsNow(taskId);
    const photoNums: number[] = [];
    const drafts = attachments.map(({ order, upload, turned }): Draft<Attachment> => {
      // It may have been deleted during the check.
      if (!this.#files.get(upload.uuid))
        throw new Refusal('field.noUpload', { field: SENT_AS[order.kind], file: upload.uuid });
      const num = nextNum(known.filter(({ kind }) => kind === order.kind));
      const extension = upload.uuid.slice(upload.uuid.lastIndexOf('.') + 1);
      const draft: Draft<Attachment> = {
        id: this.#records.nextId(),
        taskId,
        kind: order.kind,
        num,
        name: this.#files.safeName(order.name || upload.name),
        description: order.description ?? '',
        extension,
        sha256: upload.sha256,
        size: upload.size,
        upload: upload.uuid,
        type: upload.type,
        at: this.#now(),
        authorId,
        conversion:
          formsToMake({ kind: order.kind, extension, type: upload.type }, turned).length > 0 ? 'waiting' : 'none',
        conversionNote: '',
        converted: {},
        removed: false,
      };
      known.push({ ...draft } as Attachment);
      if (order.kind === 'photo') photoNums.push(num);
      return draft;
    });
    if (drafts.length === 0) return { photoNums };
    await this.#records.insertMany(drafts);
    await this.#files.claim(attachments.map(({ upload }) => upload.uuid));
    return { photoNums };
  }

  /**
   * Deletes one logically, inside the transaction that changes the task; its ordinal stays used. Its bytes
   * are deleted a day later, when no record refers to them.
   */
  async remove(attachment: Attachment): Promise<void> {
    await this.#records.change(attachment.id, (record) => ({ ...record, removed: true }));
    await this.#files.leave(attachment.upload, [
      attachment.sha256,
      ...Object.values(attachment.converted).map(({ sha256 }) => sha256),
    ]);
  }

  /**
   * Restores a deleted one under its ordinal, inside the transaction that changes the task. Refuses when its
   * bytes are gone.
   */
  async restore(taskId: number, kind: AttachmentKindName, id: number): Promise<Attachment> {
    const gone = (await this.#rowsNow(taskId)).find((row) => row.id === id && row.kind === kind && row.removed);
    if (!gone) throw new Refusal('tasks.noDeletedAttachment', { id: taskId, what: kind, file: id });
    if (![gone, ...Object.values(gone.converted)].every(({ sha256 }) => this.#files.blobs.has(sha256)))
      throw new Refusal('tasks.contentCleared', { name: gone.name });
    await this.#records.change(id, (record) => ({ ...record, removed: false }));
    await this.#files.claim([gone.upload]);
    return gone;
  }

  /** In the order of their ordinals. */
  of(taskId: number, kind?: AttachmentKindName): Attachment[] {
    return this.#rows(taskId).filter((row) => !row.removed && (kind === undefined || row.kind === kind));
  }

  /** Like `of`, for writers: inside a transaction it sees what is not committed yet. */
  async ofNow(taskId: number, kind: AttachmentKindName): Promise<Attachment[]> {
    return (await this.#rowsNow(taskId)).filter((row) => !row.removed && row.kind === kind);
  }

  /** Whether an attachment that is not deleted has these bytes, in any form. */
  has(sha256: string): boolean {
    const { sql } = this.#store;
    if (sql.prepare('SELECT 1 FROM attachment_forms WHERE sha256=? LIMIT 1').get(sha256)) return true;
    return (
      sql
        .prepare(
          `SELECT 1 FROM ${this.#store.table('attachments')} WHERE deleted=0 AND sha256=? AND json_extract(data, '$.removed')=0 LIMIT 1`,
        )
        .get(sha256) !== undefined
    );
  }

  /**
   * Attachments of this station whose other forms are missing, oldest first. Other stations convert their
   * own.
   */
  waiting(state: Conversion = 'waiting'): Attachment[] {
    const { sql, stationNumber } = this.#store;
    return sql
      .prepare(
        `SELECT data FROM ${this.#store.table('attachments')} WHERE deleted=0 AND conversion=? AND key >= ? AND key < ? ORDER BY key`,
      )
      .all(state, keyOf(stationNumber * ID_SPACE), keyOf((stationNumber + 1) * ID_SPACE))
      .map((row) => JSON.parse(String(row['data'])) as Attachment)
      .filter(({ removed }) => !removed);
  }

  /** Attachments that could not be converted without ffmpeg wait again. */
  async retryUnavailable(): Promise<void> {
    await this.#store.transaction(async () => {
      for (const { id } of this.waiting('unavailable')) await this.converted(id, 'waiting', {});
    });
  }

  /** Stores the result of a conversion. */
  async converted(id: number, conversion: Conversion, converted: Attachment['converted'], note = ''): Promise<void> {
    await this.#records.change(id, (record) => ({
      ...record,
      conversion,
      converted: { ...record.converted, ...converted },
      conversionNote: note,
    }));
  }

  /**
   * Calls the listener when another attachment waits for conversion, after the commit. Returns the
   * unsubscription.
   */
  onWaiting(listener: () => void): () => void {
    return this.#records.watch((changes) => {
      if (changes.some(({ record, before }) => record.conversion === 'waiting' && before?.conversion !== 'waiting'))
        listener();
    });
  }

  /** Runs inside the transaction of any write, so that the table of other forms is never behind the records. */
  #noteForms(changes: readonly Change<Attachment>[]): void {
    const formsOf = ({ removed, converted }: Attachment) =>
      removed ? [] : Object.values(converted).map(({ sha256 }) => sha256);
    for (const { record, before, deleted } of changes) {
      const [had, has] = [before ? formsOf(before) : [], deleted ? [] : formsOf(record)];
      if (had.length === 0 && has.length === 0) continue;
      let failed: unknown;
      const note = (sql: Store['sql']) => {
        try {
          sql.prepare('DELETE FROM attachment_forms WHERE attachment=?').run(record.key);
          for (const sha256 of new Set(has))
            sql.prepare('INSERT INTO attachment_forms (attachment, sha256) VALUES (?, ?)').run(record.key, sha256);
        } catch (error) {
          failed = error;
          throw error;
        }
      };
      this.#store.writePlain(note).catch(() => undefined); // The write around it is refused with the same error.
      if (failed) throw failed as Error;
    }
  }

  #rows(taskId: number): Attachment[] {
    return this.#read(this.#store.sql, taskId);
  }

  /** Reads on the writing connection, which sees the other writes of the same transaction. */
  #rowsNow(taskId: number): Promise<Attachment[]> {
    return this.#store.writePlain((sql) => this.#read(sql, taskId));
  }

  #read(sql: Store['sql'], taskId: number): Attachment[] {
    return sql
      .prepare(
        `SELECT data FROM ${this.#store.table('attachments')} WHERE deleted=0 AND taskId=? ORDER BY kind, num, key`,
      )
      .all(taskId)
      .map((row) => JSON.parse(String(row['data'])) as Attachment);
  }
}
