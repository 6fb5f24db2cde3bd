import { administers, demandMay, mayDo, seesOrganization, type Actor } from '../../shared/access.ts';
import { asTree } from '../../shared/comment-tree.ts';
import { byOrder } from '../../shared/custom-fields.ts';
import type { Attachment, Category, Comment, CustomField, HistoryEntry, Message, Organization, Right, StateRule, StatusName, TaskType, User } from '../../shared/records/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import { saying } from '../../shared/search-words.ts';
import { mainPhotoAfter, type AttachmentKindName, type Attachments, type AttachOrder } from '../files/index.ts';
import { Mirror, type Fleet } from '../fleet/index.ts';
import type { Records, Store } from '../store/door.ts';
import { createComment, mayRead, type CommentOrder } from './comment.ts';
import { followCommits, LiveCounts, type Count } from './counts.ts';
import { attached, COUNTED, NOTHING } from './attached.ts';
import { createMessage, type CreateOrder } from './create.ts';
import { CustomFieldDefinitions } from './custom-field-definitions.ts';
import { Directories } from './directories.ts';
import { countPredicate, listPredicate, type CountFilter, type ListFilter } from './filter.ts';
import type { FoundMessage } from './find-messages.ts';
import { changesOf, historyOf, interfaceName, oneByOne } from './history.ts';
import { Budget } from './list-ways.ts';
import { FIRST_LOOK, MessagesSql, ON_THE_EVENT_LOOP, placeOf, type SortField, type WalkPosition } from './messages-sql.ts';
import { all, between, is, oneOf, type Predicate } from './predicate.ts';
import { RecentMessages } from './recent-messages.ts';
import { References, type ReferredVehicle } from './references.ts';
import { ReadingThread, type Which } from './reading-thread.ts';
import type { Stats } from './stats-sql.ts';
import { tryRight, type Verdict } from './try-right.ts';
import { neededCapabilities, updateMessage, type UpdateOrder } from './update.ts';
import { restore, withdraw } from './withdraw.ts';

export interface TasksOptions {
  store: Store;
  fleet: Fleet;
  attachments: Pick<Attachments, 'prepare' | 'add' | 'remove' | 'restore' | 'of' | 'ofNow'>;
  now(): number;
  /** Hears, for the log, of what goes wrong with the threads that count and read. */
  warn?(message: string): void;
}

export interface ListQuery extends ListFilter {
  /** The id of the message after which the list starts; 0: at the first. */
  after?: number | undefined;
  /** 0: the default of 50; the most is 500. */
  limit?: number | undefined;
  sortBy?: SortField | undefined;
  direction?: 'asc' | 'desc' | undefined;
}

/** The comment that comes with an update. */
export type UpdateComment = Pick<CommentOrder, 'text'> & { visibleTo: Comment['visibleTo'] };

