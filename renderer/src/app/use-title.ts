import { computed, watchEffect } from 'vue';
import { useRoute } from 'vue-router';
import { ADMINISTRATION, BAR_PAGES } from './pages-list.ts';
import { CARD } from '../lib/desktop/chosen-task.ts';
import { useBoard } from '../lib/stores/board.ts';
import { useSession } from '../lib/stores/session.ts';
import { useTasks } from '../lib/stores/tasks.ts';
import { useVehicles } from '../lib/stores/vehicles.ts';
import { useLocale } from '../lib/i18n/index.ts';

const NAMED = [...BAR_PAGES, ...ADMINISTRATION.flatMap((group) => group.pages)];

/** The window title names the open record, then the page, so that windows and history steps differ. */
export function useTitle(): void {
  const route = useRoute();
  const session = useSession();
  const board = useBoard();
  const tasks = useTasks();
  const vehicles = useVehicles();
  const { t } = useLocale();

  const page = computed(() => {
    const named = NAMED.find(({ path }) => path === route.path);
    if (named) return t(`pages.${named.word}`);
    if (route.path === '/calls') return t('pages.calls');
    if (route.path === '/past') return t('past.title');
    if (route.path === '/map') return t('map.label');
    if (route.path === '/wall') return t('settings.wall');
    if (route.path === '/queue') return t('queue.title');
    if (route.path === CARD) return '';
    if (route.path === '/sign-in') return t('signIn.title');
    return route.path.startsWith('/vehicles/') ? t('pages.vehicles') : '';
  });
  const opened = computed(() => {
    if (route.params['id'] !== undefined) return vehicles.all.find(({ id }) => id === Number(route.params['id']))?.name;
    if (route.path !== '/' && route.path !== CARD) return undefined;
    if (board.writing) return t('intake.title');
    if (board.chosenTaskId === undefined)
      return board.chosenVehicle === undefined ? undefined : vehicles.byGlonassId.get(board.chosenVehicle)?.name;
    void tasks.ordered; // a title that is changed changes here, too
    return [t('card.title', { id: board.chosenTaskId }), tasks.byId(board.chosenTaskId)?.title]
      .filter(Boolean)
      .join(' ');
  });
  watchEffect(
    () =>
      (document.title = [opened.value, page.value, t('windowTitle', { station: session.health?.station.name ?? '' })]
        .filter(Boolean)
        .join(' · ')),
  );
}
