import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { signIn, startStationProcess, watchForFaults, type RunningStation } from './console-harness.ts';
import { inEveryLook } from './every-look.ts';

/** Every page that the console leads to, as its own bar and lists name them, in every palette and language. */
let station: RunningStation;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: () => string[];

beforeAll(async () => {
  [station, browser] = await Promise.all([startStationProcess(['--demo']), launchChromium()]);
  context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-GB', colorScheme: 'light' });
  faults = watchForFaults(context, station.address);
  page = await context.newPage();
  await signIn(page, station.address, 'supervisor', 'supervisor');
  await page.locator('.light[data-level=good]').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await station?.stop();
});

const linksIn = (selector: string) => page.locator(`${selector} a[href^="#/"]`).evaluateAll((links) => links.map((link) => link.getAttribute('href')!.slice(1)));

async function everyPath(): Promise<string[]> {
  const bar = await linksIn('header nav');
  await page.goto(`${station.address}/#/administration`);
  await page.locator('.administration nav a').first().waitFor();
  const vehicle = await page.evaluate(async () => ((await (await fetch('/cars')).json()) as { id: number }[])[0]!.id);
  return [...new Set([...bar, ...(await linksIn('.administration nav')), `/vehicles/${vehicle}`, '/map', '/design'])].filter((path) => path !== '/administration');
}

test('every page, in every palette and language, has all its words and fits into the window', async () => {
  const paths = await everyPath();
  expect(paths.length).toBeGreaterThan(30);
  const wrong: string[] = [];
  for (const path of paths) {
    await page.goto(`${station.address}/#${path}`);
    await page.locator('h1, h2, .map').first().waitFor();
    await page.waitForLoadState('networkidle');
    wrong.push(...(await inEveryLook(page, `page${path.replaceAll('/', '-')}`)));
  }
  expect(wrong).toEqual([]);
}, 600_000);

test('no request left the station, and no page had an error or broke the content security policy', () => {
  expect(faults()).toEqual([]);
});
