import { computed, type Ref } from 'vue';
import { decideSeen, type Actor } from '../../../../shared/access.ts';
import { kindKeyOf } from '../../../../shared/ids.ts';
import type { Capability, Task, StateRule } from '../../../../shared/records/index.ts';
import { useLive } from '../../lib/stores/live.ts';
import { useSession } from '../../lib/stores/session.ts';

/**
 * Permissions of the user for this task, by the station's own rules. Until the user's role is in the replica,
 * its general permissions decide.
 */
export function useTaskPermissions(task: Ref<Task | undefined>) {
  const session = useSession();
  const { records } = useLive();
  const actor = computed<Actor | undefined>(() => {
    void records.accounts.version.value;
    const id = session.user?.right?.id;
    const user = session.user && records.accounts.get(kindKeyOf('user', session.user.id));
    const role = id === undefined ? undefined : records.accounts.get(kindKeyOf('role', id));
    return user && role ? ({ user, role } as unknown as Actor) : undefined;
  });
  const rules = computed(() => {
    void records.directories.version.value;
    const entries = [...records.directories.values()] as unknown as StateRule[];
    return entries.filter(({ kind, isDeleted }) => kind === 'stateRule' && !isDeleted);
  });
  const may = (capability: Capability): boolean => {
    if (!task.value) return false;
    return actor.value ? decideSeen(actor.value, capability, task.value, rules.value).allowed : session.can(capability);
  };
  /** Brings deleted tasks back, and reads every comment. */
  const administers = computed(() => session.user?.right?.admin === true);
  return { may, administers };
}
