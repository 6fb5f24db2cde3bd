import type { Actor } from '../../../shared/access.ts';
import type { Comment, Task, StateRule } from '../../../shared/records/index.ts';
import { mayRead } from './comments/comment.ts';
import { workingSet } from './predicates/filter.ts';
import { holds, type Predicate } from './predicates/predicate.ts';

/** Which tasks and comments the replica of one user holds. */
export class TaskReplicaAccess {
  /** The tasks, as a predicate for a query. */
  readonly tasks: Predicate;
  readonly #actor: Actor;

  constructor(actor: Actor, rules: readonly StateRule[], now: number) {
    this.#actor = actor;
    this.tasks = workingSet(actor, rules, now);
  }

  holdsTask(task: Task): boolean {
    return holds(this.tasks, task);
  }

  /** Only comments of a held task: when the task leaves the working set, its comments leave the replica. */
  holdsComment(comment: Comment, task: Task | undefined): boolean {
    return task !== undefined && this.holdsTask(task) && mayRead(this.#actor, comment, task);
  }
}
