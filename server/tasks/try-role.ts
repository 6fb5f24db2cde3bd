import { decideSeen, type Actor } from '../../shared/access.ts';
import {
  CAPABILITIES,
  type Capability,
  type Task,
  type Role,
  type StateRule,
  type User,
} from '../../shared/records/index.ts';

/** What a right says about one capability and one message. */
export interface Verdict {
  capability: Capability;
  decision: ReturnType<typeof decideSeen>;
  /** The access rule of the right that lists the capability; null: none does. */
  accessId: number | null;
}

/**
 * What somebody with this right may do with the message, by the very rules that are enforced. Without a
 * `user` it is somebody of the right's organisation who neither wrote the message nor is assigned to it.
 */
export function tryRole(role: Role, user: User | undefined, task: Task, rules: readonly StateRule[]): Verdict[] {
  const actor: Actor = { user: user ? { ...user, roleId: role.id } : somebodyWith(role), role };
  return CAPABILITIES.map((capability) => ({
    capability,
    decision: decideSeen(actor, capability, task, rules),
    accessId: role.accesses.find((access) => access.capability === capability)?.id ?? null,
  }));
}

/** The id is no user's, and not 0 either, which in a message means nobody. */
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
