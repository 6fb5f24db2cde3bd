import type { Actor } from '../../../../shared/access.ts';
import { isOverdue } from '../../../../shared/tasks/deadline.ts';
import { fold } from '../../../../shared/text/fold.ts';
import type { Task, StateRule, TaskType } from '../../../../shared/records/index.ts';
import { concernsPerson } from '../../../../shared/tasks/mentions.ts';
import { matchesStateRule } from '../../../../shared/tasks/state-rules.ts';
import { minuteTime } from '../time/period.ts';

/** Which tasks are shown. Empty lists and texts, `any` and false narrow nothing. */
export interface TaskFilter {
  readonly words: string;
  readonly statuses: readonly number[];
  readonly typeIds: readonly number[];
  /** Groups of types. */
  readonly groupIds: readonly number[];
  readonly categoryIds: readonly number[];
  readonly organizationIds: readonly number[];
  readonly assignedOrganizationIds: readonly number[];
  readonly assigned: Assigned;
  readonly confirmed: readonly number[];
  readonly place: 'any' | 'with' | 'without';
  /** Days, as `2026-11-22`, both included. */
  readonly from: string;
  readonly till: string;
  /**
   * Last changed after, and before: minutes of this machine's zone, as `2026-11-22T14:05`, neither included.
   */
  readonly changedAfter: string;
  readonly changedBefore: string;
  /** States of access rules; one of them is enough. */
  readonly stateIds: readonly number[];
  /** Written by the current user. */
  readonly mine: boolean;
  /** Concerns who looks: see `concernsPerson`. */
  readonly forMe: boolean;
  readonly overdue: boolean;
  /** Assigned and not done: the interface's `onlyAssigned`. */
  readonly underWay: boolean;
}
export const ASSIGNMENTS = ['any', 'nobody', 'vehicle', 'person', 'department', 'me'] as const;
export type Assigned = (typeof ASSIGNMENTS)[number];

export const EVERYTHING: TaskFilter = {
  words: '',
  statuses: [],
  typeIds: [],
  groupIds: [],
  categoryIds: [],
  organizationIds: [],
  assignedOrganizationIds: [],
  assigned: 'any',
  confirmed: [],
  place: 'any',
  from: '',
  till: '',
  changedAfter: '',
  changedBefore: '',
  stateIds: [],
  mine: false,
  forMe: false,
  overdue: false,
  underWay: false,
};

/** The inputs of a filter besides the task: the user, the time and the directories. */
export interface Viewer {
  readonly userId: number;
  readonly organizationId: number;
  /** The vehicles on which they are on duty. */
  readonly vehicleIds: readonly number[];
  readonly now: number;
  typeOf(id: number): TaskType | undefined;
  stateOf(id: number): StateRule | undefined;
  /** Their own record, to which states compare; undefined until it is here, and no state holds. */
  readonly user: Actor['user'] | undefined;
}

/** The filter as one question to a task; asked a hundred thousand times, so it is put together once. */
export function matcher(
  filter: TaskFilter,
  { userId, organizationId, vehicleIds, user, now, typeOf, stateOf }: Viewer,
): (task: Task) => boolean {
  const asks: ((task: Task) => boolean)[] = [];
  const oneOf = (values: readonly number[], of: (task: Task) => number) => {
    if (values.length === 0) return;
    const wanted = new Set(values);
    asks.push((task) => wanted.has(of(task)));
  };
  oneOf(filter.statuses, (task) => task.status);
  oneOf(filter.typeIds, (task) => task.typeId);
  oneOf(filter.groupIds, (task) => typeOf(task.typeId)?.groupId ?? 0);
  oneOf(filter.categoryIds, (task) => task.categoryId);
  oneOf(filter.organizationIds, (task) => task.organizationId);
  oneOf(filter.assignedOrganizationIds, (task) => task.assignedOrganizationId);
  oneOf(filter.confirmed, (task) => task.confirmed);
  const assigned = ASSIGNMENT_ASKS[filter.assigned];
  if (assigned) asks.push((task) => assigned(task, userId));
  if (filter.place !== 'any') asks.push((task) => (task.point !== null) === (filter.place === 'with'));
  const [from, till] = [startOfDay(filter.from), startOfDay(filter.till, 1)];
  if (from !== undefined) asks.push((task) => task.date >= from);
  if (till !== undefined) asks.push((task) => task.date < till);
  const [after, before] = [minuteTime(filter.changedAfter), minuteTime(filter.changedBefore)];
  if (after !== undefined) asks.push((task) => task.updatedAt > after);
  if (before !== undefined) asks.push((task) => task.updatedAt < before);
  if (filter.mine) asks.push((task) => task.authorId === userId);
  if (filter.forMe) asks.push((task) => concernsPerson(task, { id: userId, organizationId, vehicleIds }));
  if (filter.overdue) asks.push((task) => isOverdue(task, typeOf(task.typeId), now));
  if (filter.underWay) asks.push((task) => task.status === 2 || (task.status === 3 && !unassigned(task)));
  if (filter.stateIds.length > 0) {
    const rules = filter.stateIds.flatMap((id) => stateOf(id) ?? []);
    asks.push(
      (task) => user !== undefined && rules.some((rule) => !rule.isDeleted && matchesStateRule(rule, task, user)),
    );
  }
  const words = filterWords(filter.words);
  if (words.length > 0) asks.push((task) => words.every((word) => searchText(task).includes(word)));
  return (task) => {
    for (const ask of asks) if (!ask(task)) return false;
    return true;
  };
}

const ASSIGNMENT_ASKS: Readonly<Record<Assigned, ((task: Task, userId: number) => boolean) | undefined>> = {
  any: undefined,
  nobody: unassigned,
  vehicle: (task) => task.assignedVehicleId !== 0,
  person: (task) => task.assignedUserId !== 0,
  department: (task) => task.assignedOrganizationId !== 0,
  me: (task, userId) => task.assignedUserId === userId,
};

function unassigned(task: Task): boolean {
  return task.assignedVehicleId === 0 && task.assignedUserId === 0 && task.assignedOrganizationId === 0;
}

export function filterWords(text: string): readonly string[] {
  return fold(text).split(/\s+/).filter(Boolean);
}

/** A record is never changed, only replaced, so what it is searched by can be kept with it. */
const searchTexts = new WeakMap<Task, string>();
export function searchText(task: Task): string {
  let text = searchTexts.get(task);
  if (text === undefined) searchTexts.set(task, (text = `${task.id} ${fold(`${task.title} ${task.address}`)}`));
  return text;
}

/**
 * When the day begins here, or the one `later` days after it; by the calendar, since a day may have 23 or 25
 * hours.
 */
export function startOfDay(day: string, later = 0): number | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  return found ? new Date(Number(found[1]), Number(found[2]) - 1, Number(found[3]) + later).getTime() : undefined;
}

/** The parts of a filter that narrow something, except its words, which have their own line. */
export function narrowingParts(filter: TaskFilter): readonly (keyof TaskFilter)[] {
  return (Object.keys(EVERYTHING) as (keyof TaskFilter)[]).filter(
    (part) => part !== 'words' && JSON.stringify(filter[part]) !== JSON.stringify(EVERYTHING[part]),
  );
}

export function sameFilter(one: TaskFilter, other: TaskFilter): boolean {
  return (Object.keys(EVERYTHING) as (keyof TaskFilter)[]).every(
    (part) => JSON.stringify(one[part]) === JSON.stringify(other[part]),
  );
}
