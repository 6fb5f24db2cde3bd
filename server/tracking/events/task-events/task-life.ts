import { deadlineOf } from '../../../../shared/tasks/deadline.ts';
import type { HistoryEntry, Task } from '../../../../shared/records/index.ts';
import { DONE, FEEDBACK, NEW } from '../../../../shared/tasks/status.ts';
import { crewOfNote } from '../../../../shared/tasks/crew-note.ts';
import { activeUnits } from '../../../../shared/tasks/units.ts';
import type { Interval } from '../detectors/detector.ts';

/** The fields of a task that its events depend on. */
export interface TaskState {
  readonly title: string;
  readonly status: number;
  readonly confirmed: number;
  readonly assignedVehicleId: number;
  /** Every vehicle that is on it, with the lead. */
  readonly units: readonly { readonly vehicleId: number }[];
  readonly assignedUserId: number;
  readonly archived: boolean;
  readonly isDeleted: boolean;
  readonly typeId: number;
  readonly date: number;
  readonly point: { readonly lon: number; readonly lat: number } | null;
}

/** One action: everything that one person changed at one moment. `by` 0: nobody. */
interface TaskStep {
  readonly at: number;
  readonly by: number;
  /** The vehicle whose crew did it on its telephone; 0: none. */
  readonly crew: number;
  readonly before: TaskState;
  readonly after: TaskState;
}

export interface TaskTimeline {
  readonly id: number;
  /** When it first had the values of `first`. */
  readonly begun: number;
  readonly first: TaskState;
  readonly steps: readonly TaskStep[];
}

/** The data of fleet and users for the events of tasks. */
export interface TaskContext {
  /** The vehicles of which a user was a driver at a time. */
  vehiclesOf(userId: number, at: number): readonly number[];
  /** Seconds to perform a task of this type, as set at a time; 0: no limit. */
  reviewSeconds(typeId: number, at: number): number;
  /** The times at which the vehicles of this user, or the period of this type, changed. */
  changesOf(userId: number, typeId: number): readonly number[];
}

/** A period in which a task belonged to the vehicle. */
export interface TaskAssignment {
  readonly vehicleId: number;
  readonly since: number;
  readonly until: number | null;
  readonly title: string;
  readonly place: { readonly lon: number; readonly lat: number } | null;
}

export interface TaskEvent extends Omit<Interval, 'lat' | 'lon'> {
  readonly vehicleId: number;
  /** The task's own place; null: the vehicle's. */
  readonly place: { readonly lon: number; readonly lat: number } | null;
}

export interface DerivedTaskEvents {
  readonly events: readonly TaskEvent[];
  readonly assignments: readonly TaskAssignment[];
  /** When it becomes overdue if nothing happens before. */
  readonly due: number | null;
}

/** The state of a vehicle while it has a task. */
interface OpenAssignment {
  accepted: boolean;
  /**
   * The driver gave it back, and the vehicle stays assigned until somebody decides; it is not overdue
   * meanwhile.
   */
  givenBack: boolean;
  late: TaskEvent | null;
}

const APPROVED = 1;
const NOT_APPROVED = 2;
const FIELDS = [
  'title',
  'status',
  'confirmed',
  'assignedVehicleId',
  'units',
  'assignedUserId',
  'archived',
  'isDeleted',
  'typeId',
  'date',
  'point',
] as const satisfies readonly (keyof TaskState)[];

/**
 * The life of a task from its history, oldest first. Its initial values are the old values of each field's
 * first change.
 * @param history in any order
 */
