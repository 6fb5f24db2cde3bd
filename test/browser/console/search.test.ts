import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';

/** One field finds tasks, units, people, addresses and pages, and takes commands, by keys alone. */
let desk: DemoConsole;
let page: Page;
let id: number;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  page = desk.page;
  ({ newsId: id } = await desk.ask<{ newsId: number }>('POST', '/news/', {
    action: 'put',
    values: { title: 'Chimney ablaze', news_type_id: 1 },
    point: [18.91, 56.19],
    pointZoom: 15,
  }));
});
afterAll(() => desk?.close());

const line = () => page.getByLabel('Command line');
const chosen = () => page.locator('#command-choices [aria-selected=true]');
async function search(text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await line().fill(text);
}

test('Ctrl K finds a task, a unit, a person, an address and a page, each named by its kind', async () => {
  await search('chimney');
  await expect.poll(() => chosen().innerText()).toMatch(/^Task\s+Chimney ablaze/);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain(`task=${id}`);

  await search('medic 3');
  await expect.poll(() => chosen().innerText()).toMatch(/^Unit\s+Medic 3/);
  await search('stations');
  await expect.poll(() => chosen().innerText()).toMatch(/^Page\s+Stations/);
  await search('hospital street');
  await page.locator('#command-choices').getByText('Address').first().waitFor();
  await screenshot(page, 'search');
  await search('zzqx wvkk');
  await page.getByText('There is no command “zzqx”.').waitFor();
});

test('a command goes on by Tab, knows a status by name, and a comment', async () => {
  await search('s medi');
  await page.keyboard.press('Tab');
  expect(await line().inputValue()).toBe('s Medic 1 ');
  await line().fill('s medic 2 out of');
  await page.locator('#command-preview').getByText('Set Medic 2 to 6 Out of service').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Medic 2: 6 Out of service').waitFor();

  await search(`c ${id} neighbours are outside`);
  await page.keyboard.press('Enter');
  await page.getByText(`The comment on task ${id} is saved`).waitFor();
  await search('m medic 2 call base');
  await page.keyboard.press('Enter');
  await page.getByText('The message to Medic 2 is sent').waitFor();
});

test('a refused line is chosen whole, so that typing replaces it', async () => {
  await search('d 99999');
  await page.keyboard.press('Enter');
  await page.keyboard.type('g hospital');
  expect(await line().inputValue()).toBe('g hospital');
  await page.keyboard.press('Escape');
  expect(desk.faults()).toEqual([]);
});
