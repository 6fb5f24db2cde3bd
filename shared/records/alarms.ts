import { z } from 'zod';
import { fieldRule } from '../refusals/field-rules.ts';
import { EventId, LAST_EVENT_TYPE } from './events.ts';
import { collection, Flag, Id, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

/** 1 emergency alarm, 2 alarm, 3 warning, 4 caution. */
export const AlarmPriority = z.int().min(1).max(4).multipleOf(1);
export type AlarmPriority = 1 | 2 | 3 | 4;

/** A text in the languages of the console. */
export const InBothLanguages = z.object({ en: z.string().max(1000), ru: z.string().max(1000) });
export type InBothLanguages = z.infer<typeof InBothLanguages>;

/**
 * A situation that an operator must answer. The record holds facts, each written by one action, so that
 * actions at two stations merge; `shared/events/alarms.ts` derives the state. An instant is 0 until it happens.
 */
export const AlarmRecord = z.object({
  ...recordFields,
  /** Like that of its event: the same on every station. */
  id: EventId,
  /** The id of the rule that raised it, and its subject: a situation never has two open alarms. */
  rule: Word,
  situation: Word,
  /** The organization of the vehicle or of the task. */
  organizationId: Id,
  priority: AlarmPriority,
  name: InBothLanguages,
  /** Advice for the operator. */
  response: InBothLanguages,
  /** The last cause: an event, a task, or a vehicle's status. 0: none. */
  eventId: EventId,
  /** 0: none */
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
  /** How often it recurred since. */
  occurrences: z.int(),
  /** When the cause ended. */
  goneAt: Instant,
  /** Why it was a false alarm: late records deleted its event. */
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
  /** The operator in charge. */
  assignedTo: IdOrNone,
});
export type AlarmRecord = Omit<z.infer<typeof AlarmRecord>, 'priority'> & { priority: AlarmPriority };

const ANSWERS = (Object.keys(AlarmRecord.shape) as (keyof AlarmRecord)[]).filter((field) => field !== 'comment');

export const alarms = collection({
  name: 'alarms',
  version: 0,
  record: AlarmRecord,
  // Two operators who answer one alarm at once do the same; only a note may be lost.
  unreported: ANSWERS,
  // Open alarms, by `clearedAt` 0; alarms raised in a period.
  indexes: [['clearedAt', 'raisedAt'], ['raisedAt'], ['situation', 'raisedAt']],
});

/** The cause of an alarm. */
const AlarmSource = z.discriminatedUnion('kind', [
  /** An event of a type; with a subject, such as `sos`, only events with that subject. */
  z.object({ kind: z.literal('event'), type: z.int().min(1).max(LAST_EVENT_TYPE), subject: z.string().max(100) }),
  /** A crew sets this status digit. */
  z.object({ kind: z.literal('unit-status'), status: z.int().min(0).max(9) }),
  /**
   * A task whose category has this importance or a greater one (1 is the greatest) is unassigned for so many
   * seconds.
   */
  z.object({
    kind: z.literal('message'),
    importance: z.int().min(1).max(100),
    afterSeconds: z.int().min(0).max(86_400),
  }),
]);
type AlarmSource = z.infer<typeof AlarmSource>;

export const AlarmRule = z.object({
  id: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, fieldRule('field.type', { expected: 'small letters, digits and hyphens, at most 40' })),
  enabled: Flag,
  source: AlarmSource,
  priority: AlarmPriority,
  name: InBothLanguages,
  response: InBothLanguages,
});
export type AlarmRule = Omit<z.infer<typeof AlarmRule>, 'priority'> & { priority: AlarmPriority };

/** The alarm rules of an organization; its id is the organization's. Without a record the defaults apply. */
export const AlarmRules = z.object({
  ...recordFields,
  kind: z.literal('alarmRules'),
  name: Word,
  isDeleted: Flag,
  organizationId: Id,
  rules: z.array(AlarmRule),
});
export type AlarmRules = Omit<z.infer<typeof AlarmRules>, 'rules'> & { rules: AlarmRule[] };
