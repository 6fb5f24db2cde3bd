import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';
import { intercept } from '../harness/intercept.ts';

/** A call is taken and somebody is sent, by the keyboard: nothing that a key was pressed for fails unseen. */
let desk: DemoConsole;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  page = desk.page;
});
afterAll(() => desk?.close());
beforeEach(async () => {
  for (let open = 0; open < 3; open++) await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.card, form.form').count()).toBe(0);
});

const place = () => page.getByLabel('Place', { exact: true });
const what = () => page.getByLabel('What happened');
const hasFocus = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);
const tasks = async () =>
  (await desk.ask<{ count_news: number }>('GET', '/news/listAfterId/0/1?status=1,2,3,4')).count_news;

async function beginCall(): Promise<void> {
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => hasFocus(place())).toBe(true);
}

test('Tab takes the marked place, as Enter does, and goes on with what happened', async () => {
  await beginCall();
  await page.keyboard.type('hon', { delay: 20 });
  await page.getByRole('option', { name: /Honey/ }).first().waitFor();
  await page.keyboard.press('Tab');
  await page.locator('.ranked [data-car]').first().waitFor();
  expect(await place().inputValue()).toMatch(/Honey/);
  expect(await hasFocus(what())).toBe(true);
});

test('Tab is not too quick for the suggestions, and leaves a field that knows no place', async () => {
  await beginCall();
  await page.keyboard.type('honey av');
  await page.keyboard.press('Tab');
  await page.locator('.ranked [data-car]').first().waitFor();
  expect(await hasFocus(what())).toBe(true);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.keyboard.type('xqzjwv');
  await page.getByText('No matching place').waitFor();
  await page.keyboard.press('Tab');
  expect(await hasFocus(place())).toBe(false);
});

test('what is typed right after Tab goes to what happened, however late the suggestions come', async () => {
  await beginCall();
  await intercept(page, '**/geocoding?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await page.keyboard.type('honey av');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Tree over both lanes');
  await page.locator('.ranked [data-car]').first().waitFor();
  expect(await place().inputValue()).toMatch(/Honey/);
  expect(await what().inputValue()).toBe('Tree over both lanes');
  expect(await hasFocus(what())).toBe(true);
  await page.unrouteAll({ behavior: 'wait' });
});