export function timelineOf(task: Task, history: readonly HistoryEntry[]): TaskTimeline {
  const entries = history
    .filter(({ field }) => (FIELDS as readonly string[]).includes(field))
    .sort((a, b) => a.at - b.at || a.id - b.id);
  const first: Record<string, unknown> = Object.fromEntries(FIELDS.map((field) => [field, task[field]]));
  first['units'] = activeUnits(task);
  for (const { field, from } of entries.toReversed()) first[field] = from;
  if (entries.some(({ field }) => field === 'assignedVehicleId') && !entries.some(({ field }) => field === 'units'))
    first['units'] = leadAlone(first['assignedVehicleId'] as number);
  const steps: TaskStep[] = [];
  let state = first as unknown as TaskState;
  for (const action of Map.groupBy(entries, ({ at, userId, note }) => `${at}|${userId}|${crewOfNote(note)}`).values()) {
    const changes = Object.fromEntries(action.map(({ field, to }) => [field, to]));
    // While at most one vehicle is on a task, the history names it only as the lead.
    if ('assignedVehicleId' in changes && !('units' in changes))
      changes['units'] = leadAlone(changes['assignedVehicleId'] as number);
    const after = { ...state, ...changes };
    steps.push({ at: action[0]!.at, by: action[0]!.userId, crew: crewOfNote(action[0]!.note), before: state, after });
    state = after;
  }
  // A task has no time of creation; its own date is the best estimate, but not later than the first action.
  return {
    id: task.id,
    begun: Math.min(first['date'] as number, steps[0]?.at ?? Infinity),
    first: first as unknown as TaskState,
    steps,
  };
}

/**
 * Types 18 to 23: events of a task while it belonged to a vehicle or its driver. It belongs to the vehicle
 * that serves it, else to that of the assigned driver. Assigned (18), accepted by the driver (22), given back
 * by the driver (21), taken away by somebody else (23) and done (19) are moments; overdue (20) lasts until
 * the task is done, taken away or given back. Drivers and periods are those of each moment; a driver who
 * changes vehicles takes the task along.
 */
export function deriveTaskEvents(life: TaskTimeline, surroundings: TaskContext, now: number): DerivedTaskEvents {
  const events = new Map<string, TaskEvent>();
  const turns: TaskAssignment[] = [];
  const open = new Map<number, OpenAssignment>();
  const subject = `task:${life.id}`;
  const add = (event: TaskEvent) => events.set(`${event.vehicleId}|${event.type}|${event.from}`, event);
  const moment = (type: number, vehicleId: number, at: number, state: TaskState, by: number) =>
    add({
      type,
      vehicleId,
      subject,
      from: at,
      until: at,
      info: state.title,
      place: placeOf(state),
      data: { newsId: life.id, ...(by > 0 && { userId: by }) },
    });

  /** `state` was valid from `from` to `until` (null: it still is). */
  const last = (state: TaskState, from: number, until: number | null) => {
    const due = dueOf(state, surroundings, from);
    for (const [vehicleId, turn] of open) {
      turns.push({ vehicleId, since: from, until, title: state.title, place: placeOf(state) });
      if (turn.late && (due === undefined || due >= from)) {
        // Its deadline was extended.
        add({ ...turn.late, until: from });
        turn.late = null;
      }
      if (due !== undefined && due < (until ?? now) && !turn.givenBack) {
        const begun = turn.late ?? {
          type: 20,
          vehicleId,
          subject,
          from: Math.max(due, from),
          until: null,
          info: state.title,
          place: placeOf(state),
          data: { newsId: life.id, due },
        };
        turn.late = begun;
        add(begun);
      }
    }
  };
  const change = (before: TaskState | null, after: TaskState, at: number, by: number, crew = 0) => {
    const [had, has] = [[...open.keys()], vehiclesServing(after, surroundings, at)];
    const driver = (vehicleId: number) =>
      vehicleId === crew ||
      (by > 0 && (by === before?.assignedUserId || surroundings.vehiclesOf(by, at).includes(vehicleId)));
    for (const vehicleId of had) {
      const turn = open.get(vehicleId)!;
      if (has.includes(vehicleId)) {
        if (before && driver(vehicleId)) answered(turn, before, after, vehicleId, at, by, crew === vehicleId);
        if (after.status !== NEW && after.confirmed !== NOT_APPROVED) turn.givenBack = false;
        continue;
      }
      moment(after.status === DONE ? 19 : driver(vehicleId) ? 21 : 23, vehicleId, at, after, by);
      if (turn.late) add({ ...turn.late, until: at });
      open.delete(vehicleId);
    }
    for (const vehicleId of has) {
      if (open.has(vehicleId)) continue;
      open.set(vehicleId, { accepted: false, givenBack: false, late: null });
      moment(18, vehicleId, at, after, by);
    }
  };
  const answered = (
    turn: OpenAssignment,
    before: TaskState,
    after: TaskState,
    vehicleId: number,
    at: number,
    by: number,
    byCrew: boolean,
  ) => {
    const became = <F extends 'status' | 'confirmed'>(field: F, value: number) =>
      before[field] !== value && after[field] === value;
    // The only thing that a crew notes of a task that it stays on.
    const isAccepted = byCrew || became('status', FEEDBACK) || became('confirmed', APPROVED);
    if (!turn.accepted && isAccepted) {
      turn.accepted = true;
      turn.givenBack = false;
      moment(22, vehicleId, at, after, by);
    } else if (became('status', NEW) || became('confirmed', NOT_APPROVED)) {
      turn.accepted = false;
      turn.givenBack = true;
      moment(21, vehicleId, at, after, by);
      if (turn.late) add({ ...turn.late, until: at });
      turn.late = null;
    }
  };

  change(null, life.first, life.begun, 0);
  let [state, since] = [life.first, life.begun];
  /** Nobody changed the task, but its driver got another vehicle, or its type another period. */
  const surroundedOtherwise = (until: number) => {
    const times = surroundings
      .changesOf(state.assignedUserId, state.typeId)
      .filter((at) => at > since && at < until && at <= now);
    for (const at of new Set(times.sort((a, b) => a - b))) {
      last(state, since, at);
      change(state, state, at, 0);
      since = at;
    }
  };
  for (const { at, by, crew, before, after } of life.steps) {
    surroundedOtherwise(at);
    last(state, since, at);
    change(before, after, at, by, crew);
    [state, since] = [after, at];
  }
  surroundedOtherwise(Infinity);
  last(state, since, null);
  const due = [...open.values()].some(({ givenBack }) => !givenBack) ? dueOf(state, surroundings, since) : undefined;
  return {
    events: [...events.values()],
    assignments: joined(turns),
    due: due !== undefined && due >= now ? due : null,
  };
}

