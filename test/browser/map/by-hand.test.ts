import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapDrawn, openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';

/** What can be done at a place of the map, by pointer and by keys, and a unit that is carried to a task on it. */
let desk: DemoConsole;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  page = desk.page;
  await page.locator('.map').waitFor();
  await mapDrawn(page);
});
afterAll(() => desk?.close());

const menu = () => page.getByRole('menu', { name: 'What to do here' });
const choose = (name: string) => menu().getByRole('menuitem', { name }).click();
const rightClick = (x: number, y: number) => page.locator('.map').click({ button: 'right', position: { x, y } });

test('a right click measures, and names who is nearest by road', async () => {
  await rightClick(200, 200);
  await screenshot(page, 'map-menu');
  await choose('Measure from here');
  await page.locator('.map').click({ position: { x: 320, y: 200 } });
  const note = page.getByText('in a straight line');
  expect(await note.innerText()).toMatch(/^[1-9][\d,.]* k?m in a straight line/);
  await screenshot(page, 'map-measure');
  await page.keyboard.press('Escape');
  await expect.poll(() => note.count()).toBe(0);

  await rightClick(200, 200);
  await choose('Who is nearest');
  await page.locator('.nearest [data-car]').first().waitFor();
  await screenshot(page, 'map-nearest');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.nearest').count()).toBe(0);
});

test('by keys the menu is about the chosen vehicle, which the map then follows until Escape', async () => {
  const row = page.getByRole('listbox', { name: 'Vehicles' }).getByRole('option').first();
  const name = await row.locator('.name').innerText();
  await row.click();
  await page.locator('.map').focus();
  await page.keyboard.press('Shift+F10');
  await menu().getByText(name).waitFor();
  await page.keyboard.press('Enter');
  const note = page.getByText(`Following ${name}`);
  await note.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => note.count()).toBe(0);
});

test('a vehicle of the panel is carried to a task of the queue, and what dropping does is said before', async () => {
  const task = page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').first();
  const unit = page
    .getByRole('listbox', { name: 'Vehicles' })
    .getByRole('option')
    .filter({ hasText: /Free|At base/ });
  await unit.first().hover();
  await page.mouse.down();
  await task.hover();
  await page.locator('.hand .said').waitFor();
  await screenshot(page, 'map-carry');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.hand').count()).toBe(0);
  await page.mouse.up();
});

test('nothing left the station and no page had an error', () => {
  expect(desk.faults()).toEqual([]);
});
