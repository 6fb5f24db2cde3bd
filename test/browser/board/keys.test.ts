import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';

/** More than a list shows at first. */
const PARKED = 120;

let desk: DemoConsole;
let page: Page;
beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, login: 'admin', viewport: { width: 1440, height: 1000 } });
  page = desk.page;
});
afterAll(() => desk?.close());

test('a key that comes at once after the one that opened a card reaches the parts below', async () => {
  await page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').first().click();
  await page.locator('.card h1').waitFor();
  const before = await page.locator('.card h2').first().textContent();
  await Promise.all([page.keyboard.press('ArrowDown'), page.keyboard.press('b')]);
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Task number');
  expect(await page.locator('.card h2').first().textContent()).not.toBe(before);
  await page.keyboard.press('Escape');
  await Promise.all([page.keyboard.press('ArrowDown'), page.keyboard.press('c')]);
  await page.waitForFunction(() => document.activeElement?.matches('.card textarea'));
});

test('vehicles that are out of the question are listed as far as somebody reads', async () => {
  for (let index = 0; index < PARKED; index++)
    await desk.ask('POST', '/cars', { name: `Parked ${index + 1}`, glonassId: 980_000 + index });
  await page.goto(`${desk.station.address}/#/`);
  await page.reload();
  await page.locator('.light[data-level=good]').waitFor();
  await page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').first().click();
  const summary = page.locator('.card summary').filter({ hasText: /^\s*\d+ excluded/ });
  const passed = page
    .locator('.card details')
    .filter({ has: page.locator(':scope > summary', { hasText: 'excluded' }) });
  await summary.waitFor({ state: 'attached' });
  if (!(await summary.isVisible())) await page.locator('.card').getByText('Other vehicles').click();
  const all = Number(/\d+/.exec((await summary.textContent())!)![0]);
  expect(all).toBeGreaterThanOrEqual(PARKED);
  const rows = passed.locator('li');
  expect(await rows.count()).toBe(0);
  await summary.click();
  await rows.first().waitFor();
  expect(await rows.count()).toBeLessThan(PARKED);
  await expect
    .poll(async () => (await rows.last().scrollIntoViewIfNeeded(), rows.count()), { timeout: 30_000 })
    .toBe(all);
  expect(desk.faults()).toEqual([]);
});
