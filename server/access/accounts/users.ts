import { EXTENSION } from '../../../shared/calls/extension.ts';
import type { Role, User } from '../../../shared/records/accounts.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Actor } from '../../../shared/access.ts';
import { seesOrganization } from '../../../shared/access.ts';
import type { Draft } from '../../store/types.ts';

/** Fields that an administrator may set of a user, with the password as its hash. */
export interface UserFields {
  login: string;
  name: string;
  email: string;
  phone: string;
  extension: string;
  monitor: boolean;
  visible: boolean;
  enabled: boolean;
  roleId: number;
  organizationId: number;
  passwordHash: string;
}

export interface AccountsView {
  readonly users: readonly User[];
  role(id: number): Role | undefined;
  hasOrganization(id: number): boolean;
}

export function createUser(by: Actor, id: number, fields: UserFields, accounts: AccountsView): Draft<User> {
  const user: Draft<User> = { id, kind: 'user', isDeleted: false, ...fields, login: fields.login.trim() };
  check(by, user, undefined, accounts);
  return user;
}

/** Changes only the sent fields. The station keeps its last enabled administrator. */
export function changeUser(by: Actor, user: User, fields: Partial<UserFields>, accounts: AccountsView): User {
  const changed: User = { ...user, ...fields };
  if (fields.login !== undefined) changed.login = fields.login.trim();
  check(by, changed, user, accounts);
  requireAdministrator(
    accounts,
    { ...changed, enabled: changed.enabled && accounts.role(changed.roleId)?.admin === true },
    user,
  );
  return changed;
}

/** Deletes logically: tasks and their history keep naming the user. */
export function deleteUser(user: User, accounts: AccountsView): User {
  requireAdministrator(accounts, { ...user, enabled: false }, user);
  return { ...user, isDeleted: true, enabled: false };
}

/** Throws if no enabled administrator would remain when these users are no longer administrators. */
export function requireAdministratorWithout(accounts: AccountsView, gone: (user: User) => boolean, name: string): void {
  const left = accounts.users.some((user) => isAdministrator(user, accounts) && !gone(user));
  if (!left) throw new Refusal('accounts.lastAdministrator', { name });
}

function requireAdministrator(accounts: AccountsView, after: User, before: User): void {
  if (after.enabled || !isAdministrator(before, accounts)) return;
  requireAdministratorWithout(accounts, (user) => user.id === before.id, before.name || before.login);
}

function isAdministrator(user: User, accounts: AccountsView): boolean {
  return user.enabled && !user.isDeleted && accounts.role(user.roleId)?.admin === true;
}

function check(by: Actor, user: Draft<User>, before: User | undefined, accounts: AccountsView): void {
  if (!/^[^\s\p{C}]{1,100}$/u.test(user.login)) throw new Refusal('accounts.login', { field: 'login' });
  if (user.name.trim() === '') throw new Refusal('field.empty', { field: 'fio' });
  requireExtension(user.extension);
  const key = loginKey(user.login);
  const twin = accounts.users.find((other) => other.id !== user.id && !other.isDeleted && storedKey(other) === key);
  if (twin) throw new Refusal('accounts.loginTaken', { field: 'login', login: user.login });
  if (!accounts.hasOrganization(user.organizationId) || !seesOrganization(by, user.organizationId))
    throw new Refusal('field.unknown', { field: 'organizationId', id: user.organizationId });
  const role = accounts.role(user.roleId);
  if (!role || role.isDeleted) throw new Refusal('field.unknown', { field: 'groupId', id: user.roleId });
  // A user cannot grant rights that they do not have, nor change a user who has more.
  const mightier = role.superuser || (before && accounts.role(before.roleId)?.superuser);
  if (mightier && !by.role.superuser) throw new Refusal('accounts.superuserOnly');
}

/** Throws unless an exchange may have such a telephone. */
export function requireExtension(extension = ''): void {
  if (!EXTENSION.test(extension)) throw new Refusal('accounts.extension', { field: 'extension' });
}

/** The keys of stored logins: a list of new people is compared with all of them again and again. */
const storedKeys = new WeakMap<User, string>();

function storedKey(user: User): string {
  const known = storedKeys.get(user);
  if (known !== undefined) return known;
  const key = loginKey(user.login);
  storedKeys.set(user, key);
  return key;
}

/** Compares logins without regard to case and Unicode composition. */
export function loginKey(login: string): string {
  return login.trim().normalize('NFKC').toLowerCase();
}
