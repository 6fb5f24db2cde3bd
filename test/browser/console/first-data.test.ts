import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAnew, openDemoConsole, PICTURES, screenshot, type DemoConsole } from '../harness/console-harness.ts';
import { LANGUAGES, PALETTES, prefer } from '../harness/every-look.ts';

/** While the first data are on their way, nothing is said that is not known. */
let desk: DemoConsole;
let page: Page;
/** Positions are kept back while it is true. */
let holding = false;
let release: (() => void)[] = [];

beforeAll(async () => {
  desk = await openDemoConsole({}, async (context) => {
    // Requests of shared workers cannot be held back.
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
    await context.routeWebSocket(/\/ws$/, (socket) => {
      const station = socket.connectToServer();
      station.onMessage((message) => {
        const pass = () => socket.send(message);
        if (holding && String(message).startsWith('{"command":"CAR_UPDATES"')) release.push(pass);
        else pass();
      });
    });
  });
  page = desk.page;
});
afterAll(() => desk?.close());

const FALSE_EMPTIES = /No open tasks|No vehicles|of 0 free|No important events|No alarm/;

test('until the first records are in there are outlines of rows, no numbers, and nothing is said to be empty', async () => {
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(/\/replica\/|\/events/, async (route) => {
    await held;
    await route.continue();
  });
  await loadAnew(page);
  await page.locator('.queue [role=status][aria-label=Loading]').waitFor();
  await page.getByRole('region', { name: 'Vehicles' }).locator('[role=status][aria-label=Loading]').waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(FALSE_EMPTIES);
  expect(await page.locator('.panel .count').allTextContents()).toEqual([]);
  expect(await page.locator('.light').getAttribute('data-level')).not.toBe('good');
  for (const palette of PICTURES ? PALETTES : []) {
    for (const language of LANGUAGES) {
      await prefer(page, { palette, language });
      await screenshot(page, `first-data-${palette}-${language}`);
    }
  }
  await prefer(page, { palette: 'day', language: 'en' });
  for (const path of ['/vehicles', '/alarms', '/routes?view=closures']) {
    await page.evaluate((to) => (location.hash = to), path);
    await page.locator('main [role=status][aria-label=Loading]').first().waitFor();
    expect([path, await page.locator('main').innerText()]).toEqual([path, expect.not.stringMatching(FALSE_EMPTIES)]);
  }
  await page.evaluate(() => (location.hash = '/'));

  /** What stands in the queue at each moment from here on: an empty one must not flash up before the rows. */
  await page.evaluate(() => {
    const seen = ((window as unknown as { seen: string[] }).seen = [] as string[]);
    new MutationObserver(() => seen.push(document.querySelector('.queue .empty')?.textContent ?? '')).observe(
      document.body,
      { childList: true, subtree: true },
    );
  });
  letThrough();
  await page.locator('.queue [role=option]').first().waitFor();
  await page.locator('.light[data-level=good]').waitFor();
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen.filter(Boolean))).toEqual([]);
  expect(await page.locator('[aria-label=Loading]').count()).toBe(0);
  await page.unrouteAll({ behavior: 'wait' });
});

test('the light is green only when the positions are in', async () => {
  holding = true;
  await loadAnew(page);
  await page.locator('.queue [role=option]').first().waitFor();
  await expect.poll(() => release.length).toBeGreaterThan(0);
  await page.locator('.light').getByText('Catching up').waitFor();
  expect(await page.locator('.light').getAttribute('data-level')).toBe('warn');
  holding = false;
  for (const pass of release) pass();
  release = [];
  await page.locator('.light[data-level=good]').getByText('Current').waitFor();
});

test('no request left the station, and no page had an error or broke the content security policy', () => {
  expect(desk.faults()).toEqual([]);
});
