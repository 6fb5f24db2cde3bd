import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { keyOf, kindKeyOf } from '../../../../shared/ids.ts';
import type { Category, DispatchSettings, Task, TaskType } from '../../../../shared/records/index.ts';
import { DEFAULT_WAITING_RULES, type WaitingRules } from '../../../../shared/tasks/response-targets.ts';
import { isMerged } from '../../../../shared/tasks/merged.ts';
import { OrderedQueue, type QueueRow } from '../tasks/ordered-queue.ts';
import { taskPriority, urgencyOf, type TaskDirectory } from '../tasks/urgency.ts';
import { useClock } from './clock.ts';
import { useLive } from './live.ts';

/** The tasks of the working set in the order of the queue, and the directories that describe them. */
export const useTasks = defineStore('tasks', () => {
  const { records } = useLive();
  const clock = useClock();
  const directory: TaskDirectory = {
    typeOf: (id) => records.directories.get(kindKeyOf('type', id)) as TaskType | undefined,
    categoryOf: (id) => records.directories.get(kindKeyOf('category', id)) as Category | undefined,
    rulesOf,
  };
  function rulesOf(organizationId: number): WaitingRules {
    const settings = records.fleet.get(kindKeyOf('dispatchSettings', organizationId)) as DispatchSettings | undefined;
    return settings ?? DEFAULT_WAITING_RULES;
  }
  const queue = new OrderedQueue(directory);
  const ordered = shallowRef<readonly QueueRow[]>([]);
  const publish = () => (ordered.value = queue.ordered);

  records.tasks.watch((changes) => {
    queue.apply(
      changes.map(({ now, before }) => ({ id: (now ?? before)!.id, task: now })),
      Date.now(),
    );
    publish();
  });
  records.directories.watch(() => {
    queue.refresh(Date.now());
    publish();
  });
  records.fleet.watch((changes) => {
    if (!changes.some(({ now, before }) => (now ?? before)?.kind === 'dispatchSettings')) return;
    queue.refresh(Date.now());
    publish();
  });
  watch(
    () => Math.floor(clock.now / 5_000),
    () => queue.passTime(clock.now) && publish(),
  );

  const open = computed(() => ordered.value.filter((row) => row.level !== 'done').map((row) => row.task));
  const counts = computed(() => {
    const byStatus = [0, 0, 0, 0, 0];
    for (const { task } of ordered.value) byStatus[task.status]!++;
    return byStatus;
  });
  /** Types by name; deleted ones cannot be chosen. */
  const types = computed(() => (records.directories.version.value, listOf<TaskType>('type')));
  const categories = computed(() => (records.directories.version.value, listOf<Category>('category')));

  function listOf<T extends TaskType | Category>(kind: T['kind']): T[] {
    return ([...records.directories.values()].filter((entry) => entry.kind === kind && !entry.isDeleted) as T[]).sort(
      (one, other) => one.id - other.id,
    );
  }

  function byId(id: number): Task | undefined {
    return records.tasks.get(keyOf(id));
  }

  /** The tasks that were merged into this one, also by way of others, as far as this console holds them. */
  function partsOf(id: number): readonly number[] {
    const found: number[] = [];
    const duplicates = ordered.value.filter((row) => row.level === 'done' && isMerged(row.task));
    for (const waiting = [id]; waiting.length > 0;) {
      const at = waiting.pop()!;
      for (const { task } of duplicates)
        if (task.mergedInto === at && task.id !== id && !found.includes(task.id)) {
          found.push(task.id);
          waiting.push(task.id);
        }
    }
    return found.sort((one, other) => one - other);
  }

  const urgency = (task: Task) => urgencyOf(task, directory, clock.now);
  const priority = (task: Task) => taskPriority(task, directory);
  /** How soon somebody should be sent to it. */
  const rules = (task: Task) => rulesOf(task.organizationId);
  /** Its place in the queue; undefined: it is not in it. */
  const placeOf = (id: number) => queue.get(id);
  const typeName = (task: Task) => directory.typeOf(task.typeId)?.name ?? '';
  const categoryName = (task: Task) =>
    (task.categoryId ? directory.categoryOf(task.categoryId)?.name : undefined) ?? '';
  /** Possible assignees of a task: people who can sign in, and departments. */
  const people = computed(
    () => (records.accounts.version.value, accountsOf('user').filter(({ enabled }) => enabled !== false)),
  );
  const organizations = computed(() => (records.accounts.version.value, accountsOf('organization')));
  function accountsOf(kind: 'user' | 'organization'): { id: number; name: string; enabled?: boolean }[] {
    const entries = [...records.accounts.values()] as readonly {
      id: number;
      kind: string;
      name: string;
      isDeleted?: boolean;
      enabled?: boolean;
    }[];
    return entries
      .filter((entry) => entry.kind === kind && !entry.isDeleted)
      .sort((one, other) => one.name.localeCompare(other.name));
  }
  const personName = (id: number) => records.accounts.get(kindKeyOf('user', id))?.name;
  const organizationName = (id: number) => records.accounts.get(kindKeyOf('organization', id))?.name;

  return {
    ordered,
    open,
    counts,
    types,
    categories,
    byId,
    partsOf,
    urgency,
    priority,
    rules,
    placeOf,
    typeName,
    categoryName,
    people,
    organizations,
    personName,
    organizationName,
  };
});
