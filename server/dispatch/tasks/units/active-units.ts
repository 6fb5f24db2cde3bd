import { activeUnits, isOpenTask } from '../../../../shared/tasks/units.ts';
import { DONE } from '../../../../shared/tasks/status.ts';
import type { Task } from '../../../../shared/records/index.ts';
import { Emitter } from '../../../platform/emitter.ts';
import type { Store } from '../../../store/types.ts';

/** Which open tasks each vehicle is a unit of. It follows commits, so that it is right before they are on disk. */
export class ActiveUnits {
  readonly #tasksOf = new Map<number, Set<number>>();
  readonly #vehiclesOf = new Map<number, readonly number[]>();
  readonly #changed = new Emitter<[vehicleIds: ReadonlySet<number>]>();
  readonly #stop: () => void;

  constructor(store: Store) {
    this.#stop = store.records('tasks').watch((changes) => {
      const touched = new Set(changes.flatMap(({ record }) => this.#vehiclesOf.get(record.id) ?? []));
      for (const { record, deleted } of changes) this.#note(record, deleted);
      for (const { record } of changes) for (const id of this.#vehiclesOf.get(record.id) ?? []) touched.add(id);
      if (touched.size > 0) this.#changed.emit(touched);
    });
    // A damaged record must not keep the station from starting.
    const open = store.sql
      .prepare(
        `SELECT data FROM ${store.table('tasks')} WHERE deleted = 0 AND isDeleted = 0 AND status < ${DONE} AND json_valid(data)`,
      )
      .iterate();
    for (const row of open) this.#note(JSON.parse(String(row['data'])) as Task, false);
  }

  /** Ids of the open tasks that the vehicle is a unit of. */
  tasksOf(vehicleId: number): readonly number[] {
    return [...(this.#tasksOf.get(vehicleId) ?? [])];
  }

  /** Every vehicle that is on a task, with the tasks. */
  all(): ReadonlyMap<number, ReadonlySet<number>> {
    return this.#tasksOf;
  }

  /** Calls the listener with the vehicles whose tasks changed: units of them, or former ones. Returns the way out. */
  onChange(listener: (vehicleIds: ReadonlySet<number>) => void): () => void {
    return this.#changed.on(listener);
  }

  close(): void {
    this.#changed.clear();
    this.#stop();
  }

  #note(task: Task, deleted: boolean): void {
    const now = !deleted && isOpenTask(task) ? activeUnits(task).map(({ vehicleId }) => vehicleId) : [];
    for (const vehicleId of this.#vehiclesOf.get(task.id) ?? []) this.#remove(vehicleId, task.id);
    if (now.length === 0) return void this.#vehiclesOf.delete(task.id);
    this.#vehiclesOf.set(task.id, now);
    for (const vehicleId of now) {
      const tasks = this.#tasksOf.get(vehicleId);
      if (tasks) tasks.add(task.id);
      else this.#tasksOf.set(vehicleId, new Set([task.id]));
    }
  }

  #remove(vehicleId: number, taskId: number): void {
    const tasks = this.#tasksOf.get(vehicleId);
    if (tasks?.delete(taskId) && tasks.size === 0) this.#tasksOf.delete(vehicleId);
  }
}
