import { deadlineOf, isOverdue } from '../../../../shared/tasks/deadline.ts';
import type { Category, Task, TaskType } from '../../../../shared/records/index.ts';
import { DONE, NEW } from '../../../../shared/tasks/status.ts';

/** What urgency is judged by, beside the task itself. */
export interface TaskDirectory {
  typeOf(id: number): TaskType | undefined;
  categoryOf(id: number): Category | undefined;
}

/** Places in the queue, first to last. `done` tasks are not in the queue of open ones. */
export const URGENCY_LEVELS = ['emergency', 'alarm', 'due', 'new', 'open', 'done'] as const;
export type UrgencyLevel = (typeof URGENCY_LEVELS)[number];

/** The importance of a category: 1 is the highest, 0 is none. 1 is an emergency, 2 an alarm. */
const EMERGENCY_IMPORTANCE = 1;
const ALARM_IMPORTANCE = 2;
/** A task is due when less than this share of its time is left. */
const DUE_SHARE = 0.25;

export interface Urgency {
  readonly level: UrgencyLevel;
  /** When it is to be finished, epoch ms; undefined: its type knows no period. */
  readonly deadline: number | undefined;
  readonly overdue: boolean;
}

/** Unacknowledged emergency, then alarm, then due and overdue, then new, then the others. */
export function urgencyOf(task: Task, directory: TaskDirectory, now: number): Urgency {
  const type = directory.typeOf(task.typeId);
  const deadline = deadlineOf(task, type);
  return { level: urgencyLevelOf(task, directory, deadline, now), deadline, overdue: isOverdue(task, type, now) };
}

/** After this instant, epoch ms, a task that waits is due. */
export function dueFrom(task: Task, deadline: number): number {
  return deadline - (deadline - task.date) * DUE_SHARE;
}

function urgencyLevelOf(task: Task, directory: TaskDirectory, deadline: number | undefined, now: number): UrgencyLevel {
  if (task.status === DONE) return 'done';
  const importance = task.categoryId ? (directory.categoryOf(task.categoryId)?.importance ?? 0) : 0;
  if (task.status === NEW && importance === EMERGENCY_IMPORTANCE) return 'emergency';
  if (task.status === NEW && importance === ALARM_IMPORTANCE) return 'alarm';
  if (deadline !== undefined && now > dueFrom(task, deadline)) return 'due';
  return task.status === NEW ? 'new' : 'open';
}
