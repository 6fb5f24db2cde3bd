import type { CrewDuty, Shift } from '../records/index.ts';

type Running = Pick<Shift, 'organizationId' | 'everywhere' | 'begun' | 'ended' | 'isDeleted'>;

export function isRunning({ ended, isDeleted }: Pick<Shift, 'ended' | 'isDeleted'>): boolean {
  return !ended && !isDeleted;
}

export function isOnDuty({ until, isDeleted }: Pick<CrewDuty, 'until' | 'isDeleted'>): boolean {
  return until === 0 && !isDeleted;
}

/** The vehicles on which a user is on duty, by id. */
export function ownVehicleIds(
  duties: Iterable<Pick<CrewDuty, 'until' | 'isDeleted' | 'vehicleId' | 'userIds'>>,
  userId: number,
): number[] {
  const ids = new Set<number>();
  for (const duty of duties)
    if (duty.vehicleId !== 0 && isOnDuty(duty) && duty.userIds.includes(userId)) ids.add(duty.vehicleId);
  return [...ids].sort((one, other) => one - other);
}

export function coversOrganization(
  shift: Pick<Shift, 'organizationId' | 'everywhere'>,
  organizationId: number,
): boolean {
  return shift.everywhere || shift.organizationId === organizationId;
}

/** The shift of an organization. Stations that were apart may have begun two: the earlier one counts. */
export function runningShift<S extends Running>(shifts: Iterable<S>, organizationId: number): S | undefined {
  let found: S | undefined;
  for (const shift of shifts)
    if (coversOrganization(shift, organizationId) && isRunning(shift) && (!found || shift.begun.at < found.begun.at))
      found = shift;
  return found;
}

/**
 * Whether a vehicle is out of the shift: its own organization began one that runs, and nobody is on duty on it.
 * Without such a shift every vehicle may be sent: a shift of all organizations takes none away from those that begin
 * none themselves.
 */
export function isOffShift(
  vehicle: { readonly id: number; readonly organizationId: number },
  shifts: Iterable<Running>,
  onDuty: ReadonlySet<number>,
): boolean {
  if (onDuty.has(vehicle.id)) return false;
  for (const shift of shifts) if (shift.organizationId === vehicle.organizationId && isRunning(shift)) return true;
  return false;
}

/** Result of the last roll call of the shift; undefined: not answered yet, or nobody called. */
export function rollOf(
  duty: Pick<CrewDuty, 'roll'>,
  shift: Pick<Shift, 'rollCall'> | undefined,
): 'present' | 'missing' | undefined {
  const called = shift?.rollCall;
  if (!called || !duty.roll || duty.roll.at < called.at) return undefined;
  return duty.roll.present ? 'present' : 'missing';
}
