import { z } from 'zod';
import { collection, Flag, Id, Instant, recordFields, Text, Word } from './record.ts';

/** Ids of events are 52 bits of a digest: the same on every station that has the same track. */
export const EventId = z.int().min(0).max(9_007_199_254_740_990).multipleOf(1);

/** What happened to a vehicle, from one moment to another. */
export const EventRecord = z.object({
  ...recordFields,
  id: EventId,
  vehicleId: Id,
  /** 1 to 25 of the interface */
  type: z.int().min(1).max(25).multipleOf(1),
  /** What it is about besides the vehicle, such as `zone:7`. */
  subject: Word,
  from: Instant,
  /** 0 while it lasts */
  till: Instant,
  /** Time of the record at which it was first seen. */
  seenAt: Instant,
  bySilence: Flag,
  lat: z.number(),
  lon: z.number(),
  info: Text,
  data: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  /** When it was last created or changed here, and why: `live`, `late record`, `no signal` … */
  revisedAt: Instant,
  reason: Word,
});
export type EventRecord = z.infer<typeof EventRecord>;

export const events = collection({
  name: 'events',
  version: 0,
  record: EventRecord,
  indexes: [['vehicleId', 'seenAt'], ['vehicleId', 'till', 'from'], ['till', 'from'], ['from']],
});
