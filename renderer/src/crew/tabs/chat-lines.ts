import type { Kept } from '../queue/action-queue.ts';
import type { ShownState, ShownTask } from '../queue/shown-state.ts';

/** One thing that was said, or added. */
export interface ChatLine {
  readonly key: string;
  readonly at: number;
  /** Empty: the control room. */
  readonly author: string;
  readonly isOwn: boolean;
  readonly waits: boolean;
  readonly text: string;
  readonly file?: { readonly name: string; readonly size: number };
  /** It is part of the task, for everybody who sees the task. */
  readonly inTask: boolean;
  /** Of a message of the control room that must be answered: its id, and when it was. */
  readonly mustAnswer?: { readonly id: number; readonly answeredAt: number | null };
  /** When the control room read an own one. */
  readonly readAt?: number | null;
}

/**
 * The messages and the comments on the task, oldest first; unsent ones come last. A crew's comments begin
 * with its name.
 */
export function chatLines(
  { car, messages }: ShownState,
  task: ShownTask | undefined,
  kept: readonly Kept[],
): ChatLine[] {
  const prefix = `${car.name}: `;
  const comments = (task?.comments ?? []).map(({ id, at, author, text }): ChatLine => {
    const isOwn = author === '' && text.startsWith(prefix);
    const words = isOwn ? text.slice(prefix.length) : text;
    return { key: `comment-${id}`, at, author, isOwn, waits: false, text: words, inTask: true };
  });
  const said = messages.map(({ id, at, author, own, text, mustAnswer, answeredAt, readAt }): ChatLine => ({
    key: `message-${id}`,
    at,
    author,
    isOwn: own,
    waits: false,
    text,
    inTask: false,
    ...(mustAnswer && !own && { mustAnswer: { id, answeredAt } }),
    ...(own && { readAt }),
  }));
  const waiting = kept.flatMap(({ no, at, action, refused }): ChatLine[] => {
    const line = { key: `kept-${no}`, at, author: '', isOwn: true, waits: true, text: '' };
    if (refused) return [];
    if (action.kind === 'say') return [{ ...line, text: action.text, inTask: false }];
    if (!('taskId' in action) || action.taskId !== task?.id) return [];
    if (action.kind === 'comment') return [{ ...line, text: action.text, inTask: true }];
    if (action.kind !== 'file') return [];
    return [{ ...line, inTask: true, file: { name: action.name, size: action.bytes.size } }];
  });
  return [...[...comments, ...said].sort((a, b) => a.at - b.at), ...waiting];
}
