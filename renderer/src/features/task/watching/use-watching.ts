import { computed, shallowRef, watch } from 'vue';
import type { Task } from '../../../../../shared/records/index.ts';
import { ApiError } from '../../../lib/api/client.ts';
import type { Schema } from '../../../lib/api/operations.ts';
import { useDispatch } from '../../../lib/stores/dispatch.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { useLocale } from '../../../lib/i18n/index.ts';

/** Watchers of a task, and whether the user is one. */
export function useWatching(task: () => Task) {
  const session = useSession();
  const { client } = session;
  const dispatch = useDispatch();
  const { t } = useLocale();
  /** The number of the last request: of several under way, only its answer counts. */
  let last = 0;
  const known = shallowRef<Schema<'MessageWatchers'>>();
  /** Until the station has answered, as the replica has it: the key would begin what it should end. */
  const isWatching = computed(
    () => known.value?.watching ?? (task().watcherIds ?? []).some((id) => id === session.user?.id),
  );
  const names = computed(() => (known.value?.watchers ?? []).map(({ fio }) => fio));

  watch(
    [() => task().id, () => task().watcherIds?.join()],
    ([id], [before]) => {
      if (id !== before) known.value = undefined;
      void ask();
    },
    { immediate: true },
  );

  async function ask(): Promise<void> {
    const { id: newsId } = task();
    const mine = ++last;
    try {
      const answer = await client.request('get', '/news/{newsId}/watchers', { params: { path: { newsId } } });
      if (task().id === newsId && mine === last) known.value = answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  async function put(newsId: number, wanted: boolean): Promise<void> {
    await client.request(wanted ? 'put' : 'delete', '/news/{newsId}/watch', { params: { path: { newsId } } });
    await ask();
  }

  function toggle(): Promise<boolean> {
    const { id, title } = task();
    const wanted = !isWatching.value;
    return dispatch.act(
      () => put(id, wanted),
      () => t(wanted ? 'task.watching.begun' : 'task.watching.ended', { id, title }),
      () => put(id, !wanted),
    );
  }

  return { isWatching, names, toggle };
}
