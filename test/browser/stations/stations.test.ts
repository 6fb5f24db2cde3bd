import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { Cable } from '../../support/cable.ts';
import { launchChromium } from '../harness/chromium.ts';
import {
  enter,
  screenshot,
  startStationProcess,
  watchForFaults,
  type RunningStation,
} from '../harness/console-harness.ts';
import { inEveryLook, PALETTES, prefer } from '../harness/every-look.ts';
import { faintTexts } from '../harness/text-contrast.ts';

/** Two stations with a cable between them, and a console at each: what operators do on the page of stations. */
interface Desk {
  readonly name: string;
  readonly station: RunningStation;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Paths that the page asked for. */
  readonly asked: readonly string[];
  readonly faults: () => string[];
}
let browser: Browser;
let centre: Desk;
let depot: Desk;
/** To the centre and to the depot: both stations may dial. */
let cables: [Cable, Cable];
let taskId: number;

async function openDesk(number: number, name: string): Promise<Desk> {
  const station = await startStationProcess([], {
    WAYPOST_ADMIN_PASSWORD: 'admin-admin',
    WAYPOST_STATION_NUMBER: String(number),
    WAYPOST_NAME: name,
  });
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
    timezoneId: 'UTC',
  });
  const faults = watchForFaults(context, station.address);
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => request.method() === 'GET' && asked.push(new URL(request.url()).pathname));
  page.setDefaultTimeout(30_000);
  await enter(page, station.address, 'admin', 'admin-admin');
  await page.locator('.light[data-level=good]').waitFor();
  await page.goto(`${station.address}/#/stations`);
  return { name, station, context, page, asked, faults };
}

async function ask<T>({ page, station }: Desk, method: string, path: string, body?: object): Promise<T> {
  const answer = await page.request.fetch(`${station.address}${path}`, { method, ...(body ? { data: body } : {}) });
  if (answer.status() !== 200) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return (await answer.json()) as T;
}
const edit = (desk: Desk, values: object) => ask(desk, 'POST', `/news/${taskId}/update`, values);
const titleAt = async (desk: Desk) =>
  (await ask<{ news_data: { title: string } }>(desk, 'GET', `/news/${taskId}`)).news_data.title;
const both = () => [centre, depot];
const heading = ({ page }: Desk, title: string) => page.locator('.card h1').filter({ hasText: title });
/** Opens the card of the task on the board. */
async function openTask({ page, station }: Desk): Promise<void> {
  await page.goto(`${station.address}/#/?task=${taskId}`);
  await page.locator('.card h1').waitFor();
}
/** As an operator does it: on the card, by keyboard. */
async function editTitle({ page }: Desk, title: string): Promise<void> {
  await page.keyboard.press('e');
  await page.locator('.editor').getByLabel('What happened').fill(title);
  await page.keyboard.press('Control+Enter');
  await page.locator('.editor').waitFor({ state: 'detached' });
}
const lightIs = (desk: Desk, state: string) => desk.page.locator(`[data-sync=${state}]`).waitFor();
/** In the picture of stations. */
const card = ({ page }: Desk, name: string) =>
  page.getByRole('list', { name: 'Stations and their links' }).getByRole('button', { name: new RegExp(`^${name}`) });
/** Of the task; that both stations have an `admin` is a merge, too. */
const merge = ({ page }: Desk) => page.locator('.merge').filter({ hasText: 'Oak' });

beforeAll(async () => {
  browser = await launchChromium();
  [centre, depot] = (await Promise.all([openDesk(1, 'Centre'), openDesk(2, 'Depot')])) as [Desk, Desk];
  cables = [await Cable.to(centre.station.address), await Cable.to(depot.station.address)];
});
afterAll(async () => {
  await browser?.close();
  for (const cable of cables ?? []) cable.close();
  await Promise.all([centre?.station.stop(), depot?.station.stop()]);
});

test('a station without links says that it works alone', async () => {
  for (const { page } of both()) {
    await page.getByText('This station works alone').waitFor();
    await page.locator('[data-sync=alone]').waitFor();
    await page.getByText('No merge waits for a decision').waitFor();
  }
});

