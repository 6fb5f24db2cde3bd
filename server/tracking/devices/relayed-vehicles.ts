import type { Store } from '../../store/types.ts';

/** Vehicles whose devices spoke last through another server, each with the id that it has there. */
export class RelayedVehicles {
  readonly #store: Store;
  readonly #devices: Map<number, string>;

  private constructor(store: Store, devices: Map<number, string>) {
    this.#store = store;
    this.#devices = devices;
  }

  static async open(store: Store): Promise<RelayedVehicles> {
    await store.writePlain((sql) =>
      sql.exec('CREATE TABLE IF NOT EXISTS relayed_vehicles (vehicle_id INTEGER PRIMARY KEY, device TEXT NOT NULL)'),
    );
    const rows = store.sql.prepare('SELECT vehicle_id, device FROM relayed_vehicles').all();
    return new RelayedVehicles(store, new Map(rows.map((row) => [Number(row['vehicle_id']), String(row['device'])])));
  }

  get(vehicleId: number): string | undefined {
    return this.#devices.get(vehicleId);
  }

  /** Writes only what is new: this is asked with each position. */
  async add(vehicleId: number, device: string): Promise<boolean> {
    if (this.#devices.get(vehicleId) === device) return false;
    this.#devices.set(vehicleId, device);
    await this.#store.writePlain((sql) =>
      sql.prepare('INSERT OR REPLACE INTO relayed_vehicles (vehicle_id, device) VALUES (?, ?)').run(vehicleId, device),
    );
    return true;
  }

  async remove(vehicleId: number): Promise<void> {
    if (!this.#devices.delete(vehicleId)) return;
    await this.#store.writePlain((sql) =>
      sql.prepare('DELETE FROM relayed_vehicles WHERE vehicle_id = ?').run(vehicleId),
    );
  }
}
