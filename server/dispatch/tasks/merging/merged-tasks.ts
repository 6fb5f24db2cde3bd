import type { Task } from '../../../../shared/records/index.ts';
import { isMerged, settleMerged } from '../../../../shared/tasks/merged.ts';
import type { Change, Records, Store } from '../../../store/types.ts';

interface MergedTasksOptions {
  readonly store: Store;
  now(): number;
  report(error: unknown): void;
}

/** Merges older than this, in ms, were settled in an earlier run. */
const RECENT = 7 * 24 * 3_600_000;
/** Most tasks that merges may connect; more are a mistake, or an attack. */
const MOST_MERGED = 1_000;

/** Which tasks belong together since duplicates were merged, and keeps them in agreement (README rules M3 to M6). */
export class MergedTasks {
  readonly #options: MergedTasksOptions;
  readonly #tasks: Records<Task>;
  readonly #stops: (() => void)[];
  readonly #waiting = new Set<number>();
  #settling: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: MergedTasksOptions) {
    this.#options = options;
    const { store } = options;
    this.#tasks = store.records('tasks');
    this.#stops = [
      this.#tasks.watch((changes) =>
        this.#ask(
          changes
            .filter((one) => this.#concerns(one))
            .flatMap(({ record, before }) => [record.id, ...(before ? neighboursOf(before) : [])]),
        ),
      ),
      store.onReadOnly(() => this.#ask(this.#recent())),
    ];
    this.#ask(this.#recent());
  }

  /** The tasks that were merged into this one, also by way of others, by id. */
  partsOf(id: number): Task[] {
    const found = new Map<number, Task>();
    const waiting = [id];
    for (let at = waiting.pop(); at !== undefined && found.size < MOST_MERGED; at = waiting.pop())
      for (const task of this.#mergedInto(at))
        if (isMerged(task) && task.id !== id && !found.has(task.id)) {
          found.set(task.id, task);
          waiting.push(task.id);
        }
    return [...found.values()].sort((a, b) => a.id - b.id);
  }

  /** All tasks that merges connect with these: a change of one may concern the others. */
  mergeGroup(ids: readonly number[]): Task[] {
    const found = new Map<number, Task>();
    const waiting = [...ids];
    for (let at = waiting.pop(); at !== undefined && found.size < MOST_MERGED; at = waiting.pop()) {
      const task = found.has(at) ? undefined : this.#tasks.get(at);
      if (!task) continue;
      found.set(at, task);
      waiting.push(...neighboursOf(task), ...this.#mergedInto(at).map((one) => one.id));
    }
    return [...found.values()];
  }

  /** Settles these tasks and all that merges connect with them. Call it inside a transaction. */
  async settle(ids: readonly number[]): Promise<void> {
    for (const settled of settleMerged(this.mergeGroup(ids)))
      await this.#tasks.change(settled.id, () => ({
        ...settled,
        updatedAt: Math.max(this.#options.now(), settled.updatedAt),
      }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    await this.#settling;
  }

  #mergedInto(id: number): Task[] {
    const { store } = this.#options;
    return store.sql
      .prepare(
        `SELECT data FROM ${store.table('tasks')} WHERE deleted = 0 AND mergedInto > 0 AND mergedInto = ? AND json_valid(data)`,
      )
      .all(id)
      .map((row) => JSON.parse(String(row['data'])) as Task);
  }

  #recent(): number[] {
    const { store, now } = this.#options;
    return store.sql
      .prepare(
        `SELECT json_extract(data, '$.id') AS id FROM ${store.table('tasks')} WHERE deleted = 0 AND mergedInto > 0 AND updatedAt > ? AND json_valid(data)`,
      )
      .all(now() - RECENT)
      .map((row) => Number(row['id']));
  }

  /** A task that was merged, or took part in it; or one that others were waiting for. */
  #concerns({ record, before, deleted }: Change<Task>): boolean {
    if (deleted) return false;
    if (neighboursOf(record).length > 0 || (before && neighboursOf(before).length > 0)) return true;
    return !before && this.#mergedInto(record.id).length > 0;
  }

  #ask(ids: readonly number[]): void {
    for (const id of ids) this.#waiting.add(id);
    if (this.#waiting.size > 0) this.#settling ??= this.#work().finally(() => (this.#settling = undefined));
  }

  async #work(): Promise<void> {
    const { store, report } = this.#options;
    while (this.#waiting.size > 0 && !this.#isClosed) {
      const ids = [...this.#waiting];
      this.#waiting.clear();
      // A standby writes nothing; it catches up when it leads.
      if (store.readOnly !== undefined) return;
      try {
        if (settleMerged(this.mergeGroup(ids)).length > 0) await store.transaction(() => this.settle(ids));
      } catch (error) {
        report(error);
      }
    }
  }
}

function neighboursOf(task: Task): number[] {
  const origins = Object.values(task.units ?? {}).map(({ fromTaskId }) => fromTaskId ?? 0);
  return [task.mergedInto ?? 0, ...origins].filter((id) => id !== 0);
}