test('a wrong code is refused in the words of the operator, and nothing is linked', async () => {
  const { page } = depot;
  await page.keyboard.press('n');
  await page.getByRole('radio', { name: 'Enter a code' }).click();
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await page.getByText('Enter the address that the other station shows.').waitFor();
  await page.getByText('Enter the 8 letters and digits of the code.').waitFor();
  await page.getByLabel('Address of the other station').fill(cables[0].address);
  await page.getByLabel('Code that the other station shows').fill('K7QM-4TRP');
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'The code is wrong or has expired.' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await ask(depot, 'GET', '/links')).toEqual([]);
});

test('one console shows a code, the other takes it, and both lights become green', async () => {
  await centre.page.keyboard.press('n');
  await centre.page.getByRole('button', { name: 'Create a code' }).click();
  const code = (await centre.page.locator('output').textContent())!;
  expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  await depot.page.keyboard.press('n');
  await depot.page.getByRole('radio', { name: 'Enter a code' }).click();
  await depot.page.getByLabel('Address of the other station').fill(cables[0].address);
  await depot.page.getByLabel('Code that the other station shows').fill(code.toLowerCase());
  await depot.page.getByText('More', { exact: true }).click();
  await depot.page.getByLabel('Address of this station for the other one').fill(cables[1].address);
  await depot.page.keyboard.press('Enter');
  // The sheets close by themselves, and show the new link.
  await depot.page.getByRole('region', { name: 'Centre' }).waitFor();
  await centre.page.getByRole('region', { name: 'Depot' }).waitFor();
  for (const desk of both()) {
    await desk.page.locator('.words.synced').waitFor();
    await lightIs(desk, 'synced');
    await desk.page.getByText('1 of 1 up to date').waitFor();
  }
});

test('a task that one station takes appears on the board of the other one', async () => {
  const { newstype } = await ask<{ newstype: { news_type_id: string }[] }>(centre, 'GET', '/newstype');
  const values = { title: 'Tree across the road', news_type_id: Number(newstype[0]!.news_type_id) };
  taskId = (await ask<{ newsId: number }>(centre, 'POST', '/news/', { values })).newsId;
  await depot.page.goto(`${depot.station.address}/#/?task=${taskId}`);
  await depot.page.getByRole('heading', { name: 'Tree across the road' }).waitFor();
  await edit(centre, { title: 'Oak across the road' });
  await depot.page.getByRole('heading', { name: 'Oak across the road' }).waitFor();
  await depot.page.goto(`${depot.station.address}/#/stations`);
});

test('while the cable is out, the light is not green and the picture says what waits', async () => {
  for (const cable of cables) cable.cut();
  for (const desk of both()) {
    await lightIs(desk, 'behind');
    const away = desk === centre ? 'Depot' : 'Centre';
    await desk.page.locator('.sync').getByText(`for ${away}, no answer since`).waitFor();
    await desk.page.locator('.line.unreachable').waitFor({ state: 'attached' });
  }
  await Promise.all(both().map(openTask));
  await editTitle(centre, 'Oak on Harbour Road');
  await editTitle(depot, 'Oak on Mill Road');
  await edit(centre, { text: 'Two lanes are closed' });
  await heading(centre, 'Oak on Harbour Road').waitFor(); // each sees its own work
  await heading(depot, 'Oak on Mill Road').waitFor();
  await screenshot(depot.page, 'two-consoles-apart');
  await depot.page.goto(`${depot.station.address}/#/stations`);
  await card(depot, 'Centre').click();
  const tasks = depot.page.getByRole('row', { name: 'Tasks and their history' }).getByRole('cell');
  await expect.poll(() => tasks.first().textContent()).toMatch(/^[1-9]/);
  await depot.page.locator('.waits').getByText('not the same yet').waitFor();
  await depot.page.getByRole('button', { name: 'Try now' }).waitFor();
  expect(await inEveryLook(depot.page, 'two-consoles-waiting')).toEqual([]);
});

test('[sync 30] both consoles show the same merged task soon after the cable is back, without a key', async () => {
  await openTask(depot);
  const joined = performance.now();
  for (const cable of cables) cable.join();
  await Promise.all(
    both().map(async (desk) => {
      await heading(desk, 'Oak on Mill Road').waitFor(); // the later edit
      await desk.page.getByText('Two lanes are closed').first().waitFor(); // what only the centre wrote
    }),
  );
  expect(performance.now() - joined).toBeLessThan(PATIENCE / 5);
  await screenshot(centre.page, 'two-consoles-merged');
  expect(await titleAt(centre)).toBe('Oak on Mill Road');
  expect(await titleAt(depot)).toBe('Oak on Mill Road');
});

