import { administers, demandMay, mayDo, seesOrganization, type Actor } from '../../shared/access.ts';
import { byOrder } from '../../shared/custom-fields/custom-fields.ts';
import type {
  Attachment,
  Category,
  Comment,
  CustomField,
  HistoryEntry,
  Message,
  Organization,
  Right,
  StateRule,
  StatusName,
  TaskType,
  User,
} from '../../shared/records/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import { OUT_OF_SERVICE } from '../../shared/fleet/unit-status.ts';
import { mainPhotoAfter, type AttachmentKindName, type Attachments, type AttachOrder } from '../files/index.ts';
import { Mirror, type Fleet } from '../fleet/index.ts';
import type { Records, Store } from '../store/types.ts';
import { attached, COUNTED, NOTHING } from './changes/attached.ts';
import type { CommentOrder } from './comments/comment.ts';
import { createMessage, type CreateOrder } from './changes/create.ts';
import { CustomFieldDefinitions } from './directories/custom-field-definitions.ts';
import { Directories } from './directories/directories.ts';
import { changesOf, interfaceName } from './changes/history.ts';
import { MessageChanges } from './changes/task-changes.ts';
import { MessageComments } from './comments/task-comments.ts';
import { MessageLists } from './task-lists.ts';
import { References, type ReferredVehicle } from './changes/references.ts';
import { tryRight, type Verdict } from './try-role.ts';
import { capabilityFor, neededCapabilities, updateMessage, type UpdateOrder } from './changes/update.ts';
import { demandPresent, demandSeen, markDeleted, restore } from './changes/delete.ts';

export interface TasksOptions {
  store: Store;
  fleet: Fleet;
  attachments: Pick<Attachments, 'prepare' | 'add' | 'remove' | 'restore' | 'of' | 'ofNow'>;
  now(): number;
  /** Hears, for the log, of what goes wrong with the threads that count and read. */
  warn?(message: string): void;
}

/** The comment that comes with an update. */
export type UpdateComment = Pick<CommentOrder, 'text'> & { visibleTo: Comment['visibleTo'] };

/** Messages (tasks), their comments and their history, through the rules of the room. */
export class Tasks {
  readonly types: Mirror<TaskType>;
  readonly categories: Mirror<Category>;
  readonly statuses: Mirror<StatusName>;
  readonly customFields: Mirror<CustomField>;
  readonly stateRules: Mirror<StateRule>;
  readonly departments: Mirror<Organization>;
  readonly users: Mirror<User>;
  readonly rights: Mirror<Right>;
  /** The lists above as administrators write them. */
  readonly directories: Directories;
  readonly customFieldDefinitions: CustomFieldDefinitions;
  readonly lists: MessageLists;
  readonly comments: MessageComments;
  readonly #store: Store;
  readonly #fleet: Fleet;
  readonly #attachments: TasksOptions['attachments'];
  readonly #messages: Records<Message>;
  readonly #changes: MessageChanges;
  readonly #references: References;
  readonly #now: () => number;

