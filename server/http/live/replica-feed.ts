import { createHash } from 'node:crypto';
import { seesOrganization, type Actor } from '../../../shared/access.ts';
import type {
  AlarmRecord,
  Comment,
  FleetEntry,
  Message,
  Right,
  StateRule,
  User,
  Vehicle,
} from '../../../shared/records/index.ts';
import type { Alarms } from '../../events/index.ts';
import type { CollectionName, Feed } from '../../store/index.ts';
import { holds, mayRead, workingSet, type Predicate, type Tasks, type WalkPosition } from '../../tasks/index.ts';

export const REPLICATED = [
  'messages',
  'comments',
  'directories',
  'accounts',
  'vehicles',
  'fleet',
  'alarms',
] as const satisfies readonly CollectionName[];
export type Replicated = (typeof REPLICATED)[number];

export interface ReplicaRooms {
  tasks: Tasks;
  alarms: Pick<Alarms, 'working' | 'works'>;
  now(): number;
}

export interface Pull {
  /** `0`: from the beginning; else the checkpoint of the last page. */
  after: string;
  epoch: string | undefined;
  /** Of records that are looked at for a page; `MOST_LOOKED_AT` bounds it. */
  limit: number;
}

/**
 * A page is made in one turn of the event loop: so many take some 6 ms. A message brings its comments along.
 */
const MOST_LOOKED_AT = {
  messages: 500,
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
 * The first part goes once over what is visible, messages from the newest on, so that an archive of millions
 * costs a new console nothing. What is written meanwhile has a higher sequence number than the head at which
 * it began, and comes after it, from the feed itself: each changed record as it is now, or, when the caller
 * may not see it (any more), as deleted. A checkpoint is `position~head` in the first part, then the sequence
 * number. The epoch names the rights of the caller too: when they change, what a console holds is worth
 * nothing, and it is told to begin anew.
 */
export class ReplicaFeed {
  readonly #feed: Feed;
  readonly #rooms: ReplicaRooms;

  constructor(feed: Feed, rooms: ReplicaRooms) {
    this.#feed = feed;
    this.#rooms = rooms;
  }

  pull(caller: Actor, collection: Replicated, { after, epoch, limit: asked }: Pull): ReplicaPage {
    const limit = Math.min(asked, MOST_LOOKED_AT[collection]);
    const current = `${this.#feed.epoch}.${scopeOf(caller, this.#rooms.tasks.rules())}`;
    if (epoch !== undefined && epoch !== current)
      return { epoch: current, reset: true, documents: [], checkpoint: '0', more: true };
    const [position = '0', begun] = after.split('~');
    const first = begun !== undefined || position === '0';
    const page = first
      ? this.#first(caller, collection, position, begun === undefined ? this.#feed.head() : Number(begun), limit)
      : this.#following(caller, collection, Number(position), limit);
    return { epoch: current, ...page };
  }

  /** What is visible. What changes after `head` may be missed here, and follows. */
  #first(caller: Actor, collection: Replicated, position: string, head: number, limit: number): Part {
    if (collection === 'messages' || collection === 'comments') {
      const { messages, last } = this.#rooms.tasks.lists.walk(this.#working(caller), readPosition(position), limit);
      const documents =
        collection === 'messages'
          ? messages.map(present)
          : this.#commentsOf(
              caller,
              messages.map((record) => ({ record, deleted: false })),
            ).filter((document) => !document._deleted);
      return this.#firstPart(documents, last && `${last.date}.${last.key}`, head);
    }
    // The few that are open stand among years of answered ones.
    if (collection === 'alarms')
      return this.#firstPart(this.#rooms.alarms.working(caller).map(present), undefined, head);
    const { records, checkpoint } = this.#feed.since(collection, Number(position), limit);
    const documents = records
      .map(({ record, deleted }) => presentOther(caller, collection, record, deleted))
      .filter((document) => !document._deleted);
    return this.#firstPart(
      documents,
      records.length === limit && checkpoint < head ? String(checkpoint) : undefined,
      head,
    );
  }

  /**
   * What was written while a console read its first pages has to follow at once: the nudge for it has come
   * and gone.
   * @param next where to go on; undefined: this was all
   */
  #firstPart(documents: ReplicaDocument[], next: string | undefined, head: number): Part {
    return next === undefined
      ? { documents, checkpoint: String(head), more: head < this.#feed.head() }
      : { documents, checkpoint: `${next}~${head}`, more: true };
  }

  /** What changed since `position`, as it is now. */
  #following(caller: Actor, collection: Replicated, position: number, limit: number): Part {
    if (collection === 'comments') return this.#followingComments(caller, position, limit);
    if (collection === 'alarms') return this.#followingAlarms(caller, position, limit);
    const working = this.#working(caller);
    const { records, checkpoint } = this.#feed.since(collection, position, limit);
    const documents = records.map(({ record, deleted }) =>
      collection === 'messages'
        ? presentMessage(record as unknown as Message, deleted, working)
        : presentOther(caller, collection, record, deleted),
    );
    return { documents, checkpoint: String(checkpoint), more: records.length === limit };
  }

  #followingAlarms(caller: Actor, position: number, limit: number): Part {
    const { records, checkpoint } = this.#feed.since('alarms', position, limit);
    const documents = records.map(({ record, deleted }) => {
      const alarm = record as unknown as AlarmRecord;
      return !deleted && this.#rooms.alarms.works(caller, alarm) ? present(alarm) : gone(alarm);
    });
    return { documents, checkpoint: String(checkpoint), more: records.length === limit };
  }

  /**
   * Who may read a comment hangs on its message: when that one is assigned, archived or done, its comments
   * come and go with it, though nobody wrote them. So a changed message brings all its comments along.
   */
  #followingComments(caller: Actor, position: number, limit: number): Part {
    const messages = this.#feed.since('messages', position, limit);
    const comments = this.#feed.since('comments', position, limit);
    const working = this.#working(caller);
    // Up to where both are known without a gap.
    const bound = Math.min(
      messages.records.length === limit ? messages.checkpoint : Infinity,
      comments.records.length === limit ? comments.checkpoint : Infinity,
    );
    const changed = messages.records.filter(({ seq }) => seq <= bound);
    const documents = new Map<string, ReplicaDocument>();
    for (const document of this.#commentsOf(caller, changed as unknown as readonly Stored[]))
      documents.set(document.key, document);
    let last = changed.at(-1)?.seq ?? position;
    for (const { record, deleted, seq } of comments.records) {
      if (seq > bound) break;
      last = Math.max(last, seq);
      const comment = record as unknown as Comment;
      documents.set(comment.key, deleted ? gone(comment) : this.#presentComment(caller, comment, working));
    }
    return { documents: [...documents.values()], checkpoint: String(last), more: bound !== Infinity };
  }

  /** Asks for those of all the messages at once: one by one they took three times as long. */
  #commentsOf(caller: Actor, messages: readonly Stored[]): ReplicaDocument[] {
    const working = this.#working(caller);
    const comments = this.#rooms.tasks.comments.ofMessages(messages.map(({ record }) => record.id));
    return messages.flatMap(({ record: message, deleted }) => {
      const inSet = !deleted && holds(working, message);
      return (comments.get(message.id) ?? []).map((comment) =>
        inSet && mayRead(caller, comment, message) ? present(comment) : gone(comment),
      );
    });
  }

  #presentComment(caller: Actor, comment: Comment, working: Predicate): ReplicaDocument {
    const message = this.#rooms.tasks.stored(comment.messageId);
    return message && holds(working, message) && mayRead(caller, comment, message) ? present(comment) : gone(comment);
  }

  #working(caller: Actor): Predicate {
    return workingSet(caller, this.#rooms.tasks.rules(), this.#rooms.now());
  }
}

