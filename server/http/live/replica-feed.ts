import { createHash } from 'node:crypto';
import type { Actor } from '../../../shared/access.ts';
import type { AlarmRecord, Comment, FleetEntry, Task, StateRule, Vehicle } from '../../../shared/records/index.ts';
import { replicatedAccount } from '../../access/accounts/index.ts';
import type { Alarms } from '../../tracking/events/index.ts';
import { replicatedFleetEntry, replicatedVehicle } from '../../dispatch/fleet/index.ts';
import type { CollectionName, Feed } from '../../store/index.ts';
import { TaskReplicaAccess, type Tasks, type WalkPosition } from '../../dispatch/tasks/index.ts';

export const FED_COLLECTIONS = [
  'tasks',
  'comments',
  'directories',
  'accounts',
  'vehicles',
  'fleet',
  'alarms',
] as const satisfies readonly CollectionName[];
export type Replicated = (typeof FED_COLLECTIONS)[number];

/** The interface's name of a collection. */
export function wireNameOf(collection: CollectionName): string {
  return collection === 'tasks' ? 'messages' : collection;
}

/** The collection that the interface calls `name`. */
export function collectionCalled(name: unknown): Replicated | undefined {
  return FED_COLLECTIONS.find((collection) => wireNameOf(collection) === name);
}

export interface ReplicaRooms {
  tasks: Tasks;
  alarms: Pick<Alarms, 'working' | 'works'>;
  now(): number;
}

export interface Pull {
  /** The checkpoint of the last page; `0`: from the beginning. */
  after: string;
  epoch: string | undefined;
  /** Records that one page examines; `PAGE_LIMIT` bounds it. */
  limit: number;
}

/** Records of one page. The event loop waits some 6 ms for a page. A task brings its comments along. */
const PAGE_LIMIT = {
  tasks: 500,
  comments: 250,
  directories: 500,
  accounts: 500,
  vehicles: 500,
  fleet: 500,
  alarms: 500,
} satisfies Record<Replicated, number>;

type ReplicaDocument = { key: string; _deleted?: true } & Record<string, unknown>;

export interface ReplicaPage {
  epoch: string;
  reset?: true;
  documents: ReplicaDocument[];
  checkpoint: string;
  more: boolean;
}

/**
 * Pages of what a caller may see, from the store's feed.
 *
 * The first part walks the visible records once, tasks from the newest on: an archive of millions costs a new
 * console nothing. Writes during this walk have a sequence number above the head at which it began. They follow
 * from the feed: each changed record as it is now, or as deleted when the caller may not see it.
 *
 * A checkpoint is `position~head` in the first part, then a sequence number. The epoch includes the caller's
 * access scope: when the scope changes, the console discards its records and starts over.
 */
export class ReplicaFeed {
  readonly #feed: Feed;
  readonly #rooms: ReplicaRooms;

  constructor(feed: Feed, rooms: ReplicaRooms) {
    this.#feed = feed;
    this.#rooms = rooms;
  }

  pull(caller: Actor, collection: Replicated, { after, epoch, limit: asked }: Pull): ReplicaPage {
    const limit = Math.min(asked, PAGE_LIMIT[collection]);
    const current = this.epochOf(caller);
    if (epoch !== undefined && epoch !== current)
      return { epoch: current, reset: true, documents: [], checkpoint: '0', more: true };
    const [position = '0', begun] = after.split('~');
    const first = begun !== undefined || position === '0';
    const page = first
      ? this.#first(caller, collection, position, begun === undefined ? this.#feed.head() : Number(begun), limit)
      : this.#following(caller, collection, Number(position), limit);
    return { epoch: current, ...page };
  }

  /** Changes when the store starts again, or the caller's access changes. */
  epochOf(caller: Actor): string {
    return `${this.#feed.epoch}.${accessScope(caller, this.#rooms.tasks.rules())}`;
  }