  constructor({ store, fleet, attachments, now, warn }: TasksOptions) {
    this.#store = store;
    this.#attachments = attachments;
    this.#fleet = fleet;
    this.#now = now;
    this.#messages = store.records('messages');
    this.types = new Mirror(store.kind<TaskType>('directories', 'type'));
    this.categories = new Mirror(store.kind<Category>('directories', 'category'));
    this.statuses = new Mirror(store.kind<StatusName>('directories', 'status'));
    this.customFields = new Mirror(store.kind<CustomField>('directories', 'customField'));
    this.stateRules = new Mirror(store.kind<StateRule>('directories', 'stateRule'));
    this.departments = new Mirror(store.kind<Organization>('accounts', 'organization'));
    this.users = new Mirror(store.kind<User>('accounts', 'user'));
    this.rights = new Mirror(store.kind<Right>('accounts', 'right'));
    this.directories = new Directories(store);
    this.customFieldDefinitions = new CustomFieldDefinitions(store);
    this.#references = new References({
      type: (id) => this.types.get(id),
      category: (id) => this.categories.get(id),
      department: (id) => this.departments.get(id),
      user: (id) => this.users.get(id),
      vehicle: (id) => referredVehicle(fleet, id),
      customFields: () => this.customFields.values(),
    });
    const rules = () => this.rules();
    this.lists = new MessageLists({ store, rules, warn });
    this.comments = new MessageComments({ store, rules, now, seen: (actor, id) => this.get(actor, id) });
    this.#changes = new MessageChanges({ store, rules, now });
  }

  /** @param photoMain ordinal of the title photo; the first photo when not given */
  async create(
    actor: Actor,
    order: CreateOrder,
    attach: readonly AttachOrder[] = [],
    photoMain?: number,
  ): Promise<Message> {
    const draft = createMessage(
      this.#messages.nextId(),
      order,
      { id: actor.user.id, organizationId: actor.user.organizationId },
      this.#references,
      this.#now(),
    );
    if (!mayDo(actor, 'create', draft, this.rules()))
      throw new Refusal('forbidden', 'You may not create this message.');
    if (attach.length === 0 && photoMain === undefined) return this.#messages.insert(draft);
    if (attach.length > 0 && !mayDo(actor, 'attach', draft, this.rules()))
      throw new Refusal('forbidden', 'You may not attach files to this message.');
    const prepared = await this.#attachments.prepare(attach, actor);
    return this.#store.transaction(async () => {
      const { photoNums } = await this.#attachments.add(draft.id, prepared, actor.user.id);
      return this.#messages.insert(attached(draft, prepared.counts, photoNums, photoMain, draft.updatedAt));
    });
  }

  /**
   * Changes the message, keeps each changed field in the history, attaches the files and adds the comment,
   * all or nothing.
   */
  async update(
    actor: Actor,
    id: number,
    order: UpdateOrder,
    comment?: UpdateComment,
    attach: readonly AttachOrder[] = [],
  ): Promise<Message> {
    const { mainPhoto } = order;
    const prepared = attach.length === 0 ? undefined : await this.#attachments.prepare(attach, actor);
    this.#demandVehicleSeen(actor, id, order.assignedVehicleId);
    return this.#store.transaction(async () => {
      this.#messages.demand(id, `message ${id}`);
      const { photoNums } = prepared ? await this.#attachments.add(id, prepared, actor.user.id) : { photoNums: [] };
      const photos = typeof mainPhoto === 'number' ? await this.#attachments.ofNow(id, 'photo') : [];
      const { before, after } = await this.#changes.change(actor, id, (message, now) => {
        if (
          typeof mainPhoto === 'number' &&
          mainPhoto !== message.mainPhoto &&
          !photos.some(({ num }) => num === mainPhoto)
        )
          throw new Refusal('invalid', `photo_main ${mainPhoto} is no photo of the message.`);
        demandPresent(message);
        const changed = updateMessage(message, order, this.#references, now);
        const next = prepared ? attached(changed, prepared.counts, photoNums, undefined, now) : changed;
        for (const capability of neededCapabilities(message, next, order))
          demandMay(actor, capability, message, this.rules(), `message ${id}`);
        return next;
      });
      if (comment) {
        demandMay(actor, 'comment', before, this.rules(), `message ${id}`);
        const updateText = changesOf(before, after)
          .map(({ field }) => this.fieldName(field))
          .join(', ');
        await this.comments.addToUpdate(actor, after, { ...comment, updateText });
      }
      return after;
    });
  }

  /** Deletes logically. */
  async delete(actor: Actor, id: number): Promise<void> {
    await this.#store.transaction(() =>
      this.#changes.change(actor, id, (message, now) => {
        demandPresent(message);
        demandMay(actor, 'delete', message, this.rules(), `message ${id}`);
        return markDeleted(message, now);
      }),
    );
  }

  /** An administrator of the owning department brings a deleted message back. */
  async restore(actor: Actor, id: number): Promise<void> {
    await this.#store.transaction(() =>
      this.#changes.change(actor, id, (message, now) => {
        if (!administers(actor, message.departmentId))
          throw new Refusal('forbidden', 'Only an administrator may restore a message.');
        return restore(message, now);
      }),
    );
  }

  /** The attachments of a message that the actor may see. */
  attachmentsOf(actor: Actor, id: number, kind?: AttachmentKindName): Attachment[] {
    this.get(actor, id);
    return this.#attachments.of(id, kind);
  }

  /** Takes an attachment away. The title falls to the next photo. */
  async detach(actor: Actor, id: number, kind: AttachmentKindName, attachmentId: number): Promise<void> {
    this.get(actor, id);
    await this.#store.transaction(async () => {
      demandMay(actor, 'attach', this.#messages.demand(id, `message ${id}`), this.rules(), `message ${id}`);
      const all = await this.#attachments.ofNow(id, kind);
      const attachment = all.find((one) => one.id === attachmentId);
      if (!attachment) throw new Refusal('not-found', `Message ${id} has no ${kind} ${attachmentId}.`);
      await this.#attachments.remove(attachment);
      const left = all.map(({ num }) => num).filter((num) => num !== attachment.num);
      await this.#changes.change(actor, id, (message, now) => ({
        ...attached(message, { ...NOTHING, [COUNTED[kind]]: -1 }, [], undefined, now),
        mainPhoto: kind === 'photo' ? mainPhotoAfter(attachment.num, message.mainPhoto, left) : message.mainPhoto,
      }));
    });
  }

  /**
   * Brings back an attachment that was taken away. A photo is the title again only when there is no other.
   */
  async reattach(actor: Actor, id: number, kind: AttachmentKindName, attachmentId: number): Promise<void> {
    this.get(actor, id);
    await this.#store.transaction(async () => {
      demandMay(actor, 'attach', this.#messages.demand(id, `message ${id}`), this.rules(), `message ${id}`);
      const { num } = await this.#attachments.restore(id, kind, attachmentId);
      await this.#changes.change(actor, id, (message, now) =>
        attached(message, { ...NOTHING, [COUNTED[kind]]: 1 }, kind === 'photo' ? [num] : [], undefined, now),
      );
    });
  }

  /** One message. Refuses, as not found, what does not exist, is deleted, or may not be seen. */
  get(actor: Actor, id: number): Message {
    const message = this.#messages.get(id);
    if (!message || message.isDeleted || !mayDo(actor, 'view', message, this.rules()))
      throw new Refusal('not-found', `There is no message ${id}.`);
    return message;
  }

  /**
   * What somebody with the right may do with a message that the actor sees; `userId` says who, otherwise it
   * is nobody in particular of the right's organisation.
   */
  tryRight(actor: Actor, rightId: number, messageId: number, userId?: number): Verdict[] {
    const message = this.get(actor, messageId);
    const right = this.rights.get(rightId);
    if (!right || right.isDeleted) throw new Refusal('invalid', `right_id ${rightId} does not exist.`);
    const user = userId ? this.users.get(userId) : undefined;
    if (userId && (!user || user.isDeleted)) throw new Refusal('invalid', `user_id ${userId} does not exist.`);
    return tryRight(right, user, message, this.rules());
  }

  /** Who changed what, oldest first, one entry for each field. */
  historyOf(actor: Actor, id: number): HistoryEntry[] {
    this.get(actor, id);
    return this.#changes.of(id);
  }

  /** The interface's name of a field that the history tells of. */
  fieldName(field: string): string {
    return interfaceName(field, (id) => this.customFields.get(id)?.slug);
  }

  /** The rules of states that are in force. */
  rules(): readonly StateRule[] {
    return [...this.stateRules.values()].filter((rule) => !rule.isDeleted);
  }

  /** Custom fields that are not deleted, in their order. */
  currentCustomFields(): CustomField[] {
    return [...this.customFields.values()].filter((field) => !field.isDeleted).sort(byOrder);
  }

  /** Refuses to those who may not change a field of a message; a deleted one is its administrators'. */
  demandMayChange(actor: Actor, message: Message, field: string): void {
    if (message.isDeleted) demandSeen(actor, message, this.rules());
    else demandMay(actor, capabilityFor(field), message, this.rules(), `message ${message.id}`);
  }

  /** Whether somebody may see a message, a deleted one too. */
  maySee(actor: Actor, message: Message): boolean {
    return message.isDeleted ? administers(actor, message.departmentId) : mayDo(actor, 'view', message, this.rules());
  }

  /** A message as it is stored, whoever asks. */
  stored(id: number): Message | undefined {
    return this.#messages.get(id);
  }

  async close(): Promise<void> {
    for (const mirror of [
      this.types,
      this.categories,
      this.statuses,
      this.customFields,
      this.stateRules,
      this.departments,
      this.users,
      this.rights,
    ])
      mirror.close();
    await this.lists.close();
  }

  /** One may send only vehicles that one sees; the one that serves the message already may stay. */
  #demandVehicleSeen(actor: Actor, messageId: number, vehicleId: number | undefined): void {
    if (!vehicleId || this.#messages.get(messageId)?.assignedVehicleId === vehicleId) return;
    const vehicle = this.#fleet.get(vehicleId);
    if (!vehicle || !seesOrganization(actor, vehicle.organizationId))
      throw new Refusal('invalid', `assigned_car_id ${vehicleId} does not exist.`);
  }
}

function referredVehicle(fleet: Fleet, id: number): ReferredVehicle | undefined {
  const vehicle = fleet.get(id);
  const state = fleet.states.get(id);
  return (
    vehicle && {
      name: vehicle.name,
      onService: vehicle.onService,
      outOfService: state !== undefined && state.unitStatusSince > 0 && state.unitStatus === OUT_OF_SERVICE,
    }
  );
}
