import type { LineString, Point, Polygon } from 'geojson';
import { z } from 'zod';
import { SENSOR_TYPES } from '../fleet/sensors.ts';
import type { CallProtocol, PhoneCall } from './calls.ts';
import type { CrewMessage, CrewPhone } from './crews.ts';
import type { OwnPlace } from './own-places.ts';
import type { DispatchSettings, CrewSign, CrewDuty, LogBookEntry, Pin, Shift, ShiftSettings } from './shifts.ts';
import { collection, Flag, Id, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

export const Vehicle = z.object({
  ...recordFields,
  /** The call sign, such as "Van 12". */
  name: Word,
  /** The device number, by which programs and live channels name the vehicle. */
  glonassId: Id,
  plate: Word,
  organizationId: Id,
  groupId: IdOrNone,
  makeId: IdOrNone,
  modelId: IdOrNone,
  driverIds: z.array(Id),
  tagIds: z.array(Id),
  /** Its kind (`VehicleKind`); 0 or missing: unknown. */
  kindId: IdOrNone.optional(),
  /** Its equipment and abilities (`VehicleCapability`). Missing: nothing. */
  capabilityIds: z.array(Id).optional(),
  /** Routing profile; default `car`. */
  profile: Word,
  /** On maintenance. */
  onService: Flag,
  /** Shown on the map. */
  view: Flag,
  projectPoints: Flag,
  iconStandard: Flag,
  iconIndex: z.int(),
  phone: Word,
  imei: Word,
  /** Write-only; empty accepts any. */
  devicePassword: Text,
  /** Odometer reading (km) at which maintenance is due, or null is planned. */
  serviceOdometer: z.number().nullable(),
  notes: Text,
  picture: z.string().nullable(),
  /** Engine hours before telemetry counted them. */
  engineHours: z.object({ stop: z.number(), move: z.number() }),
  customValues: z.record(z.string(), z.unknown()),
  /** Deleted logically: hidden from lists, history remains. */
  isDeleted: Flag,
});
export type Vehicle = z.infer<typeof Vehicle>;
export const vehicles = collection({
  name: 'vehicles',
  version: 1,
  record: Vehicle,
  parts: { driverIds: 'set', tagIds: 'set', capabilityIds: 'set', customValues: 'map', engineHours: 'map' },
  deletion: 'isDeleted',
  indexes: [['isDeleted', 'organizationId', 'id'], ['glonassId']],
});

/** See `shared/fleet/unit-status.ts`. */
const UnitStatus = z.int().min(0).max(9).multipleOf(1);

/** Last known state of a vehicle. The key is the vehicle's. */
export const VehicleState = z.object({
  ...recordFields,
  /** Time of the fix. */
  time: Instant,
  /** When it was stored here, or a late record last changed the sums. */
  storedAt: Instant,
  lat: z.number(),
  lon: z.number(),
  /** km/h */
  speed: z.number(),
  /** degrees clockwise from north */
  direction: z.number(),
  height: z.number(),
  gpsCount: z.int(),
  glonassCount: z.int(),
  /** km */
  odometer: z.number(),
  /** Seconds of running engine, standing and moving, from the track. */
  engineStop: z.number(),
  engineMove: z.number(),
  /** null: no ignition is connected. */
  engineOn: Flag.nullable(),
  stopped: Flag,
  stoppedSince: Instant,
  unitStatus: UnitStatus,
  unitStatusSince: Instant,
});
export type VehicleState = z.infer<typeof VehicleState>;
export const vehicleStates = collection({
  name: 'vehiclestates',
  version: 0,
  record: VehicleState,
  unreported: 'all',
  indexes: [['time']],
});

const entry = <K extends string>(kind: K) => ({ ...recordFields, kind: z.literal(kind), name: Word, isDeleted: Flag });
export const Make = z.object(entry('make'));
export type Make = z.infer<typeof Make>;
export const VehicleModel = z.object({
  ...entry('model'),
  makeId: Id,
  expenseOn100km: z.number().nullable(),
  maxTank: z.number().nullable(),
  engineHoursStop: z.number().nullable(),
  engineHoursMove: z.number().nullable(),
});
export type VehicleModel = z.infer<typeof VehicleModel>;
export const VehicleGroup = z.object({
  ...entry('group'),
  notes: Text,
  extGroup: Text,
  view: Flag,
  organizationId: Id,
});
export type VehicleGroup = z.infer<typeof VehicleGroup>;
/** Without an organization, or with 0: a tag of the whole station. */
export const Tag = z.object({ ...entry('tag'), color: Text, organizationId: Id.optional() });
export type Tag = z.infer<typeof Tag>;
/** `name` is the full name. */
export const Driver = z.object({
  ...entry('driver'),
  phone: Text,
  notes: Text,
  photo: z.string().nullable(),
  organizationId: Id,
  wire: Text,
  extId: Text,
});
export type Driver = z.infer<typeof Driver>;

/** The pictures by which a kind of vehicles is known on the map and in lists. */
export const KIND_GLYPHS = ['truck', 'flame', 'ladder', 'cross', 'shield', 'wrench', 'drop', 'hook', 'snow'] as const;
export const KIND_SERVICES = ['fire', 'medical', 'road', 'municipal', 'other'] as const;
/** A kind of vehicle, such as an engine or an ambulance. */
export const VehicleKind = z.object({
  ...entry('vehicleKind'),
  glyph: z.enum(KIND_GLYPHS),
  service: z.enum(KIND_SERVICES),
  /** The types of task that it serves where no plan applies; empty: all. */
  typeIds: z.array(Id),
});
export type VehicleKind = z.infer<typeof VehicleKind>;

/** Equipment or an ability of a vehicle, such as a defibrillator. */
export const VehicleCapability = z.object(entry('capability'));
export type VehicleCapability = z.infer<typeof VehicleCapability>;

/** Some vehicles that a response plan asks for. */
export const PlanNeed = z.object({
  /** 0: of any kind, which then needs a capability. */
  kindId: IdOrNone,
  count: z.int().min(1),
  /** Each of these vehicles has all of them. */
  capabilityIds: z.array(Id),
  role: Word,
});
export type PlanNeed = z.infer<typeof PlanNeed>;

/** Which vehicles a call needs. An empty condition always holds. */
export const ResponsePlan = z.object({
  ...entry('responsePlan'),
  typeIds: z.array(Id),
  categoryIds: z.array(Id),
  /** 1 to 4 */
  priorities: z.array(z.int()),
  /** 0: a plan of the whole station. */
  organizationId: IdOrNone,
  geozoneId: IdOrNone,
  needs: z.array(PlanNeed),
  tellOrganizationIds: z.array(Id),
});
export type ResponsePlan = z.infer<typeof ResponsePlan>;

export const PREMISE_SUBJECTS = ['hazard', 'key', 'code', 'other'] as const;
/** A note for crews about a place before they enter it. It is at a point or in a geozone. */
export const PremiseNote = z.object({
  ...entry('premiseNote'),
  subject: z.enum(PREMISE_SUBJECTS),
  text: Text,
  /** null: in the geozone. */
  point: z.object({ lat: z.number(), lon: z.number() }).nullable(),
  /** metres around the point */
  radius: z.number(),
  geozoneId: IdOrNone,
  /** 0: of the whole station. */
  organizationId: IdOrNone,
  /** End, exclusive; null: none. */
  until: Instant.nullable(),
});
export type PremiseNote = z.infer<typeof PremiseNote>;

/** A road that is closed, or slowed, for a while. */
export const RoadClosure = z.object({
  ...entry('closure'),
  reason: Text,
  /** GeoJSON; longitude first. */
  geometry: z.object({ type: z.enum(['Point', 'LineString', 'Polygon']), coordinates: z.array(z.unknown()) }),
  /** Start; null: always. */
  from: Instant.nullable(),
  /** End, exclusive; null: until it is lifted. */
  until: Instant.nullable(),
  /** Share of the usual speed; 0: closed. */
  factor: z.number(),
});
export type RoadClosure = Omit<z.infer<typeof RoadClosure>, 'geometry'> & { geometry: Point | LineString | Polygon };

/**
 * An entry with versions, so that edits do not rewrite history. Each version is valid from its `validFrom` to
 * that of the next one; the last one until `deletedAt`, or forever when that is null. Versions are sorted by
 * `validFrom`; the last ones may be planned. `name` is that of the version in force at the last edit.
 */
const versioned = <K extends string, V extends z.ZodRawShape>(kind: K, version: V) => ({
  ...entry(kind),
  deletedAt: Instant.nullable(),
  versions: z.array(z.object({ validFrom: Instant, name: Word, ...version })).min(1),
});

const LonLat = z.tuple([z.number(), z.number()]);
/** Like `Shape` of `shared/geo/shapes.ts`; lengths in metres, a corridor's width to either side. */
export const ZoneShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), center: LonLat, radius: z.number() }),
  z.object({ kind: z.literal('polygon'), rings: z.array(z.array(LonLat)) }),
  z.object({ kind: z.literal('corridor'), line: z.array(LonLat), width: z.number() }),
]);

