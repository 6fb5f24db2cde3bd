import { mayDirectCrews, seesOrganization, type Actor } from '../../../shared/access.ts';
import type { CrewDuty, Pin, Shift, Vehicle } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import {
  coversOrganization,
  isOnDuty,
  isRunning,
  ownVehicleIds,
  runningShift,
} from '../../../shared/shifts/on-duty.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Records, Store } from '../../store/types.ts';
import {
  acceptShift,
  answerRoll,
  beginShift,
  callRoll,
  changeDuty,
  createPin,
  endDuty,
  endShift,
  startDuty,
  tickPin,
  type DutyOrder,
  type PinOrder,
} from './shift.ts';

export interface ShiftsOptions {
  readonly store: Store;
  now(): number;
  /** The vehicles that somebody sees and that can work now, with their drivers. */
  vehiclesOf(by: Actor): readonly Pick<Vehicle, 'id' | 'organizationId' | 'driverIds'>[];
  /** Throw where the actor does not see it; the vehicle's organization. */
  requireVehicle(by: Actor, id: number): number;
  requireDriver(by: Actor, id: number): void;
  requireUser(by: Actor, id: number): void;
}

/** Shifts, who is on duty, and notes for everybody (README rules 6 to 9). */
export class Shifts {
  readonly #options: ShiftsOptions;
  readonly #shifts: Records<Shift>;
  readonly #duties: Records<CrewDuty>;
  readonly #pins: Records<Pin>;
  /** Serializes beginnings, so that two make one. */
  readonly #turns = new Mutex();

  constructor(options: ShiftsOptions) {
    this.#options = options;
    this.#shifts = options.store.kind<Shift>('fleet', 'shift');
    this.#duties = options.store.kind<CrewDuty>('fleet', 'duty');
    this.#pins = options.store.kind<Pin>('fleet', 'pin');
  }

  /** The newest first. */
  list(by: Actor, limit: number): Shift[] {
    return this.#shifts
      .all()
      .filter((shift) => !shift.isDeleted && seesOrganization(by, shift.organizationId))
      .sort((one, other) => other.begun.at - one.begun.at || other.id - one.id)
      .slice(0, limit);
  }

  current(organizationId: number): Shift | undefined {
    return runningShift(this.#shifts.all(), organizationId);
  }

  /** Crews on duty in the organizations that the actor sees. */
  onDuty(by: Actor): CrewDuty[] {
    return this.#duties.all().filter((duty) => isOnDuty(duty) && seesOrganization(by, duty.organizationId));
  }

  /** The vehicles on which the actor is on duty. */
  ownVehicleIds(by: Actor): number[] {
    return ownVehicleIds(this.#duties.all(), by.user.id);
  }

  pins(by: Actor): Pin[] {
    const now = this.#options.now();
    return this.#pins
      .all()
      .filter(
        ({ isDeleted, until, organizationId }) =>
          !isDeleted && (until === null || now < until) && seesOrganization(by, organizationId),
      );
  }

  /** README rule 6. The next shift takes over the notes of the last one. */
  begin(by: Actor, name: string): Promise<Shift> {
    requireMayLead(by);
    const { organizationId } = by.user;
    return this.#turns.run(async () => {
      const running = this.#shifts.all().find((one) => isRunning(one) && one.organizationId === organizationId);
      if (running) throw new Refusal('shifts.running', { name: running.name });
      const now = this.#options.now();
      const shift = await this.#shifts.insert(beginShift(this.#shifts.nextId(), name, by, now));
      const busy = new Set(
        this.#duties
          .all()
          .filter(isOnDuty)
          .map(({ vehicleId }) => vehicleId),
      );
      await this.#duties.insertMany(
        this.#options
          .vehiclesOf(by)
          .filter(({ id }) => !busy.has(id))
          .map(({ id: vehicleId, organizationId: owner, driverIds }) =>
            startDuty(this.#duties.nextId(), { name: '', vehicleId, driverIds, userIds: [] }, owner, now),
          ),
      );
      return shift;
    });
  }

