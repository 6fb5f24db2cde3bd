import type { Sensor } from '../../shared/records/index.ts';
import { readSensor, type Readings } from '../../shared/sensors.ts';
import { versionsOf } from '../../shared/versions.ts';
import type { Mirror } from './mirror.ts';

type IgnitionThen = Sensor['versions'][number] & { readonly validTill: number | null };

/** Which vehicles have an ignition sensor, and since when: asked for every record that comes in. */
export class Ignitions {
  readonly #byVehicle = new Map<number, IgnitionThen[]>();
  readonly #sensors: Mirror<Sensor>;

  constructor(sensors: Mirror<Sensor>) {
    this.#sensors = sensors;
    for (const vehicle of new Set([...sensors.values()].map(({ vehicleId }) => vehicleId))) this.#look(vehicle);
    sensors.watch((now, before) => this.#look((now ?? before)!.vehicleId));
  }

  /** Whether the engine ran by what its device said; null: no ignition was connected at that time, or the record does not carry it. */
  on(vehicleId: number, fix: Readings & { readonly time: number }): boolean | null {
    for (const then of this.#byVehicle.get(vehicleId) ?? []) {
      if (fix.time < then.validFrom || (then.validTill !== null && fix.time >= then.validTill)) continue;
      const value = readSensor(then, fix);
      if (value !== undefined) return value !== 0;
    }
    return null;
  }

  #look(vehicle: number): void {
    const ignitions = [...this.#sensors.values()].filter(({ vehicleId }) => vehicleId === vehicle).flatMap((sensor) => versionsOf(sensor)).filter(({ type }) => type === 'ignition');
    if (ignitions.length > 0) this.#byVehicle.set(vehicle, ignitions);
    else this.#byVehicle.delete(vehicle);
  }
}
