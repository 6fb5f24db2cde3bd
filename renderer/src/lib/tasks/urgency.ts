import { deadlineOf, isOverdue } from '../../../../shared/tasks/deadline.ts';
import { priorityOf, type TaskPriority } from '../../../../shared/tasks/priority.ts';
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

/** A task is due when less than this share of its time is left. */
const DUE_SHARE = 0.25;

export interface Urgency {
  readonly level: UrgencyLevel;
  /** When it is to be finished, epoch ms; undefined: its type knows no period. */
  readonly deadline: number | undefined;
  readonly overdue: boolean;
}

/** The priority of a task, by what this console knows of its category. */
export function taskPriority(task: Task, directory: TaskDirectory): TaskPriority {
  return priorityOf(task, task.categoryId ? directory.categoryOf(task.categoryId) : undefined);
}

/** The parts of the queue, first to last. */
export const QUEUE_GROUPS = ['emergency', 'overdue', 'new', 'work', 'later', 'done'] as const;
export type QueueGroup = (typeof QUEUE_GROUPS)[number];
/** A task that begins later than this, in ms, is one for later; less is a difference between clocks. */
const LATER_MS = 300_000;

export const laterUntil = (task: Task) => task.date - LATER_MS;

export function groupOf(task: Task, priority: TaskPriority, overdue: boolean, now: number): QueueGroup {
  if (task.status === DONE) return 'done';
  if (laterUntil(task) > now) return 'later';
  if (priority === 1) return 'emergency';
  if (overdue) return 'overdue';
  return task.status === NEW ? 'new' : 'work';
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
  const priority = taskPriority(task, directory);
  if (task.status === NEW && priority === 1) return 'emergency';
  if (task.status === NEW && priority === 2) return 'alarm';
  if (deadline !== undefined && now > dueFrom(task, deadline)) return 'due';
  return task.status === NEW ? 'new' : 'open';
}
