import { z } from 'zod';
import { Flag, Id, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

const entry = <K extends string>(kind: K) => ({
  ...recordFields,
  kind: z.literal(kind),
  name: Word,
  isDeleted: Flag,
  organizationId: Id,
});

/** Author and time of an action: one value, so that a merge takes both from one station. */
const Deed = z.object({ at: Instant, userId: IdOrNone });

/** An entry of the log-book. It is never changed; a correction is an entry of its own. */
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

/** How soon somebody should be sent to the tasks of an organization; its id is the organization's. */
export const DispatchSettings = z.object({
  ...entry('dispatchSettings'),
  /** Seconds before its time at which a scheduled task enters the queue. */
  leadSeconds: z.int().min(0),
  /** By priority, 1 to 4: seconds until a unit should be sent, and be there; 0: no target. */
  targets: z.array(z.object({ sentSeconds: z.int().min(0), onSceneSeconds: z.int().min(0) })).length(4),
});
export type DispatchSettings = z.infer<typeof DispatchSettings>;

/** When a crew was last heard besides its statuses; its id is the vehicle's. */
export const CrewSign = z.object({
  ...entry('crewSign'),
  heard: Deed,
});
export type CrewSign = z.infer<typeof CrewSign>;

/** A shift of an organization. It runs until `ended`. */
export const Shift = z.object({
  ...entry('shift'),
  /** A shift of all organizations: a user who sees them all began it. */
  everywhere: Flag,
  begun: Deed,
  ended: Deed.nullable(),
  /** Its words to the next shift. */
  handover: Text,
  /** By whom the next shift took it over. */
  accepted: Deed.nullable(),
  /** When the crews were last called; answers before do not count. */
  rollCall: Deed.nullable(),
});
export type Shift = z.infer<typeof Shift>;

/** A crew on its vehicle, or people at a position of the control room (`vehicleId` 0), whose name is `name`. */
export const CrewDuty = z.object({
  ...entry('duty'),
  vehicleId: IdOrNone,
  driverIds: z.array(Id),
  userIds: z.array(Id),
  from: Instant,
  /** 0: it has not ended. */
  until: Instant,
  /** Result of the roll call. */
  roll: z.object({ present: Flag, at: Instant, userId: IdOrNone }).nullable(),
});
export type CrewDuty = z.infer<typeof CrewDuty>;

/** A note for everybody on the board, or an item for the next shift. */
export const Pin = z.object({
  ...entry('pin'),
  text: Text,
  authorId: Id,
  at: Instant,
  /** End, exclusive; null: until it is taken off. */
  until: Instant.nullable(),
  forNext: Flag,
  done: Deed.nullable(),
});
export type Pin = z.infer<typeof Pin>;
