import { randomBytes } from 'node:crypto';
import { seesOrganization } from '../../../../shared/access.ts';
import type { User } from '../../../../shared/records/index.ts';
import type { Accounts, Caller } from '../../../access/accounts/index.ts';
import type { ImportField, RowValues } from '../fields.ts';
import type { ImportTarget } from '../target.ts';
import { ID_FIELD, ORGANIZATION_FIELD, shortText } from './common-fields.ts';
import { organizationNames } from './names.ts';

const FIELDS: readonly ImportField[] = [
  ID_FIELD,
  { name: 'login', type: shortText, heads: ['Login', 'Логин', 'User name', 'Username', 'Имя пользователя'] },
  { name: 'name', inRefusals: 'fio', type: shortText, heads: ['Full name', 'ФИО', 'Name', 'Имя'] },
  { name: 'email', type: shortText, heads: ['E-mail', 'Эл. почта', 'Email', 'Mail', 'Почта'] },
  { name: 'phone', type: shortText, heads: ['Phone', 'Телефон'] },
  { name: 'extension', type: shortText, heads: ['Extension', 'Внутренний номер'] },
  {
    name: 'roleId',
    inRefusals: 'groupId',
    type: { kind: 'one', of: 'role' },
    heads: ['Right', 'Роль', 'Role', 'Право'],
  },
  ORGANIZATION_FIELD,
  { name: 'enabled', type: { kind: 'flag' }, heads: ['Enabled', 'Включён', 'Active', 'Активен'] },
  { name: 'monitor', type: { kind: 'flag' }, heads: ['Monitors', 'Наблюдает'] },
  { name: 'visible', type: { kind: 'flag' }, heads: ['Visible at start', 'Виден при запуске'] },
];
const PASSWORD_BYTES = 24;

/**
 * People, as `GET /users.xlsx` lists them. A new one gets a password that nobody knows: an administrator sets one, or
 * the person signs in elsewhere.
 */
export function userTarget(accounts: Accounts): ImportTarget {
  const { administration, users, roles } = accounts;
  const find = (id: number) => {
    const user = users.get(id);
    return user?.isDeleted === false ? user : undefined;
  };
  return {
    kind: 'users',
    fields: () => FIELDS,
    keys: ['login'],
    unique: ['login'],
    names: (caller: Caller, of: string) =>
      of === 'role' ? roles.all().filter(({ isDeleted }) => !isDeleted) : organizationNames(accounts, caller),
    ids: (caller) => administration.usersSeen(caller).map(({ id }) => id),
    sees(caller, id) {
      const user = find(id);
      return user !== undefined && seesOrganization(caller, user.organizationId);
    },
    valuesOf(id) {
      const user = find(id);
      return user && valuesOf(user);
    },
    check: (caller, id, values) => administration.checkUser(caller, id, values),
    takeId: () => administration.takeUserId(),
    create: (caller, id, values) =>
      administration.createUser(
        caller,
        {
          login: '',
          name: '',
          ...values,
          password: randomBytes(PASSWORD_BYTES).toString('base64url'),
          mustChangePassword: true,
        },
        { id },
      ),
    change: (caller, id, values) => administration.changeUser(caller, id, values),
    remove: (caller, id) => administration.deleteUser(caller, id),
  };
}

function valuesOf({ login, name, email, phone, extension = '', ...user }: User): RowValues {
  const { roleId, organizationId, enabled, monitor, visible } = user;
  return { login, name, email, phone, extension, roleId, organizationId, enabled, monitor, visible };
}
