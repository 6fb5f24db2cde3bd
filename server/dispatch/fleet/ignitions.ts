import type { Sensor } from '../../../shared/records/index.ts';
import { readSensor, type Readings } from '../../../shared/fleet/sensors.ts';
import { versionsOf } from '../../../shared/fleet/versions.ts';
import type { Mirror } from './mirror.ts';

type IgnitionThen = Sensor['versions'][number] & { readonly validUntil: number | null };

/** Which vehicles have an ignition sensor, and since when; looked up for every incoming record. */
export class Ignitions {
  readonly #byVehicle = new Map<number, IgnitionThen[]>();
  readonly #sensors: Mirror<Sensor>;

  constructor(sensors: Mirror<Sensor>) {
    this.#sensors = sensors;
    for (const [vehicle, own] of Map.groupBy(sensors.values(), ({ vehicleId }) => vehicleId)) this.#keep(vehicle, own);
    sensors.watch((now, before) => {
      const vehicle = (now ?? before)!.vehicleId;
      this.#keep(
        vehicle,
        [...this.#sensors.values()].filter(({ vehicleId }) => vehicleId === vehicle),
      );
    });
  }

  /**
   * Whether the engine ran by the device's record; null: there was no sensor at that time, or the record does
   * not carry it.
   */
  on(vehicleId: number, fix: Readings & { readonly time: number }): boolean | null {
    for (const then of this.#byVehicle.get(vehicleId) ?? []) {
      if (fix.time < then.validFrom || (then.validUntil !== null && fix.time >= then.validUntil)) continue;
      const value = readSensor(then, fix);
      if (value !== undefined) return value !== 0;
    }
    return null;
  }

  #keep(vehicle: number, sensors: readonly Sensor[]): void {
    const ignitions = sensors.flatMap((sensor) => versionsOf(sensor)).filter(({ type }) => type === 'ignition');
    if (ignitions.length > 0) this.#byVehicle.set(vehicle, ignitions);
    else this.#byVehicle.delete(vehicle);
  }
}
