import type { Task } from '../../../../shared/records/index.ts';
import type { AttachmentItem } from '../../lib/api/types.ts';
import { useBoard } from '../../lib/stores/board.ts';
import { useDispatch } from '../../lib/stores/dispatch.ts';
import { useNotices } from '../../lib/stores/notices.ts';
import { useSession } from '../../lib/stores/session.ts';
import { useLocale } from '../../lib/i18n/index.ts';

/** The interface's words for the kinds of attachments. */
export const KINDS = ['photos', 'video', 'sounds', 'files'] as const;
export type TaskActionKind = (typeof KINDS)[number];

/** The actions on a task from its card, each with its undo. */
export function useTaskActions() {
  const { client, user } = useSession();
  const dispatch = useDispatch();
  const notices = useNotices();
  const board = useBoard();
  const { t } = useLocale();
  const named = (task: Task) => ({ id: task.id, title: task.title });

  /**
   * Saves an edit. `back` is the body that undoes it; `stillSo` tells whether no one has changed it since.
   */
  function edit(
    task: Task,
    order: Record<string, unknown>,
    back: Record<string, unknown>,
    stillSo: () => boolean,
    after: () => Promise<void>,
  ): Promise<boolean> {
    return dispatch.act(
      () => dispatch.update(task.id, order).then(after),
      () => t('task.edit.saved', named(task)),
      () => dispatch.update(task.id, back).then(after),
      stillSo,
    );
  }

  function archive(task: Task, archived: boolean, after: () => Promise<void>): Promise<boolean> {
    const put = (value: boolean) => dispatch.update(task.id, { archive: value }).then(after);
    return dispatch.act(
      () => put(archived),
      () => t(archived ? 'task.archived' : 'task.unarchived', named(task)),
      () => put(!archived),
    );
  }

  /** Deleting is logical, and only an administrator can bring a task back: others are asked before. */
  async function remove(task: Task): Promise<boolean> {
    const post = (action: 'delete' | 'restore') =>
      client.ask(`/news/${task.id}/`, { method: 'POST', body: { action } });
    const done = () => t('task.deleted', named(task));
    const reopen = () => post('restore').then(() => board.openTask(task.id));
    if (user?.right?.admin) return dispatch.act(() => post('delete'), done, reopen);
    const removed = await dispatch.attempt(() => post('delete'));
    if (removed === undefined) return false;
    notices.show('done', done);
    return true;
  }

  function detach(
    task: Task,
    kind: TaskActionKind,
    item: AttachmentItem,
    after: () => Promise<void>,
  ): Promise<boolean> {
    const post = (action: 'delete' | 'restore') =>
      client.ask(`/news/${task.id}/${kind}/${item.id}`, { method: 'POST', body: { action } });
    const wasMain = kind === 'photos' && task.mainPhoto === Number(item.num);
    return dispatch.act(
      () => post('delete').then(after),
      () => t('task.attachments.deleted', { name: attachmentName(item), id: task.id }),
      async () => {
        await post('restore');
        if (wasMain) await dispatch.update(task.id, { photo_main: Number(item.num) });
        await after();
      },
    );
  }

  function makeMain(task: Task, item: AttachmentItem, after: () => Promise<void>): Promise<boolean> {
    const before = task.mainPhoto;
    const put = (num: number) => dispatch.update(task.id, { photo_main: num }).then(after);
    return dispatch.act(
      () => put(Number(item.num)),
      () => t('task.attachments.madeMain', { name: attachmentName(item), id: task.id }),
      () => (before === null ? after() : put(before)),
    );
  }

  /** It can wait although nobody was sent in time. */
  const acknowledge = (task: Task) =>
    dispatch.attempt(() =>
      client.request('post', '/news/{newsId}/acknowledge', { params: { path: { newsId: task.id } } }),
    );

  return { acknowledge, edit, archive, remove, detach, makeMain };
}

/** A video has no name of its own. */
export function attachmentName(item: AttachmentItem): string {
  return item.name || item.file_name;
}
