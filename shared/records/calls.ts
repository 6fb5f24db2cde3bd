import { z } from 'zod';
import { Flag, Id, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

/** A telephone call that an exchange reported, or that somebody noted. A kind of the collection `fleet`. */
export const PhoneCall = z.object({
  ...recordFields,
  kind: z.literal('call'),
  /** The caller's name, where the exchange knows it. */
  name: Word,
  isDeleted: Flag,
  organizationId: Id,
  /** As the exchange wrote it, without spaces and signs; empty: withheld. */
  number: Word,
  line: Word,
  text: Text,
  point: z.object({ lat: z.number(), lon: z.number() }).nullable(),
  at: Instant,
  /** One value, so that a merge takes who and when from one station. */
  taken: z.object({ userId: Id, at: Instant }).nullable(),
  /** 0: it rings or is spoken. */
  endedAt: Instant,
  /** The task it led to. */
  taskId: IdOrNone,
});
export type PhoneCall = z.infer<typeof PhoneCall>;
