import { z } from 'zod';
import { Flag, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

/** Times at which a message reached somebody; 0: not yet. */
export const MessageReceipt = z.object({ deliveredAt: Instant, readAt: Instant, answeredAt: Instant });
export type MessageReceipt = z.infer<typeof MessageReceipt>;

export const SMS_STATES = ['queued', 'sent', 'delivered', 'failed'] as const;
/**
 * Why a text was not sent, or not yet: nobody knows a number, no gateway could be reached, it became too old, the
 * gateway refused it, the network did not deliver it, it was unsent in a backup that was restored.
 */
export const SMS_PROBLEMS = ['noNumber', 'unreachable', 'expired', 'refused', 'undelivered', 'restored'] as const;
export type SmsProblem = (typeof SMS_PROBLEMS)[number];

/** How far a message has come as a text; `problem` is empty where nothing is known against it. */
export const SmsMark = z.object({ state: z.enum(SMS_STATES), problem: z.enum(['', ...SMS_PROBLEMS]) });
export type SmsMark = z.infer<typeof SmsMark>;

/** A message between the control room and crews. A kind of the collection `fleet`. */
export const CrewMessage = z.object({
  ...recordFields,
  kind: z.literal('crewMessage'),
  name: Word,
  isDeleted: Flag,
  /** 0: of every one; it is then to all. */
  organizationId: IdOrNone,
  /** The user who wrote it, or 0: a crew. */
  userId: IdOrNone,
  /** The vehicle whose crew wrote it, or 0. */
  vehicleId: IdOrNone,
  /** To the control room, a vehicle, the vehicles of a group, or all of the organization. */
  to: z.object({ kind: z.enum(['control', 'vehicle', 'group', 'all']), id: IdOrNone }),
  text: Text,
  at: Instant,
  /** It must be answered. */
  mustAnswer: Flag,
  /** By the vehicle's id, or `control`. */
  receipts: z.record(z.string(), MessageReceipt),
  /**
   * By the vehicle's id, if it is also sent as a text. The station that sends it writes this. Missing: to no
   * vehicle.
   */
  sms: z.record(z.string(), SmsMark).optional(),
});
export type CrewMessage = z.infer<typeof CrewMessage>;

/** The telephone that travels with a crew and takes texts; its id is the vehicle’s. A kind of `fleet`. */
export const CrewPhone = z.object({
  ...recordFields,
  kind: z.literal('crewPhone'),
  name: Word,
  isDeleted: Flag,
  organizationId: IdOrNone,
  /** As it was written; empty: it has none. */
  phone: Text,
});
export type CrewPhone = z.infer<typeof CrewPhone>;
