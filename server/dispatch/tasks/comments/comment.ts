import { administers, type Actor } from '../../../../shared/access.ts';
import { isLonger } from '../../../../shared/text/characters.ts';
import type { Comment, Task } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Draft } from '../../../store/types.ts';

export interface CommentOrder {
  text: string;
  /** The comment that this one answers, or 0. */
  parentId?: number | undefined;
  /** Describes the update that came with the comment. */
  updateText?: string | undefined;
  visibleTo?: Comment['visibleTo'] | undefined;
}

const LONGEST_COMMENT = 20_000;

const EVERYBODY: Comment['visibleTo'] = { all: true, author: false, assignedOrganization: false, assignedUser: false };

/** @param parent the answered comment as stored, or undefined */
export function createComment(
  id: number,
  task: Pick<Task, 'id'>,
  order: CommentOrder,
  parent: Comment | undefined,
  authorId: number,
  now: number,
): Draft<Comment> {
  if (order.text.trim() === '') throw new Refusal('field.empty', { field: 'comment' });
  if (isLonger(order.text, LONGEST_COMMENT))
    throw new Refusal('field.tooLong', { field: 'comment', most: LONGEST_COMMENT });
  if (order.parentId && parent?.taskId !== task.id)
    throw new Refusal('tasks.parentComment', { field: 'reference_id', id: order.parentId });
  return {
    id,
    taskId: task.id,
    parentId: parent?.id ?? 0,
    level: parent ? parent.level + 1 : 0,
    authorId,
    at: now,
    text: order.text,
    updateText: order.updateText ?? '',
    visibleTo: order.visibleTo ?? EVERYBODY,
  };
}

/** Whether a user who may see the task may also read the comment. */
export function mayRead(actor: Actor, comment: Pick<Comment, 'authorId' | 'visibleTo'>, task: Task): boolean {
  const { visibleTo } = comment;
  return (
    visibleTo.all ||
    comment.authorId === actor.user.id ||
    administers(actor, task.organizationId) ||
    (visibleTo.author && task.authorId === actor.user.id) ||
    (visibleTo.assignedUser && task.assignedUserId !== 0 && task.assignedUserId === actor.user.id) ||
    (visibleTo.assignedOrganization &&
      task.assignedOrganizationId !== 0 &&
      administers(actor, task.assignedOrganizationId))
  );
}
