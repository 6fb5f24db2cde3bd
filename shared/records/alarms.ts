import { z } from 'zod';
import { EventId, LAST_EVENT_TYPE } from './events.ts';
import { collection, Flag, Id, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

/** 1 emergency alarm, 2 alarm, 3 warning, 4 caution. */
export const AlarmPriority = z.int().min(1).max(4).multipleOf(1);
export type AlarmPriority = 1 | 2 | 3 | 4;

/** A text in the languages of the console. */
export const InBothLanguages = z.object({ en: z.string().max(1000), ru: z.string().max(1000) });
export type InBothLanguages = z.infer<typeof InBothLanguages>;

/**
 * A situation that an operator has to answer. The record holds facts, each written by one deed, so that deeds
 * of two stations merge; the state follows from them (`shared/alarms.ts`). Instants are 0 while what they
 * tell of has not happened.
 */
export const AlarmRecord = z.object({
  ...recordFields,
  /** Like that of its event: the same on every station. */
  id: EventId,
  /**
   * The rule that raised it, by its id, and what it is about: two alarms of one situation are never open at
   * once.
   */
  rule: Word,
  situation: Word,
  /** Whose it is: the organisation of the vehicle, or of the message. */
  organizationId: Id,
  priority: AlarmPriority,
  name: InBothLanguages,
  /** What an operator does about it. */
  response: InBothLanguages,
  /** What raised it last: an event, a message, or the status of a unit. 0 none. */
  eventId: EventId,
  /** 0 none */
  eventType: z.int(),
  taskId: IdOrNone,
  vehicleId: IdOrNone,
  info: Text,
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  /** When the situation began. */
  since: Instant,
  /** When operators were last alerted. */
  raisedAt: Instant,
  /** How often it came again meanwhile. */
  occurrences: z.int(),
  /** When its cause was gone. */
  goneAt: Instant,
  /** Why it turned out to be none: its event was withdrawn by late records. */
  withdrawn: Flag,
  clearedAt: Instant,
  acknowledgedAt: Instant,
  acknowledgedBy: IdOrNone,
  comment: Text,
  /** Sounds are off until then. */
  silencedUntil: Instant,
  shelvedAt: Instant,
  shelvedUntil: Instant,
  shelvedBy: IdOrNone,
  shelveReason: Text,
  /** The operator who takes care of it. */
  assignedTo: IdOrNone,
});
export type AlarmRecord = Omit<z.infer<typeof AlarmRecord>, 'priority'> & { priority: AlarmPriority };

const ANSWERS = (Object.keys(AlarmRecord.shape) as (keyof AlarmRecord)[]).filter((field) => field !== 'comment');

export const alarms = collection({
  name: 'alarms',
  version: 0,
  record: AlarmRecord,
  // Two operators who answer one alarm at once do the same; only what they wrote may be lost.
  unreported: ANSWERS,
  // What is open, by `clearedAt` 0; what was raised in a span of time.
  indexes: [['clearedAt', 'raisedAt'], ['raisedAt'], ['situation', 'raisedAt']],
});

/** What raises an alarm. */
const AlarmSource = z.discriminatedUnion('kind', [
  /** An event of a type; with a subject only those that are about it, such as `sos`. */
  z.object({ kind: z.literal('event'), type: z.int().min(1).max(LAST_EVENT_TYPE), subject: z.string().max(100) }),
  /** A crew sets this single-digit status. */
  z.object({ kind: z.literal('unit-status'), status: z.int().min(0).max(9) }),
  /**
   * A message of a category of this importance, or a greater one (1 is the greatest), stays without anybody
   * for so many seconds.
   */
  z.object({
    kind: z.literal('message'),
    importance: z.int().min(1).max(100),
    afterSeconds: z.int().min(0).max(86_400),
  }),
]);
type AlarmSource = z.infer<typeof AlarmSource>;

export const AlarmRule = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be small letters, digits and hyphens, at most 40'),
  enabled: Flag,
  source: AlarmSource,
  priority: AlarmPriority,
  name: InBothLanguages,
  response: InBothLanguages,
});
export type AlarmRule = Omit<z.infer<typeof AlarmRule>, 'priority'> & { priority: AlarmPriority };

/**
 * The rules of an organisation; its id is the organisation's. An organisation without them has the usual
 * ones.
 */
export const AlarmRules = z.object({
  ...recordFields,
  kind: z.literal('alarmRules'),
  name: Word,
  isDeleted: Flag,
  organizationId: Id,
  rules: z.array(AlarmRule),
});
export type AlarmRules = Omit<z.infer<typeof AlarmRules>, 'rules'> & { rules: AlarmRule[] };
