import { administers, requireMay, mayDo, seesOrganization, type Actor } from '../../../shared/access.ts';
import { byOrder } from '../../../shared/custom-fields/custom-fields.ts';
import type {
  Category,
  Comment,
  CustomField,
  HistoryEntry,
  Task,
  Organization,
  Role,
  StateRule,
  StatusName,
  TaskType,
  User,
} from '../../../shared/records/index.ts';
import { UNTAKEN_ID } from '../../../shared/ids.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { isMerged } from '../../../shared/tasks/merged.ts';
import { priorityOf, type TaskPriority } from '../../../shared/tasks/priority.ts';
import type { Attachments, AttachOrder } from '../files/index.ts';
import { Mirror, type Fleet } from '../fleet/index.ts';
import type { Draft, Records, Store } from '../../store/types.ts';
import { attached } from './changes/attached.ts';
import type { CommentOrder } from './comments/comment.ts';
import { createTask, type CreateOrder } from './changes/create.ts';
import { CustomFieldDefinitions } from './directories/custom-field-definitions.ts';
import { Directories } from './directories/directories.ts';
import { fieldChanges, interfaceName } from './changes/history.ts';
import { TaskAttachments } from './changes/task-attachments.ts';
import { TaskChanges } from './changes/task-changes.ts';
import { TaskComments } from './comments/task-comments.ts';
import { TaskWatchers } from './comments/task-watchers.ts';
import { TaskLists } from './task-lists.ts';
import { References, referredVehicle } from './changes/references.ts';
import { tryRole, type Verdict } from './try-role.ts';
import { CrewWork } from './units/crew-work.ts';
import { TaskUnits } from './units/task-units.ts';
import { MergedTasks } from './merging/merged-tasks.ts';
import { TaskMerging } from './merging/task-merging.ts';
import type { ResponseRules } from './responses/response-times.ts';
import { DEFAULT_WAITING_RULES } from '../../../shared/tasks/response-targets.ts';
import { DispatchRules } from './waiting/dispatch-rules.ts';
import { withUnitsAfter } from '../../../shared/tasks/units.ts';
import { capabilityFor, neededCapabilities, updateTask, type UpdateOrder } from './changes/update.ts';
import { requirePresent, requireSeen, markDeleted, restore } from './changes/delete.ts';

export interface TasksOptions {
  store: Store;
  fleet: Fleet;
  attachments: Pick<Attachments, 'prepare' | 'add' | 'remove' | 'restore' | 'of' | 'ofNow'>;
  now(): number;
  /** Logs faults of the counting and reading threads. */
  warn?(message: string): void;
}

/** The comment that comes with an update. */
export type UpdateComment = Pick<CommentOrder, 'text'> & { visibleTo: Comment['visibleTo'] };

/** Tasks with their comments and history, under the rules of this room. */
export class Tasks {
  readonly types: Mirror<TaskType>;
  readonly categories: Mirror<Category>;
  readonly statuses: Mirror<StatusName>;
  readonly customFields: Mirror<CustomField>;
  readonly stateRules: Mirror<StateRule>;
  readonly organizations: Mirror<Organization>;
  readonly users: Mirror<User>;
  readonly roles: Mirror<Role>;
  /** The lists above, as administrators write them. */
  readonly directories: Directories;
  readonly customFieldDefinitions: CustomFieldDefinitions;
  readonly lists: TaskLists;
  readonly comments: TaskComments;
  readonly attachments: TaskAttachments;
  readonly watchers: TaskWatchers;
  readonly units: TaskUnits;
  /** Duplicates and links. */
  readonly merging: TaskMerging;
  readonly merged: MergedTasks;
  /** How soon somebody should be sent. */
  readonly dispatchRules: DispatchRules;
  /** Views and actions of crews on their telephones. */
  readonly crews: CrewWork;
  readonly #store: Store;
  readonly #fleet: Fleet;
  readonly #attachments: TasksOptions['attachments'];
  readonly #tasks: Records<Task>;
  readonly #changes: TaskChanges;
  readonly #references: References;
  readonly #now: () => number;