test('[sync 32] the value that lost stands in Merges beside the one that stands', async () => {
  for (const desk of both()) {
    await desk.page.goto(`${desk.station.address}/#/stations`);
    await lightIs(desk, 'synced');
    await expect.poll(() => merge(desk).count()).toBe(1);
    const text = await merge(desk).innerText();
    expect(text).toContain('Oak on Mill Road');
    expect(text).toContain('Oak on Harbour Road');
    expect(text).toMatch(/Centre/);
    expect(text).toMatch(/Depot/);
    expect(await merge(desk).locator('.value.stands').innerText()).toContain('Oak on Mill Road');
  }
  await card(depot, 'Centre').click();
  await screenshot(depot.page, 'two-consoles-merges');
});

test('the page with a link and a merge has all its words, fits, and stands out in every palette', async () => {
  const { page } = centre;
  const wrong: string[] = [];
  await card(centre, 'Depot').click();
  for (const [width, height] of [
    [640, 900],
    [1280, 720],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    wrong.push(...(await inEveryLook(page, `stations-${width}`)));
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const palette of PALETTES) {
    await prefer(page, { palette, language: 'en' });
    wrong.push(...(await faintTexts(page)).faint.map((one) => `${palette}: ${one}`));
  }
  await prefer(page, { palette: 'day', language: 'en' });
  expect(wrong).toEqual([]);
});

test('[sync 37] the other value, taken by keyboard at one station, stands at both and on both boards', async () => {
  await depot.page.keyboard.press('ArrowDown');
  await depot.page.keyboard.press('t');
  await depot.page.getByText('The other value is taken: Oak on Harbour Road').waitFor();
  for (const desk of both()) {
    await expect.poll(() => titleAt(desk)).toBe('Oak on Harbour Road');
    await expect.poll(() => merge(desk).count()).toBe(0);
    await lightIs(desk, 'synced');
  }
  for (const desk of both()) {
    await openTask(desk);
    await heading(desk, 'Oak on Harbour Road').waitFor();
    await desk.page.goto(`${desk.station.address}/#/stations`);
  }
  await centre.page.getByRole('radio', { name: 'All' }).click();
  expect(await merge(centre).locator('.value.stands').innerText()).toContain('Oak on Harbour Road');
  await centre.page.getByRole('radio', { name: 'To review' }).click();
});

test('a link is limited, paused and cut, and both stations say so', async () => {
  const { page } = centre;
  const panel = page.getByRole('region', { name: 'Depot' });
  await card(centre, 'Depot').click();
  await panel.getByRole('button', { name: 'Change', exact: true }).click();
  await panel.getByLabel('Tracks of vehicles').selectOption('days');
  await panel.getByLabel('Days').fill('3');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('the last 3 days').waitFor();

  await panel.getByRole('button', { name: 'Pause' }).click();
  for (const desk of both()) await desk.page.locator('.words.paused').waitFor();
  await panel.getByRole('button', { name: 'Continue' }).click();
  for (const desk of both()) await desk.page.locator('.words.synced').waitFor();

  await panel.getByRole('button', { name: 'Cut…' }).click();
  await page.getByRole('button', { name: 'Cut the link' }).click();
  await page.getByText('This station works alone').waitFor();
  await lightIs(centre, 'alone');
  await depot.page.locator('.words.refused').waitFor();
  await depot.page.getByText('Cut by the other station.').first().waitFor();
});

test('F1 opens the manual about this page in the language of the console', async () => {
  const { page } = centre;
  await page.keyboard.press('F1');
  await page.getByRole('heading', { name: 'Link two stations' }).waitFor();
  await prefer(page, { palette: 'day', language: 'ru' });
  await page.getByRole('heading', { name: 'Связать две станции' }).waitFor();
  await prefer(page, { palette: 'day', language: 'en' });
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
});

test('the pages hear of links, merges and the state over their sockets, and do not ask for them again and again', () => {
  for (const { asked, name } of both()) {
    expect([name, asked.filter((path) => path === '/sync/state')]).toEqual([name, []]);
    // Once for each time that the page is opened.
    expect(asked.filter((path) => path === '/links').length).toBeLessThanOrEqual(12);
  }
});

test('no request left a station, and no page had an error', () => {
  for (const desk of both()) expect(desk.faults(), desk.name).toEqual([]);
});
