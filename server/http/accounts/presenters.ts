import { z } from 'zod';
import { ROLE_CAPABILITIES } from '../../../shared/records/accounts.ts';
import type { Organization, Role, User } from '../../../shared/records/accounts.ts';
import type { Accounts, Caller } from '../../access/accounts/index.ts';

export const UserAnswer = z
  .object({
    id: z.int(),
    login: z.string(),
    fio: z.string(),
    email: z.string(),
    phone: z.string(),
    extension: z.string().meta({ description: 'Their telephone at the exchange; empty: none.' }),
    monitor: z.boolean(),
    visible: z.boolean(),
    enabled: z.boolean(),
    groupId: z.int(),
    organizationId: z.int(),
  })
  .meta({ id: 'User' });

export function presentUser(user: User): z.input<typeof UserAnswer> {
  return {
    id: user.id,
    login: user.login,
    fio: user.name,
    email: user.email,
    phone: user.phone,
    extension: user.extension ?? '',
    monitor: user.monitor,
    visible: user.visible,
    enabled: user.enabled,
    groupId: user.roleId,
    organizationId: user.organizationId,
  };
}

export const OrganizationAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    mapExtent: z.string(),
    mapRoadProvider: z.string(),
    mapAerialProvider: z.string(),
    toDelete: z.boolean(),
    info: z.object({
      orgId: z.int(),
      address: z.string(),
      phone: z.string(),
      inn: z.string(),
      kpp: z.string(),
      email: z.string(),
      homepage: z.string(),
    }),
  })
  .meta({ id: 'Organization' });

export function presentOrganization({
  id,
  name,
  mapExtent,
  mapRoadProvider,
  mapAerialProvider,
  isDeleted,
  info,
}: Organization): z.input<typeof OrganizationAnswer> {
  const { address, phone, inn, kpp, email, homepage } = info;
  return {
    id,
    name,
    mapExtent,
    mapRoadProvider,
    mapAerialProvider,
    toDelete: isDeleted,
    info: { orgId: id, address, phone, inn, kpp, email, homepage },
  };
}

const AccessAnswer = z.object({ id: z.int(), capability_id: z.int(), states: z.array(z.int()).nullable() });
export const RoleAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    wheel: z.boolean(),
    admin: z.boolean(),
    organization: OrganizationAnswer,
    usersCount: z.int(),
    accesses: z.array(AccessAnswer),
  })
  .meta({ id: 'Right' });

export function presentRole(role: Role, accounts: Accounts): z.input<typeof RoleAnswer> {
  return {
    id: role.id,
    name: role.name,
    wheel: role.superuser,
    admin: role.admin,
    organization: presentOrganization(accounts.organizations.require(role.organizationId, 'accounts.anyOrganization')),
    usersCount: accounts.users.all().filter((user) => !user.isDeleted && user.roleId === role.id).length,
    accesses: role.accesses.map((access) => ({
      id: access.id,
      capability_id: capabilityId(access.capability),
      states: access.stateIds,
    })),
  };
}

/** The wire id of a capability: its position in the list, from 1. */
export function capabilityId(capability: string): number {
  return (ROLE_CAPABILITIES as readonly string[]).indexOf(capability) + 1;
}

export const CurrentUserAnswer = UserAnswer.extend({
  organization: OrganizationAnswer,
  right: RoleAnswer,
  currentOrgId: z.int(),
}).meta({ id: 'CurrentUser' });

export function presentCurrentUser(caller: Caller, accounts: Accounts): z.input<typeof CurrentUserAnswer> {
  const user = accounts.users.require(caller.user.id, 'accounts.anyUser');
  return {
    ...presentUser(user),
    organization: presentOrganization(accounts.organizations.require(user.organizationId, 'accounts.anyOrganization')),
    right: presentRole(caller.role, accounts),
    currentOrgId: user.organizationId,
  };
}
