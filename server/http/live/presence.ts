import { z } from 'zod';
import { LIVE_LIMITS } from '../../../shared/live-limits.ts';
import type { Caller } from '../../access/accounts/index.ts';

/** Questions of presence about tasks. The composition root of the interface supplies the answers. */
export interface TasksToOpen {
  maySee(caller: Caller, taskId: number): boolean;
  /** Calls the listener with the ids of tasks after they changed. Returns the unsubscribe function. */
  onChange(listener: (taskIds: readonly number[]) => void): () => void;
}

/** A connection, as presence knows it. */
export interface Onlooker {
  readonly caller: Caller;
}

/** The data of `SET_PRESENCE`. */
export const OpenTasks = z.array(z.object({ newsId: z.int(), writing: z.boolean() })).max(LIVE_LIMITS.openTasks);
type OpenTask = z.infer<typeof OpenTasks>[number];

/** A task that a client has open. */
interface Look {
  isWriting: boolean;
  readonly since: number;
  /** The text that was sent last; empty: nothing. */
  sent: string;
}

interface PresenceOptions<Client> {
  readonly tasks: TasksToOpen;
  send(client: Client, text: string): void;
  /** Least ms between two sendings about the tasks of a station. */
  readonly wait: number;
  readonly now: () => number;
}

/**
 * Open tasks by user. Lives in memory only: an entry begins with `SET_PRESENCE` of a client and ends with its
 * connection. A user with an open task sees all others who have it open, as long as both may see the task.
 */
export class Presence<Client extends Onlooker> {
  readonly #options: PresenceOptions<Client>;
  readonly #clients = new Map<Client, Map<number, Look>>();
  readonly #onlookers = new Map<number, Set<Client>>();
  /** Tasks whose onlookers, or whose visibility, may have changed since the last sending. */
  readonly #changed = new Set<number>();
  readonly #stop: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PresenceOptions<Client>) {
    this.#options = options;
    this.#stop = options.tasks.onChange((taskIds) => this.#mark(taskIds));
  }

  /** The client has exactly these tasks open. */
  set(client: Client, open: readonly OpenTask[]): void {
    const looks = this.#clients.get(client) ?? new Map<number, Look>();
    const wanted = new Map(open.map(({ newsId, writing }) => [newsId, writing]));
    for (const taskId of looks.keys()) if (!wanted.has(taskId)) this.#leave(client, looks, taskId);
    for (const [taskId, isWriting] of wanted) {
      const look = looks.get(taskId);
      if (look?.isWriting === isWriting) continue;
      if (look) look.isWriting = isWriting;
      else this.#enter(client, looks, taskId, isWriting);
      this.#mark([taskId]);
    }
    if (looks.size > 0) this.#clients.set(client, looks);
    else this.#clients.delete(client);
  }

  /** The client is disconnected. */
  remove(client: Client): void {
    this.set(client, []);
  }

  /** Called when the access of users has changed. */
  checkAll(): void {
    this.#mark([...this.#onlookers.keys()]);
  }

  close(): void {
    this.#stop();
    clearTimeout(this.#timer);
  }

  #enter(client: Client, looks: Map<number, Look>, taskId: number, isWriting: boolean): void {
    looks.set(taskId, { isWriting, since: this.#options.now(), sent: '' });
    const onlookers = this.#onlookers.get(taskId) ?? new Set();
    this.#onlookers.set(taskId, onlookers.add(client));
  }

  #leave(client: Client, looks: Map<number, Look>, taskId: number): void {
    looks.delete(taskId);
    const onlookers = this.#onlookers.get(taskId);
    onlookers?.delete(client);
    if (onlookers?.size === 0) this.#onlookers.delete(taskId);
    this.#mark([taskId]);
  }

  #mark(taskIds: readonly number[]): void {
    for (const id of taskIds) if (this.#onlookers.has(id)) this.#changed.add(id);
    if (this.#changed.size > 0) this.#timer ??= setTimeout(() => this.#send(), this.#options.wait);
  }

  #send(): void {
    this.#timer = undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const taskId of changed) this.#sendTask(taskId);
  }

  #sendTask(taskId: number): void {
    const { tasks, send } = this.#options;
    const onlookers = [...(this.#onlookers.get(taskId) ?? [])];
    const seeing = new Set(onlookers.filter(({ caller }) => tasks.maySee(caller, taskId)));
    const seen = textOf(taskId, usersOf([...seeing].map((client) => [client, this.#lookOf(client, taskId)] as const)));
    const unseen = textOf(taskId, []);
    for (const client of onlookers) {
      const look = this.#lookOf(client, taskId);
      const text = seeing.has(client) ? seen : unseen;
      // A user who never saw the task does not learn from an answer that it exists.
      if (look.sent === text || (look.sent === '' && text === unseen)) continue;
      look.sent = text;
      send(client, text);
    }
  }

  #lookOf(client: Client, taskId: number): Look {
    return this.#clients.get(client)!.get(taskId)!;
  }
}

/** One entry for each user, for any number of their windows; the earliest comes first. */
function usersOf(looks: readonly (readonly [Onlooker, Look])[]) {
  const users = Map.groupBy(looks, ([{ caller }]) => caller.user.id);
  return [...users.values()]
    .map((own) => ({
      userId: own[0]![0].caller.user.id,
      fio: own[0]![0].caller.user.name,
      writing: own.some(([, { isWriting }]) => isWriting),
      since: Math.min(...own.map(([, { since }]) => since)),
    }))
    .sort((a, b) => a.since - b.since || a.userId - b.userId);
}

function textOf(newsId: number, users: ReturnType<typeof usersOf>): string {
  return JSON.stringify({ command: 'PRESENCE', data: { newsId, users } });
}

/** Parses the data of `SET_PRESENCE`; undefined: they are not in its form. */
export function openTasksOf(data: unknown): readonly OpenTask[] | undefined {
  return OpenTasks.safeParse(data).data;
}
