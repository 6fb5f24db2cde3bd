import { createRouter, createWebHashHistory, type RouteRecordRaw, type Router } from 'vue-router';
import { ADMINISTRATION, BAR_PAGES, OTHER_PAGES } from './pages-list.ts';
import SignInPage from '../pages/people/SignInPage.vue';
import { FIRST_DUTIES, useSession } from '../lib/stores/session.ts';

/**
 * The administration's pages are shown beside its list, each under a path of its own; `meta.word` is its name
 * under `pages.`.
 */
const pages: RouteRecordRaw[] = [...BAR_PAGES, ...OTHER_PAGES].map(({ path, component }) => ({
  path,
  component,
  ...(path === '/administration' && {
    props: { groups: ADMINISTRATION },
    children: ADMINISTRATION.flatMap((group) =>
      group.pages.map(({ word, ...page }) => ({ path: page.path, component: page.component, meta: { word } })),
    ),
  }),
}));

/** Pages by hash, so that no page hides a path of the interface. `open` ones are there without a login. */
export function makeRouter(): Router {
  const router = createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/sign-in', component: SignInPage, meta: { open: true } },
      { path: '/first-run', component: () => import('../pages/people/FirstRunPage.vue'), meta: { open: true } },
      { path: '/new-password', component: () => import('../pages/people/NewPasswordPage.vue'), meta: { open: true } },
      {
        path: '/second-factor',
        component: () => import('../pages/people/SecondFactorPage.vue'),
        meta: { open: true },
      },
      ...pages,
      { path: '/:rest(.*)*', redirect: '/' },
    ],
  });
  router.beforeEach(async (to) => {
    const session = useSession();
    if (session.firstRunNeeded === undefined) await session.resume();
    if (session.user && session.firstDuty) return to.path === session.firstDuty || session.firstDuty;
    if (FIRST_DUTIES.some((path) => path === to.path)) return session.user ? '/' : '/sign-in';
    if (to.meta['open']) return session.user && to.path === '/sign-in' ? '/' : true;
    if (session.user) return true;
    if (session.firstRunNeeded) return '/first-run';
    // A link that is opened before its reader has signed in leads on afterwards.
    return to.fullPath === '/' ? '/sign-in' : { path: '/sign-in', query: { to: to.fullPath } };
  });
  return router;
}