/** An area on the map, for all vehicles of its organization. `speedLimit` in km/h, 0: none. */
export const Geozone = z.object({
  ...versioned('geozone', { shape: ZoneShape, speedLimit: z.number() }),
  organizationId: Id,
  notes: Text,
  /** The name of a map colour; empty: the default. */
  color: Text,
  /** Shown on the map. */
  view: Flag,
  /** A part of the territory in which vehicles of each kind should remain. */
  district: Flag.optional(),
});
export type Geozone = z.infer<typeof Geozone>;

export const ControlPoint = z.object({
  /** Unique within its route, and never used again. */
  id: Id,
  name: Word,
  lat: z.number(),
  lon: z.number(),
  /** metres */
  radius: z.number(),
  /**
   * Planned arrival in seconds after the start of the drive (`from`, else when the vehicle joined the route);
   * null: no plan.
   */
  arriveAfter: z.number().nullable(),
});
export type ControlPoint = z.infer<typeof ControlPoint>;

/** A planned route for vehicles. */
export const PlannedRoute = z.object({
  ...versioned('route', {
    line: z.array(LonLat),
    points: z.array(ControlPoint),
    /** The assigned vehicles. */
    vehicleIds: z.array(Id),
    /** The period of the drive; null: at any time. */
    from: Instant.nullable(),
    until: Instant.nullable(),
    /** Metres to either side that are still on the route; null: the default threshold. */
    corridor: z.number().nullable(),
  }),
  organizationId: Id,
  notes: Text,
  color: Text,
  view: Flag,
});
export type PlannedRoute = z.infer<typeof PlannedRoute>;