function leadAlone(vehicleId: number): TaskState['units'] {
  return vehicleId > 0 ? [{ vehicleId }] : [];
}

function placeOf({ point }: TaskState): TaskEvent['place'] {
  return point && { lon: point.lon, lat: point.lat };
}

function dueOf(state: TaskState, { reviewSeconds }: TaskContext, at: number): number | undefined {
  return deadlineOf(state, { reviewSeconds: reviewSeconds(state.typeId, at) });
}

/** Its owner; nobody when it is done or archived. */
function vehiclesServing(
  { status, archived, isDeleted, assignedVehicleId, units, assignedUserId }: TaskState,
  { vehiclesOf }: TaskContext,
  at: number,
): readonly number[] {
  if (status === DONE || archived || isDeleted) return [];
  const vehicles = new Set(units.map(({ vehicleId }) => vehicleId));
  if (assignedVehicleId > 0) vehicles.add(assignedVehicleId);
  if (vehicles.size > 0) return [...vehicles];
  return assignedUserId > 0 ? vehiclesOf(assignedUserId, at) : [];
}

/** Merges periods whose difference does not affect the vehicle. */
function joined(turns: readonly TaskAssignment[]): TaskAssignment[] {
  const result: TaskAssignment[] = [];
  for (const turn of turns) {
    if (turn.until === turn.since) continue;
    const at = result.findLastIndex(({ vehicleId }) => vehicleId === turn.vehicleId);
    const before = result[at];
    if (
      before &&
      before.until === turn.since &&
      before.title === turn.title &&
      JSON.stringify(before.place) === JSON.stringify(turn.place)
    )
      result[at] = { ...before, until: turn.until };
    else result.push(turn);
  }
  return result;
}
