import { seesOrganization } from '../../../../shared/access.ts';
import { definedFields } from '../../../../shared/defined-fields.ts';
import type { Vehicle } from '../../../../shared/records/index.ts';
import type { Accounts, Caller } from '../../../access/accounts/index.ts';
import type { Fleet, VehicleOrder } from '../../../dispatch/fleet/index.ts';
import { inDisplayOrder, presentVehicleValues } from '../../../dispatch/fleet/index.ts';
import type { ImportField, RowValues } from '../fields.ts';
import type { ImportTarget } from '../target.ts';
import { customColumn, CUSTOM } from './custom-columns.ts';
import { ID_FIELD, NOTES_FIELD, ORGANIZATION_FIELD, shortText } from './common-fields.ts';
import { idsOf, organizationNames } from './names.ts';

const FIELDS: readonly ImportField[] = [
  ID_FIELD,
  { name: 'name', type: shortText, heads: ['Name', 'Название', 'Call sign', 'Позывной', 'Vehicle', 'Машина'] },
  {
    name: 'plate',
    inRefusals: 'carNo',
    type: shortText,
    heads: ['Plate', 'Гос. номер', 'Registration', 'License plate', 'Number plate', 'Госномер', 'Рег. номер'],
  },
  {
    name: 'glonassId',
    type: { kind: 'whole', least: 1, most: 2_147_483_647 },
    heads: ['Unit number', 'Номер блока', 'Unit', 'Device number', 'Номер терминала'],
  },
  { name: 'imei', inRefusals: 'devimei', type: shortText, heads: ['IMEI', 'ИМЕИ', 'Device IMEI', 'Device id'] },
  {
    name: 'phone',
    inRefusals: 'devphone',
    type: shortText,
    heads: ['Unit phone', 'Телефон блока', 'SIM', 'Phone', 'Телефон', 'Номер SIM'],
  },
  ORGANIZATION_FIELD,
  { name: 'groupId', type: { kind: 'one', of: 'group' }, heads: ['Group', 'Группа', 'Depot', 'Station'] },
  {
    name: 'makeId',
    inRefusals: 'markId',
    type: { kind: 'one', of: 'make' },
    heads: ['Maker', 'Марка', 'Make', 'Brand', 'Manufacturer', 'Производитель'],
  },
  { name: 'modelId', type: { kind: 'one', of: 'model' }, heads: ['Model', 'Модель'] },
  {
    name: 'driverIds',
    inRefusals: 'driversIds',
    type: { kind: 'many', of: 'driver' },
    heads: ['Drivers', 'Водители', 'Driver', 'Водитель'],
  },
  { name: 'kindId', type: { kind: 'one', of: 'vehicleKind' }, heads: ['Kind', 'Вид', 'Type', 'Тип'] },
  {
    name: 'capabilityIds',
    type: { kind: 'many', of: 'capability' },
    heads: ['Capabilities', 'Возможности', 'Equipment', 'Оснащение'],
  },
  { name: 'tagIds', inRefusals: 'tagsIds', type: { kind: 'many', of: 'tag' }, heads: ['Tags', 'Метки', 'Tag'] },
  {
    name: 'onService',
    type: { kind: 'flag' },
    heads: ['On maintenance', 'На обслуживании', 'Maintenance', 'В ремонте'],
  },
  NOTES_FIELD,
];

/** Vehicles, as `GET /cars.xlsx` lists them. */
export function vehicleTarget(fleet: Fleet, accounts: Accounts): ImportTarget {
  const customFields = () => inDisplayOrder([...fleet.fields.mirror.values()]);
  return {
    kind: 'vehicles',
    fields: () => [...FIELDS, ...customFields().flatMap((field) => customColumn(field, field.format))],
    keys: ['imei', 'glonassId', 'plate', 'name'],
    unique: ['imei', 'glonassId'],
    names(caller, of) {
      switch (of) {
        case 'organization':
          return organizationNames(accounts, caller);
        case 'group':
          return fleet.groups.eachSeen(caller);
        case 'make':
          return fleet.makes.eachSeen(caller);
        case 'model':
          return fleet.models.eachSeen(caller);
        case 'driver':
          return fleet.drivers.eachSeen(caller);
        case 'vehicleKind':
          return fleet.kinds.eachSeen(caller);
        case 'capability':
          return fleet.capabilities.eachSeen(caller);
        case 'tag':
          return fleet.tags.eachSeen(caller);
        default:
          return [];
      }
    },
    ids: (caller) => idsOf(fleet.eachSeen(caller)),
    sees: (caller, id) => seesVehicle(fleet, caller, id),
    valuesOf(id) {
      const vehicle = fleet.get(id);
      return (
        vehicle && valuesOf(vehicle, presentVehicleValues([...fleet.fields.mirror.values()], vehicle.customValues))
      );
    },
    check: (caller, id, values) => fleet.check(caller, id, vehicleOrderOf(values)),
    takeId: () => fleet.takeId(),
    create: (caller, id, values) => fleet.create(caller, vehicleOrderOf(values), id),
    change: (caller, id, values) => fleet.change(caller, id, vehicleOrderOf(values)),
    remove: (caller, id) => fleet.delete(caller, id),
  };
}

function seesVehicle(fleet: Fleet, caller: Caller, id: number): boolean {
  const vehicle = fleet.get(id);
  return vehicle !== undefined && seesOrganization(caller, vehicle.organizationId);
}

function valuesOf(vehicle: Vehicle, custom: Readonly<Record<string, unknown>>): RowValues {
  const { name, plate, glonassId, imei, phone, organizationId, groupId, makeId, modelId } = vehicle;
  const { driverIds, kindId = 0, capabilityIds = [], tagIds, onService, notes } = vehicle;
  return {
    ...{ name, plate, glonassId, imei, phone, organizationId, groupId, makeId, modelId, driverIds },
    ...{ kindId, capabilityIds, tagIds, onService, notes },
    ...Object.fromEntries(Object.entries(custom).map(([slug, value]) => [CUSTOM + slug, value])),
  };
}

function vehicleOrderOf(values: RowValues): VehicleOrder {
  const own = Object.entries(values).filter(([name]) => !name.startsWith(CUSTOM));
  const custom = Object.entries(values).filter(([name]) => name.startsWith(CUSTOM));
  return {
    ...definedFields(Object.fromEntries(own) as VehicleOrder),
    ...(custom.length > 0 && {
      customFields: Object.fromEntries(custom.map(([name, value]) => [name.slice(CUSTOM.length), value])),
    }),
  };
}
