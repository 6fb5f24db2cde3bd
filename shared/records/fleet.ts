import type { LineString, Point, Polygon } from 'geojson';
import { z } from 'zod';
import { collection, Flag, Id, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

export const Vehicle = z.object({
  ...recordFields,
  /** The call sign, such as "Van 12". */
  name: Word,
  /** The number of the navigation unit, by which programs and live channels name the vehicle. */
  glonassId: Id,
  plate: Word,
  organizationId: Id,
  groupId: IdOrNone,
  markId: IdOrNone,
  modelId: IdOrNone,
  driverIds: z.array(Id),
  tagIds: z.array(Id),
  /** Routing profile: `car` unless told otherwise. */
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
  kmToService: z.number().nullable(),
  notes: Text,
  picture: z.string().nullable(),
  motohours: z.object({ stop: z.number(), move: z.number() }),
  customValues: z.record(z.string(), z.unknown()),
  /** Being deleted: hidden from lists, history remains. */
  withdrawn: Flag,
});
export type Vehicle = z.infer<typeof Vehicle>;
export const vehicles = collection({ name: 'vehicles', version: 0, record: Vehicle, indexes: [['withdrawn', 'organizationId', 'id'], ['glonassId']] });

/** Single-digit unit status, as crews say it: 1 free on radio, 2 at base, 3 en route, 4 on scene, 6 out of service, … */
export const UnitStatus = z.int().min(0).max(9).multipleOf(1);

/** Last known state of a vehicle. The key is the vehicle's. */
export const VehicleState = z.object({
  ...recordFields,
  /** Time of the fix. */
  time: Instant,
  /** When it was stored here. */
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
  stopped: Flag,
  stoppedSince: Instant,
  unitStatus: UnitStatus,
  unitStatusSince: Instant,
});
export type VehicleState = z.infer<typeof VehicleState>;
export const vehicleStates = collection({ name: 'vehiclestates', version: 0, record: VehicleState, indexes: [['time']] });

const entry = <K extends string>(kind: K) => ({ ...recordFields, kind: z.literal(kind), name: Word, withdrawn: Flag });
export const Mark = z.object(entry('mark'));
export type Mark = z.infer<typeof Mark>;
export const VehicleModel = z.object({
  ...entry('model'),
  markId: Id,
  expenseOn100km: z.number().nullable(),
  maxTank: z.number().nullable(),
  motohoursStop: z.number().nullable(),
  motohoursMove: z.number().nullable(),
});
export type VehicleModel = z.infer<typeof VehicleModel>;
export const VehicleGroup = z.object({ ...entry('group'), notes: Text, extGroup: Text, view: Flag, organizationId: Id });
export type VehicleGroup = z.infer<typeof VehicleGroup>;
export const Tag = z.object({ ...entry('tag'), color: Text });
export type Tag = z.infer<typeof Tag>;
/** `name` is the full name. */
export const Driver = z.object({ ...entry('driver'), phone: Text, notes: Text, photo: z.string().nullable(), organizationId: Id, wire: Text, extId: Text });
export type Driver = z.infer<typeof Driver>;

/** A road that is closed, or driven more slowly, for a while. */
export const RoadClosure = z.object({
  ...entry('closure'),
  reason: Text,
  /** GeoJSON; longitude first. */
  geometry: z.object({ type: z.enum(['Point', 'LineString', 'Polygon']), coordinates: z.array(z.unknown()) }),
  /** From this instant on; null: ever since. */
  from: Instant.nullable(),
  /** Up to this instant, not including it; null: until it is lifted. */
  till: Instant.nullable(),
  /** Share of the usual speed: 0 closed. */
  factor: z.number(),
});
export type RoadClosure = Omit<z.infer<typeof RoadClosure>, 'geometry'> & { geometry: Point | LineString | Polygon };

export type FleetEntry = Mark | VehicleModel | VehicleGroup | Tag | Driver | RoadClosure;
export const fleet = collection({
  name: 'fleet',
  version: 0,
  record: z.looseObject({ ...recordFields, kind: Word, name: Word, withdrawn: Flag }),
  indexes: [['kind', 'id']],
});
