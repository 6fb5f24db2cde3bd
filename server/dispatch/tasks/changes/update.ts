import { withoutDirections } from '../../../../shared/text/characters.ts';
import { definedFields } from '../../../../shared/defined-fields.ts';
import type { Capability, Task } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { isMerged } from '../../../../shared/tasks/merged.ts';
import { ASSIGNED, DONE, NEW } from '../../../../shared/tasks/status.ts';
import { activeUnits, isOpenTask, withLead, withUnitsAfter } from '../../../../shared/tasks/units.ts';
import { checkPlace, type TaskPosition } from './place.ts';
import type { References } from './references.ts';

/** Fields to change; a missing field stays. 0 removes an assignee or the category. */
export interface UpdateOrder {
  title?: string | undefined;
  text?: string | undefined;
  typeId?: number | undefined;
  categoryId?: number | undefined;
  status?: number | undefined;
  assignedOrganizationId?: number | undefined;
  assignedUserId?: number | undefined;
  assignedVehicleId?: number | undefined;
  confirmed?: number | undefined;
  confirmedComment?: string | undefined;
  restricted?: boolean | undefined;
  archived?: boolean | undefined;
  notice?: number | undefined;
  /** 0: as its category says. */
  priority?: number | undefined;
  answers?: Task['answers'];
  systemData?: string | undefined;
  address?: string | undefined;
  date?: number | undefined;
  /** Ordinal of the title photo. */
  mainPhoto?: number | null | undefined;
  point?: TaskPosition | null | undefined;
  zoom?: number | null | undefined;
  customValues?: unknown;
}

/**
 * The task after the order; the same object when nothing differs. Assigning a new task sets the status to
 * assigned; removing its last assignee sets it back to new.
 */
export function updateTask<M extends Omit<Task, 'hlc' | 'key'>>(
  task: M,
  order: UpdateOrder,
  references: References,
  now: number,
): M {
  checkReferences(task, order, references);
  const { zoom, point, customValues, assignedVehicleId: lead, ...plain } = order;
  const led = lead === undefined ? task : withLead(task, lead === 0 ? undefined : references.sent(lead), now);
  const next: M = { ...led, ...definedFields(plain) };
  next.title = withoutDirections(next.title).trim();
  if (next.title === '') throw new Refusal('field.empty', { field: 'title' });
  if (point !== undefined)
    next.point = point === null ? null : checkPlace(point, zoom === undefined ? task.point?.zoom : zoom);
  else if (zoom !== undefined && task.point) next.point = checkPlace(task.point, zoom);
  if (customValues !== undefined || next.typeId !== task.typeId)
    next.customValues = references.customValues(next.typeId, customValues, task.customValues);
  if (order.status === undefined && task.status === NEW && gainsAssignee(task, next)) next.status = ASSIGNED;
  if (order.status === undefined && task.status === ASSIGNED && losesLastAssignee(task, next)) next.status = NEW;
  return finished(task, next, now);
}

/** The changed task with its times, and with its units released where it was closed. */
export function finished<M extends Omit<Task, 'hlc' | 'key'>>(task: M, changed: M, now: number): M {
  if (changedFields(task, changed).length === 0) return task;
  const next = { ...changed };
  if (next.status !== task.status) next.statusSince = now;
  // The clock may step back; a later update must not sort before an earlier one.
  next.updatedAt = Math.max(now, task.updatedAt);
  // Its units are at the task that it was merged into; settling the two brings them back.
  if (isMerged(task) && next.status !== DONE) return { ...next, mergedInto: 0 };
  return withUnitsAfter(task, next, now);
}

function checkReferences(
  task: Pick<Task, 'typeId' | 'categoryId' | 'assignedOrganizationId' | 'assignedUserId' | 'assignedVehicleId'>,
  order: UpdateOrder,
  references: References,
): void {
  const isNew = (field: keyof typeof task & keyof UpdateOrder): boolean =>
    order[field] !== undefined && order[field] !== task[field];
  // A value that the task already has stays allowed, even if it was deleted since.
  if (isNew('typeId')) references.require('type', 'news_type_id', order.typeId!);
  if (isNew('categoryId') && order.categoryId) references.require('category', 'category_id', order.categoryId);
  if (isNew('assignedOrganizationId') && order.assignedOrganizationId)
    references.require('organization', 'assigned_organization_id', order.assignedOrganizationId);
  if (isNew('assignedUserId') && order.assignedUserId)
    references.requireAssignable('assigned_user_id', order.assignedUserId);
  if (isNew('assignedVehicleId') && order.assignedVehicleId)
    references.requireVehicle('assigned_car_id', order.assignedVehicleId);
}

