import { administers, mayDo, type Actor } from '../../../../shared/access.ts';
import type { Task, StateRule } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';

/** Deletes logically: hides the task and keeps everything that belongs to it. */
export function markDeleted(task: Task, now: number): Task {
  return task.isDeleted ? task : { ...task, isDeleted: true, updatedAt: Math.max(now, task.updatedAt) };
}

export function restore(task: Task, now: number): Task {
  if (!task.isDeleted) throw new Refusal('tasks.notDeleted', { title: task.title });
  return { ...task, isDeleted: false, updatedAt: Math.max(now, task.updatedAt) };
}

/** Only a deleted task can be restored. */
export function requirePresent({ id, isDeleted }: Task): void {
  if (isDeleted) throw new Refusal('tasks.missing', { id });
}

/** Only users who may restore a deleted task see it. */
export function requireSeen(actor: Actor, task: Task, rules: readonly StateRule[]): void {
  const seen = task.isDeleted ? administers(actor, task.organizationId) : mayDo(actor, 'view', task, rules);
  if (!seen) throw new Refusal('tasks.missing', { id: task.id });
}
