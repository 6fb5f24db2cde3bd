import type { Actor } from '../../../shared/access.ts';
import { administers } from '../../../shared/access.ts';
import { isGeneral, ROLE_CAPABILITIES } from '../../../shared/records/accounts.ts';
import type { Role, RoleCapability } from '../../../shared/records/accounts.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Draft } from '../../store/types.ts';
import { requireAdministratorWithout } from './users.ts';
import type { AccountsView } from './users.ts';

export interface RoleFields {
  name: string;
  superuser: boolean;
  admin: boolean;
  organizationId: number;
  /** Capabilities by id; states null: in any state. */
  accesses: readonly { capabilityId: number; stateIds: readonly number[] | null }[];
}

/** By default a new role allows only viewing, in any state. */
export function createRole(
  by: Actor,
  id: number,
  fields: Pick<RoleFields, 'name'> & Partial<RoleFields>,
  accounts: AccountsView,
  hasStateRule: (id: number) => boolean,
): Draft<Role> {
  const role: Draft<Role> = {
    id,
    kind: 'role',
    isDeleted: false,
    name: fields.name.trim(),
    superuser: fields.superuser ?? false,
    admin: fields.admin ?? false,
    organizationId: fields.organizationId ?? by.user.organizationId,
    accesses: fields.accesses ? accessesOf(fields.accesses, [], hasStateRule) : allowing('view'),
  };
  check(by, role, undefined, accounts);
  return role;
}

export function changeRole(
  by: Actor,
  role: Role,
  fields: Partial<RoleFields>,
  accounts: AccountsView,
  hasStateRule: (id: number) => boolean,
): Role {
  const { accesses, ...plain } = fields;
  const changed: Role = {
    ...role,
    ...plain,
    accesses: accesses ? accessesOf(accesses, role.accesses, hasStateRule) : role.accesses,
  };
  check(by, changed, role, accounts);
  if (role.admin && !changed.admin)
    requireAdministratorWithout(accounts, (user) => user.roleId === role.id, `A user with the right ${role.name}`);
  return changed;
}

export function deleteRole(role: Role, accounts: AccountsView): Role {
  const holder = accounts.users.find((user) => !user.isDeleted && user.roleId === role.id);
  if (holder) throw new Refusal('accounts.roleHeld', { holder: holder.name, role: role.name });
  return { ...role, isDeleted: true };
}

/** Access rules that allow these capabilities in any state. */
export function allowing(...capabilities: readonly RoleCapability[]): Role['accesses'] {
  return capabilities.map((capability, index) => ({ id: index + 1, capability, stateIds: null }));
}

/** A rule keeps its id while its capability is listed. */
function accessesOf(
  accesses: RoleFields['accesses'],
  before: Role['accesses'],
  hasStateRule: (id: number) => boolean,
): Role['accesses'] {
  let nextId = Math.max(0, ...before.map((access) => access.id)) + 1;
  const seen = new Set<number>();
  return accesses.map(({ capabilityId, stateIds }) => {
    const capability = ROLE_CAPABILITIES[capabilityId - 1];
    if (!capability) throw new Refusal('field.unknown', { field: 'capability_id', id: capabilityId });
    if (seen.has(capabilityId))
      throw new Refusal('accounts.capabilityTwice', { field: 'capability_id', id: capabilityId });
    seen.add(capabilityId);
    if (isGeneral(capability) && stateIds) {
      throw new Refusal('accounts.stateless', { field: 'states', capability });
    }
    for (const id of stateIds ?? [])
      if (!hasStateRule(id)) throw new Refusal('field.unknownEntry', { field: 'states', id });
    const id = before.find((access) => access.capability === capability)?.id ?? nextId++;
    return { id, capability, stateIds: stateIds && [...stateIds] };
  });
}

const closesWide = ({ accesses }: Pick<Role, 'accesses'>): boolean =>
  accesses.some(({ capability }) => capability === 'closures-wide');

function check(by: Actor, role: Draft<Role>, before: Role | undefined, accounts: AccountsView): void {
  if (role.name.trim() === '') throw new Refusal('field.empty', { field: 'name' });
  if (!accounts.hasOrganization(role.organizationId))
    throw new Refusal('field.unknown', { field: 'organization', id: role.organizationId });
  const organizations = [role.organizationId, ...(before ? [before.organizationId] : [])];
  if (!organizations.every((id) => administers(by, id))) throw new Refusal('accounts.foreignRole');
  const actsOnAll = role.superuser || before?.superuser || (closesWide(role) && !(before && closesWide(before)));
  if (actsOnAll && !by.role.superuser) throw new Refusal('accounts.superuserOnly');
}

/** The default role of a new user: the one that allows least. */
export function leastRoleOf(roles: readonly Role[]): number {
  const ordinary = roles.filter((role) => !role.isDeleted && !role.admin && !role.superuser);
  return ordinary.toSorted((a, b) => a.accesses.length - b.accesses.length || a.id - b.id)[0]?.id ?? 0;
}