type Part = Omit<ReplicaPage, 'epoch' | 'reset'>;
type Stored = { readonly record: Message; readonly deleted: boolean };

/** `date.key` of the message that was looked at last. */
function readPosition(position: string): WalkPosition | undefined {
  const [date, key] = position.split('.');
  return key === undefined ? undefined : { date: Number(date), key };
}

/** Changes exactly when what the caller may see could change by rights alone. */
export function scopeOf({ user, right }: Actor, rules: readonly StateRule[]): string {
  const { hlc: _hlc, ...person } = user;
  const said = JSON.stringify([
    person,
    right.wheel,
    right.admin,
    right.accesses,
    rules.map(({ id, field, sign, value, userField }) => [id, field, sign, value, userField]),
  ]);
  return createHash('sha256').update(said).digest('base64url').slice(0, 16);
}

function gone({ key }: { key: string }): ReplicaDocument {
  return { key, _deleted: true };
}

/** A replica needs no stamps. */
function present<T extends { key: string; hlc: unknown }>({ hlc: _hlc, ...record }: T): ReplicaDocument {
  return record as unknown as ReplicaDocument;
}

function presentMessage(message: Message, deleted: boolean, working: Predicate): ReplicaDocument {
  return !deleted && holds(working, message) ? present(message) : gone(message);
}

/** Records of the small collections, with what may not leave the station taken out. */
function presentOther(
  caller: Actor,
  collection: Exclude<Replicated, 'messages' | 'comments' | 'alarms'>,
  record: Record<string, unknown>,
  deleted: boolean,
): ReplicaDocument {
  const keyed = record as { key: string; hlc: unknown };
  if (deleted) return gone(keyed);
  switch (collection) {
    case 'directories':
      return present(keyed);
    case 'vehicles':
      return presentVehicle(caller, record as unknown as Vehicle);
    case 'fleet':
      return presentFleetEntry(caller, record as unknown as FleetEntry);
    case 'accounts':
      return presentAccount(caller, keyed as { key: string; hlc: unknown; kind: string });
  }
}

function presentVehicle(caller: Actor, { devicePassword: _secret, ...vehicle }: Vehicle): ReplicaDocument {
  return !vehicle.withdrawn && seesOrganization(caller, vehicle.organizationId) ? present(vehicle) : gone(vehicle);
}

/**
 * Marks, models and tags of the station are everybody's; what names an organisation is its own. Sensors are
 * asked for with their vehicle.
 */
function presentFleetEntry(caller: Actor, entry: FleetEntry): ReplicaDocument {
  if (entry.kind === 'sensor') return gone(entry);
  const owner = ('organizationId' in entry ? entry.organizationId : undefined) ?? 0;
  return owner === 0 || seesOrganization(caller, owner) ? present(entry) : gone(entry);
}

/**
 * Organisations are departments to which anybody may assign; people and rights are their organisation's, and
 * only what is public of them.
 */
function presentAccount(caller: Actor, account: { key: string; hlc: unknown; kind: string }): ReplicaDocument {
  switch (account.kind) {
    case 'organization':
      return present(account);
    case 'user': {
      const {
        key,
        id,
        kind,
        name,
        login,
        email,
        phone,
        enabled,
        visible,
        monitor,
        rightId,
        organizationId,
        withdrawn,
      } = account as User;
      return seesOrganization(caller, organizationId)
        ? { key, id, kind, name, login, email, phone, enabled, visible, monitor, rightId, organizationId, withdrawn }
        : gone(account);
    }
    case 'right': {
      const right = account as Right;
      return right.id === caller.right.id || seesOrganization(caller, right.organizationId)
        ? present(right)
        : gone(right);
    }
    default:
      return gone(account);
  }
}
