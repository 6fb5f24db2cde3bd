import { createRouter, createWebHashHistory, type Router } from 'vue-router';
import BoardPage from './board/BoardPage.vue';
import SignInPage from './pages/SignInPage.vue';
import { useSession } from './stores/session.ts';

/** Pages by hash, so that no page hides a path of the interface. `open` ones are there without a login. */
export function makeRouter(): Router {
  const router = createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/', component: BoardPage },
      { path: '/sign-in', component: SignInPage, meta: { open: true } },
      { path: '/first-run', component: () => import('./pages/FirstRunPage.vue'), meta: { open: true } },
      { path: '/map', component: () => import('./pages/MapPage.vue') },
      { path: '/vehicles', component: () => import('./pages/VehiclesPage.vue') },
      { path: '/territory', component: () => import('./pages/TerritoryPage.vue') },
      { path: '/settings', component: () => import('./pages/SettingsPage.vue') },
      { path: '/design', component: () => import('./pages/DesignPage.vue') },
      { path: '/:rest(.*)*', redirect: '/' },
    ],
  });
  router.beforeEach(async (to) => {
    const session = useSession();
    if (session.firstRunNeeded === undefined) await session.resume();
    if (to.meta['open']) return session.user && to.path === '/sign-in' ? '/' : true;
    if (session.user) return true;
    return session.firstRunNeeded ? '/first-run' : '/sign-in';
  });
  return router;
}
