import { computed, watch } from 'vue';
import type { RouteLocationNormalized, Router } from 'vue-router';
import { useBoard } from '../lib/stores/board.ts';
import { useDraft } from '../features/task/editor/draft.ts';
import { useTasks } from '../lib/stores/tasks.ts';

/**
 * Who goes through the queue by keys leaves no step in the history for a task that was open for less than
 * this.
 */
const STEP_MS = 1_500;
const WRITING = 'new';

/**
 * The address names what is open on the board: `#/?task=168`, or `#/?task=new` for a call. So links work, and
 * Back returns to what was open before.
 */
export function useBoardAddress(router: Router): void {
  const board = useBoard();
  const tasks = useTasks();
  const { draft } = useDraft();
  const open = computed(() =>
    board.writing ? WRITING : board.chosenTaskId === undefined ? undefined : String(board.chosenTaskId),
  );
  let ready = false;
  let since = 0;

  function state(how: 'push' | 'replace'): void {
    const { task: _task, ...query } = router.currentRoute.value.query;
    void router[how]({ path: '/', query: open.value === undefined ? query : { ...query, task: open.value } });
  }

  watch(open, (now, before) => {
    const at = router.currentRoute.value;
    if (!ready || at.path !== '/' || statedIn(at) === now) return;
    // Behind a call that was saved or left empty there is only an empty form.
    const over = before === WRITING && !draft.title && !draft.text && !draft.placeText;
    const stepped = over || (now !== undefined && before !== undefined && Date.now() - since < STEP_MS);
    since = Date.now();
    state(stepped ? 'replace' : 'push');
  });

  router.afterEach((to, from) => {
    ready = true;
    const stated = statedIn(to);
    if (to.path !== '/' || stated === open.value) return;
    if (stated === WRITING) board.startWriting();
    else if (stated !== undefined) board.openTask(Number(stated), tasks.byId(Number(stated))?.point ?? undefined);
    else if (from.path === '/' && from.matched.length > 0) board.openTask(undefined);
    else state('replace'); // coming from another page leaves the board as it was
  });
}

function statedIn({ query }: Pick<RouteLocationNormalized, 'query'>): string | undefined {
  const stated = query['task'];
  return typeof stated === 'string' && /^(?:new|[1-9]\d{0,9})$/.test(stated) ? stated : undefined;
}
