import { demandMay, type Actor } from '../../../shared/access.ts';
import { asTree } from '../../../shared/tasks/comment-tree.ts';
import type { Comment, Message, StateRule } from '../../../shared/records/index.ts';
import type { Records, Store } from '../../store/types.ts';
import { createComment, mayRead, type CommentOrder } from './comment.ts';
import { rowsOfMessage } from '../rows-of-task.ts';

interface MessageCommentsOptions {
  readonly store: Store;
  /** The message, for who may see it; refuses otherwise. */
  seen(actor: Actor, id: number): Message;
  /** The rules of states that are in force. */
  rules(): readonly StateRule[];
  now(): number;
}

/** What is said about messages. */
export class MessageComments {
  readonly #store: Store;
  readonly #comments: Records<Comment>;
  readonly #seen: MessageCommentsOptions['seen'];
  readonly #rules: () => readonly StateRule[];
  readonly #now: () => number;

  constructor({ store, seen, rules, now }: MessageCommentsOptions) {
    this.#store = store;
    this.#comments = store.records('comments');
    this.#seen = seen;
    this.#rules = rules;
    this.#now = now;
  }

  /** The comments that the actor may read, as a tree in reading order. */
  of(actor: Actor, messageId: number): Comment[] {
    const message = this.#seen(actor, messageId);
    return asTree(
      rowsOfMessage<Comment>(this.#store, 'comments', messageId).filter((comment) => mayRead(actor, comment, message)),
    );
  }

  async add(actor: Actor, messageId: number, order: CommentOrder): Promise<Comment> {
    const message = this.#seen(actor, messageId);
    demandMay(actor, 'comment', message, this.#rules(), `message ${messageId}`);
    const parent = order.parentId ? this.#comments.get(order.parentId) : undefined;
    const readable = parent && mayRead(actor, parent, message) ? parent : undefined;
    return this.#insert(actor, message, order, readable);
  }

  /**
   * The comment that comes with an update, inside its `together`: the update has asked whether the actor may.
   */
  async addToUpdate(actor: Actor, message: Message, order: CommentOrder): Promise<void> {
    await this.#insert(actor, message, order, undefined);
  }

  /** All comments of some messages, whoever asks, by the id of their message. */
  ofMessages(ids: readonly number[]): Map<number, Comment[]> {
    const rows = this.#store.sql
      .prepare(
        `SELECT data FROM ${this.#store.table('comments')} WHERE deleted=0 AND messageId IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(ids));
    return Map.groupBy(
      rows.map((row) => JSON.parse(String(row['data'])) as Comment),
      ({ messageId }) => messageId,
    );
  }

  #insert(actor: Actor, message: Message, order: CommentOrder, parent: Comment | undefined): Promise<Comment> {
    return this.#comments.insert(
      createComment(this.#comments.nextId(), message, order, parent, actor.user.id, this.#now()),
    );
  }
}
