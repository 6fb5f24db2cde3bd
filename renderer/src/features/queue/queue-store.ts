import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import type { Actor } from '../../../../shared/access.ts';
import { kindKeyOf } from '../../../../shared/ids.ts';
import type { StateRule, TaskType } from '../../../../shared/records/index.ts';
import { ownVehicleIds } from '../../../../shared/shifts/on-duty.ts';
import { useFleetRecords } from '../../lib/replica/use-records.ts';
import { useClock } from '../../lib/stores/clock.ts';
import { useLive } from '../../lib/stores/live.ts';
import { asOwn } from '../../lib/presets/follow-presets.ts';
import { usePreferences } from '../../lib/stores/preferences.ts';
import { useSession } from '../../lib/stores/session.ts';
import { useTasks } from '../../lib/stores/tasks.ts';
import {
  EVERYTHING,
  matcher,
  narrowingParts,
  sameFilter,
  searchText,
  type Viewer,
  type TaskFilter,
} from '../../lib/tasks/task-filter.ts';
import { inOrder } from '../../lib/tasks/task-orders.ts';
import { isStanding, STANDING_FILTERS, type SavedView } from '../../lib/tasks/views.ts';

/** Saved views are counted at most this often, and for at most a quarter of the time. */
const COUNT_EVERY_MS = 1_000;
/** Time-dependent filters are evaluated this often. */
const PASSING_MS = 5_000;

/**
 * The tasks of the queue and their order: a view and the filters on top. It stays while other pages are open.
 */
