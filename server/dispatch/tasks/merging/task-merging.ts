import { mayDo, requireMay, type Actor } from '../../../../shared/access.ts';
import type { HistoryEntry, StateRule, Task } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { isMerged, rootOf, withMerge, withoutMerge } from '../../../../shared/tasks/merged.ts';
import { DONE } from '../../../../shared/tasks/status.ts';
import { activeUnits, isOpenTask } from '../../../../shared/tasks/units.ts';
import type { Records, Store } from '../../../store/types.ts';
import { requirePresent } from '../changes/delete.ts';
import type { TaskChanges } from '../changes/task-changes.ts';
import { rowsOfTask } from '../rows-of-task.ts';
import type { MergedTasks } from './merged-tasks.ts';

interface TaskMergingOptions {
  readonly store: Store;
  readonly changes: TaskChanges;
  readonly merged: MergedTasks;
  /** The task if the actor may see it; refuses otherwise. */
  seen(actor: Actor, id: number): Task;
  /** The state rules in force. */
  rules(): readonly StateRule[];
}

/** Merges and links of a task, as far as the actor may see them. */
export interface RelatedTasks {
  /** The task that it was merged into, when it is a duplicate. */
  readonly into: Task | undefined;
  readonly parts: readonly Task[];
  readonly links: readonly Task[];
}

/** Duplicates that become part of another task, and tasks that are linked (README rules M1 to M7). */
export class TaskMerging {
  readonly #options: TaskMergingOptions;
  readonly #tasks: Records<Task>;

  constructor(options: TaskMergingOptions) {
    this.#options = options;
    this.#tasks = options.store.records('tasks');
  }

  related(actor: Actor, id: number): RelatedTasks {
    const { merged, seen } = this.#options;
    const task = seen(actor, id);
    const root = rootOf(id, (one) => this.#tasks.get(one));
    const maySee = (one: Task | undefined): one is Task => one !== undefined && this.#maySee(actor, one);
    return {
      into: root === id ? undefined : [this.#tasks.get(root)].find(maySee),
      parts: merged.partsOf(id).filter(maySee),
      links: (task.linkIds ?? []).map((one) => this.#tasks.get(one)).filter(maySee),
    };
  }

  /** The task and its duplicates, as far as the actor may see them: they are read as one. */
  wholeOf(actor: Actor, task: Task): Task[] {
    return [task, ...this.#options.merged.partsOf(task.id).filter((one) => this.#maySee(actor, one))];
  }

  /** Closes a task as a duplicate. Its units continue at the other one. */
  async merge(actor: Actor, id: number, into: number): Promise<void> {
    const { store, changes, rules, seen } = this.#options;
    if (id === into) throw new Refusal('tasks.mergeItself');
    seen(actor, id);
    seen(actor, into);
    await store.transaction(async () => {
      const target = this.#tasks.require(into, 'tasks.missing');
      this.#requireTarget(actor, target, id);
      const before = this.#tasks.require(id, 'tasks.missing');
      const moves = activeUnits(before).length > 0;
      await changes.change(actor, id, (task, now) => {
        requirePresent(task);
        requireMay(actor, 'change_status', task, rules(), id);
        if (moves) for (const one of [task, target]) requireMay(actor, 'assign', one, rules(), one.id);
        if (isMerged(task)) throw new Refusal('tasks.mergedBefore', { title: task.title });
        return withMerge(task, into, now);
      });
      await this.#settleNoted(actor, id, into);
    });
  }

  /** Undoes a merge: the task gets its units back. */
  async unmerge(actor: Actor, id: number): Promise<void> {
    const { store, changes, rules, seen } = this.#options;
    seen(actor, id);
    await store.transaction(async () => {
      const { before } = await changes.change(actor, id, (task, now) => {
        requirePresent(task);
        requireMay(actor, 'change_status', task, rules(), id);
        if (!isMerged(task)) throw new Refusal('tasks.notMerged', { title: task.title });
        return withoutMerge(task, this.#statusBefore(id), now);
      });
      await this.#settleNoted(actor, id, before.mergedInto!);
    });
  }

  /** Each names the other. */
  async link(actor: Actor, id: number, other: number, isLinked: boolean): Promise<void> {
    const { store, changes, rules, seen } = this.#options;
    if (id === other) throw new Refusal('tasks.linkItself');
    for (const one of [id, other]) seen(actor, one);
    await store.transaction(async () => {
      for (const [one, named] of [
        [id, other],
        [other, id],
      ] as const)
        await changes.change(actor, one, (task, now) => {
          requirePresent(task);
          requireMay(actor, 'edit', task, rules(), one);
          const known = task.linkIds ?? [];
          if (known.includes(named) === isLinked) return task;
          const linkIds = isLinked ? [...known, named].sort((a, b) => a - b) : known.filter((link) => link !== named);
          return { ...task, linkIds, updatedAt: Math.max(now, task.updatedAt) };
        });
    });
  }

  #requireTarget(actor: Actor, target: Task, id: number): void {
    requireMay(actor, 'change_status', target, this.#options.rules(), target.id);
    if (!isOpenTask(target) || rootOf(target.id, (one) => this.#tasks.get(one)) === id)
      throw new Refusal('tasks.mergeClosed', { title: target.title });
  }

  /** Notes in the history of the other task that units came or went. */
  async #settleNoted(actor: Actor, id: number, other: number): Promise<void> {
    const { merged, changes } = this.#options;
    const before = this.#tasks.get(other);
    await merged.settle([id, other]);
    const after = this.#tasks.get(other);
    if (before && after && before !== after) await changes.note(actor, before, after);
  }

  /** The status that the task had when it was merged, by its history. */
  #statusBefore(id: number): number | undefined {
    const closed = rowsOfTask<HistoryEntry>(this.#options.store, 'history', id).findLast(
      ({ field, to }) => field === 'status' && to === DONE,
    );
    return typeof closed?.from === 'number' ? closed.from : undefined;
  }

  #maySee(actor: Actor, task: Task): boolean {
    return !task.isDeleted && mayDo(actor, 'view', task, this.#options.rules());
  }
}
