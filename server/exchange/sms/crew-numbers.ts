import type { CrewDuty, CrewPhone, Driver, Vehicle } from '../../../shared/records/index.ts';
import { Mirror, type Fleet } from '../../dispatch/fleet/index.ts';
import type { Records, Store } from '../../store/types.ts';
import { crewOfNumber, numberOfCrew, type CrewTelephones } from './numbers.ts';
import type { SmsSettings } from './settings.ts';

/** Telephone numbers of the crews of vehicles: the vehicle's own, those of people on duty, those of its drivers. */
export class CrewNumbers {
  readonly #fleet: Fleet;
  readonly #duties: Mirror<CrewDuty>;
  readonly #phones: Records<CrewPhone>;

  constructor(store: Store, fleet: Fleet) {
    this.#fleet = fleet;
    this.#phones = store.kind<CrewPhone>('fleet', 'crewPhone');
    this.#duties = new Mirror(store.kind<CrewDuty>('fleet', 'duty'));
  }

  close(): void {
    this.#duties.close();
  }

  /** The crew's own telephone as it was written; empty: it has none. */
  phoneOf(vehicleId: number): string {
    return this.#phones.get(vehicleId)?.phone ?? '';
  }

  async setPhone({ id, organizationId }: Vehicle, phone: string): Promise<void> {
    const fields = { organizationId, phone };
    if (this.#phones.get(id)) await this.#phones.change(id, (known) => ({ ...known, ...fields }));
    else await this.#phones.insert({ id, kind: 'crewPhone', name: '', isDeleted: false, ...fields });
  }

  /** Where a text for this crew goes; empty: nobody knows a number. */
  of(vehicle: Vehicle, settings: Pick<SmsSettings, 'countryCode' | 'trunkPrefix'>): string {
    return numberOfCrew(this.#peopleOf(vehicle, this.#driversOnDuty()), settings);
  }

  /** The vehicle whose crew writes from this number; undefined: none or several. */
  crewOf(number: string, settings: Pick<SmsSettings, 'countryCode' | 'trunkPrefix'>): Vehicle | undefined {
    const onDuty = this.#driversOnDuty();
    const all = this.#fleet
      .all()
      .filter(({ isDeleted }) => !isDeleted)
      .map((vehicle) => this.#peopleOf(vehicle, onDuty));
    const isOnDuty = (driver: Driver, vehicle: Vehicle) => onDuty.get(vehicle.id)?.includes(driver.id) === true;
    return crewOfNumber(number, all, isOnDuty, settings);
  }

  #peopleOf(vehicle: Vehicle, onDuty: ReadonlyMap<number, readonly number[]>): CrewTelephones {
    const ids = new Set([...(onDuty.get(vehicle.id) ?? []), ...vehicle.driverIds]);
    const drivers = [...ids].flatMap((id) => this.#fleet.drivers.mirror.get(id) ?? []);
    return { vehicle, phone: this.phoneOf(vehicle.id), drivers: drivers.filter(({ isDeleted }) => !isDeleted) };
  }

  /** By vehicle. */
  #driversOnDuty(): Map<number, readonly number[]> {
    const open = [...this.#duties.values()].filter((duty) => !duty.isDeleted && duty.vehicleId > 0 && duty.until === 0);
    return new Map(open.map(({ vehicleId, driverIds }) => [vehicleId, driverIds]));
  }
}
