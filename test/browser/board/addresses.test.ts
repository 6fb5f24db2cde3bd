import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAnew, openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { prefer } from '../harness/every-look.ts';

/** The address and the title of the window name what is open, and Back returns to what was open before. */
let desk: DemoConsole;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  page = desk.page;
});
afterAll(() => desk?.close());

const address = () => page.evaluate(() => location.hash);
const title = () => page.title();
const rows = () => page.locator('.queue [role=option]');
const open = (row: number) => rows().nth(row).click();
const shown = async () => (await page.locator('.card h2').first().textContent())?.trim();

test('a task that is opened stands in the address and in the title; Back and Forward go through them', async () => {
  await expect.poll(title).toMatch(/^Board · Waypost /);
  await open(0);
  const first = await page.locator('.card h1').textContent();
  const id = /\d+/.exec((await shown())!)![0];
  await expect.poll(address).toBe(`#/?task=${id}`);
  await expect.poll(title).toMatch(new RegExp(`^Task ${id} .+ · Board · Waypost `));
  expect(await title()).toContain(first);

  await page.waitForTimeout(1_600); // longer than a step through the queue by keys
  await open(2);
  await expect.poll(address).not.toBe(`#/?task=${id}`);
  const other = await shown();
  await page.goBack();
  await expect.poll(shown).toBe(`Task ${id}`);
  await expect.poll(address).toBe(`#/?task=${id}`);
  await page.goForward();
  await expect.poll(shown).toBe(other);
  await page.keyboard.press('Escape');
  await expect.poll(address).toBe('#/');
  await expect.poll(title).toMatch(/^Board · /);
  await page.goBack();
  await expect.poll(shown).toBe(other);
});

test('who goes through the queue by keys leaves one step behind', async () => {
  await page.keyboard.press('Escape');
  await expect.poll(address).toBe('#/');
  await page.keyboard.press('j');
  for (let step = 0; step < 4; step++) await page.keyboard.press('j');
  await expect.poll(address).toMatch(/task=\d+/);
  await page.goBack();
  await expect.poll(() => page.locator('.card').count()).toBe(0);
  await expect.poll(address).toBe('#/');
});

test('a link leads to a task, also in a new tab, and the page that is loaded again has it open', async () => {
  const { newsId } = await desk.ask<{ newsId: number }>('POST', '/news/', {
    action: 'put',
    values: { title: 'Lamp out in the yard', news_type_id: 1 },
  });
  const tab = await desk.context.newPage();
  await tab.goto(`${desk.station.address}/#/?task=${newsId}`);
  await tab.getByRole('heading', { name: 'Lamp out in the yard' }).waitFor();
  await tab.close();
  await page.goto(`${desk.station.address}/#/?task=${newsId}`);
  await page.getByRole('heading', { name: 'Lamp out in the yard' }).waitFor();
  await loadAnew(page);
  await page.getByRole('heading', { name: 'Lamp out in the yard' }).waitFor();
  expect(await address()).toBe(`#/?task=${newsId}`);
});

test('a link shows the same task, view, filter and map to who signs in first, and who signs in next begins on the board', async () => {
  await page.keyboard.press('Escape');
  await page.getByRole('application', { name: 'Map' }).press('ArrowRight');
  await page.locator('.queue input').first().fill('lamp');
  await expect.poll(address).toMatch(/words=lamp.*map=|map=.*words=lamp/);
  await open(0);
  await expect.poll(address).toContain('task=');
  const link = page.url();
  const context = await desk.browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } });
  const other = await context.newPage();
  const signIn = async () => {
    await other.getByLabel('Login').fill('dispatcher');
    await other.getByLabel('Password', { exact: true }).fill('dispatcher');
    await other.keyboard.press('Enter');
    await other.locator('.light').waitFor();
  };
  await other.goto(link);
  await signIn();
  await other.getByRole('heading', { name: 'Lamp out in the yard' }).waitFor();
  expect(await other.locator('.queue input').first().inputValue()).toBe('lamp');
  await expect.poll(() => other.url().split('#')[1]).toBe(link.split('#')[1]);
  await other.evaluate(() => (location.hash = '#/settings'));
  await other.getByRole('heading', { name: 'Settings' }).waitFor();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByLabel('Login').waitFor();
  await signIn();
  await other.locator('.queue').waitFor();
  await context.close();
  await page.evaluate((id) => history.replaceState(null, '', `#/?task=${id}`), /task=(\d+)/.exec(link)![1]);
  await loadAnew(page);
  await page.getByRole('heading', { name: 'Lamp out in the yard' }).waitFor();
});

test('a call that is written has an address, and what was typed is there after Back and Forward', async () => {
  await page.keyboard.press('n');
  await expect.poll(address).toBe('#/?task=new');
  await expect.poll(title).toMatch(/^New task · Board · /);
  await page.getByLabel('What happened').fill('Half a sentence');
  await page.goBack();
  await page.getByRole('heading', { name: 'Lamp out in the yard' }).waitFor();
  await page.goForward();
  await expect.poll(() => page.getByLabel('What happened').inputValue()).toBe('Half a sentence');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.keyboard.press('Escape');
});

test('the board is found as it was by who comes back from another page, and each page names itself in both languages', async () => {
  await open(0);
  await expect.poll(address).toMatch(/task=\d+/);
  const before = await address();
  await page.locator('header nav a[href="#/reports"]').click();
  await expect.poll(title).toMatch(/^Reports · /);
  await prefer(page, { palette: 'day', language: 'ru' });
  await expect.poll(title).toMatch(/^Отчёты · /);
  await prefer(page, { palette: 'day', language: 'en' });
  await page.locator('header nav a[href="#/"]').click();
  await expect.poll(address).toBe(before);
  const [vehicle] = await desk.ask<{ id: number; name: string }[]>('GET', '/cars');
  await page.goto(`${desk.station.address}/#/vehicles/${vehicle!.id}`);
  await expect.poll(title).toMatch(new RegExp(`^${vehicle!.name} · Vehicles · `));
  await page.goto(`${desk.station.address}/#/types`);
  await expect.poll(title).toMatch(/^Types of work · /);
});

test('an address of a task that is none leaves the board as it is', async () => {
  for (const wrong of ['0', '-1', 'x', '1e3', '99999999999999999999']) {
    await page.goto(`${desk.station.address}/#/?task=${wrong}`);
    await page.locator('.queue [role=option]').first().waitFor();
  }
  expect(desk.faults()).toEqual([]);
});
