import { seesOrganization, type Actor } from '../../../shared/access.ts';
import { seesPreset } from './presets.ts';
import type { Organization, SharedPreset, Role, User } from '../../../shared/records/index.ts';

/** The fields of a user that may leave the station. */
type PublicUser = Omit<User, 'passwordHash' | 'signIn' | 'hlc'>;
type ReplicaAccount = { readonly kind: string; readonly key: string };

/**
 * The account record as this user's replica holds it; undefined: omitted. All users get all organizations,
 * because a task can be assigned to any. Users, roles and presets go to those who see their organization.
 */
export function replicatedAccount(
  actor: Actor,
  account: ReplicaAccount,
): Organization | PublicUser | Role | SharedPreset | undefined {
  switch (account.kind) {
    case 'organization':
      return account as Organization;
    case 'user': {
      const user = account as User;
      return seesOrganization(actor, user.organizationId) ? publicUser(user) : undefined;
    }
    case 'role': {
      const role = account as Role;
      return role.id === actor.role.id || seesOrganization(actor, role.organizationId) ? role : undefined;
    }
    case 'preset':
      return seesPreset(actor, account as SharedPreset) ? (account as SharedPreset) : undefined;
    default:
      return undefined;
  }
}

function publicUser(user: User): PublicUser {
  const { key, id, kind, name, login, email, phone, extension = '', isDeleted } = user;
  const { enabled, visible, monitor, roleId, organizationId } = user;
  return {
    ...{ key, id, kind, name, login, email, phone, extension, isDeleted },
    ...{ enabled, visible, monitor, roleId, organizationId },
  };
}
