import type { Task, TaskType } from '../records/index.ts';
import { DONE } from './status.ts';

type Timed = Pick<Task, 'date' | 'status'>;
type TypeWithReview = Pick<TaskType, 'reviewSeconds'>;

/** When a task is due, epoch ms: its date plus the period of its type. Undefined: the type has no period. */
export function deadlineOf(task: Pick<Timed, 'date'>, type: TypeWithReview | undefined): number | undefined {
  const seconds = type?.reviewSeconds ?? 0;
  return seconds > 0 ? task.date + seconds * 1000 : undefined;
}

/** A task is overdue when it is past its deadline and not done. */
export function isOverdue(task: Timed, type: TypeWithReview | undefined, now: number): boolean {
  const deadline = deadlineOf(task, type);
  return deadline !== undefined && now > deadline && task.status !== DONE;
}
