import { z } from 'zod';
import { RoadClosure } from './fleet.ts';
import { collection, Flag, Id, Instant, recordFields, Text, Word } from './record.ts';

/** Event ids are 52 bits of a digest: the same on every station that has the same track. */
export const EventId = z.int().min(0).max(9_007_199_254_740_990).multipleOf(1);

/** Event types are 1 to this. Their names and titles are in `server/tracking/events/event-types.ts`. */
export const LAST_EVENT_TYPE = 25;

/** An event of a vehicle, over a period. */
export const EventRecord = z.object({
  ...recordFields,
  id: EventId,
  vehicleId: Id,
  type: z.int().min(1).max(LAST_EVENT_TYPE).multipleOf(1),
  /** The subject besides the vehicle, such as `zone:7`. */
  subject: Word,
  from: Instant,
  /** 0 while it lasts */
  until: Instant,
  /** Time of the record that first showed it. */
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
  unreported: 'all',
  indexes: [['vehicleId', 'seenAt'], ['vehicleId', 'until', 'from'], ['until', 'from'], ['from']],
});

const duration = (most: number) => z.int().min(0).max(most);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Event thresholds of an organization or a vehicle: km/h, metres, litres, degrees, and durations in ms. */
export const EventSettings = z.object({
  /** Below this a vehicle stands. */
  standingSpeed: z.number().min(0).max(50),
  /** Shortest standing that is a stop, and a parking. */
  stopAfter: duration(DAY),
  parkingAfter: duration(30 * DAY),
  /** Time without a record until the signal is lost; 0: never, for devices that sleep. */
  lostAfter: duration(30 * DAY),
  /** Limits of a turn: an angle between two points, above a speed. */
  turnAngle: z.number().min(1).max(180),
  turnSpeed: z.number().min(0).max(300),
  /** Records without a fix until the equipment counts as failed. */
  noFixAfter: duration(30 * DAY),
  /** 0: no limit */
  speedLimit: z.number().min(0).max(300),
  /** Time above the limit, or below it again, until it counts. */
  speedPersistence: duration(HOUR),
  /** Distance beyond the border until a vehicle is in, or out. */
  zoneMargin: z.number().min(0).max(10_000),
  zonePersistence: duration(HOUR),
  /** How long an input must hold. */
  sensorDebounce: duration(HOUR),
  /** Time from ignition to the driver's key. */
  driverGrace: duration(DAY),
  /** Limits of a fill or a drain: share of the tank, litres, and time. */
  fuelShare: z.number().min(0.001).max(1),
  fuelLitres: z.number().min(0.1).max(10_000),
  fuelWithin: duration(DAY),
  /** Limits of an arrival at the place of a task. */
  requestRadius: z.number().min(1).max(10_000),
  requestPersistence: duration(HOUR),
  /** To either side of a planned route. */
  corridor: z.number().min(1).max(10_000),
  /** A stop on the route that is too long. */
  longStopAfter: duration(DAY),
});
export type EventSettings = z.infer<typeof EventSettings>;
export { DEFAULT_EVENT_SETTINGS } from '../events/event-settings.ts';

const settingsEntry = <K extends string>(kind: K) => ({
  ...recordFields,
  kind: z.literal(kind),
  name: Word,
  isDeleted: Flag,
  organizationId: Id,
});

/**
 * The thresholds of an organization or of one vehicle, under its id. Each version holds the differences from
 * the defaults from `validFrom` on.
 */
export const EventSettingsEntry = z.object({
  ...settingsEntry('eventSettings'),
  versions: z.array(z.object({ validFrom: Instant, settings: EventSettings.partial() })).min(1),
});
export type EventSettingsEntry = z.infer<typeof EventSettingsEntry>;
export const VehicleEventSettings = z.object({ ...EventSettingsEntry.shape, kind: z.literal('vehicleEventSettings') });
export type VehicleEventSettings = z.infer<typeof VehicleEventSettings>;

/**
 * Past values of something without versions of its own, for judging events. Written at the first change, with
 * the earlier value from 0 on. The id is that of the subject.
 */
const pastOf = <K extends string, V extends z.ZodRawShape>(kind: K, version: V) =>
  z.object({
    ...recordFields,
    kind: z.literal(kind),
    name: Word,
    isDeleted: Flag,
    versions: z.array(z.object({ validFrom: Instant, ...version })).min(1),
  });
/**
 * A vehicle's organization, the users who drove it, and its drivers' keys; notes of older programs have no
 * keys.
 */
export const Posting = pastOf('posting', {
  organizationId: Id,
  userIds: z.array(Id),
  keys: z.array(z.string()).optional(),
});
export type Posting = z.infer<typeof Posting>;
/** The organization of a geozone. */
export const ZoneOwner = pastOf('zoneOwner', { organizationId: Id });
export type ZoneOwner = z.infer<typeof ZoneOwner>;
/** Seconds to perform tasks of a type. */
export const ReviewPeriod = pastOf('reviewPeriod', { seconds: z.int().min(0) });
export type ReviewPeriod = z.infer<typeof ReviewPeriod>;
/** The place and manner of a closure. */
export const ClosurePast = pastOf('closurePast', {
  geometry: RoadClosure.shape.geometry,
  from: Instant.nullable(),
  until: Instant.nullable(),
  factor: z.number(),
});
export type ClosurePast = Omit<z.infer<typeof ClosurePast>, 'versions'> & {
  versions: ({ validFrom: number } & Pick<RoadClosure, 'geometry' | 'from' | 'until' | 'factor'>)[];
};

/** The tank of a vehicle over time, by its model then: a corrected model does not rewrite history. */
export const TankEntry = z.object({
  ...settingsEntry('tank'),
  versions: z.array(z.object({ validFrom: Instant, litres: z.number() })).min(1),
});
export type TankEntry = z.infer<typeof TankEntry>;
