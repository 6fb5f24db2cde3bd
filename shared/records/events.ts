import { z } from 'zod';
import { RoadClosure } from './fleet.ts';
import { collection, Flag, Id, Instant, recordFields, Text, Word } from './record.ts';

/** Ids of events are 52 bits of a digest: the same on every station that has the same track. */
export const EventId = z.int().min(0).max(9_007_199_254_740_990).multipleOf(1);

/** Types of events count from 1 to this. Their names and titles are in `server/events/event-types.ts`. */
export const LAST_EVENT_TYPE = 25;

/** What happened to a vehicle, from one moment to another. */
export const EventRecord = z.object({
  ...recordFields,
  id: EventId,
  vehicleId: Id,
  type: z.int().min(1).max(LAST_EVENT_TYPE).multipleOf(1),
  /** What it is about besides the vehicle, such as `zone:7`. */
  subject: Word,
  from: Instant,
  /** 0 while it lasts */
  until: Instant,
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
  unreported: 'all',
  indexes: [['vehicleId', 'seenAt'], ['vehicleId', 'until', 'from'], ['until', 'from'], ['from']],
});

const duration = (most: number) => z.int().min(0).max(most);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Thresholds of the events of an organisation or a vehicle: km/h, metres, litres, degrees, and durations in
 * ms.
 */
export const EventSettings = z.object({
  /** Slower is standing. */
  standingSpeed: z.number().min(0).max(50),
  /** Standing that makes a stop, and a parking. */
  stopAfter: duration(DAY),
  parkingAfter: duration(30 * DAY),
  /** Without a record, until the signal is lost; 0: a device that sleeps is never lost. */
  lostAfter: duration(30 * DAY),
  /** Between two points, above a speed, what makes a turn. */
  turnAngle: z.number().min(1).max(180),
  turnSpeed: z.number().min(0).max(300),
  /** Records without a fix, until the equipment is taken to have failed. */
  noFixAfter: duration(30 * DAY),
  /** 0 no limit */
  speedLimit: z.number().min(0).max(300),
  /** Above the limit, or below it again, that counts. */
  speedPersistence: duration(HOUR),
  /** Beyond the border until a vehicle is in, or out. */
  zoneMargin: z.number().min(0).max(10_000),
  zonePersistence: duration(HOUR),
  /** For which an input must hold. */
  sensorDebounce: duration(HOUR),
  /** After the ignition, within which the driver's key is to come. */
  driverGrace: duration(DAY),
  /** Share of the tank, litres, and time: what makes a fill or a drain. */
  fuelShare: z.number().min(0.001).max(1),
  fuelLitres: z.number().min(0.1).max(10_000),
  fuelWithin: duration(DAY),
  /** What makes an arrival at the place of a request. */
  requestRadius: z.number().min(1).max(10_000),
  requestPersistence: duration(HOUR),
  /** To either side of a planned route. */
  corridor: z.number().min(1).max(10_000),
  /** A stop on the route that is too long. */
  longStopAfter: duration(DAY),
});
export type EventSettings = z.infer<typeof EventSettings>;
export { DEFAULT_EVENT_SETTINGS } from '../event-settings.ts';

const settingsEntry = <K extends string>(kind: K) => ({
  ...recordFields,
  kind: z.literal(kind),
  name: Word,
  isDeleted: Flag,
  organizationId: Id,
});

/**
 * The thresholds of an organisation (its id is the record's), or of one vehicle (its id is the record's);
 * each version says what differs from the usual from `validFrom` on.
 */
export const EventSettingsEntry = z.object({
  ...settingsEntry('eventSettings'),
  versions: z.array(z.object({ validFrom: Instant, settings: EventSettings.partial() })).min(1),
});
export type EventSettingsEntry = z.infer<typeof EventSettingsEntry>;
export const VehicleEventSettings = z.object({ ...EventSettingsEntry.shape, kind: z.literal('vehicleEventSettings') });
export type VehicleEventSettings = z.infer<typeof VehicleEventSettings>;

/**
 * What something without versions of its own was through time, as events are judged by it: written with the
 * first change, with what held before from 0 on. The id is that of whose past it is.
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
 * Whose a vehicle was, which users drove it, and the keys of its drivers; notes of older programs have no
 * keys.
 */
export const Posting = pastOf('posting', {
  organizationId: Id,
  userIds: z.array(Id),
  keys: z.array(z.string()).optional(),
});
export type Posting = z.infer<typeof Posting>;
/** Whose a geozone was. */
export const ZoneOwner = pastOf('zoneOwner', { organizationId: Id });
export type ZoneOwner = z.infer<typeof ZoneOwner>;
/** In how many seconds messages of a type were to be performed. */
export const ReviewPeriod = pastOf('reviewPeriod', { seconds: z.int().min(0) });
export type ReviewPeriod = z.infer<typeof ReviewPeriod>;
/** Where a road was closed, and how. */
export const ClosurePast = pastOf('closurePast', {
  geometry: RoadClosure.shape.geometry,
  from: Instant.nullable(),
  until: Instant.nullable(),
  factor: z.number(),
});
export type ClosurePast = Omit<z.infer<typeof ClosurePast>, 'versions'> & {
  versions: ({ validFrom: number } & Pick<RoadClosure, 'geometry' | 'from' | 'until' | 'factor'>)[];
};

/**
 * The tank of a vehicle through time, as its model said then: a model that is corrected does not rewrite
 * history.
 */
export const TankEntry = z.object({
  ...settingsEntry('tank'),
  versions: z.array(z.object({ validFrom: Instant, litres: z.number() })).min(1),
});
export type TankEntry = z.infer<typeof TankEntry>;
