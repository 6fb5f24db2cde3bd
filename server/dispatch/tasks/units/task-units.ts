import { requireMay, seesOrganization, type Actor } from '../../../../shared/access.ts';
import { allowedStatuses, EN_ROUTE, FREE, statusAfterTalk } from '../../../../shared/fleet/unit-status.ts';
import type { HistoryEntry, StateRule, StoredUnit, Task } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { ASSIGNED, NEW } from '../../../../shared/tasks/status.ts';
import {
  activeUnit,
  activeUnits,
  isFinished,
  isOpenTask,
  ledBy,
  TAKE_BACK,
  unitsOf,
  withoutFinished,
  withoutUnit,
  withReport,
  withRole,
  withUnits,
} from '../../../../shared/tasks/units.ts';
import type { Fleet, VehicleView } from '../../fleet/index.ts';
import type { Records, Store } from '../../../store/types.ts';
import { requirePresent } from '../changes/delete.ts';
import type { References } from '../changes/references.ts';
import type { TaskChanges } from '../changes/task-changes.ts';
import { finished } from '../changes/update.ts';
import { rowsOfTask } from '../rows-of-task.ts';
import { ActiveUnits } from './active-units.ts';
import { whoGaveBack } from './gave-back.ts';

interface TaskUnitsOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  readonly changes: TaskChanges;
  readonly references: References;
  /** The task if the actor may see it; refuses otherwise. */
  seen(actor: Actor, id: number): Task;
  /** The state rules in force. */
  rules(): readonly StateRule[];
  now(): number;
}

/** A vehicle that is sent, and its role there; empty: no special role. */
export interface UnitToSend {
  readonly vehicleId: number;
  readonly role: string;
}

/** The fate of a vehicle that another open task has: it is refused, serves both, or leaves the others. */
export type BusyUnits = 'refuse' | 'anyway' | 'move';

/** A task that a vehicle left for another one. */
interface LeftTask {
  readonly taskId: number;
  readonly vehicleId: number;
}

/** Changes that a dispatcher makes to a unit. */
export interface UnitOrder {
  readonly role?: string | undefined;
  /** The digit of its crew's status. */
  readonly status?: number | undefined;
  /** It leads from now on. */
  readonly lead?: true | undefined;
}

/** Statuses that a crew may report, judged against the task that its vehicle is on. */
export interface StatusJudgement {
  /** Digits that a dispatcher may set. */
  readonly allowed: readonly number[];
  /** The status after somebody has talked with the crew. */
  readonly answered: number;
  /** The task that it is driving to. */
  readonly sentTo: Task | undefined;
}

/** Units of tasks: vehicles are sent, report, and are released one by one. */
export class TaskUnits {
  readonly active: ActiveUnits;
  readonly #options: TaskUnitsOptions;
  readonly #tasks: Records<Task>;

  constructor(options: TaskUnitsOptions) {
    this.#options = options;
    this.#tasks = options.store.records('tasks');
    this.active = new ActiveUnits(options.store);
  }

  /**
   * The open task that keeps each vehicle busy, without a check of access; of several the one it was sent to last. A
   * crew that reported free is not busy.
   */
  openByVehicle(): Map<number, Task> {
    return new Map(
      [...this.active.all().keys()].flatMap((vehicleId) => {
        const [last] = this.#busyUnitsOf(vehicleId).sort((a, b) => b.unit.sentAt - a.unit.sentAt);
        return last ? [[vehicleId, last.task] as const] : [];
      }),
    );
  }

  /** Vehicles whose crews gave the task back when they last left it, without a check of access. */
  gaveBack(task: Task): Set<number> {
    const { store, fleet } = this.#options;
    if (unitsOf(task).every(({ clearAt }) => clearAt === 0)) return new Set();
    const entries = rowsOfTask<HistoryEntry>(store, 'history', task.id);
    return whoGaveBack(task, entries, (vehicleId) => fleet.get(vehicleId)?.name ?? '');
  }

  /**
   * The statuses that the crew of a vehicle may report now. The one place that judges it, without a check of
   * access.
   */
  judge(vehicleId: number): StatusJudgement {
    const state = this.#options.fleet.states.get(vehicleId);
    const since = state?.unitStatusSince ?? 0;
    const report = { unitStatus: since > 0 ? state?.unitStatus : undefined, unitStatusSince: since };
    const way = this.#underWay(vehicleId);
    const [last] = this.#unitsOf(vehicleId).sort((a, b) => b.unit.sentAt - a.unit.sentAt);
    return {
      allowed: allowedStatuses(report, way?.unit.sentAt),
      answered: statusAfterTalk(last?.unit),
      sentTo: way?.task,
    };
  }

