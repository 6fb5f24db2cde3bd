import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** The statistics page and its figures on a wall, over the demo. */
let desk: DemoConsole;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, viewport: { width: 1440, height: 900 } });
  page = desk.page;
});
afterAll(() => desk?.close());

const show = (hash: string) => page.evaluate((to) => void (location.hash = to), hash);

test('the statistics page says each figure once, at each size', async () => {
  await show('#/statistics');
  await page.getByRole('heading', { name: 'Tasks by weekday and hour' }).waitFor();
  for (const width of [1440, 640]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await inEveryLook(page, `statistics-${width}`)).toEqual([]);
  }
});

test('a wall shows the figures of the day: what came, what is open, how soon somebody was there', async () => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await show('#/wall?show=statistics');
  const view = page.locator('[data-view=statistics]');
  await view.locator('tbody tr').first().waitFor();
  const { statuses } = await desk.ask<{ statuses: { status_id: number; count: number }[] }>('GET', '/news/count');
  expect(statuses.length).toBeGreaterThan(0);
  const today = new Date();
  today.setHours(0, 0, 0, 0);
  const path = `/statistics/response-times?from=${today.getTime()}&till=${Math.floor(Date.now() / 60_000) * 60_000 + 60_000}&tz=UTC`;
  const { priorities } = await desk.ask<{ priorities: { messages: number }[] }>('GET', path);
  const figures = await view.locator('dd').allInnerTexts();
  expect(Number(figures[0]!.replace(/\D/g, ''))).toBe(priorities[0]!.messages);
  expect(await inEveryLook(page, 'wall-statistics-1920')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('.queue').waitFor();
});

test('the log-book is a panel of an arranged board', async () => {
  await page.setViewportSize({ width: 1600, height: 1000 });
  await show('#/settings');
  await page.getByRole('link', { name: 'Arrange the board' }).press('Enter');
  await page.locator('[data-tab-panel-id=logBook]').click();
  await page.locator('[data-panel=logBook] .lines li').first().waitFor();
  expect(await inEveryLook(page, 'board-log-book-1600')).toEqual([]);
});
