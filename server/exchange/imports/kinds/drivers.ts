import type { Driver } from '../../../../shared/records/index.ts';
import type { Accounts } from '../../../access/accounts/index.ts';
import type { DriverOrder, Fleet } from '../../../dispatch/fleet/index.ts';
import type { ImportField } from '../fields.ts';
import type { ImportTarget } from '../target.ts';
import { ID_FIELD, NOTES_FIELD, ORGANIZATION_FIELD, shortText } from './common-fields.ts';
import { directoryTarget } from './directory-target.ts';

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

/** Drivers, as `GET /drivers.xlsx` lists them. */
export function driverTarget({ drivers }: Pick<Fleet, 'drivers'>, accounts: Accounts): ImportTarget {
  return directoryTarget<Driver, DriverOrder>({
    kind: 'drivers',
    fields: FIELDS,
    keys: ['wire', 'extId', 'name'],
    unique: ['wire'],
    directory: drivers,
    accounts,
    valuesOf: ({ name, phone, organizationId, wire, extId, notes }) => ({
      ...{ name, phone, organizationId, wire, extId, notes },
    }),
    orderOf: (values) => values,
  });
}
