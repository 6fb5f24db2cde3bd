import type { LastState } from '../../../shared/fleet/last-state.ts';
import type { Vehicle, VehicleModel } from '../../../shared/records/index.ts';

/** The counters of a vehicle from telemetry. */
export interface Ran {
  /** Time of the last record, epoch ms. */
  readonly time: number;
  /** km */
  readonly odometer: number;
  /** Engine hours, times the coefficients of the model. */
  readonly stop: number;
  readonly move: number;
}

/**
 * Engine hours weighted by the coefficients of the model (`engineHoursStop`, `engineHoursMove`); without a
 * coefficient 1.
 */
export function ran(
  state: LastState | undefined,
  model: Pick<VehicleModel, 'engineHoursStop' | 'engineHoursMove'> | undefined,
): Ran {
  const hours = (seconds: number, coefficient: number | null | undefined) => (seconds / 3600) * (coefficient ?? 1);
  return {
    time: state?.time ?? 0,
    odometer: state?.odometer ?? 0,
    stop: hours(state?.engineStop ?? 0, model?.engineHoursStop),
    move: hours(state?.engineMove ?? 0, model?.engineHoursMove),
  };
}

/** km until maintenance is due, negative when overdue, to the metre, or null is planned. */
export function kmNextTo(
  { serviceOdometer }: Pick<Vehicle, 'serviceOdometer'>,
  { odometer }: Pick<Ran, 'odometer'>,
): number | null {
  return serviceOdometer === null ? null : thousandths(serviceOdometer - odometer);
}

/** Current engine hours. */
export function engineHours(
  { engineHours: before }: Pick<Vehicle, 'engineHours'>,
  { stop, move }: Pick<Ran, 'stop' | 'move'>,
): { stop: number; move: number } {
  return { stop: thousandths(before.stop + stop), move: thousandths(before.move + move) };
}

/**
 * The hours before telemetry, chosen so that the current ones match the order. A vehicle sent back whole has
 * the hours of the time when it was read: an increase that this time explains is no change.
 */
export function hoursBefore(
  vehicle: Pick<Vehicle, 'engineHours'>,
  requested: { stop?: number | undefined; move?: number | undefined; knownAt: number | undefined },
  now: Ran,
): Vehicle['engineHours'] {
  const shown = engineHours(vehicle, now);
  const before = (part: 'stop' | 'move'): number => {
    const wanted = requested[part];
    if (wanted === undefined) return vehicle.engineHours[part];
    const since = requested.knownAt === undefined ? 0 : Math.max(0, now.time - requested.knownAt) / 3_600_000;
    const grown = shown[part] - wanted;
    // Coefficients are small; twice the time covers them and the rounding.
    return grown >= 0 && grown <= since * 2 + 0.0005 ? vehicle.engineHours[part] : wanted - now[part];
  };
  return { stop: before('stop'), move: before('move') };
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
