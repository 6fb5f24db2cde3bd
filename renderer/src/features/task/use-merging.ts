import type { Task } from '../../../../shared/records/index.ts';
import { isMerged } from '../../../../shared/tasks/merged.ts';
import { useBoard } from '../../lib/stores/board.ts';
import { useDispatch } from '../../lib/stores/dispatch.ts';
import { useSession } from '../../lib/stores/session.ts';
import { useTasks } from '../../lib/stores/tasks.ts';
import { useLocale } from '../../lib/i18n/index.ts';

type Named = Pick<Task, 'id' | 'title'>;

/** Merging and linking tasks from a card, each with its undo. */
export function useMerging() {
  const { client } = useSession();
  const board = useBoard();
  const dispatch = useDispatch();
  const tasks = useTasks();
  const { t } = useLocale();

  const put = (newsId: number, into: number) =>
    client.request('post', '/news/{newsId}/merge', { params: { path: { newsId } }, body: { into } });
  const takeBack = (newsId: number) =>
    client.request('delete', '/news/{newsId}/merge', { params: { path: { newsId } } });
  const tie = (newsId: number, other: number) =>
    client.request('post', '/news/{newsId}/links', { params: { path: { newsId } }, body: { newsId: other } });
  const untie = (newsId: number, otherId: number) =>
    client.request('delete', '/news/{newsId}/links/{otherId}', { params: { path: { newsId, otherId } } });

  const isStill = (id: number, is: boolean) => {
    const task = tasks.byId(id);
    return !task || isMerged(task) === is;
  };

  /** The card continues with the remaining task. */
  async function merge(task: Task, into: Task): Promise<boolean> {
    const done = await dispatch.act(
      () => put(task.id, into.id),
      () => t('card.related.merged', { id: task.id, into: into.id, title: into.title }),
      () => takeBack(task.id).then(() => board.openTask(task.id)),
      () => isStill(task.id, true),
    );
    if (done) board.openTask(into.id, into.point ?? undefined);
    return done;
  }

  function unmerge(task: Task): Promise<boolean> {
    const into = task.mergedInto ?? 0;
    return dispatch.act(
      () => takeBack(task.id),
      () => t('card.related.unmerged', { id: task.id, title: task.title }),
      () => put(task.id, into),
      () => isStill(task.id, false),
    );
  }

  const link = (task: Named, other: Named) =>
    dispatch.act(
      () => tie(task.id, other.id),
      () => t('card.related.linked', { id: task.id, other: other.id, title: other.title }),
      () => untie(task.id, other.id),
    );

  const unlink = (task: Named, other: Named) =>
    dispatch.act(
      () => untie(task.id, other.id),
      () => t('card.related.unlinked', { id: task.id, other: other.id, title: other.title }),
      () => tie(task.id, other.id),
    );

  return { merge, unmerge, link, unlink };
}
