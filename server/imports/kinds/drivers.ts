import { seesOrganization } from '../../../shared/access.ts';
import { definedFields } from '../../../shared/defined-fields.ts';
import type { Driver } from '../../../shared/records/index.ts';
import type { Accounts, Caller } from '../../accounts/index.ts';
import type { DriverOrder, Fleet } from '../../fleet/index.ts';
import type { ImportField } from '../fields.ts';
import type { ImportTarget } from '../target.ts';
import { ID_FIELD, NOTES_FIELD, ORGANIZATION_FIELD, shortText } from './common-fields.ts';
import { organizationNames } from './names.ts';

const FIELDS: readonly ImportField[] = [
  ID_FIELD,
  {
    name: 'name',
    inRefusals: 'fio',
    type: shortText,
    heads: ['Full name', 'ФИО', 'Name', 'Имя', 'Driver', 'Водитель', 'Фамилия, имя'],
  },
  { name: 'phone', type: shortText, heads: ['Phone', 'Телефон', 'Mobile', 'Мобильный'] },
  ORGANIZATION_FIELD,
  { name: 'wire', type: shortText, heads: ['Key', 'Ключ', 'iButton', 'RFID', 'Card', 'Карта'] },
  {
    name: 'extId',
    type: shortText,
    heads: ['External id', 'Внешний ид.', 'Personnel number', 'Табельный номер', 'Staff id'],
  },
  NOTES_FIELD,
];

function isSeen(driver: Driver | undefined, caller: Caller): boolean {
  return driver?.isDeleted === false && seesOrganization(caller, driver.organizationId);
}

/** Drivers, as `GET /drivers.xlsx` lists them. */
export function driverTarget({ drivers }: Pick<Fleet, 'drivers'>, accounts: Accounts): ImportTarget {
  const orderOf = (values: object) => definedFields(values) as DriverOrder;
  return {
    kind: 'drivers',
    fields: () => FIELDS,
    keys: ['wire', 'extId', 'name'],
    unique: ['wire'],
    names: (caller, of) => (of === 'organization' ? organizationNames(accounts, caller) : []),
    ids: (caller) => drivers.list(caller).map(({ id }) => id),
    sees: (caller, id) => isSeen(drivers.mirror.get(id), caller),
    valuesOf(id) {
      const driver = drivers.mirror.get(id);
      if (!driver || driver.isDeleted) return undefined;
      const { name, phone, organizationId, wire, extId, notes } = driver;
      return { name, phone, organizationId, wire, extId, notes };
    },
    check: (caller, id, values) => drivers.check(caller, id, orderOf(values)),
    takeId: () => drivers.takeId(),
    create: (caller, id, values) => drivers.create(caller, orderOf(values), id),
    change: (caller, id, values) => drivers.change(caller, id, orderOf(values)),
    remove: (caller, id) => drivers.delete(caller, id),
  };
}
