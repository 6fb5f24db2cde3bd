import type { CrewDuty, Shift } from '../../../../shared/records/index.ts';
import { isOffShift, isOnDuty, isRunning } from '../../../../shared/shifts/on-duty.ts';
import type { Store } from '../../../store/types.ts';

/** The shifts that run, and the vehicles on which somebody is on duty. It follows commits. */
export class ShiftCrews {
  readonly #shifts = new Map<number, Shift>();
  readonly #duties = new Map<number, number>();
  readonly #stops: (() => void)[];

  constructor(store: Store) {
    const [shifts, duties] = [store.kind<Shift>('fleet', 'shift'), store.kind<CrewDuty>('fleet', 'duty')];
    for (const shift of shifts.all()) this.#noteShift(shift, false);
    for (const duty of duties.all()) this.#noteDuty(duty, false);
    this.#stops = [
      shifts.watch((changes) => changes.forEach(({ record, deleted }) => this.#noteShift(record, deleted))),
      duties.watch((changes) => changes.forEach(({ record, deleted }) => this.#noteDuty(record, deleted))),
    ];
  }

  /** Whether each of these vehicles is out of the shift of its organization. */
  isOff(): (vehicle: { readonly id: number; readonly organizationId: number }) => boolean {
    const onDuty = new Set(this.#duties.values());
    return (vehicle) => isOffShift(vehicle, this.#shifts.values(), onDuty);
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #noteShift(shift: Shift, deleted: boolean): void {
    if (!deleted && isRunning(shift)) this.#shifts.set(shift.id, shift);
    else this.#shifts.delete(shift.id);
  }

  #noteDuty(duty: CrewDuty, deleted: boolean): void {
    if (!deleted && isOnDuty(duty)) this.#duties.set(duty.id, duty.vehicleId);
    else this.#duties.delete(duty.id);
  }
}
