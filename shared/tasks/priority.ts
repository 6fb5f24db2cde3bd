import type { Category, Task } from '../records/index.ts';

/** P1 (worst) to P4. */
export type TaskPriority = 1 | 2 | 3 | 4;

const DEFAULT_PRIORITY: TaskPriority = 3;

/** The priority of a task: as a person set it, else the importance of its category, else 3. */
export function priorityOf(
  task: Pick<Task, 'priority'>,
  category: Pick<Category, 'importance'> | undefined,
): TaskPriority {
  const rank = task.priority || category?.importance || DEFAULT_PRIORITY;
  return Math.min(Math.max(rank, 1), 4) as TaskPriority;
}