test('to save and send waits for the ranking, and sends its first', async () => {
  await beginCall();
  await intercept(page, '**/proposals', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await page.keyboard.type('honey av');
  await page.keyboard.press('Tab');
  await expect.poll(() => hasFocus(what())).toBe(true);
  await page.keyboard.type('Tree over both lanes');
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByText(/is assigned to task \d+, Tree over both lanes/).waitFor();
  await page.locator('.serving').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

test('to save and send where nobody can be sent says so in amber, saves nothing and asks', async () => {
  const before = await tasks();
  await beginCall();
  await page.keyboard.type('xqzjwv');
  await what().fill('Smell of gas in the yard');
  await page.keyboard.press('Control+Shift+Enter');
  const question = page.getByRole('alert').filter({ hasText: 'No vehicle would be sent' });
  await question.getByText('“xqzjwv” is not on the map').waitFor();
  expect(await question.evaluate((element) => element.classList.contains('beware'))).toBe(true);
  expect(await tasks()).toBe(before);
  expect(await inEveryLook(page, 'intake-nobody')).toEqual([]);

  await question.getByRole('button', { name: 'Find the place' }).click();
  expect(await hasFocus(place())).toBe(true);
  await page.keyboard.press('Control+Shift+Enter');
  await question.getByRole('button', { name: 'Save only' }).click();
  await page.getByText(/Task \d+ is saved: Smell of gas in the yard/).waitFor();
  expect(await page.locator('.serving').count()).toBe(0);
  expect(await tasks()).toBe(before + 1);
});

test('a new task whose vehicle is refused is said to have nobody', async () => {
  await beginCall();
  await page.keyboard.type('honey av');
  await page.keyboard.press('Tab');
  await page.locator('.ranked [data-car]').first().waitFor();
  await intercept(page, '**/news/*/update', (route) =>
    route.fulfill({ status: 400, json: { code: 400, message: 'This vehicle is out of service.' } }),
  );
  await page.keyboard.type('Fence blown over');
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByText(/No vehicle was sent to task \d+, Fence blown over/).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

test('a task for later is planned as the call is taken, and waits in the queue for its time', async () => {
  await beginCall();
  await page.keyboard.type('honey av');
  await page.keyboard.press('Tab');
  await expect.poll(() => hasFocus(what())).toBe(true);
  await page.keyboard.type('Parade: close the road');
  await page.getByText('Schedule for later').click();
  const form = page.locator('form.form');
  const [day, time] = [form.getByLabel('Begins', { exact: true }), form.getByLabel('Time', { exact: true })];
  const tomorrow = new Date(Date.now() + 86_400_000);
  const two = (number: number) => String(number).padStart(2, '0');
  await day.fill(`${two(tomorrow.getDate())}.${two(tomorrow.getMonth() + 1)}.${tomorrow.getFullYear()}`);
  await time.fill('9:75');
  await page.keyboard.press('Control+Enter');
  await form.getByText('Enter a date.').waitFor();
  await time.fill('930');
  expect(await inEveryLook(page, 'intake-later')).toEqual([]);
  await page.keyboard.press('Control+Enter');
  const card = page.locator('.card');
  await card.getByRole('heading', { name: 'Parade: close the road' }).waitFor();
  await card.getByText(/Scheduled for .*09:30/).waitFor();
  const id = /\d+/.exec((await card.locator('h2').first().textContent())!)![0];
  const { news_data: task } = await desk.ask<{ news_data: { news_date: string } }>('GET', `/news/${id}`);
  expect(task.news_date).toMatch(new RegExp(`${two(tomorrow.getDate())}.*09:30`));
  await page.keyboard.press('n');
  await page.getByText('Schedule for later').waitFor();
  expect(await form.getByLabel('Begins', { exact: true }).isVisible()).toBe(false);
});

test('after sending nothing stays highlighted that the pointer rested on', async () => {
  await page.getByRole('radio', { name: /^New/ }).click();
  await page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').first().click();
  await page.locator('.ranked [data-car]').first().waitFor();
  const last = page.locator('.ranked [data-car]').last();
  // The panel of vehicles is low: only those at its top are drawn.
  const filter = page.getByRole('searchbox', { name: 'Filter', exact: true });
  await filter.fill(await last.locator('strong').innerText());
  await last.hover();
  const pointed = page.getByRole('listbox', { name: 'Vehicles' }).locator('.pointed');
  await expect.poll(() => pointed.count()).toBe(1);
  await filter.blur();
  await page.keyboard.press('a');
  await page.locator('.serving').waitFor();
  await expect.poll(() => page.locator('.ranked').count()).toBe(0);
  await expect
    .poll(() => page.getByRole('listbox', { name: 'Vehicles' }).locator('.pointed, [aria-selected=true]').count())
    .toBe(0);
  await page.keyboard.press('u');
  await page
    .getByText(/Undone/)
    .first()
    .waitFor();
  await filter.fill('');
  await filter.blur();
  await page.getByRole('radio', { name: /^Open/ }).click();
});

test('a line that is refused is selected, so that the next one is typed over it', async () => {
  const line = page.getByLabel('Command line');
  const selected = () =>
    line.evaluate((input: HTMLInputElement) => input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0));
  await page.keyboard.press('/');
  await page.keyboard.type('a nobody t 1');
  await page.keyboard.press('Enter');
  await expect.poll(selected).toBe('a nobody t 1');
  await page.keyboard.type('g xqzjwv'); // read well, and found to be nowhere only by the station
  await page.keyboard.press('Enter');
  await page.getByText('No place found for “xqzjwv”.').waitFor();
  await expect.poll(selected).toBe('g xqzjwv');
  expect(await hasFocus(line)).toBe(true);
  await page.keyboard.type('n ');
  expect(await line.inputValue()).toBe('n ');
  await page.locator('.queue [role=option]').first().click();
  await page.keyboard.press('/');
  await page.keyboard.type('g');
  expect(await line.inputValue()).toBe('g');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
});

test('no request left the station, and no page had an error or broke the content security policy', () => {
  expect(desk.faults()).toEqual([]);
});
