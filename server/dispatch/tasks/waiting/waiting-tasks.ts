import { ALERT_WITHIN } from '../../../../shared/events/alarms.ts';
import { ID_SPACE } from '../../../../shared/ids.ts';
import type { Task } from '../../../../shared/records/index.ts';
import { NEW } from '../../../../shared/tasks/status.ts';
import { entersAt, isScheduled, risesAt, waits } from '../../../../shared/tasks/waiting.ts';
import type { TaskPriority } from '../../../../shared/tasks/priority.ts';
import type { Records, Store } from '../../../store/types.ts';
import type { DispatchRules } from './dispatch-rules.ts';

/** A step of a task that waits for units. */
export interface WaitingStep {
  /** 0: it entered the queue at its time; else the level that it rose to. */
  readonly level: number;
  /** When that was, epoch ms: the same at every station. */
  readonly since: number;
}

export interface WaitingTasksOptions {
  readonly store: Store;
  readonly rules: DispatchRules;
  now(): number;
  priorityOf(task: Task): TaskPriority;
  /** Called once or more for each step; a step that is known already changes nothing. */
  raise(task: Task, step: WaitingStep): Promise<void>;
  /** The task no longer waits, or not so long. */
  end(taskId: number, at: number): Promise<void>;
  /** Notifies those whom its response plan names. Called inside a transaction; false: it names nobody. */
  tell(task: Task, step: WaitingStep): Promise<boolean>;
  report(error: unknown): void;
}

/** ms */
const TICK = 1_000;
/** ms that other stations wait for the station of a task to send its notices. */
const OTHERS_WAIT = 60_000;

/** Tasks without units: they enter the queue at their time, and rise (README rules W1 to W6). */
export class WaitingTasks {
  readonly #options: WaitingTasksOptions;
  readonly #tasks: Records<Task>;
  /** When the next step of a waiting task is due, epoch ms. */
  readonly #nextAt = new Map<number, number>();
  /** Tasks with a raised step, and the time of the last one. */
  readonly #raised = new Map<number, number>();
  readonly #stops: (() => void)[];
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;

  /** @param raised tasks with raised steps, so that the steps can end */
  constructor(options: WaitingTasksOptions, raised: Iterable<number> = []) {
    this.#options = options;
    this.#tasks = options.store.records('tasks');
    for (const taskId of raised) this.#raised.set(taskId, 0);
    this.#readTasks();
    const timer = setInterval(() => this.#tick(), TICK);
    timer.unref();
    this.#stops = [
      () => clearInterval(timer),
      this.#tasks.watch((changes) => {
        for (const { record, deleted } of changes) this.#note(record, deleted);
      }),
      options.rules.onChange(() => this.#readTasks()),
    ];
  }

  /** Raises the steps that are due. A timer calls it. */
  async check(): Promise<void> {
    const { store, now } = this.#options;
    // A standby raises nothing; it catches up when it leads.
    if (store.readOnly !== undefined) return;
    const at = now();
    for (const [taskId, nextAt] of this.#nextAt) {
      if (nextAt > at) continue;
      const task = this.#tasks.get(taskId);
      if (task && waits(task)) await this.#pass(task, at);
      else await this.#end(taskId, task?.updatedAt ?? at);
    }
  }

  /** Somebody acknowledged the steps of the task up to then. */
  async acknowledge(taskId: number, at: number): Promise<void> {
    const task = this.#tasks.get(taskId);
    if (!task || (task.riseSeenAt ?? 0) >= at) return;
    await this.#tasks.change(taskId, (known) => ((known.riseSeenAt ?? 0) >= at ? known : { ...known, riseSeenAt: at }));
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#running;
  }

  async #pass(task: Task, at: number): Promise<void> {
    const steps = this.#stepsOf(task).filter(({ since }) => since <= at);
    const last = steps.at(-1);
    const known = this.#raised.get(task.id) ?? -1;
    if (!last) {
      // It was moved to a later time, or its priority fell.
      await this.#end(task.id, at);
    } else if (last.since > known) {
      this.#raised.set(task.id, last.since);
      // After an absence of the station old steps are not announced.
      if (at - last.since <= ALERT_WITHIN) await this.#options.raise(task, last);
    }
    if (last && last.level > 0) await this.#tell(task, last, at);
    this.#plan(task, at);
  }

  /** In the transaction that notes it in the task, so that a restart sends nothing twice. */
  async #tell(task: Task, step: WaitingStep, at: number): Promise<void> {
    const { store, tell } = this.#options;
    if ((task.riseToldAt ?? 0) >= step.since || at < this.#tellAt(task, step.since)) return;
    if (at - step.since > ALERT_WITHIN) return;
    await store.transaction(async () => {
      if (!(await tell(task, step))) return;
      await this.#tasks.change(task.id, (known) =>
        (known.riseToldAt ?? 0) >= step.since ? known : { ...known, riseToldAt: step.since },
      );
    });
  }

  #tellAt(task: Task, since: number): number {
    const isHome = Math.floor(task.id / ID_SPACE) === this.#options.store.stationNumber;
    return since + (isHome ? 0 : OTHERS_WAIT);
  }

  async #end(taskId: number, at: number): Promise<void> {
    this.#nextAt.delete(taskId);
    if (this.#raised.delete(taskId)) await this.#options.end(taskId, at);
  }

  #stepsOf(task: Task): WaitingStep[] {
    const rules = this.#options.rules.of(task.organizationId);
    const rises = risesAt(task, this.#options.priorityOf(task), rules);
    const entry = isScheduled(task, rules) ? [{ level: 0, since: entersAt(task, rules) }] : [];
    return [...entry, ...rises.map((since, index) => ({ level: index + 1, since }))];
  }

  #note(task: Task, deleted: boolean): void {
    if (!deleted && waits(task)) return this.#plan(task, 0);
    // It no longer waits: the next look ends its steps.
    if (this.#raised.has(task.id)) this.#nextAt.set(task.id, 0);
    else this.#nextAt.delete(task.id);
  }

  /** @param after steps up to then are not repeated */
  #plan(task: Task, after: number): void {
    const steps = this.#stepsOf(task);
    const times = steps.flatMap(({ level, since }) => (level > 0 ? [since, this.#tellAt(task, since)] : [since]));
    // A raised step may have to end now.
    if (this.#raised.has(task.id) && after === 0) times.push(0);
    const next = Math.min(...times.filter((time) => time > after || after === 0));
    if (next === Infinity) this.#nextAt.delete(task.id);
    else this.#nextAt.set(task.id, next);
  }

  #readTasks(): void {
    const { store } = this.#options;
    this.#nextAt.clear();
    // A damaged record must not keep the station from starting.
    const waiting = store.sql
      .prepare(
        `SELECT data FROM ${store.table('tasks')} WHERE deleted = 0 AND isDeleted = 0 AND archived = 0 AND status = ${NEW} AND json_valid(data)`,
      )
      .iterate();
    for (const row of waiting) this.#note(JSON.parse(String(row['data'])) as Task, false);
    // Of those that the list does not name, somebody took care.
    for (const taskId of this.#raised.keys()) if (!this.#nextAt.has(taskId)) this.#nextAt.set(taskId, 0);
  }

  #tick(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#running = this.check()
      .catch((error: unknown) => this.#options.report(error))
      .finally(() => (this.#isRunning = false));
  }
}