/** A `SensorInput`. */
export const SensorInputShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['input', 'adc']), index: z.int() }),
  z.object({ kind: z.literal('param'), name: z.string() }),
]);

/** A sensor of one vehicle. */
export const Sensor = z.object({
  ...versioned('sensor', {
    type: z.enum(SENSOR_TYPES),
    input: SensorInputShape,
    /** Digital ones, including the ignition: on when the raw value is 0. */
    inverted: Flag,
    /** Pairs of raw and real value, raw ones ascending; empty: the raw value is real. */
    calibration: z.array(z.tuple([z.number(), z.number()])),
    /** Analog: real values beyond which an event lasts, or null. */
    low: z.number().nullable(),
    high: z.number().nullable(),
    /** Hysteresis of the real value. */
    hysteresis: z.number(),
    /** Milliseconds for which a value must hold; null: the default threshold. */
    debounce: z.int().nullable(),
  }),
  vehicleId: Id,
  /** The unit of the real value, such as `l` or `°C`. */
  unit: Text,
});
export type Sensor = z.infer<typeof Sensor>;

/** A picture for drawing vehicles. */
export const Icon = z.object({
  ...entry('icon'),
  /** SHA-256 of its bytes, and their MIME type. */
  picture: z.string(),
  type: z.string(),
  /** pixels */
  width: z.int(),
  height: z.int(),
  /** 0: shared by all */
  organizationId: IdOrNone,
});
export type Icon = z.infer<typeof Icon>;

export const VEHICLE_FIELD_FORMATS = ['string', 'int', 'float', 'date', 'bool', 'list'] as const;
/** A custom field of vehicles. Values are in `Vehicle.customValues`, by the id of the field. */
export const VehicleField = z.object({
  ...entry('vehicleField'),
  slug: Word,
  format: z.enum(VEHICLE_FIELD_FORMATS),
  group: Word,
  possibleValues: z.array(z.string()).nullable(),
  regexp: z.string().nullable(),
  minLength: z.int().nullable(),
  maxLength: z.int().nullable(),
  required: Flag,
  defaultValue: z.string().nullable(),
  visible: Flag,
  /** 0: no fixed place */
  order: z.int(),
});
export type VehicleField = z.infer<typeof VehicleField>;

export type FleetEntry =
  | PhoneCall
  | CallProtocol
  | CrewMessage
  | CrewPhone
  | Make
  | VehicleModel
  | VehicleGroup
  | Tag
  | Driver
  | VehicleKind
  | VehicleCapability
  | ResponsePlan
  | PremiseNote
  | OwnPlace
  | RoadClosure
  | Geozone
  | PlannedRoute
  | Sensor
  | Icon
  | VehicleField
  | LogBookEntry
  | ShiftSettings
  | DispatchSettings
  | CrewSign
  | Shift
  | CrewDuty
  | Pin;
export const fleet = collection({
  name: 'fleet',
  version: 0,
  record: z.looseObject({ ...recordFields, kind: Word, name: Word, isDeleted: Flag }),
  parts: { receipts: 'entries' },
  deletion: 'isDeleted',
  // Past values, noted by the station; and messages, of which only receipts change.
  unreportedKinds: ['crewMessage', 'crewSign', 'posting', 'zoneOwner', 'reviewPeriod', 'closurePast'],
  indexes: [['kind', 'id']],
  kindIndexes: [
    { name: 'calls by time', kind: 'call', fields: ['at', 'id'] },
    { name: 'calls of tasks', kind: 'call', fields: ['taskId'] },
    { name: 'calls by number', kind: 'call', fields: ['number', 'at'] },
    { name: 'calls by end', kind: 'call', fields: ['endedAt'] },
  ],
});
