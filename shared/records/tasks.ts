import { z } from 'zod';
import { DONE } from '../tasks/status.ts';
import { LONGEST_TITLE } from '../tasks/title.ts';
import { collection, Flag, Id, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

/** Statuses 1 new, 2 assigned, 3 feedback, 4 done; the interface gives them these numbers. */
export const Status = z.int().min(1).max(4).multipleOf(1);
/** 0 not viewed, 1 approved, 2 not approved. */
export const Confirmation = z.int().min(0).max(2).multipleOf(1);

/** A message (also called task, news or issue): what a control room works on. */
export const Task = z.object({
  ...recordFields,
  /** Counted as people count characters, by the rules of the room; the schema of the store is not checked. */
  title: z.string().min(1).max(LONGEST_TITLE),
  text: Text,
  organizationId: Id,
  authorId: Id,
  typeId: Id,
  /** 0 none */
  categoryId: IdOrNone,
  status: Status,
  /** When the status was last changed. */
  statusSince: Instant,
  confirmed: Confirmation,
  confirmedComment: Text,
  /** 0 none */
  assignedOrganizationId: IdOrNone,
  /** 0 none */
  assignedUserId: IdOrNone,
  /** The vehicle that serves the message; 0 none. */
  assignedVehicleId: IdOrNone,
  restricted: Flag,
  archived: Flag,
  /** Logical deletion: an administrator can restore it. */
  isDeleted: Flag,
  /** 0 none, 1 e-mail, 2 e-mail and post */
  notice: z.int().min(0).max(2).multipleOf(1),
  /** `news_date` of the interface. */
  date: Instant,
  updatedAt: Instant,
  systemData: Text,
  /** The address in words, as the operator took or found it. */
  address: Text,
  point: z.object({ lon: z.number(), lat: z.number(), zoom: z.int() }).nullable(),
  /** Ordinal of the title photo. */
  mainPhoto: z.int().nullable(),
  /** By id of the custom field; values of deleted fields are kept. */
  customValues: z.record(z.string(), z.unknown()),
  /** Counts by kind, kept with the message so that lists filter by them without a join. */
  photos: z.int().min(0).max(1_000_000).multipleOf(1),
  videos: z.int().min(0).max(1_000_000).multipleOf(1),
  files: z.int().min(0).max(1_000_000).multipleOf(1),
  sounds: z.int().min(0).max(1_000_000).multipleOf(1),
});
export type Task = z.infer<typeof Task>;

/**
 * Behind the key stands what decides who sees a message and what lists are usually narrowed by, so that
 * messages which do not belong to a list are not read.
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
  version: 0,
  record: Task,
  parts: { customValues: 'map' },
  deletion: 'isDeleted',
  clashes: [
    {
      rule: 'closed-and-assigned',
      field: 'status',
      value: DONE,
      against: ['assignedDepartmentId', 'assignedUserId', 'assignedVehicleId'],
    },
  ],
  unreported: ['statusSince', 'updatedAt', 'photos', 'videos', 'files', 'sounds'],
  task: 'id',
  indexes: [],
  tableIndexes: [
    // Lists, by what they are sorted by. The first is also that along which consoles find what they hold, for
    // which the last field is.
    { name: 'date', fields: [...ordered('isDeleted', 'archived', 'date'), 'statusSince'] },
    { name: 'updatedAt', fields: ordered('isDeleted', 'archived', 'updatedAt') },
    { name: 'id', fields: ordered('isDeleted', 'archived') },
    { name: 'authorId', fields: ordered('isDeleted', 'archived', 'authorId') },
    { name: 'typeId', fields: ordered('isDeleted', 'archived', 'typeId') },
    { name: 'categoryId', fields: ordered('isDeleted', 'archived', 'categoryId') },
    // Lists of those to whom messages belong. Most messages are assigned to nobody, and cost the last ones
    // nothing.
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
    { name: 'assignedVehicleId', fields: ['assignedVehicleId', 'status'], sparse: 'assignedVehicleId' },
    // Holds all that is counted by and filtered by, in the order of the groups of statistics: those, and
    // counts, read no message.
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

/** A comment; the tree is made by `parentId`. */
export const Comment = z.object({
  ...recordFields,
  taskId: Id,
  /** The comment that is answered; 0 none. */
  parentId: IdOrNone,
  level: z.int().min(0),
  authorId: Id,
  at: Instant,
  text: Text,
  /** Describes the update that the comment came with; empty otherwise. */
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

/** One field of one message, changed once. Grow-only. */
export const HistoryEntry = z.object({
  ...recordFields,
  taskId: Id,
  at: Instant,
  userId: IdOrNone,
  station: z.int(),
  /**
   * The record's name of it; of a custom field `customValues.` and its id. In the first versions
   * `customValues` held all that changed, by id.
   */
  field: Word,
  from: z.unknown(),
  to: z.unknown(),
  /** Says which rule did it, when no person did; or that this edit lost against a later one. */
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
  /** Ordinal within message and kind, from 0, never used again. */
  num: z.int().min(0).max(1_000_000).multipleOf(1),
  name: Text,
  description: Text,
  extension: z.string().max(20),
  /** SHA-256 of the bytes, hex. */
  sha256: z.string().max(64),
  /** bytes */
  size: z.int(),
  /** The upload that it was, at the station where it was made. */
  upload: Text,
  /** MIME type, told by the bytes. */
  type: Text,
  at: Instant,
  authorId: IdOrNone,
  /**
   * Whether another form of it is made: of a video FLV and MP4, of a sound MP3, of a photo that was held
   * sideways one that stands upright.
   */
  conversion: z.string().max(20),
  /** Why there is none, in words; empty otherwise. */
  conversionNote: Text,
  /** The other forms, by extension. */
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
