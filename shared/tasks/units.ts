import type { StoredUnit, Task } from '../records/index.ts';
import { partsOf, valueOfParts } from '../merge/parts.ts';
import { ACKNOWLEDGED, AT_BASE, AT_HOSPITAL, EN_ROUTE, FREE, ON_SCENE, PATIENT_LOADED } from '../fleet/unit-status.ts';
import { ASSIGNED, DONE } from './status.ts';

/** The fields of a task that its units depend on. */
export type TaskWithUnits = Pick<
  Task,
  'assignedVehicleId' | 'units' | 'status' | 'statusSince' | 'archived' | 'isDeleted'
>;

type Units = NonNullable<Task['units']>;

/**
 * ms after a step within which its opposite undoes it: a unit that is released so soon after it was sent was
 * never sent, and one that is sent again so soon after its release continues unchanged.
 */
export const TAKE_BACK = 15_000;

/**
 * The units of a task, in the order in which they were sent, released ones too. A lead without an entry was sent by a
 * program that knows no units: it counts as sent when the status of the task last changed.
 */
export function unitsOf(task: TaskWithUnits): StoredUnit[] {
  return [...Object.values(task.units ?? {}), ...leadWithoutEntry(task)]
    .map(inOrder)
    .filter((unit, _, all) => !isTakenBack(unit) && !isSentAgain(unit, all))
    .sort(bySending);
}

/** A lead whose only entry after a merge is released is no unit: somebody released it. */
function leadWithoutEntry(task: TaskWithUnits): StoredUnit[] {
  const { assignedVehicleId: lead, statusSince } = task;
  if (lead === 0 || !isOpenTask(task)) return [];
  const isKnown = Object.values(task.units ?? {}).some(({ vehicleId }) => vehicleId === lead);
  return isKnown ? [] : [newUnit(lead, '', FREE, statusSince)];
}

/** Two stations sent it while apart, one of them again after a release: the earlier sending counts. */
function isSentAgain(unit: StoredUnit, all: readonly StoredUnit[]): boolean {
  if (unit.clearAt > 0) return false;
  const [first] = all.filter(({ vehicleId, clearAt }) => vehicleId === unit.vehicleId && clearAt === 0).sort(bySending);
  return first !== unit;
}

/** The units that are on the task now, the one sent first in front. */
export function activeUnits(task: TaskWithUnits): StoredUnit[] {
  return unitsOf(task).filter((unit) => unit.clearAt === 0);
}

export function activeUnit(task: TaskWithUnits, vehicleId: number): StoredUnit | undefined {
  return activeUnits(task).find((unit) => unit.vehicleId === vehicleId);
}

/** A vehicle with the status that its crew had before. */
export interface DispatchedVehicle {
  readonly id: number;
  readonly status: number;
}

/**
 * The task with these vehicles on it. A vehicle that is already a unit stays unchanged; the first one leads
 * if nobody did.
 */
export function withUnits<T extends TaskWithUnits>(
  task: T,
  vehicles: readonly DispatchedVehicle[],
  role: string,
  now: number,
): T {
  const units = { ...storedUnits(task) };
  for (const { id, status } of vehicles) {
    const last = lastOf(units, id);
    if (last && last.unit.clearAt === 0) continue;
    if (last && now - last.unit.clearAt < TAKE_BACK) units[last.key] = { ...last.unit, clearAt: 0 };
    else units[nextKey(units, id)] = newUnit(id, role, status, now);
  }
  return settled({ ...task, units: canonical(units) });
}

/** The task without a unit: released, or taken back where it was sent a moment ago and did nothing since. */
export function withoutUnit<T extends TaskWithUnits>(task: T, vehicleId: number, now: number): T {
  return settled(unled({ ...task, units: canonical(cleared(storedUnits(task), vehicleId, now)) }, vehicleId));
}

/** The task without a unit whose crew gave it back: it was sent, however soon it answers. */
export function withUnitGivenBack<T extends TaskWithUnits>(task: T, vehicleId: number, now: number): T {
  const units = cleared(storedUnits(task), vehicleId, now, { isUndo: false });
  return settled(unled({ ...task, units: canonical(units) }, vehicleId));
}

/** The task under another lead, which is a unit from now on; 0 releases the lead. The former lead is released. */
export function withLead<T extends TaskWithUnits>(task: T, vehicle: DispatchedVehicle | undefined, now: number): T {
  const former = task.assignedVehicleId;
  if (vehicle?.id === former) return task;
  const left = former === 0 ? storedUnits(task) : canonical(cleared(storedUnits(task), former, now));
  const next = { ...task, units: left, assignedVehicleId: 0 };
  return vehicle ? { ...withUnits(next, [vehicle], '', now), assignedVehicleId: vehicle.id } : settled(next);
}

/** The task under the lead of one of its units. */
export function ledBy<T extends TaskWithUnits>(task: T, vehicleId: number): T {
  return activeUnit(task, vehicleId) ? { ...task, units: storedUnits(task), assignedVehicleId: vehicleId } : task;
}

