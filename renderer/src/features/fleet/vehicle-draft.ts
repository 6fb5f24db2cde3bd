import type { VehicleField } from '../../../../shared/records/index.ts';
import type { VehicleRecord } from '../../lib/stores/vehicles.ts';

/** Fields that the form has as the record has them. */
const SAME_FIELDS = [
  'name',
  'plate',
  'organizationId',
  'groupId',
  'makeId',
  'modelId',
  'driverIds',
  'tagIds',
  'profile',
  'onService',
  'view',
  'phone',
  'imei',
  'notes',
  'serviceOdometer',
] as const satisfies readonly (keyof VehicleRecord)[];
type SameFields = Pick<VehicleRecord, (typeof SAME_FIELDS)[number]>;

/**
 * `custom`: values of custom fields by slug; `upload`: an unsaved picture; `password`: of the device, never
 * read back; `kmToService`: counted from now (the card shows the rest); `serviceKept`: false removes the
 * service.
 */
export type VehicleDraft = SameFields & {
  readonly kindId: number;
  readonly capabilityIds: readonly number[];
  readonly glonassId: number | null;
  readonly kmToService: number | null;
  readonly serviceKept: boolean;
  readonly password: string;
  readonly custom: Readonly<Record<string, unknown>>;
  readonly upload: string;
};

/** A vehicle as the form shows it. */
export function vehicleDraftOf(vehicle: VehicleRecord, definitions: readonly VehicleField[]): VehicleDraft {
  const same = Object.fromEntries(SAME_FIELDS.map((name) => [name, vehicle[name]])) as unknown as SameFields;
  const { glonassId, kindId = 0, capabilityIds = [] } = vehicle;
  return {
    ...same,
    glonassId,
    kindId,
    capabilityIds,
    kmToService: null,
    serviceKept: true,
    password: '',
    custom: customOf(vehicle, definitions),
    upload: '',
  };
}

/** Records hold the values by the field's id, the interface by its slug. */
function customOf({ customValues }: VehicleRecord, definitions: readonly VehicleField[]): VehicleDraft['custom'] {
  return Object.fromEntries(
    definitions.flatMap(({ id, slug }) =>
      customValues[String(id)] === undefined ? [] : [[slug, customValues[String(id)]]],
    ),
  );
}

/** A new vehicle in the form. */
export const blankVehicle = (organizationId: number): VehicleDraft => ({
  name: '',
  plate: '',
  organizationId,
  groupId: 0,
  makeId: 0,
  modelId: 0,
  driverIds: [],
  tagIds: [],
  profile: 'car',
  onService: false,
  view: true,
  phone: '',
  imei: '',
  notes: '',
  glonassId: null,
  serviceOdometer: null,
  kindId: 0,
  capabilityIds: [],
  kmToService: null,
  serviceKept: true,
  password: '',
  custom: {},
  upload: '',
});

/** Names of the interface where they differ. */
const WIRE: Readonly<Record<string, string>> = {
  plate: 'carNo',
  makeId: 'markId',
  driverIds: 'driversIds',
  tagIds: 'tagsIds',
  phone: 'devphone',
  imei: 'devimei',
  kmToService: 'kmNextTo',
  password: 'devpassword',
  custom: 'customFields',
};

/** The body of a request. An empty password changes nothing. */
export function vehicleBodyOf({
  upload: _upload,
  serviceOdometer: _serviceOdometer,
  serviceKept,
  ...others
}: Partial<VehicleDraft>): Record<string, unknown> {
  const changes = serviceKept === false ? { kmToService: null, ...others } : others;
  return Object.fromEntries(
    Object.entries(changes)
      .filter(([key, value]) => !(key === 'password' && value === ''))
      .map(([key, value]) => [WIRE[key] ?? key, value]),
  );
}
