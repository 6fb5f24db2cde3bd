import { z } from 'zod';
import { EventId } from './events.ts';
import { collection, Id, IdOrNone, Instant, recordFields, Word } from './record.ts';

/** A value that an author wrote, with the time and station of its stamp. */
const Written = z.object({ value: z.unknown(), stamp: z.string().max(40) });

/** Which of the two values an operator chose; empty: undecided. */
export const Resolution = z.enum(['', 'kept', 'lost']);
export type Resolution = z.infer<typeof Resolution>;

/** Rules over several records that report in merges; empty: one field that two stations edited. */
export const MERGE_RULES = ['', 'vehicle-twice', 'login-twice', 'deleted-in-use', 'closed-and-assigned'] as const;
export type MergeRule = (typeof MERGE_RULES)[number];

/**
 * A merge decision that an operator should check. Every station that meets the two edits makes the same
 * record: its id is their digest and its stamps are theirs.
 */
export const MergeRecord = z.object({
  ...recordFields,
  id: EventId,
  /** Key of `COLLECTIONS`. */
  recordCollection: Word,
  recordKey: z.string().max(60),
  recordId: EventId,
  /** The task of the record, or 0. */
  taskId: IdOrNone,
  /** The field, or `field.part`; empty: the record itself, which was deleted. */
  field: z.string().max(150),
  rule: z.enum(MERGE_RULES),
  /** Id of the other record of the rule, or 0. */
  otherId: Id,
  kept: Written,
  lost: Written,
  resolved: z.string().max(10),
  resolvedAt: Instant,
  resolvedBy: IdOrNone,
});
export type MergeRecord = Omit<z.infer<typeof MergeRecord>, 'resolved'> & { resolved: Resolution };

export const merges = collection({
  name: 'merges',
  version: 0,
  record: MergeRecord,
  unreported: 'all',
  task: 'taskId',
  indexes: [['id'], ['resolved', 'id'], ['taskId']],
});
