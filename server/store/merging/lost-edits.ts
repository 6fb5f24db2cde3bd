import { createRevision, getDefaultRxDocumentMeta } from 'rxdb';
import type { BulkWriteRow } from 'rxdb';
import { keyOf } from '../../../shared/ids.ts';
import { digestId } from '../../platform/digest-id.ts';
import type { LostEdit } from '../../../shared/merge/merge.ts';
import type { MergeRecord, MergeRule } from '../../../shared/records/index.ts';
import type { SqliteInstance } from '../storage/instance.ts';
import { MADE_HERE } from '../storage/peer-writes.ts';
import type { MergedDocument, PlainDocument } from '../storage/storage.ts';
import { collectionNamed, shapeNamed } from './shapes.ts';

/** Rows that the storage writes in one step. */
const ROWS_AT_ONCE = 100;

/**
 * Writes a merge record for each edit that a merge overwrote, in the transaction of the merge. Records that
 * several stations make of the same two edits are equal, so they merge into one.
 */
export function recordLostEdits(
  instance: SqliteInstance<MergeRecord>,
  rxName: string,
  documents: readonly MergedDocument[],
): void {
  const records = documents.flatMap(({ document, lost }) => lost.map((edit) => mergeRecordOf(rxName, document, edit)));
  for (let at = 0; at < records.length; at += ROWS_AT_ONCE) {
    const rows = records.slice(at, at + ROWS_AT_ONCE).map((record) => ({
      document: {
        ...record,
        _deleted: false,
        _attachments: {},
        _meta: getDefaultRxDocumentMeta(),
        _rev: createRevision('merge'),
      },
    })) as BulkWriteRow<MergeRecord>[];
    let failure: unknown;
    instance.bulkWrite(rows, MADE_HERE).catch((error: unknown) => (failure = error));
    // A nested write that fails undoes only itself: without its merge records the merge must not be kept.
    const keys = new Set(rows.map(({ document }) => document.key));
    if (instance.readManyForWrite([...keys]).length < keys.size)
      throw new Error('The lost edits of a merge could not be written.', { cause: failure });
  }
}

/** A digest names it; its stamps are those of the two edits, because each fixes the value that it stands for. */
function mergeRecordOf(
  rxName: string,
  document: PlainDocument,
  { field, kept, lost, rule = '' }: LostEdit,
): MergeRecord {
  const collection = collectionNamed(rxName)!;
  const recordKey = document['key'] as string;
  const id = digestId(`merge|${collection}|${recordKey}|${field}|${lost.stamp}${rule && `|${rule}`}`);
  const taskField = shapeNamed(rxName)?.task;
  return {
    key: keyOf(id),
    id,
    hlc: { base: lost.stamp, fields: { kept: kept.stamp } },
    recordCollection: collection,
    recordKey,
    recordId: document['id'] as number,
    taskId: taskField === undefined ? 0 : (document[taskField] as number),
    field,
    rule: rule as MergeRule,
    otherId: 0,
    kept,
    lost,
    resolved: '',
    resolvedAt: 0,
    resolvedBy: 0,
  };
}
