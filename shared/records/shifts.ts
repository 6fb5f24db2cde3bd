import { z } from 'zod';
import { Flag, Id, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

const entry = <K extends string>(kind: K) => ({
  ...recordFields,
  kind: z.literal(kind),
  name: Word,
  isDeleted: Flag,
  organizationId: Id,
});

/** What somebody wrote into the log-book. It is never changed; a correction is an entry of its own. */
export const LogBookEntry = z.object({
  ...entry('logBookEntry'),
  at: Instant,
  authorId: Id,
  text: Text,
  /** The entry that this one corrects, or 0. */
  corrects: IdOrNone,
  taskId: IdOrNone,
  vehicleId: IdOrNone,
});
export type LogBookEntry = z.infer<typeof LogBookEntry>;

/** The settings of an organization for its shifts; its id is the organization's. */
export const ShiftSettings = z.object({
  ...entry('shiftSettings'),
  /** Minutes on scene after which a crew should be heard; 0: no safety timers. */
  safetyMinutes: z.int().min(0),
});
export type ShiftSettings = z.infer<typeof ShiftSettings>;

/** When a crew was last heard besides its statuses; its id is the vehicle's. */
export const CrewSign = z.object({
  ...entry('crewSign'),
  /** One value, so that a merge takes who and when from one station. */
  heard: z.object({ at: Instant, userId: IdOrNone }),
});
export type CrewSign = z.infer<typeof CrewSign>;
