import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { en } from '../../renderer/src/words/en.ts';
import { launchChromium } from './chromium.ts';
import { screenshot, signIn, startStationProcess, watchForFaults, type RunningStation } from './console-harness.ts';

/** Every page that the console leads to, as its own bar and lists name them, in every palette and language. */
const PALETTES = ['day', 'dusk', 'night'] as const;
const LANGUAGES = ['en', 'ru'] as const;

type Tree = { readonly [key: string]: string | Tree };
const keysOf = (tree: Tree, prefix = ''): string[] => Object.entries(tree).flatMap(([key, value]) => (typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`)));
/** What stands on a page in place of a word that is missing. */
const KEYS = new Set(keysOf(en).filter((key) => key.includes('.')));

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
    await page.locator('body').click({ position: { x: 1, y: 1 } }); // keys are for the page, not for a field that took the focus
    for (const language of LANGUAGES) {
      for (const palette of PALETTES) {
        const name = `page${path.replaceAll('/', '-')}-${palette}-${language}`;
        await expect.poll(() => page.evaluate(() => [document.documentElement.dataset['palette'], document.documentElement.lang])).toEqual([palette, language]);
        const { texts, wide } = await page.evaluate(() => ({ texts: document.body.innerText.split(/\s+/), wide: document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight }));
        wrong.push(...texts.filter((text) => KEYS.has(text)).map((text) => `${name}: ${text}`), ...(wide ? [`${name} is larger than the window`] : []));
        await screenshot(page, name);
        await page.keyboard.press('p');
      }
      await page.keyboard.press('l');
    }
  }
  expect(wrong).toEqual([]);
}, 600_000);

test('no request left the station, and no page had an error or broke the content security policy', () => {
  expect(faults()).toEqual([]);
});
