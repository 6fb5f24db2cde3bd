import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enter, openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';
import { intercept } from '../harness/intercept.ts';

/** Several units on a task, as a dispatcher sends, sees and releases them. */
let desk: DemoConsole;
let page: Page;
let id: number;
let fire: number;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  page = desk.page;
  ({ newsId: id } = await desk.ask<{ newsId: number }>('POST', '/news/', {
    action: 'put',
    values: { title: 'Roof on fire', news_type_id: 1 },
    point: [18.91, 56.19],
    pointZoom: 15,
  }));
  const types = await desk.ask<{ newstype: { news_type_id: string; name: string }[] }>('GET', '/newstype');
  const categories = await desk.ask<{ category: { id: string; name: string }[] }>('GET', '/category');
  ({ newsId: fire } = await desk.ask<{ newsId: number }>('POST', '/news/', {
    action: 'put',
    values: {
      title: 'Kitchen fire, children inside',
      news_type_id: Number(types.newstype.find(({ name }) => name === 'Fire')!.news_type_id),
      category: Number(categories.category.find(({ name }) => name === 'Emergency')!.id),
    },
    point: [18.91, 56.19],
    pointZoom: 15,
  }));
});
afterAll(() => desk?.close());

test('the set that the plan asks for goes with one key, from the card and from the row, and comes back with one', async () => {
  const row = page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').filter({ hasText: 'Kitchen fire' });
  await row.click();
  const set = page.getByRole('list', { name: 'Proposed vehicles' }).getByRole('listitem');
  await expect.poll(() => set.count()).toBe(4);
  const card = page.locator('.card');
  await card.getByText('Other vehicles').waitFor();
  expect(await card.locator('.ranked').isVisible()).toBe(false); // so that comments are near
  await page.setViewportSize({ width: 1280, height: 720 });
  const send = card.getByRole('button', { name: /^Send 4/ });
  const isInSight = () =>
    send.evaluate((element) => {
      const [button, pane] = [element, element.closest('.scroll')!].map((one) => one.getBoundingClientRect());
      return button!.top >= pane!.top && button!.bottom <= pane!.bottom;
    });
  await expect.poll(isInSight).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  const units = page.getByRole('list', { name: 'Units' }).getByRole('listitem');
  for (const key of ['a', 'Shift+Enter']) {
    await row.getByText('Send 4').waitFor();
    await page.keyboard.press(key);
    await expect.poll(() => units.count(), { message: key }).toBe(4);
    await page.keyboard.press('u');
    await expect.poll(() => set.count(), { message: key }).toBe(4);
  }
  const { news_data: stored } = await desk.ask<{ news_data: { units: unknown[]; assigned_status: string } }>(
    'GET',
    `/news/${fire}`,
  );
  expect(stored).toMatchObject({ units: [], assigned_status: '1' });
});

test('a set with a unit that went elsewhere meanwhile is refused, and the button releases it there and sends all', async () => {
  const row = page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').filter({ hasText: 'Kitchen fire' });
  await row.click();
  await row.getByText('Send 4').waitFor();
  let taken = 0;
  // Between the key and the station another desk sends one of the four to the other task.
  await intercept(
    page,
    `**/news/${fire}/units`,
    async (route) => {
      taken = (route.request().postDataJSON() as { carIds: number[] }).carIds[1]!;
      await desk.ask('POST', `/news/${id}/units`, { carIds: [taken] });
      await route.continue();
    },
    { times: 1 },
  );
  await page.keyboard.press('a');
  const release = page.getByRole('button', { name: 'Release there and send' });
  await release.waitFor();
  type Units = { news_data: { units: { carId: number; clearAt: number | null }[] } };
  const on = async (task: number) =>
    (await desk.ask<Units>('GET', `/news/${task}`)).news_data.units
      .filter(({ clearAt }) => clearAt === null)
      .map(({ carId }) => carId);
  expect([await on(fire), await on(id)]).toEqual([[], [taken]]);
  await screenshot(page, 'units-refused-set');
  await release.click();
  await expect.poll(() => on(fire)).toHaveLength(4);
  expect([(await on(fire)).includes(taken), await on(id)]).toEqual([true, []]);
  await page.getByRole('button', { name: /^Undo/ }).waitFor();
  await page.keyboard.press('u');
  await expect.poll(async () => [await on(fire), await on(id)]).toEqual([[], [taken]]);
  await desk.ask('POST', `/news/${id}/units/release`, { carIds: [taken] });
  await expect.poll(() => on(id)).toEqual([]);
});

test('a second unit is added, both stand on the card with their times, and one is released and comes back', async () => {
  const row = page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').filter({ hasText: 'Roof on fire' });
  await page.getByRole('radio', { name: /^New/ }).click();
  await row.click();
  await page.locator('.ranked [data-car]').first().waitFor();
  await page.keyboard.press('a');
  await page.locator('.serving').waitFor();
  await page.getByRole('radio', { name: /^Open/ }).click();

  await page.getByRole('button', { name: 'Add a unit' }).click();
  await page.locator('.ranked [data-car]').nth(1).click();
  const units = page.getByRole('list', { name: 'Units' }).getByRole('listitem');
  await expect.poll(() => units.count()).toBe(2);
  expect(await units.first().innerText()).toMatch(/leads[\s\S]*sent \d\d:\d\d/);
  const second = await units.nth(1).locator('strong').innerText();
  await screenshot(page, 'units-card');

  await units
    .nth(1)
    .getByRole('button', { name: /^Release/ })
    .click();
  await expect.poll(() => units.count()).toBe(1);
  await page.keyboard.press('u');
  await expect.poll(() => units.count()).toBe(2);
  const { news_data: stored } = await desk.ask<{ news_data: { units: { carName: string; clearAt: null }[] } }>(
    'GET',
    `/news/${id}`,
  );
  expect(stored.units.find(({ carName }) => carName === second)).toMatchObject({ clearAt: null });
});

