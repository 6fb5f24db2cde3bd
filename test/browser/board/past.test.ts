import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** The board as it was: its moment, its events, and that it is not the live one. */
let desk: DemoConsole;
let page: Page;
let task: number;
/** Before the task was written, while it was open, and after it was closed. */
let moments: { readonly before: number; readonly open: number; readonly closed: number };

async function moment(): Promise<number> {
  const at = Date.now() + 1;
  await vi.waitUntil(() => Date.now() > at, { interval: 1 });
  return at;
}

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, viewport: { width: 1440, height: 900 } });
  page = desk.page;
  const before = await moment();
  const values = { title: 'Smoke in the archive', news_type_id: 1 };
  task = (await desk.ask<{ newsId: number }>('POST', '/news/', { values })).newsId;
  const open = await moment();
  await desk.ask('POST', `/news/${task}/update`, { title: 'Fire in the archive', assigned_status: 4 });
  moments = { before, open, closed: await moment() };
  await goTo(moments.open);
});
afterAll(() => desk?.close());

const goTo = (at: number) => page.goto(`${desk.station.address}/#/past?at=${at}`);
const tasks = () => page.locator('.past li button b').allTextContents();
const at = () => page.evaluate(() => Number(new URLSearchParams(location.hash.split('?')[1]).get('at')));

test('an address names the moment, and the page shows what was open then', async () => {
  await expect.poll(tasks).toContain('Smoke in the archive');
  await goTo(moments.before);
  await expect.poll(tasks).not.toContain('Smoke in the archive');
  expect((await tasks()).length).toBeGreaterThan(3);
  await goTo(moments.closed);
  await expect.poll(tasks).not.toContain('Fire in the archive');
  expect(await page.title()).toContain('The board as it was');
  await expect.poll(() => page.locator('.past header h1').textContent()).toMatch(/\d\d:\d\d:\d\d/);
});

test('keys go to the event before and the next one, and a minute on', async () => {
  await page.getByText('Last event:').waitFor();
  await page.keyboard.press('[');
  await expect.poll(at).toBeLessThan(moments.closed);
  const then = await at();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(at).toBe(then - 60_000);
  await page.keyboard.press(']');
  await expect.poll(at).toBeGreaterThan(then - 60_000);
});

test('it plays as fast as is wished, and stops', async () => {
  await goTo(moments.before - 3_600_000);
  await expect.poll(at).toBe(moments.before - 3_600_000);
  await page.getByRole('radio', { name: '60×' }).click();
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(at).toBeGreaterThan(moments.before - 3_600_000 + 119_000);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Play' }).waitFor();
});

test('it fits, in both languages and in each palette', async () => {
  const wrong: string[] = [];
  for (const [width, height] of [
    [1440, 900],
    [640, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await goTo(moments.open);
    await expect.poll(tasks).toContain('Smoke in the archive');
    wrong.push(...(await inEveryLook(page, `past-${width}`)));
  }
  expect(wrong).toEqual([]);
  expect(desk.faults()).toEqual([]);
});
