import { requireMay, type Actor } from '../../../../shared/access.ts';
import { asTree } from '../../../../shared/tasks/comment-tree.ts';
import type { Comment, Task, StateRule } from '../../../../shared/records/index.ts';
import type { Records, Store } from '../../../store/types.ts';
import { createComment, mayRead, type CommentOrder } from './comment.ts';
import type { TaskWatchers } from './task-watchers.ts';
import { rowsOfTask } from '../rows-of-task.ts';

interface TaskCommentsOptions {
  readonly store: Store;
  readonly watchers: TaskWatchers;
  /** The task if the actor may see it; refuses otherwise. */
  seen(actor: Actor, id: number): Task;
  /** The task with its duplicates, as far as the actor may see them. */
  wholeOf(actor: Actor, task: Task): readonly Task[];
  /** The state rules in force. */
  rules(): readonly StateRule[];
  now(): number;
}

/** Comments on tasks. */
export class TaskComments {
  readonly #store: Store;
  readonly #comments: Records<Comment>;
  readonly #watchers: TaskWatchers;
  readonly #wholeOf: TaskCommentsOptions['wholeOf'];
  readonly #seen: TaskCommentsOptions['seen'];
  readonly #rules: () => readonly StateRule[];
  readonly #now: () => number;

  constructor({ store, watchers, seen, wholeOf, rules, now }: TaskCommentsOptions) {
    this.#store = store;
    this.#comments = store.records('comments');
    this.#watchers = watchers;
    this.#seen = seen;
    this.#wholeOf = wholeOf;
    this.#rules = rules;
    this.#now = now;
  }

  /** The comments that the actor may read, those of its duplicates too, as a tree in reading order. */
  of(actor: Actor, taskId: number): Comment[] {
    const task = this.#seen(actor, taskId);
    return asTree(
      this.#wholeOf(actor, task).flatMap((one) =>
        rowsOfTask<Comment>(this.#store, 'comments', one.id).filter((comment) => mayRead(actor, comment, one)),
      ),
    );
  }

  async add(actor: Actor, taskId: number, order: CommentOrder): Promise<Comment> {
    const task = this.#seen(actor, taskId);
    requireMay(actor, 'comment', task, this.#rules(), taskId);
    const parent = order.parentId ? this.#comments.get(order.parentId) : undefined;
    const readable = parent && mayRead(actor, parent, task) ? parent : undefined;
    const insert = () => this.#insert(actor, task, order, readable);
    return order.text.includes('@') ? this.#store.transaction(insert) : insert();
  }

  /**
   * Adds the comment of an update, inside the transaction of that update, which has checked the capability.
   */
  async addToUpdate(actor: Actor, task: Task, order: CommentOrder): Promise<void> {
    await this.#insert(actor, task, order, undefined);
  }

  /** All comments of some tasks by task id, without a check of access. */
  ofTasks(ids: readonly number[]): Map<number, Comment[]> {
    const rows = this.#store.sql
      .prepare(
        `SELECT data FROM ${this.#store.table('comments')} WHERE deleted=0 AND taskId IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(ids));
    return Map.groupBy(
      rows.map((row) => JSON.parse(String(row['data'])) as Comment),
      ({ taskId }) => taskId,
    );
  }

  /** Call it in a transaction if the text may name people: they watch the task from then on. */
  async #insert(actor: Actor, task: Task, order: CommentOrder, parent: Comment | undefined): Promise<Comment> {
    const comment = createComment(this.#comments.nextId(), task, order, parent, actor.user.id, this.#now());
    const named = this.#watchers.namedIn(actor.user, comment.text);
    this.#watchers.requireReaders(named, task, comment);
    if (named.length > 0) await this.#watchers.name(named, task.id, comment.at);
    return this.#comments.insert(comment);
  }
}