export function withRole<T extends TaskWithUnits>(task: T, vehicleId: number, role: string): T {
  return changedUnit(task, vehicleId, (unit) => ({ ...unit, role }));
}

/**
 * The task after a report of the crew. A later step implies the earlier ones only where it cannot be without them:
 * who is on scene was on the way, but need not have acknowledged. A crew that is free after it was there is clear; the
 * last one stays until the task is closed or somebody releases it, so that the task is never left without a word.
 */
export function withReport<T extends TaskWithUnits>(task: T, vehicleId: number, status: number, at: number): T {
  const isLast = activeUnits(task).length === 1;
  return changedUnit(task, vehicleId, (unit) => {
    if (at < unit.sentAt || (unit.statusSince === at && unit.status === status)) return unit;
    const next = { ...unit, status, statusSince: Math.max(at, unit.statusSince) };
    if (status === ACKNOWLEDGED) next.acknowledgedAt ||= at;
    if (status === EN_ROUTE) {
      next.acknowledgedAt ||= at;
      next.enRouteAt ||= at;
    }
    if (status === ON_SCENE) next.onSceneAt ||= at;
    if ((status === PATIENT_LOADED || status === AT_HOSPITAL) && next.onSceneAt === 0) next.onSceneAt = at;
    if (isFinished(next) && !isLast) next.clearAt = Math.max(at, latest(next));
    return next;
  });
}

/** The task after a crew that had reported free was sent to another one: it was clear since that report. */
export function withoutFinished<T extends TaskWithUnits>(task: T, vehicleId: number): T {
  return changedUnit(task, vehicleId, (unit) =>
    isFinished(unit) ? { ...unit, clearAt: Math.max(unit.statusSince, latest(unit)) } : unit,
  );
}

/**
 * The task with consistent fields, after any merge or edit by a program without units: a closed task has no
 * unit on it, an open one is led by one of its units, if it has any. Equal tasks become equal.
 */
export function settled<T extends TaskWithUnits>(task: T): T {
  if (!isOpenTask(task)) return closed(task, task.statusSince);
  const active = activeUnits(task);
  const leads = active.some(({ vehicleId }) => vehicleId === task.assignedVehicleId);
  const units = active.every((unit) => isStored(task, unit)) ? task.units : canonical(storedUnits(task));
  const lead = leads ? task.assignedVehicleId : (active[0]?.vehicleId ?? 0);
  return lead === task.assignedVehicleId && units === task.units ? task : { ...task, units, assignedVehicleId: lead };
}

/**
 * The units after a change of the task: closing it releases them, and opening it again takes that back.
 * @param before the task before the change, which is at `now`
 */
export function withUnitsAfter<T extends TaskWithUnits & Pick<Task, 'updatedAt'>>(before: T, after: T, now: number): T {
  if (isOpenTask(before) === isOpenTask(after)) return after;
  if (isOpenTask(before)) return closed({ ...after, units: storedUnits(before) }, now);
  const closedAt = before.status === DONE ? before.statusSince : before.updatedAt;
  const released = after.assignedVehicleId === before.assignedVehicleId ? 0 : before.assignedVehicleId;
  const units = Object.entries(after.units ?? {}).map(([key, unit]): [string, StoredUnit] => [
    key,
    unit.clearAt === closedAt && unit.vehicleId !== released ? { ...unit, clearAt: 0 } : unit,
  ]);
  if (!after.units) return settled(after);
  const back: Units = Object.fromEntries(units);
  const lead = after.assignedVehicleId;
  // A crew that was clear before the task was closed is sent once more.
  if (lead !== 0 && lastOf(back, lead)?.unit.clearAt !== 0) back[nextKey(back, lead)] = newUnit(lead, '', FREE, now);
  return settled({ ...after, units: canonical(back) });
}

function closed<T extends TaskWithUnits>(task: T, at: number): T {
  const units = Object.entries(task.units ?? {});
  if (units.every(([, unit]) => unit.clearAt > 0)) return task;
  const active = activeUnits(task);
  const left = units.map(([key, unit]): [string, StoredUnit] => {
    if (unit.clearAt > 0) return [key, unit];
    const left = isFinished(unit) ? unit.statusSince : at;
    return [
      key,
      { ...unit, clearAt: Math.max(active.some((one) => isSameSending(one, unit)) ? left : 0, latest(unit)) },
    ];
  });
  return { ...task, units: canonical(Object.fromEntries(left)) };
}

/** Can units be on it? */
export function isOpenTask({ status, archived, isDeleted }: Pick<Task, 'status' | 'archived' | 'isDeleted'>): boolean {
  return status !== DONE && !archived && !isDeleted;
}

function isStored(task: TaskWithUnits, unit: StoredUnit): boolean {
  return Object.values(task.units ?? {}).some((stored) => isSameSending(stored, unit));
}

/** The stored units with an entry for a lead that has none. */
export function storedUnits(task: TaskWithUnits): Units {
  const units = { ...task.units };
  for (const unit of activeUnits(task)) if (!isStored(task, unit)) units[nextKey(units, unit.vehicleId)] = unit;
  return units;
}

