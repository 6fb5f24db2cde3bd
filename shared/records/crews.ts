import { z } from 'zod';
import { Flag, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

/** Times at which a message reached somebody; 0: not yet. */
export const MessageReceipt = z.object({ deliveredAt: Instant, readAt: Instant, answeredAt: Instant });
export type MessageReceipt = z.infer<typeof MessageReceipt>;

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
});
export type CrewMessage = z.infer<typeof CrewMessage>;