  /** The visible records. Writes after `head` may be missed here; the second part sends them. */
  #first(caller: Actor, collection: Replicated, position: string, head: number, limit: number): FeedPart {
    if (collection === 'tasks' || collection === 'comments') {
      const access = this.#accessOf(caller);
      const { tasks, last } = this.#rooms.tasks.lists.walk(access.tasks, readPosition(position), limit);
      const documents =
        collection === 'tasks'
          ? tasks.map((task) => present(task, true))
          : this.#commentsOf(
              access,
              tasks.map((record) => ({ record, deleted: false })),
            ).filter((document) => !document._deleted);
      return this.#firstPart(documents, last && `${last.date}.${last.key}`, head);
    }
    // The feed holds years of answered alarms; only the few open ones are wanted.
    if (collection === 'alarms') {
      const open = this.#rooms.alarms.working(caller).map((alarm) => present(alarm, true));
      return this.#firstPart(open, undefined, head);
    }
    const { records, checkpoint } = this.#feed.since(collection, Number(position), limit);
    const documents = records
      .map(({ record, deleted }) =>
        presentOther(caller, collection, record, deleted || isOfThePast(record, this.#rooms.now())),
      )
      .filter((document) => !document._deleted);
    return this.#firstPart(
      documents,
      records.length === limit && checkpoint < head ? String(checkpoint) : undefined,
      head,
    );
  }

  /**
   * Writes during the first part have to follow at once: their nudge has already been sent.
   * @param next position of the next page; undefined: this was the last one
   */
  #firstPart(documents: ReplicaDocument[], next: string | undefined, head: number): FeedPart {
    return next === undefined
      ? { documents, checkpoint: String(head), more: head < this.#feed.head() }
      : { documents, checkpoint: `${next}~${head}`, more: true };
  }

  /** Records changed since `position`, as they are now. */
  #following(caller: Actor, collection: Replicated, position: number, limit: number): FeedPart {
    if (collection === 'comments') return this.#followingComments(caller, position, limit);
    if (collection === 'alarms') return this.#followingAlarms(caller, position, limit);
    const access = this.#accessOf(caller);
    const { records, checkpoint } = this.#feed.since(collection, position, limit);
    const documents = records.map(({ record, deleted }) => {
      if (collection !== 'tasks')
        return presentOther(caller, collection, record, deleted || isOfThePast(record, this.#rooms.now()));
      const task = record as unknown as Task;
      return present(task, !deleted && access.holdsTask(task));
    });
    return { documents, checkpoint: String(checkpoint), more: records.length === limit };
  }

  #followingAlarms(caller: Actor, position: number, limit: number): FeedPart {
    const { records, checkpoint } = this.#feed.since('alarms', position, limit);
    const documents = records.map(({ record, deleted }) => {
      const alarm = record as unknown as AlarmRecord;
      return present(alarm, !deleted && this.#rooms.alarms.works(caller, alarm));
    });
    return { documents, checkpoint: String(checkpoint), more: records.length === limit };
  }

  /**
   * The right to read a comment depends on its task: its comments come and go when the task is assigned,
   * archived or done. So a changed task brings all its comments along.
   */
  #followingComments(caller: Actor, position: number, limit: number): FeedPart {
    const tasks = this.#feed.since('tasks', position, limit);
    const comments = this.#feed.since('comments', position, limit);
    const access = this.#accessOf(caller);
    // The last sequence number up to which both lists are complete.
    const bound = Math.min(
      tasks.records.length === limit ? tasks.checkpoint : Infinity,
      comments.records.length === limit ? comments.checkpoint : Infinity,
    );
    const changed = tasks.records.filter(({ seq }) => seq <= bound);
    const documents = new Map<string, ReplicaDocument>();
    for (const document of this.#commentsOf(access, changed as unknown as readonly Stored[]))
      documents.set(document.key, document);
    let last = changed.at(-1)?.seq ?? position;
    for (const { record, deleted, seq } of comments.records) {
      if (seq > bound) break;
      last = Math.max(last, seq);
      const comment = record as unknown as Comment;
      const isHeld = !deleted && access.holdsComment(comment, this.#rooms.tasks.stored(comment.taskId));
      documents.set(comment.key, present(comment, isHeld));
    }
    return { documents: [...documents.values()], checkpoint: String(last), more: bound !== Infinity };
  }

  /** Reads the comments of all tasks in one query: one query for each task took three times as long. */
  #commentsOf(access: TaskReplicaAccess, tasks: readonly Stored[]): ReplicaDocument[] {
    const comments = this.#rooms.tasks.comments.ofTasks(tasks.map(({ record }) => record.id));
    return tasks.flatMap(({ record: task, deleted }) =>
      (comments.get(task.id) ?? []).map((comment) => present(comment, !deleted && access.holdsComment(comment, task))),
    );
  }

  #accessOf(caller: Actor): TaskReplicaAccess {
    return new TaskReplicaAccess(caller, this.#rooms.tasks.rules(), this.#rooms.now());
  }
}

