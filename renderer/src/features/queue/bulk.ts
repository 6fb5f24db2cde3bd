import type { Task } from '../../../../shared/records/index.ts';
import { NEW } from '../../../../shared/tasks/status.ts';

/** Actions on many tasks. `value` is an id; 0 removes the assignment. */
export type BulkAction =
  | { readonly kind: 'status' | 'vehicle' | 'person' | 'department' | 'type' | 'category'; readonly value: number }
  | { readonly kind: 'archive' | 'delete' };

export type BulkKind = BulkAction['kind'];

/** One request, and the one that takes it back. */
export interface BulkStep {
  readonly task: Task;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly backBody: Readonly<Record<string, unknown>>;
  /**
   * No one has changed it since. A task that is no longer held (archived, deleted, long done) counts as
   * unchanged.
   */
  readonly stillSo: (now: Task | undefined) => boolean;
}

/** The steps for the tasks that are not so already. */
export function bulkSteps(action: BulkAction, tasks: readonly Task[]): readonly BulkStep[] {
  switch (action.kind) {
    case 'status':
      return changing(tasks, 'status', 'assigned_status', action.value);
    case 'vehicle':
      return changing(tasks, 'assignedVehicleId', 'assigned_car_id', action.value, true);
    case 'person':
      return changing(tasks, 'assignedUserId', 'assigned_user_id', action.value, true);
    case 'department':
      return changing(tasks, 'assignedOrganizationId', 'assigned_organization_id', action.value, true);
    case 'type':
      return changing(tasks, 'typeId', 'news_type_id', action.value);
    case 'category':
      return changing(tasks, 'categoryId', 'category_id', action.value);
    case 'archive':
      return tasks.map((task) => ({
        task,
        path: `/news/${task.id}/update`,
        body: { archive: true },
        backBody: { archive: false },
        stillSo: (now) => now === undefined || now.archived,
      }));
    case 'delete':
      return tasks.map((task) => ({
        task,
        path: `/news/${task.id}/`,
        body: { action: 'delete' },
        backBody: { action: 'restore' },
        stillSo: (now) => now === undefined || now.isDeleted,
      }));
  }
}

type Changed = 'status' | 'assignedVehicleId' | 'assignedUserId' | 'assignedOrganizationId' | 'typeId' | 'categoryId';

/** Assigning a new task makes it assigned, so taking that back gives it its status back, too. */
function changing(
  tasks: readonly Task[],
  field: Changed,
  name: string,
  value: number,
  movesStatus = false,
): BulkStep[] {
  return tasks
    .filter((task) => task[field] !== value)
    .map((task) => ({
      task,
      path: `/news/${task.id}/update`,
      body: { [name]: value },
      backBody: {
        [name]: task[field],
        ...(movesStatus && task.status === NEW && value !== 0 ? { assigned_status: task.status } : {}),
      },
      stillSo: (now) => now === undefined || now[field] === value,
    }));
}

export interface BulkOutcome {
  readonly done: readonly BulkStep[];
  readonly failed: readonly { readonly step: BulkStep; readonly error: unknown }[];
  /** Steps that were not tried, because it was stopped. */
  readonly left: number;
}

/** Number of parallel requests: the station answers each within milliseconds, and does other work in between. */
const AT_ONCE = 4;

/**
 * Runs the steps in order, a few at a time. A failed step keeps its error and the others continue; `stop`
 * ends it before the next one.
 */
export async function runSteps(
  steps: readonly BulkStep[],
  ask: (step: BulkStep) => Promise<unknown>,
  onProgress: (finished: number) => void,
  stop?: AbortSignal,
): Promise<BulkOutcome> {
  const done: BulkStep[] = [];
  const failed: { step: BulkStep; error: unknown }[] = [];
  let next = 0;
  const work = async () => {
    while (next < steps.length && !stop?.aborted) {
      const step = steps[next++]!;
      try {
        await ask(step);
        done.push(step);
      } catch (error) {
        failed.push({ step, error });
      }
      onProgress(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, steps.length) }, work));
  return { done, failed, left: steps.length - done.length - failed.length };
}
