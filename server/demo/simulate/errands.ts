import type { Errand } from './crew.ts';
import type { StationClient, TaskSeen } from './station-client.ts';

/** Follows the tasks of the station by its replica feed, and knows which vehicle is to go where. */
export class Errands {
  readonly #client: StationClient;
  readonly #byTask = new Map<string, { vehicleId: number; errand: Errand }>();
  #checkpoint: string | number = 0;
  #epoch: string | undefined;

  constructor(client: StationClient) {
    this.#client = client;
  }

  /** Asks what changed. The vehicles whose errands are other ones now. */
  async follow(): Promise<Set<number>> {
    const touched = new Set<number>();
    for (let more = true; more;) {
      const page = await this.#client.tasks(this.#checkpoint, this.#epoch);
      if (page.reset) {
        // The station was restored, or what may be seen of it changed: begin anew.
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