export const useQueue = defineStore('queue', () => {
  const tasks = useTasks();
  const session = useSession();
  const clock = useClock();
  const preferences = usePreferences();
  const { records } = useLive();

  const viewId = shallowRef<string>('open');
  const filter = shallowRef<TaskFilter>(STANDING_FILTERS.open);
  const view = computed(() => preferences.savedViews.find((one) => one.id === viewId.value));
  const viewFilter = computed(
    () => view.value?.filter ?? (isStanding(viewId.value) ? STANDING_FILTERS[viewId.value] : EVERYTHING),
  );
  /** Something was narrowed or widened beyond the view. */
  const changed = computed(
    () =>
      !sameFilter({ ...filter.value, words: viewFilter.value.words }, viewFilter.value) ||
      (view.value !== undefined && view.value.order !== preferences.queueOrder),
  );
  /** Count on the button: the filters that narrow, other than the view itself. */
  const beyond = computed(() =>
    narrowingParts(filter.value).filter(
      (part) => JSON.stringify(filter.value[part]) !== JSON.stringify(viewFilter.value[part]),
    ),
  );

  const typeOf = (id: number) => records.directories.get(kindKeyOf('type', id)) as TaskType | undefined;
  const stateOf = (id: number) => records.directories.get(kindKeyOf('stateRule', id)) as StateRule | undefined;
  const duties = useFleetRecords('duty').current;
  /** The own vehicles as a text, so that other changes of duties do not trigger the filter. */
  const ownVehicles = computed(() => ownVehicleIds(duties.value, session.user?.id ?? 0).join());
  /** Called for each of a hundred thousand tasks, so a type is looked up once for all of them. */
  function viewer(now: number): Viewer {
    const known = new Map<number, TaskType | undefined>();
    const typeKnown = (id: number) => {
      if (!known.has(id)) known.set(id, typeOf(id));
      return known.get(id);
    };
    const userId = session.user?.id ?? 0;
    const user = records.accounts.get(kindKeyOf('user', userId)) as unknown as Actor['user'] | undefined;
    const organizationId = session.user?.organizationId ?? 0;
    const vehicleIds = ownVehicles.value.split(',').filter(Boolean).map(Number);
    return { userId, organizationId, vehicleIds, user, now, typeOf: typeKnown, stateOf };
  }
  const passing = computed(() => (filter.value.overdue ? Math.floor(clock.now / PASSING_MS) * PASSING_MS : 0));
  /** A new object whenever the user changes the query. */
  const question = computed(() => ({ filter: filter.value, order: preferences.queueOrder }));
  const shown = computed(() => {
    // a rule that is changed finds other tasks
    if (filter.value.stateIds.length > 0) void [records.directories.version.value, records.accounts.version.value];
    const wanted = matcher(filter.value, viewer(passing.value));
    return inOrder(
      tasks.ordered.filter((row) => wanted(row.task)),
      preferences.queueOrder,
    ).map((row) => row.task.id);
  });

  function choose(id: string): void {
    const saved = preferences.savedViews.find((one) => one.id === id);
    viewId.value = saved || isStanding(id) ? id : 'open';
    filter.value = { ...viewFilter.value, words: saved ? saved.filter.words : filter.value.words };
    if (saved) preferences.queueOrder = saved.order;
  }

  /** The filter that an address names. Without access to a named view, only its filter counts. */
  function show(id: string, asked: TaskFilter): void {
    const isKnown = preferences.savedViews.some((one) => one.id === id);
    viewId.value = isKnown || isStanding(id) ? id : 'open';
    filter.value = asked;
  }

  function narrow(part: Partial<TaskFilter>): void {
    filter.value = { ...filter.value, ...part };
  }

  /** Back to the filters of the view. */
  function reset(): void {
    filter.value = viewFilter.value;
    if (view.value) preferences.queueOrder = view.value.order;
  }

  /** Gives the way back: to the view that was chosen before, narrowed as now. */
  function saveAs(name: string): () => void {
    const [before, asked] = [viewId.value, filter.value];
    const saved: SavedView = { id: crypto.randomUUID(), name, filter: filter.value, order: preferences.queueOrder };
    preferences.savedViews = [...preferences.savedViews, saved];
    viewId.value = saved.id;
    return () => {
      const stillChosen = viewId.value === saved.id;
      forget(saved.id);
      if (!stillChosen) return;
      viewId.value = before;
      filter.value = asked;
    };
  }

  /** Saves the current filters as the selected view, which is one's own from then on. Returns the undo. */
  function update(): () => void {
    const before = view.value;
    if (!before) return () => undefined;
    return replace(before, { ...asOwn(before), filter: filter.value, order: preferences.queueOrder });
  }

  function rename(name: string): () => void {
    const before = view.value;
    return before ? replace(before, { ...asOwn(before), name }) : () => undefined;
  }

  function replace(before: SavedView, after: SavedView): () => void {
    preferences.savedViews = preferences.savedViews.map((one) => (one.id === before.id ? after : one));
    if (viewId.value === before.id) viewId.value = after.id;
    return () => {
      preferences.savedViews = preferences.savedViews.map((one) => (one.id === after.id ? before : one));
      if (viewId.value === after.id) viewId.value = before.id;
    };
  }

  function forget(id: string): SavedView | undefined {
    const gone = preferences.savedViews.find((one) => one.id === id);
    preferences.savedViews = preferences.savedViews.filter((one) => one.id !== id);
    if (viewId.value === id) choose('open');
    return gone;
  }

  function bringBack(view: SavedView): void {
    preferences.savedViews = [...preferences.savedViews, view];
  }

  /** Keeps a shared view among the own ones and chooses it. */
  function take(view: SavedView): void {
    preferences.savedViews = [...preferences.savedViews.filter(({ id }) => id !== view.id), view];
    choose(view.id);
  }

  // A shared view that its owner changes is shown as it is now, unless it was narrowed here.
  watch([() => view.value?.id, view], ([id, now], [idBefore, before]) => {
    if (!now || !before || id !== idBefore || now.sharedId === undefined || now.sharedAt === before.sharedAt) return;
    if (!sameFilter(filter.value, before.filter)) return;
    filter.value = now.filter;
    if (preferences.queueOrder === before.order) preferences.queueOrder = now.order;
  });

  const counts = shallowRef<Readonly<Record<string, number>>>({});
  let counting: ReturnType<typeof setTimeout> | undefined;
  let cost = 0;
  watch(
    [() => tasks.ordered, () => preferences.savedViews, ownVehicles],
    () => (counting ??= setTimeout(count, counts.value ? Math.max(COUNT_EVERY_MS, cost * 3) : 0)),
    { immediate: true },
  );
  function count() {
    counting = undefined;
    const began = performance.now();
    const views = [{ id: 'me', filter: STANDING_FILTERS.me }, ...preferences.savedViews];
    const asked = views.map((one) => ({
      id: one.id,
      wanted: matcher(one.filter, viewer(Date.now())),
    }));
    counts.value = Object.fromEntries(
      asked.map(({ id, wanted }) => [id, tasks.ordered.reduce((sum, row) => sum + (wanted(row.task) ? 1 : 0), 0)]),
    );
    cost = performance.now() - began;
  }

  /** Search uses case-folded texts, which are prepared in idle time. */
  let warmed = 0;
  let warming = false;
  watch(() => tasks.ordered, warm, { immediate: true });
  function warm() {
    if (warming) return;
    warming = true;
    warmed = 0;
    requestIdleCallback(warmNext);
  }
  function warmNext(deadline: IdleDeadline) {
    const rows = tasks.ordered;
    while (warmed < rows.length && deadline.timeRemaining() > 2)
      for (const end = Math.min(rows.length, warmed + 200); warmed < end; warmed++) searchText(rows[warmed]!.task);
    if (warmed < rows.length) requestIdleCallback(warmNext);
    else warming = false;
  }

  return {
    viewId,
    view,
    filter,
    question,
    changed,
    beyond,
    shown,
    counts,
    choose,
    show,
    narrow,
    reset,
    saveAs,
    update,
    forget,
    bringBack,
    rename,
    replace,
    take,
  };
});
