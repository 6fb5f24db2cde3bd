import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';

/** The run board: status by digit, a unit carried to a task and a task to a unit, by pointer and by keys. */
let desk: DemoConsole;
let page: Page;
let fire: number;
let flood: number;

async function makeTask(title: string, lon: number): Promise<number> {
  const { newsId } = await desk.ask<{ newsId: number }>('POST', '/news/', {
    action: 'put',
    values: { title, news_type_id: 1, priority: 1 },
    point: [lon, 56.19],
    pointZoom: 15,
  });
  return newsId;
}
async function unitsOf(id: number): Promise<readonly string[]> {
  const { news_data: task } = await desk.ask<{
    news_data: { units: { carName: string; clearAt: number | null }[] };
  }>('GET', `/news/${id}`);
  return task.units.filter(({ clearAt }) => clearAt === null).map(({ carName }) => carName);
}

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  page = desk.page;
  fire = await makeTask('Roof on fire', 18.91);
  flood = await makeTask('Cellar under water', 18.92);
  await page.goto(`${desk.station.address}/#/units?show=free`);
  await page.locator('[data-unit]').first().waitFor();
});
afterAll(() => desk?.close());

const lines = () => page.locator('.columns [data-unit]');
const nameOf = (line: ReturnType<typeof lines>) => line.locator('.name').innerText();

test('a unit is dragged onto a task, and another task asks before it takes the unit away', async () => {
  const unit = lines().first();
  const name = await nameOf(unit);
  const id = await unit.getAttribute('data-unit');
  const task = page.locator(`[data-task="${fire}"]`);
  await task.scrollIntoViewIfNeeded();
  await unit.hover();
  await page.mouse.down();
  await task.hover();
  await task.locator('.says').getByText(`Send ${name}`).waitFor();
  await screenshot(page, 'run-board-drag');
  await page.mouse.up();
  await expect.poll(() => unitsOf(fire)).toEqual([name]);

  await page.goto(`${desk.station.address}/#/units`);
  const sent = page.locator(`.columns [data-unit="${id}"]`);
  await sent.getByText('En route').waitFor();
  await sent
    .locator('.what')
    .filter({ hasText: `to ${fire} Roof on fire` })
    .waitFor();
  await sent.hover();
  await page.mouse.down();
  await page.locator(`[data-task="${flood}"]`).hover();
  await page.mouse.up();
  const sheet = page.getByRole('dialog', { name: `Send ${name} to ${flood}?` });
  expect(await sheet.innerText()).toContain(`${name} is on its way to ${fire}, Roof on fire.`);
  await screenshot(page, 'run-board-ask');
  await sheet.getByRole('button', { name: `Release from ${fire} and send to ${flood}` }).click();
  await expect.poll(() => unitsOf(flood)).toEqual([name]);
  expect(await unitsOf(fire)).toEqual([]);
});

test('by keys a task is taken up and dropped on a unit, a digit sets its status, and who wants to talk is on top', async () => {
  await page.goto(`${desk.station.address}/#/units?show=free&by=kind`);
  await page.locator(`[data-task="${fire}"]`).click();
  await page.keyboard.press('Enter');
  const target = page.locator('.columns .target');
  await target.waitFor();
  const name = await nameOf(target);
  const id = await target.getAttribute('data-unit');
  await page.keyboard.press('Enter');
  await expect.poll(() => unitsOf(fire)).toEqual([name]);

  await page.goto(`${desk.station.address}/#/units`);
  const line = page.locator(`.columns [data-unit="${id}"]`);
  await line
    .locator('.what')
    .filter({ hasText: `to ${fire}` })
    .waitFor();
  await line.click();
  await page.keyboard.press('1');
  await page.getByText('R releases it there first').waitFor();
  await page.keyboard.press('4');
  await line.getByText('On scene').waitFor();
  await line.locator('.safety').waitFor(); // its task says so, too
  await page.keyboard.press('5');
  const talk = page.getByRole('region', { name: 'Requests to speak' });
  await talk.getByText(name).waitFor();
  await screenshot(page, 'run-board-talk');
  await page.keyboard.press('a');
  await line.getByText('On scene').waitFor();
  await expect.poll(() => talk.count()).toBe(0);
});

test('nothing left the station and no page had an error', () => {
  expect(desk.faults()).toEqual([]);
});