  /**
   * Sets a crew's status as a dispatcher enters it; `answered`: the status of its run after somebody talked
   * with it. `back`: undoes a change, which no rule prevents.
   */
  async setStatus(actor: Actor, vehicleId: number, status: number | 'answered', back = false): Promise<VehicleView> {
    const { fleet } = this.#options;
    const { name } = fleet.requireDirected(actor, vehicleId);
    const { allowed, answered, sentTo } = this.judge(vehicleId);
    const wanted = status === 'answered' ? answered : status;
    if (sentTo && !back && !allowed.includes(wanted)) throw new Refusal('fleet.sent', { name, id: sentTo.id });
    return fleet.setUnitStatus(actor, vehicleId, wanted);
  }

  /** When the vehicle was last sent to a task on which it has not arrived, epoch ms; undefined: to none. */
  sentAt(vehicleId: number): number | undefined {
    return this.#underWay(vehicleId)?.unit.sentAt;
  }

  /**
   * Sends vehicles to a task, all or none. They leave the tasks of `from` in the same step; `busy` is about the other
   * tasks that they have. `left` says which ones they left.
   */
  async send(
    actor: Actor,
    id: number,
    sent: readonly UnitToSend[],
    busy: BusyUnits = 'refuse',
    from: readonly number[] = [],
  ): Promise<{ readonly task: Task; readonly left: readonly LeftTask[] }> {
    const { references, rules, seen, store } = this.#options;
    requireMay(actor, 'assign', seen(actor, id), rules(), id);
    for (const { vehicleId } of sent) {
      this.#requireSeen(actor, vehicleId);
      references.requireVehicle('carIds', vehicleId);
      if (busy === 'refuse') this.#requireFree(vehicleId, [id, ...from]);
    }
    const leaves = (taskId: number) => taskId !== id && (busy === 'move' || from.includes(taskId));
    const left: LeftTask[] = sent.flatMap(({ vehicleId }) =>
      this.#unitsOf(vehicleId).flatMap(({ task }) => (leaves(task.id) ? [{ taskId: task.id, vehicleId }] : [])),
    );
    if (left.length === 0) return { task: await this.#send(actor, id, sent), left };
    return store.transaction(async () => {
      const task = await this.#send(actor, id, sent);
      for (const { taskId, vehicleId } of left) await this.release(actor, taskId, [vehicleId]);
      return { task, left };
    });
  }

  #send(actor: Actor, id: number, sent: readonly UnitToSend[]): Promise<Task> {
    const { references } = this.#options;
    return this.#change(actor, id, (task, now) => {
      if (!isOpenTask(task)) throw new Refusal('tasks.closed', { title: task.title });
      const next = sent.reduce(
        (known, { vehicleId, role }) => withUnits(known, [references.sent(vehicleId)], role, now),
        task,
      );
      return next.status === NEW ? { ...next, status: ASSIGNED } : next;
    });
  }

  /** Releases vehicles from a task, all or none. */
  release(actor: Actor, id: number, vehicleIds: readonly number[]): Promise<Task> {
    return this.#change(actor, id, (task, now) => {
      for (const vehicleId of vehicleIds) requireUnit(task, vehicleId);
      const next = vehicleIds.reduce((known, vehicleId) => withoutUnit(known, vehicleId, now), task);
      const isLeft = next.assignedVehicleId === 0 && next.assignedUserId === 0 && next.assignedOrganizationId === 0;
      return isLeft && next.status === ASSIGNED ? { ...next, status: NEW } : next;
    });
  }

  async change(actor: Actor, id: number, vehicleId: number, { role, status, lead }: UnitOrder): Promise<Task> {
    const task = await this.#change(actor, id, (before) => {
      requireUnit(before, vehicleId);
      const named = role === undefined ? before : withRole(before, vehicleId, role);
      return lead ? ledBy(named, vehicleId) : named;
    });
    if (status === undefined) return task;
    await this.setStatus(actor, vehicleId, status);
    const { unitStatusSince } = this.#options.fleet.states.get(vehicleId)!;
    await this.report(vehicleId, status, unitStatusSince);
    return this.#tasks.get(id) ?? task;
  }

  /** A crew's status, as its device, the dispatcher or a linked station reported it. */
  async report(vehicleId: number, status: number, at: number): Promise<void> {
    for (const id of this.active.tasksOf(vehicleId)) {
      const known = this.#tasks.get(id);
      if (!known || withReport(known, vehicleId, status, at) === known) continue;
      await this.#tasks.change(id, (task) => {
        const next = withReport(task, vehicleId, status, at);
        return next === task ? task : { ...next, updatedAt: Math.max(this.#options.now(), task.updatedAt) };
      });
    }
  }

  /**
   * Gives crews the status that follows from a change of their task, inside its transaction: a crew that is
   * sent is en route, and one that is released on the way gets its former status back. A unit that was free
   * at another task leaves that one. @param actor who sent them; a crew sends nobody
   */
  async followCrews(before: Task, after: Task, actor?: Actor): Promise<void> {
    if (before.units === after.units && before.assignedVehicleId === after.assignedVehicleId) return;
    const { fleet, now } = this.#options;
    const had = new Map(activeUnits(before).map((unit) => [unit.vehicleId, unit]));
    const has = new Set(activeUnits(after).map(({ vehicleId }) => vehicleId));
    for (const { vehicleId, sentAt } of activeUnits(after)) {
      if (had.has(vehicleId)) continue;
      if (actor) await this.#leaveFinished(actor, vehicleId, after.id);
      const state = fleet.states.get(vehicleId);
      if (state?.unitStatus !== EN_ROUTE || state.unitStatusSince === 0)
        await fleet.states.setUnitStatus(vehicleId, EN_ROUTE, sentAt);
    }
    for (const unit of had.values()) {
      const { vehicleId } = unit;
      if (has.has(vehicleId) || fleet.states.get(vehicleId)?.unitStatus !== EN_ROUTE) continue;
      if (this.active.tasksOf(vehicleId).some((id) => id !== before.id)) continue;
      const isTakenBack = now() - unit.sentAt < TAKE_BACK;
      await fleet.states.setUnitStatus(vehicleId, isTakenBack ? unit.statusBefore : FREE, now());
    }
  }

  close(): void {
    this.active.close();
  }

  #change(actor: Actor, id: number, rule: (task: Task, now: number) => Task): Promise<Task> {
    const { store, changes, rules } = this.#options;
    return store.transaction(async () => {
      const { before, after } = await changes.change(actor, id, (task, now) => {
        requirePresent(task);
        requireMay(actor, 'assign', task, rules(), id);
        return finished(task, rule(task, now), now);
      });
      await this.followCrews(before, after, actor);
      return after;
    });
  }

  async #leaveFinished(actor: Actor, vehicleId: number, newTaskId: number): Promise<void> {
    const { changes, now } = this.#options;
    for (const { task, unit } of this.#unitsOf(vehicleId)) {
      if (task.id === newTaskId || !isFinished(unit)) continue;
      const left = await this.#tasks.change(task.id, (known) => ({
        ...withoutFinished(known, vehicleId),
        updatedAt: Math.max(now(), known.updatedAt),
      }));
      await changes.note(actor, task, left);
    }
  }

  #requireSeen(actor: Actor, vehicleId: number): void {
    const vehicle = this.#options.fleet.get(vehicleId);
    if (!vehicle || !seesOrganization(actor, vehicle.organizationId))
      throw new Refusal('field.unknown', { field: 'carIds', id: vehicleId });
  }

  /** Throws if an open task has it, other than `taskIds`. */
  #requireFree(vehicleId: number, taskIds: readonly number[]): void {
    const other = this.#busyUnitsOf(vehicleId).find(({ task }) => !taskIds.includes(task.id));
    if (!other) return;
    const name = this.#options.fleet.get(vehicleId)!.name;
    throw new Refusal(other.unit.onSceneAt > 0 ? 'tasks.unitThere' : 'tasks.unitUnderWay', { name, id: other.task.id });
  }

  /** The sending of the vehicle to a task where it has not arrived; of several the last one. */
  #underWay(vehicleId: number): { task: Task; unit: StoredUnit } | undefined {
    return this.#unitsOf(vehicleId)
      .filter(({ task, unit }) => task.status === ASSIGNED && unit.onSceneAt === 0)
      .sort((a, b) => b.unit.sentAt - a.unit.sentAt)[0];
  }

  #unitsOf(vehicleId: number): { task: Task; unit: StoredUnit }[] {
    return this.active.tasksOf(vehicleId).flatMap((id) => {
      const task = this.#tasks.get(id);
      const unit = task && activeUnit(task, vehicleId);
      return unit ? [{ task, unit }] : [];
    });
  }

  #busyUnitsOf(vehicleId: number): { task: Task; unit: StoredUnit }[] {
    return this.#unitsOf(vehicleId).filter(({ unit }) => !isFinished(unit));
  }
}

function requireUnit(task: Task, vehicleId: number): void {
  if (activeUnit(task, vehicleId)) return;
  const known = unitsOf(task).some((unit) => unit.vehicleId === vehicleId);
  throw new Refusal(known ? 'tasks.unitReleased' : 'tasks.noUnit', { id: task.id, vehicle: vehicleId });
}
