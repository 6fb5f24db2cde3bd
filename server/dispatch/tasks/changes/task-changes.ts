import type { Actor } from '../../../../shared/access.ts';
import type { HistoryEntry, MergeRecord, Task, StateRule } from '../../../../shared/records/index.ts';
import type { Records, Store } from '../../../store/types.ts';
import { historyOf, lostEditOf, oneByOne } from './history.ts';
import { rowsOfTask } from '../rows-of-task.ts';
import { requireSeen } from './delete.ts';

interface TaskChangesOptions {
  readonly store: Store;
  /** The state rules in force. */
  rules(): readonly StateRule[];
  now(): number;
}

/** Changes tasks and writes the history entries. */
export class TaskChanges {
  readonly #store: Store;
  readonly #tasks: Records<Task>;
  readonly #history: Records<HistoryEntry>;
  readonly #rules: () => readonly StateRule[];
  readonly #now: () => number;

  constructor({ store, rules, now }: TaskChangesOptions) {
    this.#store = store;
    this.#tasks = store.records('tasks');
    this.#history = store.records('history');
    this.#rules = rules;
    this.#now = now;
  }

  /**
   * Changes a task that the actor sees. Call it inside a transaction: the change and its history are one
   * transaction.
   * @param rule returns the changed task, or refuses by throwing
   */
  async change(
    actor: Actor,
    id: number,
    rule: (task: Task, now: number) => Task,
  ): Promise<{ before: Task; after: Task }> {
    const now = this.#now();
    let before: Task | undefined;
    this.#tasks.require(id, 'tasks.missing');
    const after = await this.#tasks.change(id, (task) => {
      before = task;
      requireSeen(actor, task, this.#rules());
      return rule(task, now);
    });
    await this.note(actor, before!, after, now);
    return { before: before!, after };
  }

  /** Writes the history of a change that was made by other means. Call it inside its transaction. */
  async note(actor: Actor, before: Task, after: Task, at = this.#now()): Promise<void> {
    const by = { userId: actor.user.id, station: this.#store.stationNumber, at };
    const entries = historyOf(before, after, by, () => this.#history.nextId());
    if (entries.length > 0) await this.#history.insertMany(entries);
  }

  /** The history without a check of access: oldest first, one entry for each field. */
  of(id: number): HistoryEntry[] {
    const entries = rowsOfTask<HistoryEntry>(this.#store, 'history', id).flatMap(oneByOne);
    const lost = this.#mergesOf(id).map(lostEditOf);
    return lost.length === 0 ? entries : [...entries, ...lost].sort((a, b) => a.at - b.at);
  }

  /** All stations make equal merges, so merge entries are computed on reading. No entry appears twice. */
  #mergesOf(id: number): MergeRecord[] {
    return this.#store.sql
      .prepare(`SELECT data FROM ${this.#store.table('merges')} WHERE deleted = 0 AND taskId = ? ORDER BY id`)
      .all(id)
      .map((row) => JSON.parse(row['data'] as string) as MergeRecord)
      .filter(({ recordId, taskId, rule }) => recordId === taskId && rule === '');
  }
}