const ASSIGNEES = ['assignedOrganizationId', 'assignedUserId', 'assignedVehicleId'] as const;

function gainsAssignee(before: Pick<Task, (typeof ASSIGNEES)[number]>, after: typeof before): boolean {
  return ASSIGNEES.some((field) => after[field] !== 0 && after[field] !== before[field]);
}

function losesLastAssignee(before: Pick<Task, (typeof ASSIGNEES)[number]>, after: typeof before): boolean {
  return ASSIGNEES.some((field) => before[field] !== 0) && ASSIGNEES.every((field) => after[field] === 0);
}

/** The fields that an order may change, each with the capability that it needs. */
const NEEDED: Readonly<Partial<Record<keyof Task, Capability>>> = {
  title: 'edit',
  text: 'edit',
  typeId: 'edit',
  categoryId: 'edit',
  restricted: 'edit',
  notice: 'edit',
  systemData: 'edit',
  address: 'edit',
  date: 'edit',
  point: 'edit',
  mainPhoto: 'edit',
  customValues: 'edit',
  status: 'change_status',
  confirmed: 'confirm',
  confirmedComment: 'confirm',
  assignedOrganizationId: 'assign',
  assignedUserId: 'assign',
  assignedVehicleId: 'assign',
  units: 'assign',
  priority: 'edit',
  answers: 'edit',
  mergedInto: 'change_status',
  linkIds: 'edit',
  archived: 'archive',
  isDeleted: 'delete',
  photos: 'attach',
  videos: 'attach',
  files: 'attach',
  sounds: 'attach',
};

/** Changed fields that appear in the history. Units are compared by vehicle and role. */
export function changedFields(before: Omit<Task, 'hlc' | 'key'>, after: Omit<Task, 'hlc' | 'key'>): (keyof Task)[] {
  return (Object.keys(NEEDED) as (keyof typeof before)[]).filter((field) =>
    field === 'units' ? crewsChanged(before, after) : JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
}

/** The entry of the lead is enough where only the lead changed; so is that of closing. */
function crewsChanged(before: Omit<Task, 'hlc' | 'key'>, after: Omit<Task, 'hlc' | 'key'>): boolean {
  if (isOpenTask(before) !== isOpenTask(after)) return false;
  const [had, has] = [crewsOf(before), crewsOf(after)];
  if (before.assignedVehicleId !== after.assignedVehicleId && had.length < 2 && has.length < 2) return false;
  return JSON.stringify(had) !== JSON.stringify(has);
}

/** Vehicles on the task and their roles, in the order of sending, as the history states them. */
export function crewsOf(task: Omit<Task, 'hlc' | 'key'>): { vehicleId: number; role: string }[] {
  return activeUnits(task).map(({ vehicleId, role }) => ({ vehicleId, role }));
}

/** The capability that a change of this field needs. */
export function capabilityFor(field: string): Capability {
  return NEEDED[field as keyof Task] ?? 'edit';
}

/**
 * The capabilities that a change needs. A status that follows from assigning needs only `assign`; a title
 * photo that follows from attaching needs only `attach`.
 */
export function neededCapabilities(
  before: Omit<Task, 'hlc' | 'key'>,
  after: Omit<Task, 'hlc' | 'key'>,
  order: UpdateOrder,
): Set<Capability> {
  const fields = changedFields(before, after).filter(
    (field) =>
      (field !== 'units' || order.assignedVehicleId !== undefined) &&
      (field !== 'status' || order.status !== undefined) &&
      (field !== 'mainPhoto' || order.mainPhoto !== undefined),
  );
  return new Set(fields.map((field) => NEEDED[field]!));
}