  constructor({ store, fleet, attachments, now, warn }: TasksOptions) {
    this.#store = store;
    this.#attachments = attachments;
    this.#fleet = fleet;
    this.#now = now;
    this.#tasks = store.records('tasks');
    this.types = new Mirror(store.kind<TaskType>('directories', 'type'));
    this.categories = new Mirror(store.kind<Category>('directories', 'category'));
    this.statuses = new Mirror(store.kind<StatusName>('directories', 'status'));
    this.customFields = new Mirror(store.kind<CustomField>('directories', 'customField'));
    this.stateRules = new Mirror(store.kind<StateRule>('directories', 'stateRule'));
    this.organizations = new Mirror(store.kind<Organization>('accounts', 'organization'));
    this.users = new Mirror(store.kind<User>('accounts', 'user'));
    this.roles = new Mirror(store.kind<Role>('accounts', 'role'));
    this.directories = new Directories(store);
    this.customFieldDefinitions = new CustomFieldDefinitions(store);
    this.#references = new References({
      type: (id) => this.types.get(id),
      category: (id) => this.categories.get(id),
      organization: (id) => this.organizations.get(id),
      user: (id) => this.users.get(id),
      vehicle: (id) => referredVehicle(fleet, id),
      customFields: () => this.customFields.values(),
    });
    const rules = () => this.rules();
    this.lists = new TaskLists({ store, rules, warn });
    this.watchers = new TaskWatchers({
      ...{ store, rules, users: this.users, roles: this.roles },
      seen: (actor, id) => this.get(actor, id),
      partsOf: (id) => this.merged.partsOf(id),
    });
    this.comments = new TaskComments({
      ...{ store, watchers: this.watchers },
      rules,
      now,
      seen: (actor, id) => this.get(actor, id),
      wholeOf: (actor, task) => this.merging.wholeOf(actor, task),
    });
    this.#changes = new TaskChanges({ store, rules, now });
    this.attachments = new TaskAttachments({
      ...{ store, attachments, rules, changes: this.#changes },
      seen: (actor, id) => this.get(actor, id),
    });
    this.units = new TaskUnits({
      store,
      fleet,
      changes: this.#changes,
      references: this.#references,
      rules,
      now,
      seen: (actor, id) => this.get(actor, id),
    });
    this.merged = new MergedTasks({
      store,
      now,
      report: (error) => warn?.(`Merged tasks could not be brought into agreement: ${String(error)}`),
    });
    this.merging = new TaskMerging({
      store,
      changes: this.#changes,
      merged: this.merged,
      rules,
      seen: (actor, id) => this.get(actor, id),
    });
    this.dispatchRules = new DispatchRules(store);
    this.crews = new CrewWork({ store, fleet, attachments, now, units: this.units });
  }

  /** Targets and importance, by which response times are judged. */
  responseRules(): ResponseRules {
    return {
      targets: Object.fromEntries(
        [...this.organizations.values()].map(({ id }) => [id, { targets: this.dispatchRules.of(id).targets }]),
      ),
      defaults: DEFAULT_WAITING_RULES,
      importance: Object.fromEntries([...this.categories.values()].map(({ id, importance }) => [id, importance])),
    };
  }

  /**
   * @param photoMain ordinal of the title photo; default: the first photo
   * @param id taken with `takeId`
   */
  async create(
    actor: Actor,
    order: CreateOrder,
    attach: readonly AttachOrder[] = [],
    photoMain?: number,
    id?: number,
  ): Promise<Task> {
    const draft = this.#drafted(actor, order, id ?? this.takeId());
    if (attach.length === 0 && photoMain === undefined) return this.#tasks.insert(draft);
    if (attach.length > 0 && !mayDo(actor, 'attach', draft, this.rules())) throw new Refusal('tasks.mayNotAttach');
    const prepared = await this.#attachments.prepare(attach, actor);
    return this.#store.transaction(async () => {
      const { photoNums } = await this.#attachments.add(draft.id, prepared, actor.user.id);
      return this.#tasks.insert(attached(draft, prepared.counts, photoNums, photoMain, draft.updatedAt));
    });
  }

  /** An id for a new task. */
  takeId(): number {
    return this.#tasks.nextId();
  }

  /** Throws what creating a task would throw. Writes nothing. */
  checkNew(actor: Actor, order: CreateOrder): void {
    this.#drafted(actor, order, UNTAKEN_ID);
  }

  /** Throws what changing the task would throw. Writes nothing. */
  checkChange(actor: Actor, id: number, order: UpdateOrder): void {
    const task = this.get(actor, id);
    const next = updateTask(task, order, this.#references, this.#now());
    for (const capability of neededCapabilities(task, next, order))
      requireMay(actor, capability, task, this.rules(), id);
  }

  /** Changes the task, writes the history, attaches the files and adds the comment, all or nothing. */
  async update(
    actor: Actor,
    id: number,
    order: UpdateOrder,
    comment?: UpdateComment,
    attach: readonly AttachOrder[] = [],
  ): Promise<Task> {
    const { mainPhoto } = order;
    const prepared = attach.length === 0 ? undefined : await this.#attachments.prepare(attach, actor);
    this.#requireVehicleSeen(actor, id, order.assignedVehicleId);
    return this.#store.transaction(async () => {
      this.#tasks.require(id, 'tasks.missing');
      const { photoNums } = prepared ? await this.#attachments.add(id, prepared, actor.user.id) : { photoNums: [] };
      const photos = typeof mainPhoto === 'number' ? await this.#attachments.ofNow(id, 'photo') : [];
      const { before, after } = await this.#changes.change(actor, id, (task, now) => {
        if (
          typeof mainPhoto === 'number' &&
          mainPhoto !== task.mainPhoto &&
          !photos.some(({ num }) => num === mainPhoto)
        )
          throw new Refusal('tasks.mainPhoto', { field: 'photo_main', id: mainPhoto });
        requirePresent(task);
        const changed = updateTask(task, order, this.#references, now);
        const next = prepared ? attached(changed, prepared.counts, photoNums, undefined, now) : changed;
        for (const capability of neededCapabilities(task, next, order))
          requireMay(actor, capability, task, this.rules(), id);
        return next;
      });
      if (comment) {
        requireMay(actor, 'comment', before, this.rules(), id);
        const updateText = fieldChanges(before, after)
          .map(({ field }) => this.fieldName(field))
          .join(', ');
        await this.comments.addToUpdate(actor, after, { ...comment, updateText });
      }
      if (isMerged(before)) await this.merged.settle([id, before.mergedInto!]);
      await this.units.followCrews(before, after, actor);
      return this.#tasks.get(id) ?? after;
    });
  }

  /** Deletes logically. */
  async delete(actor: Actor, id: number): Promise<void> {
    await this.#store.transaction(async () => {
      const { before, after } = await this.#changes.change(actor, id, (task, now) => {
        requirePresent(task);
        requireMay(actor, 'delete', task, this.rules(), id);
        return withUnitsAfter(task, markDeleted(task, now), now);
      });
      await this.units.followCrews(before, after, actor);
    });
  }

  /** Restores a deleted task; only for administrators of the owning organization. */
  async restore(actor: Actor, id: number): Promise<void> {
    await this.#store.transaction(async () => {
      const { before, after } = await this.#changes.change(actor, id, (task, now) => {
        if (!administers(actor, task.organizationId)) throw new Refusal('tasks.restoreByAdministrator');
        return withUnitsAfter(task, restore(task, now), now);
      });
      await this.units.followCrews(before, after, actor);
    });
  }

  /** One task. Refuses, as not found, a task that is missing, deleted or invisible to the actor. */
  get(actor: Actor, id: number): Task {
    const task = this.#tasks.get(id);
    if (!task || task.isDeleted || !mayDo(actor, 'view', task, this.rules()))
      throw new Refusal('tasks.missing', { id });
    return task;
  }

  /**
   * Verdicts for a user with this role about a task that the actor sees. Without `userId`: any user of the
   * role's organization.
   */
  tryRole(actor: Actor, roleId: number, taskId: number, userId?: number): Verdict[] {
    const task = this.get(actor, taskId);
    const role = this.roles.get(roleId);
    if (!role || role.isDeleted) throw new Refusal('field.unknown', { field: 'right_id', id: roleId });
    const user = userId ? this.users.get(userId) : undefined;
    if (userId && (!user || user.isDeleted)) throw new Refusal('field.unknown', { field: 'user_id', id: userId });
    return tryRole(role, user, task, this.rules());
  }

  /** The history with that of its duplicates, oldest first, one entry for each field. */
  historyOf(actor: Actor, id: number): HistoryEntry[] {
    const whole = this.merging.wholeOf(actor, this.get(actor, id));
    const entries = whole.flatMap((task) => this.#changes.of(task.id));
    return whole.length === 1 ? entries : entries.sort((a, b) => a.at - b.at || a.id - b.id);
  }

  /** The interface's name of a field in the history. */
  fieldName(field: string): string {
    return interfaceName(field, (id) => this.customFields.get(id)?.slug);
  }

  /** The state rules in force. */
  rules(): readonly StateRule[] {
    return [...this.stateRules.values()].filter((rule) => !rule.isDeleted);
  }

  /** Custom fields that are not deleted, in their order. */
  currentCustomFields(): CustomField[] {
    return [...this.customFields.values()].filter((field) => !field.isDeleted).sort(byOrder);
  }

  /** Refuses users who may not change the task; only administrators may change a deleted one. */
  requireMayChange(actor: Actor, task: Task, field: string): void {
    if (task.isDeleted) requireSeen(actor, task, this.rules());
    else requireMay(actor, capabilityFor(field), task, this.rules(), task.id);
  }

  /** Whether a user may see a task, including deleted ones. */
  maySee(actor: Actor, task: Task): boolean {
    return task.isDeleted ? administers(actor, task.organizationId) : mayDo(actor, 'view', task, this.rules());
  }

  /** Its priority: as it was set, else as its category says. */
  priorityOf(task: Pick<Task, 'priority' | 'categoryId'>): TaskPriority {
    return priorityOf(task, this.categories.get(task.categoryId));
  }

  /** A task as stored, without a check of access. */
  stored(id: number): Task | undefined {
    return this.#tasks.get(id);
  }

  async close(): Promise<void> {
    this.units.close();
    await this.merged.close();
    this.dispatchRules.close();
    for (const mirror of [
      this.types,
      this.categories,
      this.statuses,
      this.customFields,
      this.stateRules,
      this.organizations,
      this.users,
      this.roles,
    ])
      mirror.close();
    await this.lists.close();
  }

  #drafted(actor: Actor, order: CreateOrder, id: number): Draft<Task> {
    const author = { id: actor.user.id, organizationId: actor.user.organizationId };
    const draft = createTask(id, order, author, this.#references, this.#now());
    if (!mayDo(actor, 'create', draft, this.rules())) throw new Refusal('tasks.mayNotCreate');
    return draft;
  }

  /** A user may send only vehicles that they see; the vehicle already assigned may stay. */
  #requireVehicleSeen(actor: Actor, taskId: number, vehicleId: number | undefined): void {
    if (!vehicleId || this.#tasks.get(taskId)?.assignedVehicleId === vehicleId) return;
    const vehicle = this.#fleet.get(vehicleId);
    if (!vehicle || !seesOrganization(actor, vehicle.organizationId))
      throw new Refusal('field.unknown', { field: 'assigned_car_id', id: vehicleId });
  }
}
