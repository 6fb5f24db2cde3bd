import { z } from 'zod';
import { DONE } from '../tasks/status.ts';
import { LONGEST_TITLE } from '../tasks/title.ts';
import { collection, Flag, Id, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

/** Statuses 1 new, 2 assigned, 3 feedback, 4 done; the numbers are the interface's. */
export const Status = z.int().min(1).max(4).multipleOf(1);
/** 0 not viewed, 1 approved, 2 not approved. */
export const Confirmation = z.int().min(0).max(2).multipleOf(1);

/**
 * One sending of a vehicle to a task. Times are 0 until it happened; `shared/tasks/units.ts` has the rules.
 */
export const StoredUnit = z.object({
  vehicleId: Id,
  /** Its duty there, in the sender's words; empty: nothing special. */
  role: Word,
  sentAt: Instant,
  acknowledgedAt: Instant,
  enRouteAt: Instant,
  onSceneAt: Instant,
  /** When it was released or reported clear; it is then no unit of the task any more. */
  clearAt: Instant,
  /** The crew's status since it was sent, and before: digits of `shared/fleet/unit-status.ts`. */
  status: z.int().min(0).max(9).multipleOf(1),
  statusSince: Instant,
  statusBefore: z.int().min(0).max(9).multipleOf(1),
  /** The task from which it came when that was merged into this one; 0 or missing: it was sent here. */
  fromTaskId: IdOrNone.optional(),
});
export type StoredUnit = z.infer<typeof StoredUnit>;

/** A caller's answer to a question of a call protocol, in the words that stood there then. */
export const GivenAnswer = z.object({
  question: Word,
  answer: Word,
  /** The priority that the answer sets, 1 to 4; 0: it says nothing of it. */
  priority: z.int().min(0).max(4).multipleOf(1),
});
export type GivenAnswer = z.infer<typeof GivenAnswer>;

/** A task (`news` and `issue` of the interface): the record that a control room works on. */
export const Task = z.object({
  ...recordFields,
  /** Counted in grapheme clusters, by the rules of the room; the schema of the store does not check it. */
  title: z.string().min(1).max(LONGEST_TITLE),
  text: Text,
  organizationId: Id,
  authorId: Id,
  typeId: Id,
  /** 0: none */
  categoryId: IdOrNone,
  status: Status,
  /** When the status was last changed. */
  statusSince: Instant,
  confirmed: Confirmation,
  confirmedComment: Text,
  /** 0: none */
  assignedOrganizationId: IdOrNone,
  /** 0: none */
  assignedUserId: IdOrNone,
  /** The lead of its units, or 0. */
  assignedVehicleId: IdOrNone,
  /** Every vehicle that was sent, by the key of its sending. Missing: only the lead is known. */
  units: z.record(z.string(), StoredUnit).optional(),
  /** 1 (worst) to 4 as a person set it; 0 or missing: as its category says. */
  priority: z.int().min(0).max(4).multipleOf(1).optional(),
  /** The caller's answers, in their order. Missing: nobody asked. */
  answers: z.array(GivenAnswer).optional(),
  /** The task that this one is a duplicate of, while it is closed; 0 or missing: none. */
  mergedInto: IdOrNone.optional(),
  /** Tasks that have to do with this one; each names the other. */
  linkIds: z.array(Id).optional(),
  /** When somebody acknowledged that no unit was sent in time. Missing: never. */
  riseSeenAt: Instant.optional(),
  /** When the people of its response plan were notified. Missing: never. */
  riseToldAt: Instant.optional(),
  /** Users who get notices of its changes. Missing: nobody. */
  watcherIds: z.array(Id).optional(),
  /** By user: when a comment named them last. */
  mentions: z.record(z.string(), Instant).optional(),
  restricted: Flag,
  archived: Flag,
  /** Logical deletion: an administrator can restore it. */
  isDeleted: Flag,
  /** 0: none, 1 e-mail, 2 e-mail and post */
  notice: z.int().min(0).max(2).multipleOf(1),
  /** `news_date` of the interface. */
  date: Instant,
  updatedAt: Instant,
  systemData: Text,
  /** The address in words, as the operator entered or found it. */
  address: Text,
  point: z.object({ lon: z.number(), lat: z.number(), zoom: z.int() }).nullable(),
  /** Ordinal of the title photo. */
  mainPhoto: z.int().nullable(),
  /** By id of the custom field; values of deleted fields stay. */
  customValues: z.record(z.string(), z.unknown()),
  /** Counts by kind, stored with the task so that lists filter by them without a join. */
  photos: z.int().min(0).max(1_000_000).multipleOf(1),
  videos: z.int().min(0).max(1_000_000).multipleOf(1),
  files: z.int().min(0).max(1_000_000).multipleOf(1),
  sounds: z.int().min(0).max(1_000_000).multipleOf(1),
});
export type Task = z.infer<typeof Task>;

/**
 * After the key come the fields that decide who sees a task and those that lists filter by, so that tasks
 * outside a list are not read.
 */
function ordered(...by: readonly (keyof Task)[]): (keyof Task)[] {
  const narrowing: (keyof Task)[] = [
    'organizationId',
    'assignedOrganizationId',
    'assignedUserId',
    'status',
    'typeId',
    'categoryId',
  ];
  return [...by, 'key', ...narrowing.filter((field) => !by.includes(field))];
}

export const tasks = collection({
  name: 'tasks',
  version: 4,
  record: Task,
  parts: { customValues: 'map', units: 'entries', linkIds: 'set', watcherIds: 'set', mentions: 'map' },
  deletion: 'isDeleted',
  conflicts: [
    {
      rule: 'closed-and-assigned',
      field: 'status',
      value: DONE,
      against: ['assignedOrganizationId', 'assignedUserId', 'assignedVehicleId'],
    },
  ],
  // Different reports of one sending at two stations are no conflict between people.
  unreported: [
    'statusSince',
    'updatedAt',
    'photos',
    'videos',
    'files',
    'sounds',
    'units',
    'riseSeenAt',
    'riseToldAt',
    'watcherIds',
    'mentions',
  ],
  task: 'id',
  indexes: [],
  tableIndexes: [
    // Lists, by their order. Consoles find their tasks along the first, which therefore ends with one more
    // field.
    { name: 'date', fields: [...ordered('isDeleted', 'archived', 'date'), 'statusSince'] },
    { name: 'updatedAt', fields: ordered('isDeleted', 'archived', 'updatedAt') },
    { name: 'id', fields: ordered('isDeleted', 'archived') },
    { name: 'authorId', fields: ordered('isDeleted', 'archived', 'authorId') },
    { name: 'typeId', fields: ordered('isDeleted', 'archived', 'typeId') },
    { name: 'categoryId', fields: ordered('isDeleted', 'archived', 'categoryId') },
    // Lists of assignees. Most tasks are assigned to nobody and take no space in the last ones.
    { name: 'organizationId', fields: ordered('isDeleted', 'archived', 'organizationId', 'date') },
    {
      name: 'assignedOrganizationId',
      fields: ordered('isDeleted', 'archived', 'assignedOrganizationId', 'date'),
      sparse: 'assignedOrganizationId',
    },
    {
      name: 'assignedUserId',
      fields: ordered('isDeleted', 'archived', 'assignedUserId', 'date'),
      sparse: 'assignedUserId',
    },
    { name: 'mergedInto', fields: ['mergedInto'], sparse: 'mergedInto' },
    { name: 'assignedVehicleId', fields: ['assignedVehicleId', 'status'], sparse: 'assignedVehicleId' },
    // Covers all columns for counting and filtering, in the order of the groups of statistics: counts read no
    // task.
    {
      name: 'everything',
      fields: [
        'isDeleted',
        'archived',
        'organizationId',
        'status',
        'assignedOrganizationId',
        'typeId',
        'categoryId',
        'date',
        'key',
        'updatedAt',
        'authorId',
        'assignedUserId',
        'assignedVehicleId',
        'confirmed',
        'photos',
        'videos',
        'files',
        'sounds',
        'restricted',
        'notice',
        'statusSince',
        'point.zoom',
      ],
    },
  ],
});

/** A comment; `parentId` makes the tree. */
export const Comment = z.object({
  ...recordFields,
  taskId: Id,
  /** The comment that this one answers, or 0. */
  parentId: IdOrNone,
  level: z.int().min(0),
  authorId: Id,
  at: Instant,
  text: Text,
  /** Describes the update that came with the comment; else empty. */
  updateText: Text,
  visibleTo: z.object({ all: Flag, author: Flag, assignedOrganization: Flag, assignedUser: Flag }),
});
export type Comment = z.infer<typeof Comment>;
export const comments = collection({
  name: 'comments',
  version: 0,
  record: Comment,
  task: 'taskId',
  indexes: [['taskId', 'at']],
});

/** One change of one field of one task. Grow-only. */
export const HistoryEntry = z.object({
  ...recordFields,
  taskId: Id,
  at: Instant,
  userId: IdOrNone,
  station: z.int(),
  /**
   * The record's name of the field; of a custom field `customValues.` and its id. In the first versions
   * `customValues` held all changes, by id.
   */
  field: Word,
  from: z.unknown(),
  to: z.unknown(),
  /** The rule that made the change when no person did; or that a later edit overwrote this one. */
  note: Text,
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;
export const history = collection({
  name: 'history',
  version: 0,
  record: HistoryEntry,
  task: 'taskId',
  unreported: 'all',
  indexes: [['taskId', 'at']],
});

export const AttachmentKind = z.enum(['photo', 'video', 'file', 'sound']);
export const Attachment = z.object({
  ...recordFields,
  taskId: Id,
  kind: z.string().max(10),
  /** Ordinal within task and kind, from 0, never used again. */
  num: z.int().min(0).max(1_000_000).multipleOf(1),
  name: Text,
  description: Text,
  extension: z.string().max(20),
  /** SHA-256 of the bytes, hex. */
  sha256: z.string().max(64),
  /** bytes */
  size: z.int(),
  /** The id of the upload, at the station that received it. */
  upload: Text,
  /** MIME type, detected from the bytes. */
  type: Text,
  at: Instant,
  authorId: IdOrNone,
  /**
   * The state of its conversion: a video becomes FLV and MP4, a sound MP3, a sideways photo an upright one.
   */
  conversion: z.string().max(20),
  /** Why the conversion failed, in words; else empty. */
  conversionNote: Text,
  /** The converted files, by extension. */
  converted: z.record(z.string(), z.object({ sha256: z.string(), size: z.int() })),
  removed: Flag,
});
export type Attachment = z.infer<typeof Attachment>;
export const Conversion = z.enum(['none', 'waiting', 'done', 'failed', 'unavailable']);
export type Conversion = z.infer<typeof Conversion>;
export const attachments = collection({
  name: 'attachments',
  version: 0,
  record: Attachment,
  deletion: 'removed',
  unreported: ['num', 'conversion', 'conversionNote', 'converted'],
  task: 'taskId',
  indexes: [['taskId', 'kind', 'num'], ['sha256'], ['conversion']],
});
