import type { StoredUnit, Task } from '../records/index.ts';
import { ASSIGNED, DONE, NEW } from './status.ts';
import { isOpenTask, settled, storedUnits, type TaskWithUnits } from './units.ts';

/** The fields of a task that merging duplicates depends on. Rules M1 to M7 of the README of tasks. */
export type MergeableTask = TaskWithUnits &
  Pick<Task, 'id' | 'mergedInto' | 'updatedAt' | 'assignedUserId' | 'assignedOrganizationId'>;

type Find<T> = (id: number) => T | undefined;

/** Is it closed as a duplicate of another one? Who opens it again takes that back. */
export function isMerged({ mergedInto = 0, status }: Pick<Task, 'mergedInto' | 'status'>): boolean {
  return mergedInto !== 0 && status === DONE;
}

/** The task that this one became part of in the end; itself where it was not merged, or the target is not known. */
export function rootOf(id: number, find: Find<Pick<Task, 'id' | 'mergedInto' | 'status'>>): number {
  const way: number[] = [];
  for (let at = id; ;) {
    const task = find(at);
    if (!task || !isMerged(task) || !find(task.mergedInto!)) return at;
    const loop = way.indexOf(at);
    if (loop >= 0) return Math.min(...way.slice(loop));
    way.push(at);
    at = task.mergedInto!;
  }
}

/**
 * The tasks that have to change to agree again after merges of records (M3 to M6). Depends only on the tasks,
 * never on the clock, so that stations which know the same tasks write the same.
 */
export function settleMerged<T extends MergeableTask>(tasks: Iterable<T>): T[] {
  const before = new Map([...tasks].map((task) => [task.id, task]));
  const now = new Map(before);
  const find = (id: number) => now.get(id);
  const ids = [...now.keys()].sort((a, b) => a - b);
  for (const id of ids) {
    const task = now.get(id)!;
    if (task.status !== DONE && (task.mergedInto ?? 0) !== 0) now.set(id, { ...task, mergedInto: 0 });
    else if (isMerged(task) && find(task.mergedInto!) && rootOf(id, find) === id) now.set(id, reopened(id, now));
  }
  for (const id of ids)
    for (const [key, unit] of Object.entries(storedUnits(now.get(id)!))) {
      const home = rootOf(unit.fromTaskId || id, find);
      if (unit.clearAt === 0 && home !== id && now.has(home)) move(now, id, key, home);
    }
  return ids.map((id) => now.get(id)!).filter((task) => task !== before.get(task.id));
}

/** Two stations merged tasks into each other: the one with the lowest id stays, as open as the others were. */
function reopened<T extends MergeableTask>(id: number, tasks: ReadonlyMap<number, T>): T {
  const circle = [tasks.get(id)!];
  for (let at = circle[0]!.mergedInto!; at !== id; at = tasks.get(at)!.mergedInto!) circle.push(tasks.get(at)!);
  return {
    ...circle[0]!,
    mergedInto: 0,
    status: isAssigned(circle[0]!) ? ASSIGNED : NEW,
    statusSince: Math.max(...circle.map(({ statusSince }) => statusSince)),
    updatedAt: Math.max(...circle.map(({ updatedAt }) => updatedAt)),
  };
}

/** A unit continues at the task that its own became part of, or returns to the one it was sent to, with its times. */
function move<T extends MergeableTask>(tasks: Map<number, T>, from: number, key: string, to: number): void {
  const [left, home] = [tasks.get(from)!, tasks.get(to)!];
  const entry = storedUnits(left)[key]!;
  const isCopy = !!entry.fromTaskId;
  const clearAt = isCopy ? latestOf(entry) : Math.max(latestOf(entry), left.statusSince);
  const units = { ...storedUnits(left), [key]: { ...entry, clearAt } };
  const lead = left.assignedVehicleId === entry.vehicleId ? 0 : left.assignedVehicleId;
  tasks.set(from, settled({ ...left, units, assignedVehicleId: lead }));
  if (!isOpenTask(home)) return;
  const next = settled({ ...home, units: withMoved(home, entry, entry.fromTaskId || from) });
  const status = next.status === NEW ? ASSIGNED : next.status;
  const statusSince = status === next.status ? next.statusSince : Math.max(next.statusSince, left.statusSince);
  tasks.set(to, { ...next, status, statusSince });
}

function withMoved<T extends MergeableTask>(home: T, entry: StoredUnit, origin: number): NonNullable<T['units']> {
  const units = storedUnits(home);
  const there = Object.entries(units).find(([, unit]) => unit.vehicleId === entry.vehicleId && unit.clearAt === 0);
  if (there) return { ...units, [there[0]]: joined(there[1], entry) };
  const own = Object.entries(units).find(
    ([, unit]) => !unit.fromTaskId && unit.vehicleId === entry.vehicleId && unit.sentAt === entry.sentAt,
  );
  if (home.id === origin && own) return { ...units, [own[0]]: { ...entry, fromTaskId: 0 } };
  // One key at all stations, so that two that move it make one entry.
  return { ...units, [`${entry.vehicleId}-of-${origin}`]: { ...entry, fromTaskId: home.id === origin ? 0 : origin } };
}

/** It is on both tasks: its sending at home counts, with later reports at the other task. */
function joined(home: StoredUnit, other: StoredUnit): StoredUnit {
  const timeOf = (field: 'acknowledgedAt' | 'enRouteAt' | 'onSceneAt') =>
    home[field] || (other[field] >= home.sentAt ? other[field] : 0);
  const isLater = other.statusSince > home.statusSince;
  return {
    ...home,
    acknowledgedAt: timeOf('acknowledgedAt'),
    enRouteAt: timeOf('enRouteAt'),
    onSceneAt: timeOf('onSceneAt'),
    status: isLater ? other.status : home.status,
    statusSince: Math.max(home.statusSince, other.statusSince),
  };
}

/** The open task after it was merged; `settleMerged` then moves its units. */
export function withMerge<T extends MergeableTask>(task: T, into: number, now: number): T {
  const statusSince = task.status === DONE ? task.statusSince : now;
  return { ...task, mergedInto: into, status: DONE, statusSince, updatedAt: Math.max(now, task.updatedAt) };
}

/** The task after its merge was taken back. @param status the one that it had before, or none that is known */
export function withoutMerge<T extends MergeableTask>(task: T, status: number | undefined, now: number): T {
  const open = status === undefined || status === DONE ? (isAssigned(task) ? ASSIGNED : NEW) : status;
  return { ...task, mergedInto: 0, status: open, statusSince: now, updatedAt: Math.max(now, task.updatedAt) };
}

export function isAssigned(
  task: Pick<Task, 'assignedVehicleId' | 'assignedUserId' | 'assignedOrganizationId'>,
): boolean {
  return task.assignedVehicleId !== 0 || task.assignedUserId !== 0 || task.assignedOrganizationId !== 0;
}

function latestOf({ sentAt, acknowledgedAt, enRouteAt, onSceneAt }: StoredUnit): number {
  return Math.max(sentAt, acknowledgedAt, enRouteAt, onSceneAt);
}
