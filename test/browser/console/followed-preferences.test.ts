import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, signIn, type DemoConsole } from '../harness/console-harness.ts';

/** A person's palette, language and views are there on whatever console they sit down at. */
let desk: DemoConsole;
let page: Page;
beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  page = desk.page;
});
afterAll(() => desk?.close());

const paletteOf = (one: Page) => one.evaluate(() => document.documentElement.dataset['palette']);
const stored = async () =>
  (await desk.ask<{ values: Record<string, unknown> }>('GET', '/auth/preferences')).values['palette'];
/** As a person does who comes back to a window. */
const comeTo = (one: Page) => one.evaluate(() => dispatchEvent(new Event('focus')));

test('preferences come along to another browser and to other windows, and what was chosen last counts', async () => {
  const first = await paletteOf(page);
  await page.keyboard.press('p');
  const second = await paletteOf(page);
  expect(second).not.toBe(first);
  await expect.poll(stored).toBe(second);

  const elsewhere = await desk.browser.newContext({ locale: 'en-GB' });
  const other = await elsewhere.newPage();
  await signIn(other, desk.station.address, 'supervisor', 'supervisor');
  await expect.poll(() => paletteOf(other)).toBe(second);
  await other.keyboard.press('p');
  const third = await paletteOf(other);
  await expect.poll(stored).toBe(third);
  await comeTo(page);
  await expect.poll(() => paletteOf(page)).toBe(third);

  const window = await desk.context.newPage();
  await window.goto(desk.station.address);
  await expect.poll(() => paletteOf(window)).toBe(third);
  await page.keyboard.press('p');
  await expect.poll(() => paletteOf(window)).toBe(await paletteOf(page));
  await expect.poll(stored).toBe(await paletteOf(page));
  await page.reload();
  await expect.poll(() => paletteOf(page)).toBe(await paletteOf(window));
  await elsewhere.close();
  expect(desk.faults()).toEqual([]);
});