  /** README rule 7. */
  async end(by: Actor, id: number, handover: string): Promise<Shift> {
    const { organizationId, everywhere } = this.#shift(by, id);
    const now = this.#options.now();
    const ended = await this.#shifts.change(id, (shift) => endShift(shift, handover, by.user.id, now));
    const others = this.#shifts.all().filter((one) => isRunning(one) && one.organizationId === organizationId);
    for (const other of others)
      await this.#shifts.change(other.id, (shift) => (shift.ended ? shift : endShift(shift, '', by.user.id, now)));
    const ofShift = (duty: CrewDuty) =>
      isOnDuty(duty) && coversOrganization({ organizationId, everywhere }, duty.organizationId);
    const duties = this.#duties.all().filter(ofShift);
    await this.#duties.changeMany(
      duties.map((duty) => duty.id),
      (duty) => endDuty(duty, now),
    );
    return ended;
  }

  async accept(by: Actor, id: number): Promise<Shift> {
    this.#shift(by, id);
    return this.#shifts.change(id, (shift) => acceptShift(shift, by.user.id, this.#options.now()));
  }

  async callRoll(by: Actor, id: number): Promise<Shift> {
    this.#shift(by, id);
    return this.#shifts.change(id, (shift) => callRoll(shift, by.user.id, this.#options.now()));
  }

  /** Puts people on duty, on a vehicle or at a position. A vehicle that is on duty is refused. */
  startDuty(by: Actor, order: DutyOrder): Promise<CrewDuty> {
    requireMayLead(by);
    const organizationId = this.#requirePeople(by, order) ?? by.user.organizationId;
    return this.#turns.run(async () => {
      const { vehicleId } = order;
      if (vehicleId !== 0 && this.#duties.all().some((duty) => isOnDuty(duty) && duty.vehicleId === vehicleId))
        throw new Refusal('shifts.onDutyAlready', { id: vehicleId });
      return this.#duties.insert(startDuty(this.#duties.nextId(), order, organizationId, this.#options.now()));
    });
  }

  async changeDuty(by: Actor, id: number, order: Partial<Omit<DutyOrder, 'vehicleId'>>): Promise<CrewDuty> {
    this.#duty(by, id);
    this.#requirePeople(by, order);
    return this.#duties.change(id, (duty) => changeDuty(duty, order));
  }

  async endDuty(by: Actor, id: number): Promise<CrewDuty> {
    this.#duty(by, id);
    return this.#duties.change(id, (duty) => endDuty(duty, this.#options.now()));
  }

  async answerRoll(by: Actor, id: number, present: boolean): Promise<CrewDuty> {
    this.#duty(by, id);
    return this.#duties.change(id, (duty) => answerRoll(duty, present, by.user.id, this.#options.now()));
  }

  async pin(by: Actor, order: PinOrder): Promise<Pin> {
    requireMayLead(by);
    const { organizationId, id: userId } = by.user;
    return this.#pins.insert(createPin(this.#pins.nextId(), order, organizationId, userId, this.#options.now()));
  }

  async tick(by: Actor, id: number, done: boolean): Promise<Pin> {
    this.#pin(by, id);
    return this.#pins.change(id, (pin) => tickPin(pin, done, by.user.id, this.#options.now()));
  }

  async takeOff(by: Actor, id: number): Promise<void> {
    this.#pin(by, id);
    await this.#pins.change(id, (pin) => ({ ...pin, isDeleted: true }));
  }

  /** Everything that began or ended in the period, for the log-book. */
  within(by: Actor, from: number, until: number): { shifts: Shift[]; duties: CrewDuty[] } {
    const sees = ({ organizationId, isDeleted }: Shift | CrewDuty) =>
      !isDeleted && seesOrganization(by, organizationId);
    return {
      shifts: this.#shifts
        .all()
        .filter((one) => sees(one) && one.begun.at < until && !(one.ended && one.ended.at < from)),
      duties: this.#duties.all().filter((one) => sees(one) && one.from < until && !(one.until > 0 && one.until < from)),
    };
  }

  #requirePeople(by: Actor, { vehicleId = 0, driverIds = [], userIds = [] }: Partial<DutyOrder>): number | undefined {
    for (const id of driverIds) this.#options.requireDriver(by, id);
    for (const id of userIds) this.#options.requireUser(by, id);
    return vehicleId === 0 ? undefined : this.#options.requireVehicle(by, vehicleId);
  }

  #shift(by: Actor, id: number): Shift {
    return seen(by, this.#shifts.get(id), id, 'shifts.missing');
  }

  #duty(by: Actor, id: number): CrewDuty {
    return seen(by, this.#duties.get(id), id, 'shifts.dutyMissing');
  }

  #pin(by: Actor, id: number): Pin {
    return seen(by, this.#pins.get(id), id, 'shifts.pinMissing');
  }
}

type Missing = 'shifts.missing' | 'shifts.dutyMissing' | 'shifts.pinMissing';

function seen<T extends { readonly organizationId: number; readonly isDeleted: boolean }>(
  by: Actor,
  record: T | undefined,
  id: number,
  missing: Missing,
): T {
  if (!record || record.isDeleted || !seesOrganization(by, record.organizationId)) throw new Refusal(missing, { id });
  requireMayLead(by);
  return record;
}

function requireMayLead(by: Actor): void {
  if (!mayDirectCrews(by)) throw new Refusal('shifts.mayNotLead');
}