function changedUnit<T extends TaskWithUnits>(task: T, vehicleId: number, change: (unit: StoredUnit) => StoredUnit): T {
  const units = storedUnits(task);
  const last = lastOf(units, vehicleId);
  if (!last || last.unit.clearAt > 0) return task;
  const next = change(last.unit);
  if (next === last.unit) return task;
  const changed = { ...task, units: canonical({ ...units, [last.key]: next }) };
  return settled(next.clearAt > 0 ? unled(changed, vehicleId) : changed);
}

/** The task without its lead, if that was this vehicle. */
function unled<T extends TaskWithUnits>(task: T, vehicleId: number): T {
  return task.assignedVehicleId === vehicleId ? { ...task, assignedVehicleId: 0 } : task;
}

function cleared(units: Units, vehicleId: number, now: number, { isUndo = true } = {}): Units {
  const last = lastOf(units, vehicleId);
  if (!last || last.unit.clearAt > 0) return units;
  const isJustSent = isUndo && now - last.unit.sentAt < TAKE_BACK && latest(last.unit) === last.unit.sentAt;
  return Object.fromEntries(
    Object.entries(units).map(([key, unit]): [string, StoredUnit] => {
      if (unit.vehicleId !== vehicleId || unit.clearAt > 0) return [key, unit];
      return [key, { ...unit, clearAt: Math.max(isJustSent || key !== last.key ? 0 : now, latest(unit)) }];
    }),
  );
}

/**
 * Was it released as soon as it was sent? The entry stays, since another station may have a report of it that a merge
 * brings.
 */
function isTakenBack(unit: StoredUnit): boolean {
  return unit.clearAt > 0 && unit.clearAt === unit.sentAt;
}

/**
 * A merge may bring a report that is later than the release at another station, or an acknowledgement that is later
 * than the departure.
 */
function inOrder(stored: StoredUnit): StoredUnit {
  const { enRouteAt, acknowledgedAt } = stored;
  const unit = enRouteAt > 0 && acknowledgedAt > enRouteAt ? { ...stored, acknowledgedAt: enRouteAt } : stored;
  return unit.clearAt > 0 && unit.clearAt < latest(unit) ? { ...unit, clearAt: latest(unit) } : unit;
}

/** `inOrder` may have made another object of it. */
function isSameSending(one: StoredUnit, other: StoredUnit): boolean {
  return one.vehicleId === other.vehicleId && one.sentAt === other.sentAt && one.clearAt === other.clearAt;
}

/** The sending of a vehicle that is active, else its last one. */
function lastOf(units: Units, vehicleId: number): { key: string; unit: StoredUnit } | undefined {
  const [last] = Object.entries(units)
    .filter(([, unit]) => unit.vehicleId === vehicleId)
    .sort(([, a], [, b]) => {
      if (a.clearAt === 0 && b.clearAt === 0) return a.sentAt - b.sentAt;
      return Number(b.clearAt === 0) - Number(a.clearAt === 0) || b.sentAt - a.sentAt;
    });
  return last && { key: last[0], unit: last[1] };
}

/** Two stations that send one vehicle to one task while apart give it one key, and so one entry. */
function nextKey(units: Units, vehicleId: number): string {
  for (let number = 1; ; number++) {
    const key = number === 1 ? String(vehicleId) : `${vehicleId}-${number}`;
    if (units[key] === undefined) return key;
  }
}

function newUnit(vehicleId: number, role: string, statusBefore: number, sentAt: number): StoredUnit {
  return {
    vehicleId,
    role,
    sentAt,
    acknowledgedAt: 0,
    enRouteAt: 0,
    onSceneAt: 0,
    clearAt: 0,
    status: EN_ROUTE,
    statusSince: sentAt,
    statusBefore,
  };
}

/** Has its crew reported free after it was there? It is free for other tasks, even while this one is open. */
export function isFinished({ status, onSceneAt }: Pick<StoredUnit, 'status' | 'onSceneAt'>): boolean {
  return (status === FREE || status === AT_BASE) && onSceneAt > 0;
}

/** Whether crews were sent, all have left again, and nobody else has the task. */
export function isLeftByCrews(task: TaskWithUnits & Pick<Task, 'assignedUserId' | 'assignedOrganizationId'>): boolean {
  if (task.status !== ASSIGNED || task.assignedUserId !== 0 || task.assignedOrganizationId !== 0) return false;
  const units = unitsOf(task);
  return units.length > 0 && units.every(({ clearAt }) => clearAt > 0);
}

/** The latest time that an active unit has. */
function latest({ sentAt, acknowledgedAt, enRouteAt, onSceneAt }: StoredUnit): number {
  return Math.max(sentAt, acknowledgedAt, enRouteAt, onSceneAt);
}

function bySending(a: StoredUnit, b: StoredUnit): number {
  return a.sentAt - b.sentAt || a.vehicleId - b.vehicleId;
}

/** As a merge makes it: two stations write the same bytes. */
function canonical(units: Units): Units {
  return valueOfParts(partsOf(units, 'entries'), 'entries') as Units;
}
