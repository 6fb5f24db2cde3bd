import { computed, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';
import { ApiError } from '../../lib/api/client.ts';
import { useDirectoryRecords } from '../../lib/replica/use-records.ts';
import { useReturn } from '../../lib/live/use-return.ts';
import { useSession } from '../../lib/stores/session.ts';
import { questionProblem } from '../../lib/i18n/problem-words.ts';
import { useLocalizedText } from '../../lib/i18n/localized-text.ts';
import { fetchPage, type TaskHit, type TaskQuery } from './found-tasks.ts';

/** Nothing is asked while the user types. */
const PATIENCE_MS = 250;
/** A search that the console narrows continues by itself until it fills a screen, or has checked this many. */
const ENOUGH = 100;
const LOOK_AT_ONCE = 20_000;

/**
 * Searches all tasks of the station, page by page. Filters that only the console has, such as words, are
 * applied to each page, with a progress.
 */
export function useSearch(search: Ref<TaskQuery>) {
  const session = useSession();
  const types = useDirectoryRecords('type');
  const rows = shallowRef<readonly TaskHit[]>([]);
  const looked = ref(0);
  const total = ref<number>();
  const working = ref(false);
  const problem = useLocalizedText();
  /** The task after which the next page begins; undefined: everything has been looked at. */
  const last = ref<number | undefined>(0);
  let controller = new AbortController();
  let begin: ReturnType<typeof setTimeout> | undefined;
  const atEnd = computed(() => last.value === undefined);

  function start(): void {
    controller.abort();
    controller = new AbortController();
    last.value = 0;
    looked.value = 0;
    total.value = undefined;
    void go(true);
  }

  async function go(fresh = false): Promise<void> {
    if (last.value === undefined || (working.value && !fresh)) return;
    const { signal } = controller;
    const groups = new Set(search.value.filter.groupIds);
    const typesOfGroups = types.current.value.filter((type) => groups.has(type.groupId)).map((type) => type.id);
    working.value = true;
    problem.value = '';
    let first = fresh;
    const enough = (fresh ? 0 : rows.value.length) + ENOUGH;
    const until = looked.value + LOOK_AT_ONCE;
    try {
      do {
        const page = await fetchPage(session, search.value, typesOfGroups, last.value, signal);
        if (signal.aborted) return;
        rows.value = first ? page.found : [...rows.value, ...page.found];
        first = false;
        looked.value += page.looked;
        total.value = page.total;
        last.value = page.last;
      } while (last.value !== undefined && rows.value.length < enough && looked.value < until);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      problem.value = () => questionProblem(error);
    }
    working.value = false;
  }

  /** Clears the results. */
  function stop(): void {
    controller.abort();
    controller = new AbortController();
    working.value = false;
  }

  watch(
    search,
    () => {
      clearTimeout(begin);
      begin = setTimeout(start, PATIENCE_MS);
    },
    { immediate: true },
  );
  useReturn(() => problem.value && void go());
  onScopeDispose(() => {
    clearTimeout(begin);
    controller.abort();
  });

  return { rows, looked, total, working, problem, atEnd, more: () => go(), start, stop };
}
