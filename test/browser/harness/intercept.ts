import type { Page, Route } from 'playwright';

const PROBE = '/intercept-probe';

/**
 * `page.route` for a page that is open, in force when it returns. Chromium says that requests are intercepted before
 * the page knows: on a busy machine the next request passes by, and its handler never runs.
 */
export async function intercept(
  page: Page,
  pattern: string | RegExp,
  handler: (route: Route) => unknown,
  options: { readonly times?: number } = {},
): Promise<void> {
  await page.route(pattern, handler, options);
  await page.route(`**${PROBE}`, (route) => route.fulfill({ status: 204 }));
  const status = () => page.evaluate(async (path) => (await fetch(path)).status, PROBE);
  while ((await status()) !== 204);
  await page.unroute(`**${PROBE}`);
}
