import { crewNote } from '../../../../shared/tasks/crew-note.ts';
import { unitsOf, withUnitGivenBack } from '../../../../shared/tasks/units.ts';
import { ASSIGNED, NEW } from '../../../../shared/tasks/status.ts';
import type { Attachment, Comment, HistoryEntry, Task, Vehicle } from '../../../../shared/records/index.ts';
import type { Actor } from '../../../../shared/access.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Attachments, AttachOrder } from '../../files/index.ts';
import type { Fleet } from '../../fleet/index.ts';
import type { Records, Store } from '../../../store/types.ts';
import { attached } from '../changes/attached.ts';
import { requirePresent } from '../changes/delete.ts';
import { historyOf } from '../changes/history.ts';
import { crewsOf, finished } from '../changes/update.ts';
import { createComment } from '../comments/comment.ts';
import { rowsOfTask } from '../rows-of-task.ts';
import type { TaskUnits } from './task-units.ts';

interface CrewWorkOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  readonly attachments: Pick<Attachments, 'prepare' | 'add' | 'of'>;
  readonly units: TaskUnits;
  now(): number;
}

type CrewVehicle = Pick<Vehicle, 'id' | 'name' | 'organizationId'>;

/**
 * Views and actions of a vehicle's crew on its tasks, README rules U10 to U12. A crew has no user and no
 * role, so only these functions are open to it.
 */
export class CrewWork {
  readonly #options: CrewWorkOptions;
  readonly #tasks: Records<Task>;
  readonly #comments: Records<Comment>;
  readonly #history: Records<HistoryEntry>;

  constructor(options: CrewWorkOptions) {
    this.#options = options;
    this.#tasks = options.store.records('tasks');
    this.#comments = options.store.records('comments');
    this.#history = options.store.records('history');
  }

  /** The open tasks that the vehicle is on, the last sending first. */
  tasksOf(vehicleId: number): Task[] {
    const sentAt = (task: Task) => unitsOf(task).findLast((unit) => unit.vehicleId === vehicleId)?.sentAt ?? 0;
    return this.#options.units.active
      .tasksOf(vehicleId)
      .flatMap((id) => this.#tasks.get(id) ?? [])
      .sort((a, b) => sentAt(b) - sentAt(a));
  }

  /** The task if the vehicle was on it at that time; refuses otherwise, whether it exists or not. */
  require(vehicle: CrewVehicle, taskId: number, at: number): Task {
    const task = this.#tasks.get(taskId);
    if (!task || task.isDeleted || !wasOn(task, vehicle.id, at))
      throw new Refusal('crews.notOnTask', { name: vehicle.name, id: taskId });
    return task;
  }

  /** Those that everybody may read. */
  commentsOf(task: Task): Comment[] {
    return rowsOfTask<Comment>(this.#options.store, 'comments', task.id).filter(({ visibleTo }) => visibleTo.all);
  }

  attachmentsOf(task: Task): Attachment[] {
    return this.#options.attachments.of(task.id);
  }

  async comment(vehicle: CrewVehicle, taskId: number, text: string, at: number): Promise<void> {
    const task = this.require(vehicle, taskId, at);
    if (text.trim() === '') throw new Refusal('field.empty', { field: 'text' });
    await this.#say(vehicle, task, text, at);
  }

  /** Attaches an upload of the crew. */
  async attach(vehicle: CrewVehicle, taskId: number, order: AttachOrder, at: number): Promise<void> {
    this.require(vehicle, taskId, at);
    const { store, attachments } = this.#options;
    const prepared = await attachments.prepare([order], crewActor(vehicle));
    await store.transaction(async () => {
      const { photoNums } = await attachments.add(taskId, prepared, 0);
      await this.#change(vehicle, taskId, (task, now) => attached(task, prepared.counts, photoNums, undefined, now));
    });
  }

  /** Notes in the history that the crew accepted the task; times of units are not part of the history. */
  async accept(vehicle: CrewVehicle, taskId: number, at: number): Promise<void> {
    const task = this.require(vehicle, taskId, at);
    const crews = crewsOf(task);
    await this.#history.insert({
      id: this.#history.nextId(),
      taskId,
      at,
      userId: 0,
      station: this.#options.store.stationNumber,
      field: 'units',
      from: crews,
      to: crews,
      note: crewNote(vehicle.id, vehicle.name, 'accepted'),
    });
  }

  /** The vehicle leaves the task, with the reason of its crew. */
  async giveBack(vehicle: CrewVehicle, taskId: number, reason: string, at: number): Promise<void> {
    if (reason.trim() === '') throw new Refusal('field.empty', { field: 'reason' });
    await this.#options.store.transaction(async () => {
      const { before, after } = await this.#change(
        vehicle,
        taskId,
        (task, now) => {
          const isOn = unitsOf(task).some((unit) => unit.vehicleId === vehicle.id && unit.clearAt === 0);
          if (!isOn) throw new Refusal('crews.notOnTask', { name: vehicle.name, id: taskId });
          const next = withUnitGivenBack(task, vehicle.id, now);
          const isLeft = next.assignedVehicleId === 0 && next.assignedUserId === 0 && next.assignedOrganizationId === 0;
          return isLeft && next.status === ASSIGNED ? { ...next, status: NEW } : next;
        },
        reason,
      );
      await this.#say(vehicle, after, reason, at);
      await this.#options.units.followCrews(before, after);
    });
  }

  async #change(
    vehicle: CrewVehicle,
    taskId: number,
    rule: (task: Task, now: number) => Task,
    reason = '',
  ): Promise<{ before: Task; after: Task }> {
    const { store } = this.#options;
    const now = this.#options.now();
    let before: Task | undefined;
    const after = await this.#tasks.change(taskId, (task) => {
      before = task;
      requirePresent(task);
      return finished(task, rule(task, now), now);
    });
    const note = crewNote(vehicle.id, vehicle.name, reason);
    const by = { userId: 0, station: store.stationNumber, at: now, note };
    const entries = historyOf(before!, after, by, () => this.#history.nextId());
    if (entries.length > 0) await this.#history.insertMany(entries);
    return { before: before!, after };
  }

  /** A comment of a crew has no author; it begins with the vehicle's name. */
  async #say(vehicle: CrewVehicle, task: Task, text: string, at: number): Promise<void> {
    const order = { text: `${vehicle.name}: ${text.trim()}` };
    await this.#comments.insert(createComment(this.#comments.nextId(), task, order, undefined, 0, at));
  }
}

/** Was the vehicle on the task then? A crew reports later what it did while it was there. */
function wasOn(task: Task, vehicleId: number, at: number): boolean {
  return unitsOf(task).some((unit) => unit.vehicleId === vehicleId && (unit.clearAt === 0 || at <= unit.clearAt));
}

/** The owner of a crew's uploads: no user has a negative id. */
export function crewActor({ id, organizationId }: Pick<Vehicle, 'id' | 'organizationId'>): Actor {
  return {
    user: { id: -id, organizationId } as Actor['user'],
    role: { admin: false, superuser: false, accesses: [] } as unknown as Actor['role'],
  };
}
