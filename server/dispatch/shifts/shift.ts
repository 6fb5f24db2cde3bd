import type { Actor } from '../../../shared/access.ts';
import type { CrewDuty, Pin, Shift } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Draft } from '../../store/types.ts';

export interface DutyOrder {
  readonly name: string;
  readonly vehicleId: number;
  readonly driverIds: readonly number[];
  readonly userIds: readonly number[];
}

export interface PinOrder {
  readonly text: string;
  readonly until: number | null;
  readonly forNext: boolean;
}

export function beginShift(id: number, name: string, { user, role }: Actor, now: number) {
  const shift: Draft<Shift> = {
    ...{ id, kind: 'shift', name: name.trim(), isDeleted: false, organizationId: user.organizationId },
    everywhere: role.superuser,
    ...{ begun: { at: now, userId: user.id }, ended: null, handover: '', accepted: null, rollCall: null },
  };
  return shift;
}

export function endShift(shift: Shift, handover: string, userId: number, now: number): Shift {
  requireRunning(shift);
  return { ...shift, ended: { at: now, userId }, handover: handover.trim() };
}

/** README rule 8. The first who takes it over has done so. */
export function acceptShift(shift: Shift, userId: number, now: number): Shift {
  if (!shift.ended) throw new Refusal('shifts.running', { name: shift.name });
  return shift.accepted ? shift : { ...shift, accepted: { at: now, userId } };
}

export function callRoll(shift: Shift, userId: number, now: number): Shift {
  requireRunning(shift);
  return { ...shift, rollCall: { at: now, userId } };
}

export function startDuty(id: number, order: DutyOrder, organizationId: number, now: number): Draft<CrewDuty> {
  return {
    ...{ id, kind: 'duty', name: order.name.trim(), isDeleted: false, organizationId },
    ...{ vehicleId: order.vehicleId, driverIds: [...order.driverIds], userIds: [...order.userIds] },
    ...{ from: now, until: 0, roll: null },
  };
}

export function changeDuty(duty: CrewDuty, order: Partial<DutyOrder>): CrewDuty {
  requireOnDuty(duty);
  return {
    ...duty,
    name: order.name?.trim() ?? duty.name,
    driverIds: order.driverIds ? [...order.driverIds] : duty.driverIds,
    userIds: order.userIds ? [...order.userIds] : duty.userIds,
  };
}

export function endDuty(duty: CrewDuty, now: number): CrewDuty {
  return duty.until > 0 ? duty : { ...duty, until: Math.max(now, duty.from) };
}

export function answerRoll(duty: CrewDuty, present: boolean, userId: number, now: number): CrewDuty {
  requireOnDuty(duty);
  return { ...duty, roll: { present, at: now, userId } };
}

export function createPin(id: number, order: PinOrder, organizationId: number, authorId: number, now: number) {
  if (order.until !== null && order.until <= now) throw new Refusal('field.notAhead', { field: 'till' });
  const pin: Draft<Pin> = {
    ...{ id, kind: 'pin', name: '', isDeleted: false, organizationId },
    ...{ text: order.text.trim(), authorId, at: now, until: order.until, forNext: order.forNext, done: null },
  };
  return pin;
}

export function tickPin(pin: Pin, done: boolean, userId: number, now: number): Pin {
  return !!pin.done === done ? pin : { ...pin, done: done ? { at: now, userId } : null };
}

function requireRunning({ ended, name }: Shift): void {
  if (ended) throw new Refusal('shifts.ended', { name });
}

function requireOnDuty({ until, name, id }: CrewDuty): void {
  if (until > 0) throw new Refusal('shifts.dutyEnded', { name: name || String(id) });
}
