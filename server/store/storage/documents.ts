import type { RxDocumentData } from 'rxdb';
import type { PlainDocument } from './storage.ts';

/** The columns from which a document of RxDB is put together. */
export const DOCUMENT_COLUMNS = 'key, rev, deleted, lwt, data, meta, attachments';

export interface DocumentRow {
  readonly key: string;
  readonly rev: string;
  readonly deleted: number;
  readonly lwt: number;
  readonly data: string;
  readonly meta: string | null;
  readonly attachments: string | null;
}

export function documentOf<T>(row: DocumentRow): RxDocumentData<T> {
  const document = JSON.parse(row.data) as RxDocumentData<T>;
  document._deleted = row.deleted === 1;
  document._attachments =
    row.attachments === null ? {} : (JSON.parse(row.attachments) as RxDocumentData<T>['_attachments']);
  document._rev = row.rev;
  document._meta = row.meta === null ? { lwt: row.lwt } : { ...(JSON.parse(row.meta) as object), lwt: row.lwt };
  return document;
}

/** The values of `key, rev, deleted, lwt, data, meta, attachments`. */
export function rowOf(
  document: RxDocumentData<Record<string, unknown>>,
  key: string,
): [string, string, number, number, string, string | null, string | null] {
  const { _rev, _meta, _deleted, _attachments, ...record } = document;
  const { lwt, ...otherMeta } = _meta;
  return [
    key,
    _rev,
    _deleted ? 1 : 0,
    lwt,
    JSON.stringify(record),
    Object.keys(otherMeta).length === 0 ? null : JSON.stringify(otherMeta),
    Object.keys(_attachments).length === 0 ? null : JSON.stringify(_attachments),
  ];
}

/** The record itself and whether it is deleted, as merge rules see it. */
export function plainOf<T>(document: RxDocumentData<T>): PlainDocument {
  const { _rev, _meta, _attachments, ...plain } = document as RxDocumentData<Record<string, unknown>>;
  return plain as PlainDocument;
}
