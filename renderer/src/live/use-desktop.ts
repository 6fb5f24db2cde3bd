import { computed, watch } from 'vue';
import type { Router } from 'vue-router';
import { BRIDGE, type WindowBridge } from '../../../shared/bridge.ts';
import { useTasks } from '../stores/tasks.ts';
import { i18n } from '../words/index.ts';

/**
 * What the desktop program adds: pages that a notification or a menu asks for, the number of waiting emergencies on its icon,
 * and a notification of the system for each that comes while the window is not looked at. In a browser nothing happens.
 */
export function useDesktop(router: Router): void {
  const bridge = (window as unknown as Record<string, WindowBridge | undefined>)[BRIDGE];
  if (!bridge) return;
  const tasks = useTasks();
  bridge.onRoute((wanted) => void router.push(wanted.replace(/^#/, '')));
  const emergencies = computed(() => tasks.ordered.filter((row) => row.standing === 'emergency'));
  watch(emergencies, (now, before) => {
    bridge.setBadge(now.length);
    if (document.hasFocus()) return;
    const known = new Set(before.map((row) => row.task.id));
    for (const { task } of now) if (!known.has(task.id) && Date.now() - task.date < FRESH_MS) bridge.notify({ title: i18n.global.t('queue.standings.emergency'), body: [task.title, task.address].filter(Boolean).join(', '), urgent: true, route: '#/' });
  });
}

/** What is older was there before this window was. */
const FRESH_MS = 60_000;
