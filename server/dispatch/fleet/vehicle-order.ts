import { definedFields } from '../../../shared/defined-fields.ts';
import type { Vehicle, VehicleField } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Draft } from '../../store/types.ts';
import { hoursBefore, type Ran } from './running.ts';
import { readVehicleValues } from './vehicle-fields.ts';

/** Fields that may be set on a vehicle; missing ones stay. */
export interface VehicleOrder {
  name?: string;
  glonassId?: number;
  plate?: string;
  organizationId?: number;
  groupId?: number;
  makeId?: number;
  modelId?: number;
  driverIds?: number[];
  tagIds?: number[];
  kindId?: number;
  capabilityIds?: number[];
  profile?: string;
  onService?: boolean;
  view?: boolean;
  projectPoints?: boolean;
  iconStandard?: boolean;
  iconIndex?: number;
  phone?: string;
  imei?: string;
  devicePassword?: string;
  /**
   * km until maintenance is due, counted from `odometer`, the reading that the sender knew (default: the
   * current one). null: none is planned.
   */
  kmNextTo?: number | null;
  odometer?: number;
  notes?: string;
  picture?: string | null;
  /**
   * Current engine hours. With `knownAt`, the time of the record that they were read with, hours added since
   * are no change.
   */
  engineHours?: { stop?: number | undefined; move?: number | undefined };
  knownAt?: number;
  /** Plain values by slug of their fields. */
  customFields?: Record<string, unknown>;
}

type ReferenceKind =
  'organization' | 'group' | 'make' | 'model' | 'driver' | 'tag' | 'icon' | 'vehicleKind' | 'capability';

/** Lookups in the rest of the fleet, for the rule. */
export interface Surroundings {
  exists(kind: ReferenceKind, id: number): boolean;
  /** The vehicle that has this device, or is getting it. */
  withGlonassId(glonassId: number): Pick<Vehicle, 'id'> | undefined;
  withImei(imei: string): Pick<Vehicle, 'id'> | undefined;
  /** The counters of a vehicle from telemetry. */
  ran(vehicle: Draft<Vehicle>): Ran;
  /** All definitions of custom fields, including deleted ones. */
  fields(): readonly VehicleField[];
}

/**
 * A new vehicle. Without a device number it gets its own id or the next free number, so that programs can
 * follow it.
 */
export function createVehicle(
  id: number,
  order: VehicleOrder & { organizationId: number },
  around: Surroundings,
): Draft<Vehicle> {
  if (order.name === undefined || order.name.trim() === '') throw new Refusal('field.missing', { field: 'name' });
  const blank: Draft<Vehicle> = {
    id,
    name: '',
    glonassId: freeGlonassId(id, around),
    plate: '',
    organizationId: 0,
    groupId: 0,
    makeId: 0,
    modelId: 0,
    driverIds: [],
    tagIds: [],
    kindId: 0,
    capabilityIds: [],
    profile: 'car',
    onService: false,
    view: true,
    projectPoints: false,
    iconStandard: true,
    iconIndex: 0,
    phone: '',
    imei: '',
    devicePassword: '',
    serviceOdometer: null,
    notes: '',
    picture: null,
    engineHours: { stop: 0, move: 0 },
    customValues: {},
    isDeleted: false,
  };
  return changeVehicle(
    { ...blank, customValues: readVehicleValues(around.fields(), order.customFields, undefined) },
    order,
    around,
  );
}

/** The vehicle after the order. Refuses devices of other vehicles, and references to missing records. */
export function changeVehicle<V extends Draft<Vehicle>>(vehicle: V, order: VehicleOrder, around: Surroundings): V {
  const { engineHours, knownAt, customFields, kmNextTo, odometer, ...fields } = order;
  const next: V = {
    ...vehicle,
    ...definedFields(fields),
    engineHours: hoursBefore(vehicle, { ...engineHours, knownAt }, around.ran(vehicle)),
  };
  if (kmNextTo !== undefined)
    next.serviceOdometer = kmNextTo === null ? null : (odometer ?? around.ran(vehicle).odometer) + kmNextTo;
  if (customFields) next.customValues = readVehicleValues(around.fields(), customFields, vehicle.customValues);
  next.name = next.name.trim();
  if (next.name === '') throw new Refusal('field.empty', { field: 'name' });
  if (next.glonassId < 1) throw new Refusal('field.least', { field: 'glonassId', least: 1 });
  // A value equal to the stored one was not changed and is not checked.
  if (next.glonassId !== vehicle.glonassId)
    refuseTaken('glonassId', next.glonassId, around.withGlonassId(next.glonassId), vehicle.id);
  if (next.imei !== '' && next.imei !== vehicle.imei)
    refuseTaken('devimei', next.imei, around.withImei(next.imei), vehicle.id);
  requireReference(around, 'organization', 'organizationId', next.organizationId, vehicle.organizationId);
  for (const [kind, field] of [
    ['group', 'groupId'],
    ['make', 'makeId'],
    ['model', 'modelId'],
  ] as const) {
    const named = field === 'makeId' ? 'markId' : field;
    if (next[field] !== 0) requireReference(around, kind, named, next[field], vehicle[field]);
  }
  // The client has the standard icons; others must exist in the dictionary.
  const iconChanged = next.iconIndex !== vehicle.iconIndex || next.iconStandard !== vehicle.iconStandard;
  if (iconChanged && !next.iconStandard && next.iconIndex !== 0)
    requireReference(around, 'icon', 'iconIndex', next.iconIndex);
  for (const id of next.driverIds)
    if (!vehicle.driverIds.includes(id)) requireReference(around, 'driver', 'driversIds', id);
  for (const id of next.tagIds) if (!vehicle.tagIds.includes(id)) requireReference(around, 'tag', 'tagsIds', id);
  const kindId = next.kindId ?? 0;
  if (kindId !== 0) requireReference(around, 'vehicleKind', 'kindId', kindId, vehicle.kindId);
  for (const id of next.capabilityIds ?? [])
    if (!vehicle.capabilityIds?.includes(id)) requireReference(around, 'capability', 'capabilityIds', id);
  if (order.capabilityIds) next.capabilityIds = [...new Set(order.capabilityIds)];
  next.driverIds = [...new Set(next.driverIds)];
  next.tagIds = [...new Set(next.tagIds)];
  return next;
}

function freeGlonassId(from: number, around: Surroundings): number {
  let free = from;
  while (around.withGlonassId(free)) free++;
  return free;
}

function refuseTaken(
  field: string,
  value: string | number,
  holder: Pick<Vehicle, 'id'> | undefined,
  own: number,
): void {
  if (holder && holder.id !== own) throw new Refusal('fleet.otherVehicle', { field, value });
}

/** @param before stored references stay allowed: a deleted directory entry must not block other edits */
function requireReference(
  around: Surroundings,
  kind: Parameters<Surroundings['exists']>[0],
  field: string,
  id: number,
  before?: number,
): void {
  if (id !== before && !around.exists(kind, id)) throw new Refusal('field.unknown', { field, id });
}