test('the list of further vehicles stays open while a colleague changes the task', async () => {
  await page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').filter({ hasText: 'Roof on fire' }).click();
  await page.getByRole('button', { name: 'Add a unit' }).click();
  await page.locator('.ranked [data-car]').first().waitFor();
  await desk.ask('POST', `/news/${id}/update`, { title: 'Roof on fire', text: 'The gate is open' });
  await page.locator('.card').getByText('The gate is open').first().waitFor();
  expect(await page.locator('.ranked [data-car]').count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Add a unit' }).click();
  await page.locator('.ranked [data-car]').first().waitFor({ state: 'detached' });
});

test('the way of a unit is asked for every ten seconds, and not with each tick of the clock', async () => {
  const context = await desk.browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const other = await context.newPage(); // a clock is its context's
  let asked = 0;
  other.on('request', (request) => (asked += Number(new URL(request.url()).pathname === '/viaroute')));
  await other.clock.install();
  await enter(other, desk.station.address, 'supervisor', 'supervisor');
  await other.goto(`${desk.station.address}/#/?task=${id}`);
  await expect.poll(() => asked).toBeGreaterThan(0);
  const ten = Math.ceil(((await other.evaluate(() => Date.now())) + 5_000) / 10_000) * 10_000;
  await other.clock.pauseAt(ten);
  await other.clock.runFor(1_500);
  const before = asked;
  for (let second = 2; second < 10; second++) await other.clock.runFor(1_000);
  await other.clock.runFor(1_500);
  await expect.poll(() => asked).toBeGreaterThan(before);
  expect(asked - before).toBeLessThanOrEqual(3); // the way on the map, and when each of two units arrives
  await context.close();
});

test('a duplicate is merged from its card, is read with the other task, and comes back with one key', async () => {
  const { newsId: double } = await desk.ask<{ newsId: number }>('POST', '/news/', {
    action: 'put',
    values: { title: 'Smoke from a roof', news_type_id: 1 },
    point: [18.9101, 56.1901],
    pointZoom: 15,
  });
  await desk.ask('POST', `/news/${double}/comments`, { action: 'post', comment: 'The ladder is needed in the yard' });
  const rows = page.getByRole('listbox', { name: 'Tasks' }).getByRole('option');
  await rows.filter({ hasText: 'Smoke from a roof' }).click();
  await page.getByRole('heading', { name: 'Smoke from a roof' }).waitFor();
  await page.keyboard.press('b');
  await page.getByRole('button', { name: /^#\d+ Roof on fire/ }).click();
  await screenshot(page, 'merge-asked');
  await page.getByRole('button', { name: 'Merge into it' }).click();

  await page.getByRole('heading', { name: 'Roof on fire' }).waitFor();
  const related = page.getByRole('region', { name: 'Related tasks' });
  await related.getByText('Smoke from a roof').waitFor();
  await page.getByText('The ladder is needed in the yard').waitFor();
  await related.scrollIntoViewIfNeeded();
  await screenshot(page, 'merged-card');
  await expect.poll(() => rows.filter({ hasText: 'Smoke from a roof' }).count()).toBe(0);
  await page.keyboard.press('u');
  await page.getByRole('heading', { name: 'Smoke from a roof' }).waitFor();
  await expect.poll(() => rows.filter({ hasText: 'Smoke from a roof' }).count()).toBe(1);
});

test('a task that nobody was sent to rises in the queue until somebody takes note, and a scheduled one rests', async () => {
  const [year, month, day] = new Date(Date.now() + 50 * 3_600_000).toISOString().slice(0, 10).split('-');
  await desk.ask('POST', '/news/', {
    action: 'put',
    values: { title: 'Move the stage', news_type_id: 1, news_date: `${day}.${month}.${year}` },
  });
  const targets = [60, 180, 1, 0].map((sentSeconds) => ({ sentSeconds, onSceneSeconds: 0 }));
  await desk.ask('PUT', '/dispatch/settings', { leadSeconds: 300, targets });
  const row = page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').filter({ hasText: 'Smoke from a roof' });
  await row.getByText(/unsent \d/).waitFor();
  await row.click();
  await page.locator('.card').getByRole('button', { name: 'It can wait' }).waitFor();
  await screenshot(page, 'risen');
  await page.keyboard.press('w');
  await expect.poll(() => row.getByText(/unsent \d/).count()).toBe(0);
  await page.getByPlaceholder('Number or words').fill('Move the stage');
  await page.locator('.head', { hasText: 'Scheduled' }).first().waitFor();
  await page.getByPlaceholder('Number or words').fill('');
  await page.goto(`${new URL(page.url()).origin}/#/shift`);
  await page.getByRole('heading', { name: 'Dispatch targets' }).scrollIntoViewIfNeeded();
  await screenshot(page, 'dispatch-targets');
});
