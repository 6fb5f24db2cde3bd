import { millisecondsOf } from '../../../../shared/merge/stamps.ts';
import type { HistoryEntry, StoredUnit, Task } from '../../../../shared/records/index.ts';
import { ACKNOWLEDGED, EN_ROUTE, ON_SCENE } from '../../../../shared/fleet/unit-status.ts';
import { DONE } from '../../../../shared/tasks/status.ts';
import { activeUnits, isFinished, isOpenTask, unitsOf } from '../../../../shared/tasks/units.ts';

/** Later states of a task and of the duplicates that were merged into it. */
export interface TaskStory {
  readonly task: Task;
  /** In the form of today (`oneByOne`). */
  readonly history: readonly HistoryEntry[];
  /** Was the task that a unit came from a duplicate then? */
  wasMerged(taskId: number): boolean;
}

const CUSTOM = 'customValues.';

/**
 * The task as it stood on the board at a time, by rules P1 to P4 of the README; undefined: it was not there, or
 * not open.
 */
export function taskAt({ task, history, wasMerged }: TaskStory, at: number): Task | undefined {
  const created = createdAt(task, history);
  if (created > at) return undefined;
  const values = new FieldsAt(history, at);
  const past: Record<string, unknown> = { ...task, customValues: { ...task.customValues } };
  for (const field of values.fields()) {
    if (field === 'units') continue;
    if (field.startsWith(CUSTOM))
      setCustomValue(past['customValues'] as Task['customValues'], field.slice(CUSTOM.length), values.of(field));
    else setField(past, field, values.of(field));
  }
  const before = past as Task;
  if (!isOpenTask(before)) return undefined;
  const units = task.units && unitsAt(withLastCrews(task.units, values), at, wasMerged, values.of('units'));
  const now: Task = {
    ...before,
    statusSince:
      values.changedAt('status') ?? (values.changesLater('status') ? created : Math.min(task.statusSince, at)),
    updatedAt: values.lastChange() ?? created,
    ...(units ? { units } : {}),
  };
  // Its units may have lost the lead without a change of the history: when a crew was clear, or by a merge.
  const noted = values.of('assignedVehicleId');
  if (noted === undefined) return { ...now, assignedVehicleId: leadOf(now, task.assignedVehicleId, at) };
  return { ...now, assignedVehicleId: leadOf(now, noted, values.changedAt('assignedVehicleId') ?? created) };
}

/** ms; a change that is so much older than the record was noted elsewhere, and did not come by another clock. */
const BROUGHT = 60_000;

/**
 * The stamp of the first edit; 0: every station has it from the beginning. A task with changes from before that stamp
 * was brought here with its story, which begins with its call.
 */
function createdAt({ hlc, date, statusSince, updatedAt }: Task, history: readonly HistoryEntry[]): number {
  const written = millisecondsOf(hlc.base);
  const earliest = history.reduce((least, { at }) => Math.min(least, at), Math.min(statusSince, updatedAt));
  if (earliest >= written - BROUGHT) return written;
  const dates = history.filter(({ field }) => field === 'date').sort((a, b) => a.at - b.at || a.id - b.id);
  const called = dates[0]?.from ?? date;
  return typeof called === 'number' ? Math.min(called, earliest) : earliest;
}

/** Was the task a duplicate at a time? */
export function wasMergedAt(task: Pick<Task, 'mergedInto'>, history: readonly HistoryEntry[], at: number): boolean {
  const values = new FieldsAt(history, at);
  return Boolean(values.changesLater('mergedInto') ? values.of('mergedInto') : task.mergedInto);
}

/** The values of fields at a time, from the changes before and after it. Fields without a later change are as now. */
class FieldsAt {
  readonly #entries: ReadonlyMap<string, readonly HistoryEntry[]>;
  readonly #at: number;

  constructor(history: readonly HistoryEntry[], at: number) {
    const ordered = [...history].sort((a, b) => a.at - b.at || a.id - b.id);
    this.#entries = Map.groupBy(ordered, ({ field }) => field);
    this.#at = at;
  }

