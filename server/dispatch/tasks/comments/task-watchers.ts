import { mayDo, type Actor } from '../../../../shared/access.ts';
import type { Comment, Role, StateRule, Task, User } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { mentionKey, mentionsIn } from '../../../../shared/tasks/mentions.ts';
import type { Mirror } from '../../fleet/index.ts';
import type { Records, Store } from '../../../store/types.ts';
import { mayRead } from './comment.ts';

interface TaskWatchersOptions {
  readonly store: Store;
  readonly users: Pick<Mirror<User>, 'get' | 'values'>;
  readonly roles: Pick<Mirror<Role>, 'get'>;
  /** The task if the actor may see it; refuses otherwise. */
  seen(actor: Actor, id: number): Task;
  /** Duplicates of a task, whose watchers follow it. */
  partsOf(id: number): readonly Task[];
  /** The state rules in force. */
  rules(): readonly StateRule[];
}

/**
 * Receivers of notices of a task: people who watch it, and people whom comments name (README rules N1 to N6).
 */
export class TaskWatchers {
  readonly #options: TaskWatchersOptions;
  readonly #tasks: Records<Task>;

  constructor(options: TaskWatchersOptions) {
    this.#options = options;
    this.#tasks = options.store.records('tasks');
  }

  /** The actor begins or stops to watch. Neither is a change of the task. */
  async watch(actor: Actor, id: number, isWatching: boolean): Promise<void> {
    this.#options.seen(actor, id);
    await this.#tasks.change(id, (task) => withWatcher(task, actor.user.id, isWatching));
  }

  /** Those who watch a task or a duplicate of it. */
  of(task: Task): User[] {
    const ids = new Set([task, ...this.#options.partsOf(task.id)].flatMap(({ watcherIds = [] }) => watcherIds));
    return [...ids].flatMap((id) => this.#options.users.get(id) ?? []).filter(isPresent);
  }

  /** Whom a text of this author names: enabled people of their organization, each once, not themselves. */
  namedIn(author: Pick<User, 'id' | 'organizationId'>, text: string): User[] {
    if (!text.includes('@')) return [];
    const known = new Map<string, User>();
    for (const user of this.#options.users.values())
      if (user.organizationId === author.organizationId && isPresent(user)) known.set(mentionKey(user.login), user);
    const named = mentionsIn(text, (key) => known.get(key)).map(({ who }) => who);
    return [...new Set(named)].filter(({ id }) => id !== author.id);
  }

  /** Refuses to name people who may not see the task, or may not read the comment. */
  requireReaders(
    named: readonly User[],
    task: Task,
    comment: { readonly authorId: number; readonly visibleTo: Comment['visibleTo'] },
  ): void {
    const { roles, rules } = this.#options;
    for (const user of named) {
      const role = roles.get(user.roleId);
      const reader = role && { user, role };
      const words = { name: user.name, login: user.login };
      if (!reader || !mayDo(reader, 'view', task, rules())) throw new Refusal('tasks.mentionUnseen', words);
      if (!mayRead(reader, comment, task)) throw new Refusal('tasks.mentionUnread', words);
    }
  }

  /** Records that a comment named people, who watch the task from then on. Call it in the comment's transaction. */
  async name(named: readonly User[], taskId: number, at: number): Promise<void> {
    await this.#tasks.change(taskId, (task) =>
      named.reduce((before, { id }) => {
        const latest = Math.max(at, before.mentions?.[id] ?? 0);
        return { ...withWatcher(before, id, true), mentions: { ...before.mentions, [id]: latest } };
      }, task),
    );
  }
}

function withWatcher(task: Task, userId: number, isWatching: boolean): Task {
  const { watcherIds = [] } = task;
  if (watcherIds.includes(userId) === isWatching) return task;
  return {
    ...task,
    watcherIds: isWatching ? [...watcherIds, userId].sort((a, b) => a - b) : watcherIds.filter((id) => id !== userId),
  };
}

const isPresent = ({ enabled, isDeleted }: User) => enabled && !isDeleted;
