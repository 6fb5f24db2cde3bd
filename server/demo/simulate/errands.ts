import type { Errand } from './crew.ts';
import type { StationClient, TaskSeen } from './station-client.ts';

/** Follows the tasks of the station by its replica feed, and knows the tasks of each vehicle. */
export class Errands {
  readonly #client: StationClient;
  readonly #byTask = new Map<string, { vehicleId: number; errand: Errand }>();
  #checkpoint: string | number = 0;
  #epoch: string | undefined;

  constructor(client: StationClient) {
    this.#client = client;
  }

  /** Reads the changes. Returns the vehicles whose tasks changed. */
  async follow(): Promise<Set<number>> {
    const touched = new Set<number>();
    for (let more = true; more;) {
      const page = await this.#client.tasks(this.#checkpoint, this.#epoch);
      if (page.reset) {
        // The station was restored, or visibility changed: start again.
        for (const { vehicleId } of this.#byTask.values()) touched.add(vehicleId);
        this.#byTask.clear();
      }
      this.#epoch = page.epoch;
      this.#checkpoint = page.reset ? 0 : page.checkpoint;
      for (const task of page.documents) this.#learn(task, touched);
      more = page.more;
    }
    return touched;
  }

  of(vehicleId: number): Errand[] {
    return [...this.#byTask.values()].filter((entry) => entry.vehicleId === vehicleId).map((entry) => entry.errand);
  }

  #learn(task: TaskSeen, touched: Set<number>): void {
    const before = this.#byTask.get(task.key);
    const open =
      !task._deleted &&
      !task.isDeleted &&
      !task.archived &&
      task.status <= 2 &&
      task.assignedVehicleId !== 0 &&
      task.point;
    if (before) touched.add(before.vehicleId);
    if (!open || !task.point) {
      this.#byTask.delete(task.key);
      return;
    }
    touched.add(task.assignedVehicleId);
    this.#byTask.set(task.key, {
      vehicleId: task.assignedVehicleId,
      errand: { taskId: task.id, place: { lat: task.point.lat, lon: task.point.lon }, since: task.statusSince },
    });
  }
}