  /** The fields that changed since. */
  fields(): string[] {
    return [...this.#entries.keys()].filter((field) => this.changesLater(field));
  }

  of(field: string): unknown {
    const entries = this.#entries.get(field) ?? [];
    const last = entries.findLast(({ at }) => at <= this.#at);
    return last ? last.to : entries[0]?.from;
  }

  /** Changes of a field after a time, up to the moment. */
  since(field: string, time: number): readonly HistoryEntry[] {
    return (this.#entries.get(field) ?? []).filter(({ at }) => at > time && at <= this.#at);
  }

  isPast(time: number): boolean {
    return time <= this.#at;
  }

  changesLater(field: string): boolean {
    return (this.#entries.get(field)?.at(-1)?.at ?? -Infinity) > this.#at;
  }

  /** When it got the value that it had then. */
  changedAt(field: string): number | undefined {
    return this.#entries.get(field)?.findLast(({ at }) => at <= this.#at)?.at;
  }

  lastChange(): number | undefined {
    const times = [...this.#entries.keys()].flatMap((field) => this.changedAt(field) ?? []);
    return times.length === 0 ? undefined : Math.max(...times);
  }
}

/** The history says null of an optional field that was missing. */
function setField(task: Record<string, unknown>, field: string, value: unknown): void {
  if (value === null && field !== 'point' && field !== 'mainPhoto') delete task[field];
  else task[field] = value;
}

function setCustomValue(values: Task['customValues'], id: string, value: unknown): void {
  if (value === null || value === undefined) delete values[id];
  else values[id] = value;
}

/** Rule P3: the units that had been sent, each as far as it had come. */
function unitsAt(
  units: NonNullable<Task['units']>,
  at: number,
  wasMerged: TaskStory['wasMerged'],
  crews: unknown,
): NonNullable<Task['units']> {
  const roles = new Map(
    (Array.isArray(crews) ? (crews as { vehicleId: number; role?: string }[]) : []).map(({ vehicleId, role }) => [
      vehicleId,
      role ?? '',
    ]),
  );
  return Object.fromEntries(
    Object.entries(units).flatMap(([key, unit]) => {
      if (unit.sentAt > at) return [];
      if (unit.fromTaskId && !wasMerged(unit.fromTaskId)) return [];
      return [[key, unitAt(unit, at, roles.get(unit.vehicleId))]];
    }),
  );
}

/**
 * The last crew stays on an open task when it is free. Closing the task, or sending the crew elsewhere, writes the
 * earlier time of its report. Until then it was there: it has no such time here.
 */
function withLastCrews(units: NonNullable<Task['units']>, values: FieldsAt): NonNullable<Task['units']> {
  const all = Object.values(units);
  return Object.fromEntries(
    Object.entries(units).map(([key, unit]) => [key, stayed(unit, all, values) ? { ...unit, clearAt: 0 } : unit]),
  );
}

function stayed(unit: StoredUnit, all: readonly StoredUnit[], values: FieldsAt): boolean {
  const { vehicleId, clearAt } = unit;
  if (clearAt === 0 || clearAt !== unit.statusSince || !isFinished(unit)) return false;
  const isAlone = (at: number) => all.every((one) => one === unit || !isOnAt(one, at));
  if (!isAlone(clearAt)) return false;
  // A merge notes other values of the field.
  const isThere = (crews: unknown) =>
    Array.isArray(crews) && (crews as { vehicleId: number }[]).some((crew) => crew.vehicleId === vehicleId);
  if (all.some((one) => one.vehicleId === vehicleId && one.sentAt > clearAt && values.isPast(one.sentAt))) return false;
  const at = clearAt - 1; // people may have released it in the moment of its report
  return (
    !values.since('status', at).some(({ to }) => to === DONE) &&
    !values.since('units', at).some(({ from, to }) => isThere(from) && !isThere(to)) &&
    !values.since('assignedVehicleId', at).some((entry) => entry.from === vehicleId && isAlone(entry.at))
  );
}

function isOnAt({ sentAt, clearAt }: StoredUnit, at: number): boolean {
  return sentAt <= at && (clearAt === 0 || clearAt > at);
}

function unitAt(unit: StoredUnit, at: number, role: string | undefined): StoredUnit {
  const reached = (time: number) => (time > at ? 0 : time);
  const past = {
    ...unit,
    ...(role === undefined ? {} : { role }),
    acknowledgedAt: reached(unit.acknowledgedAt),
    enRouteAt: reached(unit.enRouteAt),
    onSceneAt: reached(unit.onSceneAt),
    clearAt: reached(unit.clearAt),
  };
  return unit.statusSince <= at ? past : { ...past, ...statusOf(past) };
}

/** The status that its times imply. Other reports of that time are not part of the task. */
function statusOf({ sentAt, acknowledgedAt, enRouteAt, onSceneAt }: StoredUnit): {
  status: number;
  statusSince: number;
} {
  if (onSceneAt > 0) return { status: ON_SCENE, statusSince: onSceneAt };
  if (enRouteAt > 0) return { status: EN_ROUTE, statusSince: enRouteAt };
  if (acknowledgedAt > 0) return { status: ACKNOWLEDGED, statusSince: acknowledgedAt };
  return { status: EN_ROUTE, statusSince: sentAt };
}

/**
 * The lead that the history noted, until it left the task; else who was sent first (rule U2). A crew that was clear and
 * is sent once more does not lead again.
 */
function leadOf(task: Task, noted: unknown, notedAt: number): number {
  if (!task.units) return task.assignedVehicleId;
  const active = activeUnits(task);
  const hasLeft = unitsOf(task).some(({ vehicleId, clearAt }) => vehicleId === noted && clearAt > notedAt);
  const lead = hasLeft ? undefined : active.find(({ vehicleId }) => vehicleId === noted);
  return (lead ?? active[0])?.vehicleId ?? 0;
}