const DEFAULT_PAGE = 50;
const LONGEST_PAGE = 500;

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
  readonly #store: Store;
  readonly #fleet: Fleet;
  readonly #attachments: TasksOptions['attachments'];
  readonly #messages: Records<Message>;
  readonly #comments: Records<Comment>;
  readonly #history: Records<HistoryEntry>;
  readonly #references: References;
  readonly #sql: MessagesSql;
  readonly #counts = new LiveCounts();
  /** Counts. */
  readonly #counting: ReadingThread;
  /** Reads pages that take long; whoever waits for one does not wait for statistics. */
  readonly #reading: ReadingThread;
  readonly #stopFollowing: () => void;
  readonly #now: () => number;

  constructor({ store, fleet, attachments, now, warn }: TasksOptions) {
    this.#store = store;
    this.#attachments = attachments;
    this.#fleet = fleet;
    this.#now = now;
    this.#messages = store.records('messages');
    this.#comments = store.records('comments');
    this.#history = store.records('history');
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
    const recent = new RecentMessages();
    this.#sql = new MessagesSql(store.sql, store.table('messages'), recent);
    this.#counting = new ReadingThread(store, { counts: true, warn });
    this.#reading = new ReadingThread(store, { warn });
    this.#stopFollowing = followCommits(store, (changes, seq) => {
      for (const { record } of changes) recent.forget(record.key);
      this.#counts.follow(changes, seq);
    });
  }

  /** @param photoMain ordinal of the title photo; the first photo when not given */
  async create(actor: Actor, order: CreateOrder, attach: readonly AttachOrder[] = [], photoMain?: number): Promise<Message> {
    const draft = createMessage(this.#messages.nextId(), order, { id: actor.user.id, organizationId: actor.user.organizationId }, this.#references, this.#now());
    if (!mayDo(actor, 'create', draft, this.rules())) throw new Refusal('forbidden', 'You may not create this message.');
    if (attach.length === 0 && photoMain === undefined) return this.#messages.insert(draft);
    if (attach.length > 0 && !mayDo(actor, 'attach', draft, this.rules())) throw new Refusal('forbidden', 'You may not attach files to this message.');
    const prepared = await this.#attachments.prepare(attach);
    return this.#store.together(async () => {
      const { photoNums } = await this.#attachments.add(draft.id, prepared, actor.user.id);
      return this.#messages.insert(attached(draft, prepared.counts, photoNums, photoMain, draft.updatedAt));
    });
  }

  /** Changes the message, keeps each changed field in the history, attaches the files and adds the comment, all or nothing. */
  async update(actor: Actor, id: number, order: UpdateOrder, comment?: UpdateComment, attach: readonly AttachOrder[] = []): Promise<Message> {
    const { mainPhoto } = order;
    const prepared = attach.length === 0 ? undefined : await this.#attachments.prepare(attach);
    this.#demandVehicleSeen(actor, id, order.assignedVehicleId);
    return this.#store.together(async () => {
      this.#messages.demand(id, `message ${id}`);
      const { photoNums } = prepared ? await this.#attachments.add(id, prepared, actor.user.id) : { photoNums: [] };
      const photos = typeof mainPhoto === 'number' ? await this.#attachments.ofNow(id, 'photo') : [];
      const { before, after } = await this.#change(actor, id, (message, now) => {
        if (typeof mainPhoto === 'number' && mainPhoto !== message.mainPhoto && !photos.some(({ num }) => num === mainPhoto)) throw new Refusal('invalid', `photo_main ${mainPhoto} is no photo of the message.`);
        demandPresent(message);
        const changed = updateMessage(message, order, this.#references, now);
        const next = prepared ? attached(changed, prepared.counts, photoNums, undefined, now) : changed;
        for (const capability of neededCapabilities(message, next, order)) demandMay(actor, capability, message, this.rules(), `message ${id}`);
        return next;
      });
      if (comment) {
        demandMay(actor, 'comment', before, this.rules(), `message ${id}`);
        const updateText = changesOf(before, after).map(({ field }) => this.fieldName(field)).join(', ');
        await this.#comments.insert(createComment(this.#comments.nextId(), after, { ...comment, updateText }, undefined, actor.user.id, this.#now()));
      }
      return after;
    });
  }

  /** Deletes logically. */
  async withdraw(actor: Actor, id: number): Promise<void> {
    await this.#store.together(() =>
      this.#change(actor, id, (message, now) => {
        demandPresent(message);
        demandMay(actor, 'delete', message, this.rules(), `message ${id}`);
        return withdraw(message, now);
      }),
    );
  }

  /** An administrator of the owning department brings a deleted message back. */
  async restore(actor: Actor, id: number): Promise<void> {
    await this.#store.together(() =>
      this.#change(actor, id, (message, now) => {
        if (!administers(actor, message.departmentId)) throw new Refusal('forbidden', 'Only an administrator may restore a message.');
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
    await this.#store.together(async () => {
      demandMay(actor, 'attach', this.#messages.demand(id, `message ${id}`), this.rules(), `message ${id}`);
      const all = await this.#attachments.ofNow(id, kind);
      const attachment = all.find((one) => one.id === attachmentId);
      if (!attachment) throw new Refusal('not-found', `Message ${id} has no ${kind} ${attachmentId}.`);
      await this.#attachments.remove(attachment);
      const left = all.map(({ num }) => num).filter((num) => num !== attachment.num);
      await this.#change(actor, id, (message, now) => ({
        ...attached(message, { ...NOTHING, [COUNTED[kind]]: -1 }, [], undefined, now),
        mainPhoto: kind === 'photo' ? mainPhotoAfter(attachment.num, message.mainPhoto, left) : message.mainPhoto,
      }));
    });
  }

  /** Brings back an attachment that was taken away. A photo is the title again only when there is no other. */
  async reattach(actor: Actor, id: number, kind: AttachmentKindName, attachmentId: number): Promise<void> {
    this.get(actor, id);
    await this.#store.together(async () => {
      demandMay(actor, 'attach', this.#messages.demand(id, `message ${id}`), this.rules(), `message ${id}`);
      const { num } = await this.#attachments.restore(id, kind, attachmentId);
      await this.#change(actor, id, (message, now) => attached(message, { ...NOTHING, [COUNTED[kind]]: 1 }, kind === 'photo' ? [num] : [], undefined, now));
    });
  }

  /** One message. Refuses, as not found, what does not exist, is deleted, or may not be seen. */
  get(actor: Actor, id: number): Message {
    const message = this.#messages.get(id);
    if (!message || message.withdrawn || !mayDo(actor, 'view', message, this.rules())) throw new Refusal('not-found', `There is no message ${id}.`);
    return message;
  }

  /** One page of the list, and how many messages there are on all pages. */
  async list(actor: Actor, query: ListQuery): Promise<{ messages: Message[]; count: number }> {
    const which: Which = { actor, rules: this.rules(), list: query };
    const [messages, { total }] = await Promise.all([this.page(actor, query), this.#counts.count(listPredicate(actor, query, which.rules), () => this.#counting.count(which))]);
    return { messages, count: total };
  }

  /** One page of the list. */
  async page(actor: Actor, query: ListQuery): Promise<Message[]> {
    const rules = this.rules();
    const after = query.after ? this.#messages.get(query.after) : undefined;
    if (query.after && !(after && mayDo(actor, 'view', after, rules))) throw new Refusal('invalid', `newsAfterId: there is no message ${query.after}.`);
    const limit = query.limit ? Math.min(query.limit, LONGEST_PAGE) : DEFAULT_PAGE;
    const page = { sortBy: query.sortBy ?? 'date', direction: query.direction ?? 'desc', after: after && placeOf(after), limit };
    const predicate = listPredicate(actor, query, rules);
    const found = this.#sql.within(ON_THE_EVENT_LOOP, predicate, page, new Budget(FIRST_LOOK));
    if (found) return found;
    const { messages, way } = await this.#reading.page({ actor, rules, list: query }, page);
    this.#sql.learn(ON_THE_EVENT_LOOP, predicate, page, way);
    return messages;
  }

  /** Current messages with a point, the newest first, by words of their number, title or address. They are looked through in a worker: somebody asks with every letter that they type. */
  async find(actor: Actor, query: string, limit: number): Promise<FoundMessage[]> {
    if (!saying(query)) return [];
    return this.#reading.find({ actor, rules: this.rules(), list: { hasPoint: true, withAssigned: true } }, query, limit);
  }

  /** Bounds of time are as many as there are questions: those are not kept. */
  async count(actor: Actor, filter: CountFilter): Promise<Count> {
    const which: Which = { actor, rules: this.rules(), count: filter };
    if (filter.from === undefined && filter.till === undefined) return this.#counts.count(countPredicate(actor, filter, which.rules), () => this.#counting.count(which));
    const { byStatus } = await this.#counting.count(which);
    return { total: byStatus.reduce((sum, count) => sum + count, 0), byStatus };
  }

  /** Numbers by status: of all, and for each category, type, department and assigned department. */
  stats(actor: Actor, filter: CountFilter): Promise<Stats> {
    return this.#counting.stats({ actor, rules: this.rules(), count: filter });
  }

  /** What somebody with the right may do with a message that the actor sees; `userId` says who, otherwise it is nobody in particular of the right's organisation. */
  tryRight(actor: Actor, rightId: number, messageId: number, userId?: number): Verdict[] {
    const message = this.get(actor, messageId);
    const right = this.rights.get(rightId);
    if (!right || right.withdrawn) throw new Refusal('invalid', `right_id ${rightId} does not exist.`);
    const user = userId ? this.users.get(userId) : undefined;
    if (userId && (!user || user.withdrawn)) throw new Refusal('invalid', `user_id ${userId} does not exist.`);
    return tryRight(right, user, message, this.rules());
  }

  /** Who changed what, oldest first, one entry for each field. */
  historyOf(actor: Actor, id: number): HistoryEntry[] {
    this.get(actor, id);
    return this.#rowsOfMessage<HistoryEntry>('history', id).flatMap(oneByOne);
  }

  /** The interface's name of a field that the history tells of. */
  fieldName(field: string): string {
    return interfaceName(field, (id) => this.customFields.get(id)?.translit);
  }

  /** The comments that the actor may read, as a tree in reading order. */
  commentsOf(actor: Actor, id: number): Comment[] {
    const message = this.get(actor, id);
    return asTree(this.#rowsOfMessage<Comment>('comments', id).filter((comment) => mayRead(actor, comment, message)));
  }

  async comment(actor: Actor, id: number, order: CommentOrder): Promise<Comment> {
    const message = this.get(actor, id);
    demandMay(actor, 'comment', message, this.rules(), `message ${id}`);
    const parent = order.parentId ? this.#comments.get(order.parentId) : undefined;
    const readable = parent && mayRead(actor, parent, message) ? parent : undefined;
    return this.#comments.insert(createComment(this.#comments.nextId(), message, order, readable, actor.user.id, this.#now()));
  }

  /** The open task that each vehicle serves; of several the one that was assigned first. */
  openByVehicle(): Map<number, Message> {
    const serving = all(oneOf('status', [1, 2, 3]), between('assignedVehicleId', 1), is('withdrawn', false), is('archived', false));
    const open = this.#sql.all(serving).sort((a, b) => b.statusSince - a.statusSince || b.id - a.id);
    return new Map(open.map((message) => [message.assignedVehicleId, message]));
  }

  rules(): readonly StateRule[] {
    return [...this.stateRules.values()].filter((rule) => !rule.withdrawn);
  }

  /** Custom fields that are not deleted, in their order. */
  currentCustomFields(): CustomField[] {
    return [...this.customFields.values()].filter((field) => !field.withdrawn).sort(byOrder);
  }

  /** One step over the current messages, for replicas: those of some messages that satisfy the predicate, at most `limit`, and where to go on. */
  walk(predicate: Predicate, after: WalkPosition | undefined, limit: number): { messages: Message[]; last: WalkPosition | undefined } {
    return this.#sql.walk(predicate, after, limit);
  }

  /** A message as it is stored, whoever asks. */
  stored(id: number): Message | undefined {
    return this.#messages.get(id);
  }

  /** All comments of some messages, whoever asks, by the id of their message. */
  commentsOfMessages(ids: readonly number[]): Map<number, Comment[]> {
    const rows = this.#store.sql.prepare(`SELECT data FROM ${this.#store.table('comments')} WHERE deleted=0 AND messageId IN (SELECT value FROM json_each(?))`).all(JSON.stringify(ids));
    return Map.groupBy(rows.map((row) => JSON.parse(String(row['data'])) as Comment), ({ messageId }) => messageId);
  }

  async close(): Promise<void> {
    this.#stopFollowing();
    for (const mirror of [this.types, this.categories, this.statuses, this.customFields, this.stateRules, this.departments, this.users, this.rights]) mirror.close();
    await Promise.all([this.#counting.close(), this.#reading.close()]);
  }

  /** Inside a `together`: the change and its history are one. */
  async #change(actor: Actor, id: number, rule: (message: Message, now: number) => Message): Promise<{ before: Message; after: Message }> {
    const now = this.#now();
    let before: Message | undefined;
    this.#messages.demand(id, `message ${id}`);
    const after = await this.#messages.change(id, (message) => {
      before = message;
      demandSeen(actor, message, this.rules());
      return rule(message, now);
    });
    const entries = historyOf(before!, after, { userId: actor.user.id, station: this.#store.stationNumber, at: now }, () => this.#history.nextId());
    if (entries.length > 0) await this.#history.insertMany(entries);
    return { before: before!, after };
  }

  /** One may send only vehicles that one sees; the one that serves the message already may stay. */
  #demandVehicleSeen(actor: Actor, messageId: number, vehicleId: number | undefined): void {
    if (!vehicleId || this.#messages.get(messageId)?.assignedVehicleId === vehicleId) return;
    const vehicle = this.#fleet.get(vehicleId);
    if (!vehicle || !seesOrganization(actor, vehicle.organizationId)) throw new Refusal('invalid', `assigned_car_id ${vehicleId} does not exist.`);
  }

  #rowsOfMessage<T>(collection: 'comments' | 'history', id: number): T[] {
    return this.#store.sql
      .prepare(`SELECT data FROM ${this.#store.table(collection)} WHERE deleted=0 AND messageId=? ORDER BY at, key`)
      .all(id)
      .map((row) => JSON.parse(String(row['data'])) as T);
  }
}

/** What is deleted can be restored, and nothing else. */
function demandPresent({ id, withdrawn }: Message): void {
  if (withdrawn) throw new Refusal('not-found', `There is no message ${id}.`);
}

/** A deleted message is seen only by those who could restore it. */
function demandSeen(actor: Actor, message: Message, rules: readonly StateRule[]): void {
  const seen = message.withdrawn ? administers(actor, message.departmentId) : mayDo(actor, 'view', message, rules);
  if (!seen) throw new Refusal('not-found', `There is no message ${message.id}.`);
}

function referredVehicle(fleet: Fleet, id: number): ReferredVehicle | undefined {
  const vehicle = fleet.get(id);
  const state = fleet.states.get(id);
  return vehicle && { name: vehicle.name, onService: vehicle.onService, outOfService: state !== undefined && state.unitStatusSince > 0 && state.unitStatus === 6 };
}
