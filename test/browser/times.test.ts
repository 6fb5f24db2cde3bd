import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, screenshot, type DemoConsole } from './console-harness.ts';

/** Places that are typed, and large tables of times. */
let desk: DemoConsole;
let page: Page;
const PATIENCE = { timeout: 20_000 };

beforeAll(async () => {
  desk = await openDemoConsole({ viewport: { width: 1280, height: 720 } });
  page = desk.page;
});
afterAll(() => desk?.close());

const side = () => page.locator('main.routes .side');
async function open(view: string): Promise<void> {
  await page.goto(`${desk.station.address}/#/routes${view && `?view=${view}`}`);
  await side().locator('.panel').waitFor();
}
const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent ?? '');

test('a drive is planned by keys alone: Enter is not too early, the next empty stop has the focus, and what is not found is said', async () => {
  await open('');
  await side().getByLabel('Start', { exact: true }).focus();
  await page.keyboard.type('zzqqxx');
  await side().getByText('Nothing is called so').waitFor();
  await page.keyboard.press('Control+a');
  await page.route('**/geocoding?*', async (route) => {
    await pressed; // the answer comes after Enter
    await route.continue();
  });
  let answer = () => {};
  const pressed = new Promise<void>((resolve) => (answer = resolve));
  await page.keyboard.type('honey');
  await page.keyboard.press('Enter');
  answer();
  await expect.poll(() => side().getByLabel('Start', { exact: true }).inputValue(), PATIENCE).toMatch(/Honey/);
  await page.unroute('**/geocoding?*');
  await expect.poll(focused, PATIENCE).toBe('Goal');
  await page.keyboard.type('medic');
  await side().getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await side().getByText('You are there').waitFor();
  const name = await side().getByLabel('Start', { exact: true }).inputValue();
  await side().getByLabel('Start', { exact: true }).fill('zz');
  await page.keyboard.press('Tab');
  expect(await side().getByLabel('Start', { exact: true }).inputValue()).toBe(name); // what is not taken does not stand over a way from elsewhere
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('2');
  await side().getByLabel('Add a place to go to').waitFor();
});

test('Enter in the place of a call takes the place, however early it is pressed, and never saves a call without one', async () => {
  await page.goto(`${desk.station.address}/#/`);
  const made: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && /\/news\/$/.test(request.url()) && made.push(request.url()));
  await page.getByLabel('Command line').waitFor();
  await page.keyboard.press('n');
  const place = page.getByLabel('Place', { exact: true });
  await place.pressSequentially('honey');
  await place.press('Enter');
  await expect.poll(() => place.inputValue(), PATIENCE).toMatch(/Honey/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await place.pressSequentially('zzqqxx');
  await page.getByText('Nothing is called so').waitFor();
  await place.press('Enter');
  await page.keyboard.press('Escape');
  await expect.poll(() => place.count(), PATIENCE).toBe(0);
  expect(made).toEqual([]);
});

test('a table of a hundred by a hundred has only what is seen of it in the page, keeps its heads, and is gone through by arrow keys', async () => {
  await open('table');
  const { bounds: [west, south, east, north] } = await desk.ask<{ bounds: [number, number, number, number] }>('GET', '/territory');
  const places = Array.from({ length: 100 }, (_, i) => ({ lat: south + ((north - south) * (0.1 + (i % 10) * 0.08)), lon: west + ((east - west) * (0.1 + Math.floor(i / 10) * 0.08)), label: `Place ${i + 1}` }));
  await page.evaluate((all) => {
    const app = (document.querySelector('#app') as unknown as { __vue_app__: { config: { globalProperties: { $pinia: { _s: Map<string, object> } } } } }).__vue_app__;
    Object.assign(app.config.globalProperties.$pinia._s.get('table-plan')!, { from: 'places', starts: all, goals: all });
  }, places);
  const cells = side().locator('.cell');
  await cells.first().waitFor();
  expect(await cells.count()).toBeLessThan(800);
  const table = side().getByRole('table', { name: 'Times' });
  expect(await table.getAttribute('aria-rowcount')).toBe('101');
  const before = performance.now();
  await table.getByRole('columnheader', { name: 'From' }).getByRole('button').click();
  await expect.poll(() => side().locator('tbody th').first().textContent(), PATIENCE).toBe('Place 1');
  console.log(`a table of 100 by 100 is ordered by name in ${(performance.now() - before).toFixed(0)} ms`);
  await cells.first().focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('PageDown');
  await page.keyboard.press('End');
  const at = () => page.evaluate(() => {
    const cell = document.activeElement!.closest('td')!;
    return [cell.closest('tr')!.getAttribute('aria-rowindex'), cell.getAttribute('aria-colindex')];
  });
  await expect.poll(at, PATIENCE).toEqual(['62', '101']);
  const [frame, head, name, cell] = await Promise.all(['.scroll', 'thead th:last-of-type', 'tbody th', '.cell:focus'].map((selector) => side().locator(selector).last().boundingBox()));
  expect(Math.round(head!.y - frame!.y)).toBeLessThanOrEqual(2); // the head stays above
  expect(Math.round(name!.x - frame!.x)).toBeLessThanOrEqual(2); // the names stay at the side
  expect(cell!.x).toBeGreaterThan(name!.x + name!.width - 2);
  expect(cell!.x + cell!.width).toBeLessThanOrEqual(frame!.x + frame!.width + 1);
  await screenshot(page, 'times-hundred-1280-day-en');
  await page.keyboard.press('Enter');
  await side().getByText(/You are there|There is no way by road/).waitFor();
});

test('while the station is away the table stays, with its time, and comes again by itself', async () => {
  await open('table');
  await side().locator('.cell').first().waitFor();
  await page.route('**/table?*', (route) => route.abort());
  await side().getByLabel('Add a place to go to').fill('honey');
  await side().getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await side().getByText('The station cannot be reached', { exact: false }).waitFor();
  expect(await side().locator('.cell').count()).toBeGreaterThan(20);
  await side().getByText(/as of \d\d:\d\d:\d\d/).waitFor();
  await page.unroute('**/table?*');
  await expect.poll(() => side().getByText('The station cannot be reached', { exact: false }).count(), PATIENCE).toBe(0);
  expect(await side().getByRole('table', { name: 'Times' }).getAttribute('aria-colcount')).toBe('102');
});

test('nothing left the station, and nothing broke', () => {
  expect(desk.faults()).toEqual([]);
});
