import type { Page, Request } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/**
 * Every page that the console leads to, as its own bar and lists name them, in both languages and in each palette.
 */
let desk: DemoConsole;
let page: Page;
/** What was asked and is not answered. */
const waiting = new Set<Request>();

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, viewport: { width: 1280, height: 720 } });
  page = desk.page;
  page
    .on('request', (request) => waiting.add(request))
    .on('requestfinished', (request) => waiting.delete(request))
    .on('requestfailed', (request) => waiting.delete(request));
});
afterAll(() => desk?.close());

const linksIn = (selector: string) =>
  page
    .locator(`${selector} a[href^="#/"]`)
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.slice(1)));

async function everyPath(): Promise<string[]> {
  const bar = await linksIn('header nav');
  await page.goto(`${desk.station.address}/#/administration`);
  await page.locator('.administration nav a').first().waitFor();
  const vehicle = await page.evaluate(async () => ((await (await fetch('/cars')).json()) as { id: number }[])[0]!.id);
  return [
    ...new Set([
      ...bar,
      ...(await linksIn('.administration nav')),
      `/vehicles/${vehicle}`,
      '/map',
      '/wall',
      '/queue',
      '/design',
    ]),
  ].filter((path) => path !== '/administration');
}

/** What stands on a page once its list has come, also where it is asked for a moment later. */
const LATE: Readonly<Record<string, string>> = {
  '/archive': '.found [role=option]',
  '/log': '[role=option]',
  '/vehicles': '[role=row]',
  '/types': '[role=option]',
};

test('every page has all its words in both languages and fits into the window', async () => {
  const paths = await everyPath();
  expect(paths.length).toBeGreaterThan(30);
  const wrong: string[] = [];
  for (const path of paths) {
    await page.goto(`${desk.station.address}/#${path}`);
    await page.locator('h1, h2, .map').first().waitFor();
    // the sheet of parts shows one
    if (path !== '/design') await page.waitForFunction(() => !document.querySelector('main [role=progressbar]'));
    await page
      .locator(LATE[path] ?? 'main')
      .first()
      .waitFor();
    // a page of another hash is no load of a document
    await expect.poll(() => waiting.size, { timeout: Math.max(PATIENCE, 30_000) }).toBe(0);
    wrong.push(...(await inEveryLook(page, `page${path.replaceAll('/', '-')}`)));
  }
  expect(wrong).toEqual([]);
}, 600_000);

test('no request left the station, and no page had an error or broke the content security policy', () => {
  expect(desk.faults()).toEqual([]);
});
