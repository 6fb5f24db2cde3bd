import { decideSeen, type Actor } from '../../../shared/access.ts';
import {
  CAPABILITIES,
  type Capability,
  type Task,
  type Role,
  type StateRule,
  type User,
} from '../../../shared/records/index.ts';

/** Answer of a role for one capability and one task. */
export interface Verdict {
  capability: Capability;
  decision: ReturnType<typeof decideSeen>;
  /** The access rule of the role that lists the capability, or null. */
  accessId: number | null;
}

/**
 * Verdicts for a user with this role about the task, by the enforced rules. Without `user`: a user of the
 * role's organization who neither wrote the task nor is assigned to it.
 */
export function tryRole(role: Role, user: User | undefined, task: Task, rules: readonly StateRule[]): Verdict[] {
  const actor: Actor = { user: user ? { ...user, roleId: role.id } : somebodyWith(role), role };
  return CAPABILITIES.map((capability) => ({
    capability,
    decision: decideSeen(actor, capability, task, rules),
    accessId: role.accesses.find((access) => access.capability === capability)?.id ?? null,
  }));
}

/** An id of no user; not 0, which means nobody in a task. */
function somebodyWith(role: Role): Actor['user'] {
  return {
    key: '',
    hlc: { base: '', fields: {} },
    id: -1,
    kind: 'user',
    name: '',
    isDeleted: false,
    login: '',
    email: '',
    phone: '',
    monitor: false,
    visible: true,
    enabled: true,
    roleId: role.id,
    organizationId: role.organizationId,
  };
}
