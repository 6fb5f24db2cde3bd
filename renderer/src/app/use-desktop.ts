import { computed, onScopeDispose, watch } from 'vue';
import type { RouteLocationRaw, Router } from 'vue-router';
import { CAUTION } from '../../../shared/events/alarms.ts';
import { AlarmCalls, type AlarmCall } from '../features/alarms/alarm-calls.ts';
import { useCalls } from '../features/calls/calls-store.ts';
import { useAlarms } from '../features/alarms/alarms.ts';
import { useClock } from '../lib/stores/clock.ts';
import { useLive } from '../lib/stores/live.ts';
import { usePreferences } from '../lib/stores/preferences.ts';
import { useTasks } from '../lib/stores/tasks.ts';
import { i18n } from '../lib/i18n/index.ts';
import { BrowserNotices, desktopProgram } from '../lib/desktop/desktop-notices.ts';
import { attendBoard } from '../lib/desktop/panel-windows.ts';
import { PANEL_NAMES, PANEL_ROUTES } from '../lib/board-layouts.ts';
import { claimFront, consoleInFront, useFocused } from '../lib/desktop/front-window.ts';

/** Older ones were there before this window opened. */
const FRESH_MS = 60_000;

/**
 * Notifies an operator whose console is in the background: alarms and new emergencies as desktop
 * notifications, their number on the program's icon. A click brings the console to the front and selects the
 * alarm or task.
 */
export function useDesktop(router: Router): void {
  const desktop = desktopProgram() ?? new BrowserNotices();
  const alarms = useAlarms();
  const tasks = useTasks();
  const live = useLive();
  const clock = useClock();
  const preferences = usePreferences();
  const { t } = i18n.global;
  claimFront();
  onScopeDispose(attendBoard(() => PANEL_NAMES.find((name) => PANEL_ROUTES[name] === router.currentRoute.value.path)));
  watch(
    [() => preferences.language, () => preferences.palette],
    // An older program, whose station is newer, does not know it.
    ([language, palette]) => desktopProgram()?.setLook?.({ language, palette }),
    { immediate: true },
  );
  desktop.onRoute((wanted) => void router.push(linkOver(router, wanted)));

  const emergencies = computed(() => tasks.ordered.filter((row) => row.level === 'emergency').map(({ task }) => task));
  const waiting = computed(() => alarms.unanswered.filter(({ priority }) => priority !== CAUTION));
  const number = computed(() => {
    const alarmed = new Set(waiting.value.map(({ taskId }) => taskId));
    return waiting.value.length + emergencies.value.filter(({ id }) => !alarmed.has(id)).length;
  });
  watch(number, (count) => desktop.setBadge(count));

  const calls = new AlarmCalls();
  const focused = useFocused();
  watch([() => alarms.open, () => alarms.flood, () => live.caughtUp, focused], async ([open, flood, caughtUp]) => {
    if (!caughtUp) return; // a picture that is being filled has no news
    const { calls: due, over } = calls.next(open, flood, clock.now, document.hasFocus());
    for (const tag of over) desktop.withdraw(tag);
    if (due.length === 0 || !preferences.notifications || (await consoleInFront())) return;
    for (const call of due) notify(call);
  });
  function notify(call: AlarmCall): void {
    if (call.kind === 'flood')
      return desktop.notify({
        tag: call.tag,
        title: t('alarms.title'),
        body: t('alarms.flood', { count: call.count }),
        urgent: true,
        route: '#/',
      });
    const { alarm } = call;
    const lines = [alarms.subjectOf(alarm), alarms.responseOf(alarm)].filter(Boolean);
    desktop.notify({
      tag: call.tag,
      title: `${t(`alarms.priorities.${alarm.priority}`)}: ${alarms.nameOf(alarm)}`,
      body: lines.join('\n'),
      urgent: alarm.priority <= 2,
      route: `#/?alarm=${alarm.id}`,
    });
  }

  watch(emergencies, async (now, before) => {
    const known = new Set(before.map(({ id }) => id));
    const standing = new Set(now.map((task) => task.id));
    for (const id of known) if (!standing.has(id)) desktop.withdraw(`task:${id}`);
    const fresh = now.filter((task) => !known.has(task.id) && clock.now - task.date < FRESH_MS);
    if (fresh.length === 0 || !preferences.notifications || (await consoleInFront())) return;
    for (const task of fresh)
      desktop.notify({
        tag: `task:${task.id}`,
        title: t('queue.standings.emergency'),
        body: [task.title, task.address].filter(Boolean).join(', '),
        urgent: true,
        route: `#/?task=${task.id}`,
      });
  });

  const phone = useCalls();
  watch(
    () => phone.ringing,
    async (now, before) => {
      const known = new Set(before.map(({ id }) => id));
      for (const id of known) if (!now.some((call) => call.id === id)) desktop.withdraw(`call:${id}`);
      const fresh = now.filter((call) => !known.has(call.id) && clock.now - call.at < FRESH_MS);
      if (fresh.length === 0 || !preferences.notifications || (await consoleInFront())) return;
      for (const call of fresh)
        desktop.notify({
          tag: `call:${call.id}`,
          title: t('calls.ringing'),
          body: [call.name, phone.numberOf(call), call.line].filter(Boolean).join(', '),
          urgent: true,
          route: '#/',
        });
    },
  );

  followLinks(router, { alarm: (id) => (alarms.picked = id) });
}

/**
 * Where the link of a notification leads. On the page that is open already it closes no task and no call that
 * it does not name.
 */
export function linkOver(router: Pick<Router, 'currentRoute' | 'resolve'>, wanted: string): RouteLocationRaw {
  const { path, query } = router.currentRoute.value;
  const to = router.resolve(wanted.replace(/^#/, ''));
  return to.path === path ? { path, query: { ...query, ...to.query } } : to.fullPath;
}

/**
 * `?alarm=7` in an address chooses alarm 7, once: the address then loses it, so that the same link works
 * again.
 */
function followLinks(router: Router, choose: Readonly<Record<string, (id: number) => void>>): void {
  router.afterEach((to) => {
    const wanted = Object.keys(choose).filter((name) => to.query[name] !== undefined);
    if (wanted.length === 0 || to.meta['open']) return;
    for (const name of wanted) choose[name]!(Number(to.query[name]));
    void router.replace({
      path: to.path,
      query: Object.fromEntries(Object.entries(to.query).filter(([name]) => !wanted.includes(name))),
    });
  });
}