type FeedPart = Omit<ReplicaPage, 'epoch' | 'reset'>;
type Stored = { readonly record: Task; readonly deleted: boolean };

/** Parses `date.key` of the task that the last page ended with. */
function readPosition(position: string): WalkPosition | undefined {
  const [date, key] = position.split('.');
  return key === undefined ? undefined : { date: Number(date), key };
}

/** A digest of everything about the caller that decides what they may see. Equal digests, equal access. */
export function accessScope({ user, role }: Actor, rules: readonly StateRule[]): string {
  const { hlc: _hlc, ...person } = user;
  const facts = JSON.stringify([
    person,
    role.superuser,
    role.admin,
    role.accesses,
    rules.map(({ id, field, sign, value, userField }) => [id, field, sign, value, userField]),
  ]);
  return createHash('sha256').update(facts).digest('base64url').slice(0, 16);
}

type Keyed = { readonly key: string; readonly hlc?: unknown };

/** The record without its stamps, or its deletion when the replica must not hold it. */
function present(record: Keyed, isHeld: boolean): ReplicaDocument {
  if (!isHeld) return { key: record.key, _deleted: true };
  const { hlc: _hlc, ...fields } = record;
  return fields;
}

/** ms that a console keeps recent or new records; older ones are read over HTTP. */
const HELD = 24 * 3_600_000;

function isOfThePast({ kind, at, until, ended }: Record<string, unknown>, now: number): boolean {
  switch (kind) {
    case 'call':
    case 'crewMessage':
    case 'logBookEntry':
      return now - Number(at) > HELD;
    case 'duty':
      return Number(until) > 0 && now - Number(until) > HELD;
    case 'shift':
      return ended !== null && now - (ended as { at: number }).at > HELD;
    default:
      return false;
  }
}

function presentOther(
  caller: Actor,
  collection: Exclude<Replicated, 'tasks' | 'comments' | 'alarms'>,
  record: Record<string, unknown>,
  deleted: boolean,
): ReplicaDocument {
  const held = deleted ? undefined : replicated(caller, collection, record);
  return present(held ?? (record as unknown as Keyed), held !== undefined);
}

/** A record of a collection whose rules need no task. */
function replicated(
  caller: Actor,
  collection: Exclude<Replicated, 'tasks' | 'comments' | 'alarms'>,
  record: Record<string, unknown>,
): Keyed | undefined {
  switch (collection) {
    case 'directories':
      return record as unknown as Keyed;
    case 'vehicles':
      return replicatedVehicle(caller, record as unknown as Vehicle);
    case 'fleet':
      return replicatedFleetEntry(caller, record as unknown as FleetEntry);
    case 'accounts':
      return replicatedAccount(caller, record as unknown as Keyed & { kind: string });
  }
}
