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
}

/** What was said about a task, with what waits here, oldest first. A crew's comments begin with its name. */
export function chatLines({ car }: ShownState, task: ShownTask | undefined, kept: readonly Kept[]): ChatLine[] {
  if (!task) return [];
  const own = `${car.name}: `;
  const said = task.comments.map(({ id, at, author, text }): ChatLine => {
    const isOwn = author === '' && text.startsWith(own);
    return { key: `comment-${id}`, at, author, isOwn, waits: false, text: isOwn ? text.slice(own.length) : text };
  });
  const waiting = kept.flatMap(({ no, at, action, refused }): ChatLine[] => {
    if (refused || !('taskId' in action) || action.taskId !== task.id) return [];
    const line = { key: `kept-${no}`, at, author: '', isOwn: true, waits: true, text: '' };
    if (action.kind === 'comment') return [{ ...line, text: action.text }];
    return action.kind === 'file' ? [{ ...line, file: { name: action.name, size: action.bytes.size } }] : [];
  });
  return [...said, ...waiting];
}
