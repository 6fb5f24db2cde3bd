import { computed, shallowRef, watch } from 'vue';
import type { LocationQuery, RouteLocationNormalized, Router } from 'vue-router';
import { useQueue } from '../features/queue/queue-store.ts';
import { useDraft } from '../features/task/editor/draft.ts';
import { useBoard } from '../lib/stores/board.ts';
import { useTasks } from '../lib/stores/tasks.ts';
import { useVehicles } from '../lib/stores/vehicles.ts';
import { boardQuery, boardStateIn, STATED_KEYS, WRITING, type BoardState } from './board-address.ts';

/**
 * An operator who walks the queue by keys leaves no step in the history for a task that was open for less
 * than this.
 */
const STEP_MS = 1_500;
/** Typing and dragging add no step to the history. */
const FLOWING: readonly string[] = ['map', 'words'];

/**
 * The address encodes what is open: `#/?task=168&unit=7&overdue=1&map=56.19110,18.91210,15`, or `#/?task=new`
 * for a call. Links work in other windows, and Back returns to the earlier state.
 */
export function useBoardAddress(router: Router): void {
  const board = useBoard();
  const tasks = useTasks();
  const vehicles = useVehicles();
  const queue = useQueue();
  const { draft } = useDraft();
  /** A vehicle of an address that the replica does not have yet. */
  const awaited = shallowRef<number>();
  const state = computed<BoardState>(() => ({
    task: board.writing ? WRITING : board.chosenTaskId,
    unit:
      awaited.value ??
      (board.chosenVehicle === undefined ? undefined : vehicles.byGlonassId.get(board.chosenVehicle)?.id),
    view: queue.viewId,
    filter: queue.filter,
    map: board.mapView,
  }));
  let ready = false;
  let since = 0;
  /** Navigation by this function: the address already states it. */
  let stating: string | undefined;
  /** Navigation by others, whose page may still load, and the state when it began. */
  let leaving: { readonly to: RouteLocationNormalized; readonly stated: Record<string, string> } | undefined;

  /** The part of the state that the addresses of `path` name. */
  function statedOn(path: string): Record<string, string> {
    const all = Object.entries(boardQuery(state.value));
    return Object.fromEntries(all.filter(([key]) => STATED_KEYS[path]?.includes(key)));
  }
  function differing(query: LocationQuery, path: string): string[] {
    const wanted = statedOn(path);
    return (STATED_KEYS[path] ?? []).filter((key) => query[key] !== wanted[key]);
  }
  function go(how: 'push' | 'replace'): void {
    const { path, query } = router.currentRoute.value;
    const rest = Object.entries(query).filter(([key]) => !STATED_KEYS[path]!.includes(key));
    const to = router.resolve({ path, query: { ...Object.fromEntries(rest), ...statedOn(path) } });
    stating = to.fullPath;
    void router[how](to);
  }

  watch(state, (now, before) => {
    const { path, query } = router.currentRoute.value;
    const changed = differing(query, path);
    // To state it now would take the person back from where they are going.
    if (!ready || leaving || changed.length === 0) return;
    if (changed.every((key) => FLOWING.includes(key))) return go('replace');
    // Behind a call that was saved or left empty there is only an empty form.
    const over = before.task === WRITING && now.task !== WRITING && !draft.title && !draft.text && !draft.placeText;
    const stepped = isStep(before, now) && Date.now() - since < STEP_MS;
    since = Date.now();
    go(over || stepped ? 'replace' : 'push');
  });

  function open(stated: BoardState, keys: readonly string[], moves: boolean): void {
    if (keys.includes('task')) {
      if (stated.task === WRITING) board.startWriting();
      else board.openTask(stated.task, moves ? undefined : (tasks.byId(stated.task ?? 0)?.point ?? undefined));
    }
    if (keys.includes('unit')) choose(stated.unit);
    if (keys.some((key) => key !== 'task' && key !== 'unit' && key !== 'map')) queue.show(stated.view, stated.filter);
    if (keys.includes('map') && stated.map) board.mapView = stated.map;
  }
  function choose(id: number | undefined): void {
    const vehicle = id === undefined ? undefined : vehicles.byId(id);
    awaited.value = vehicle ? undefined : id;
    board.chosenVehicle = vehicle?.glonassId;
  }
  watch(
    () => (awaited.value === undefined ? undefined : vehicles.all.find(({ id }) => id === awaited.value)),
    (vehicle) => vehicle && choose(vehicle.id),
  );
  // Another choice of the person's comes before the vehicle that is awaited.
  watch(
    () => board.chosenVehicle,
    (chosen) => chosen !== undefined && (awaited.value = undefined),
    { flush: 'sync' },
  );

  router.beforeEach((to, from) => {
    if (to.fullPath !== stating && from.matched.length > 0) leaving = { to, stated: statedOn(to.path) };
  });
  /** The page did not load: changes in the meantime are stated on the page where the person stayed. */
  function stay(to: RouteLocationNormalized): void {
    if (leaving?.to !== to) return;
    leaving = undefined;
    const { path, query } = router.currentRoute.value;
    if (differing(query, path).length > 0) go('replace');
  }
  router.onError((_error, to) => stay(to));

  router.afterEach((to, from, failure) => {
    ready = true;
    const isOwn = to.fullPath === stating;
    if (failure) return stay(to);
    stating = undefined;
    const [before, now] = [leaving?.stated, statedOn(to.path)];
    leaving = undefined;
    const changed = differing(to.query, to.path);
    if (changed.length === 0) return;
    if (isOwn) return go('replace'); // it has changed again meanwhile
    const within = to.path === from.path && from.matched.length > 0;
    // After another page, state that the address does not name stays as it was. No address closes the map.
    const named = changed.filter((key) => (within && key !== 'map') || to.query[key] !== undefined);
    // Input that a person made meanwhile wins over the address.
    const keys = named.filter((key) => before?.[key] === now[key] || before === undefined);
    open(boardStateIn(to.query), keys, to.query['map'] !== undefined);
    if (differing(to.query, to.path).length > 0) go('replace');
  });
}

/** One thing after another of the same kind, as by the keys of a list. */
function isStep(before: BoardState, now: BoardState): boolean {
  const isNext = (was: unknown, is: unknown) => was === is || (was !== undefined && is !== undefined);
  return isNext(before.task, now.task) && isNext(before.unit, now.unit);
}
