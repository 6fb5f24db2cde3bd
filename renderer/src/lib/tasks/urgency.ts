import { deadlineOf, isOverdue } from '../../../../shared/tasks/deadline.ts';
import { priorityOf, type TaskPriority } from '../../../../shared/tasks/priority.ts';
import type { Category, Task, TaskType } from '../../../../shared/records/index.ts';
import { DONE, NEW } from '../../../../shared/tasks/status.ts';
import type { WaitingRules } from '../../../../shared/tasks/response-targets.ts';
import { entersAt, riseOf, risesAt, type Rise } from '../../../../shared/tasks/waiting.ts';

/** The inputs of urgency besides the task. */
export interface TaskDirectory {
  typeOf(id: number): TaskType | undefined;
  categoryOf(id: number): Category | undefined;
  /** How soon somebody should be sent to tasks of the organization. */
  rulesOf(organizationId: number): WaitingRules;
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
  /** It is scheduled, and rests outside the queue until its time. */
  readonly later: boolean;
  /** The level to which it rose because nobody was sent. */
  readonly rise: Rise | undefined;
}

/** The priority of a task, by this console's categories. */
export function taskPriority(task: Task, directory: TaskDirectory): TaskPriority {
  return priorityOf(task, task.categoryId ? directory.categoryOf(task.categoryId) : undefined);
}

/** The parts of the queue, first to last. */
export const QUEUE_GROUPS = ['emergency', 'overdue', 'new', 'work', 'later', 'done'] as const;
export type QueueGroup = (typeof QUEUE_GROUPS)[number];
/** A task for later enters the queue then, epoch ms. */
export const laterUntil = (task: Task, directory: TaskDirectory) =>
  entersAt(task, directory.rulesOf(task.organizationId));

export function queueGroupOf(
  task: Task,
  priority: TaskPriority,
  { overdue, later, rise }: Pick<Urgency, 'overdue' | 'later' | 'rise'>,
): QueueGroup {
  if (task.status === DONE) return 'done';
  if (later) return 'later';
  if (priority === 1) return 'emergency';
  if (overdue || (rise && !rise.isSeen)) return 'overdue';
  return task.status === NEW ? 'new' : 'work';
}

/** Unacknowledged emergency, then alarm, then due and overdue, then new, then the others. */
export function urgencyOf(task: Task, directory: TaskDirectory, now: number): Urgency {
  const type = directory.typeOf(task.typeId);
  const deadline = deadlineOf(task, type);
  const later = task.status !== DONE && laterUntil(task, directory) > now;
  return {
    level: later ? 'open' : urgencyLevelOf(task, directory, deadline, now),
    deadline,
    overdue: isOverdue(task, type, now),
    later,
    rise: riseOf(task, taskPriority(task, directory), directory.rulesOf(task.organizationId), now),
  };
}

/** When the task rises next while nobody is sent; Infinity: never. */
export function nextRise(task: Task, directory: TaskDirectory, now: number): number {
  const rises = risesAt(task, taskPriority(task, directory), directory.rulesOf(task.organizationId));
  return rises.find((at) => at > now) ?? Infinity;
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
