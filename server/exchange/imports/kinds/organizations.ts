import { seesOrganization } from '../../../../shared/access.ts';
import type { Accounts } from '../../../access/accounts/index.ts';
import type { ImportField, RowValues } from '../fields.ts';
import type { ImportTarget } from '../target.ts';
import { ID_FIELD, NAME_FIELD, shortText } from './common-fields.ts';
import { organizationNames } from './names.ts';

const INFO: readonly ImportField[] = [
  { name: 'address', type: { kind: 'text', most: 1000 }, heads: ['Address', 'Адрес'] },
  { name: 'phone', type: shortText, heads: ['Phone', 'Телефон'] },
  { name: 'email', type: shortText, heads: ['E-mail', 'Эл. почта', 'Email', 'Mail', 'Почта'] },
  { name: 'homepage', type: { kind: 'text', most: 1000 }, heads: ['Web page', 'Сайт', 'Website', 'Homepage'] },
  { name: 'inn', type: shortText, heads: ['Tax number', 'ИНН', 'INN'] },
  { name: 'kpp', type: shortText, heads: ['KPP', 'КПП'] },
];
const FIELDS: readonly ImportField[] = [ID_FIELD, NAME_FIELD, ...INFO];

/** Organizations. */
export function organizationTarget(accounts: Accounts): ImportTarget {
  const { administration, organizations } = accounts;
  const find = (id: number) => {
    const found = organizations.get(id);
    return found?.isDeleted === false ? found : undefined;
  };
  const organizationOrderOf = ({ name, ...info }: RowValues) => ({
    ...(name !== undefined && { name: name as string }),
    ...(Object.keys(info).length > 0 && { info: info as Record<string, string> }),
  });
  return {
    kind: 'organizations',
    fields: () => FIELDS,
    keys: ['name'],
    unique: [],
    names: () => [],
    ids: (caller) => organizationNames(accounts, caller).map(({ id }) => id),
    sees: (caller, id) => find(id) !== undefined && seesOrganization(caller, id),
    valuesOf(id) {
      const found = find(id);
      return found && { name: found.name, ...found.info };
    },
    check: (caller, id, values) => administration.checkOrganization(caller, id, organizationOrderOf(values)),
    takeId: () => administration.takeOrganizationId(),
    create: (caller, id, values) =>
      administration.createOrganization(caller, { name: '', ...organizationOrderOf(values) }, id),
    change: (caller, id, values) => administration.changeOrganization(caller, id, organizationOrderOf(values)),
    remove: (caller, id) => administration.deleteOrganization(caller, id),
  };
}
