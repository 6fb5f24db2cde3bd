import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { askStation } from '../harness/ask-station.ts';
import { launchChromium } from '../harness/chromium.ts';
import { enter, startStationProcess, watchForFaults, type RunningStation } from '../harness/console-harness.ts';

/**
 * Two people at two consoles: one may do all that a dispatcher does, the other sees new tasks only and
 * comments on them.
 */
let station: RunningStation;
let browser: Browser;
let admin: string;
let desk: Console;
let porter: Console;
let right: number;
let state: number;
let tree: number;
let flood: number;

interface Console {
  readonly page: Page;
  readonly context: BrowserContext;
  /** All that its browser was sent: answers and messages of sockets. */
  readonly received: string[];
  readonly faults: () => string[];
}

beforeAll(async () => {
  [station, browser] = await Promise.all([
    startStationProcess([], { WAYPOST_ADMIN_PASSWORD: 'admin-admin' }),
    launchChromium(),
  ]);
  admin = (await ask('POST', '/auth/login', { login: 'admin', password: 'admin-admin' })).token;
  state = Number((await ask('POST', '/news/states', { name: 'New', field: 'assigned_status', value: 1 })).state.id);
  const capabilities: { id: string; name: string }[] = (await ask('GET', '/news/capabilities')).capabilities;
  const capability = (name: string) => Number(capabilities.find((one) => one.name === name)!.id);
  right = (
    await ask('POST', '/rights', {
      name: 'Porter',
      accesses: [
        { capability_id: capability('view'), states: [state] },
        { capability_id: capability('comment'), states: null },
      ],
    })
  ).id;
  const roles: { id: number; name: string }[] = await ask('GET', '/rights');
  for (const [login, name] of [
    ['desk', 'Dispatcher'],
    ['porter', 'Porter'],
  ])
    await ask('POST', '/users', {
      login,
      fio: login,
      password: `${login}-${login}`,
      groupId: roles.find((one) => one.name === name)!.id,
    });
  tree = (await ask('POST', '/news/', { values: { title: 'Tree across the road', news_type_id: 1 } })).newsId;
  flood = (await ask('POST', '/news/', { values: { title: 'Flood in the archive cellar', news_type_id: 1 } })).newsId;
  await ask('POST', `/news/${flood}/update`, {
    assigned_status: 3,
    update_comments: 'Pump 7 is on its way',
    updatecomment_visible_all: true,
  });
  [desk, porter] = await Promise.all([open('desk'), open('porter')]);
});
afterAll(async () => {
  await browser?.close();
  await station?.stop();
});

const ask = (method: string, path: string, body?: unknown) => askStation(station, admin, method, path, body);

async function open(login: string): Promise<Console> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const received: string[] = [];
  const faults = watchForFaults(context, station.address);
  page.on(
    'response',
    (response) =>
      void response.text().then(
        (text) => received.push(text),
        () => undefined,
      ),
  );
  // What a shared worker receives is not told.
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => received.push(String(payload))));
  await enter(page, station.address, login, `${login}-${login}`);
  await page.locator('.light[data-level=good]').waitFor();
  return { page, context, received, faults };
}

const titles = ({ page }: Console) =>
  page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').locator('.title').allTextContents();
const FLOOD = /Flood in the archive cellar|Pump 7/;
/** What the interface answers to the very browser, with its cookie. */
const statusOf = (at: Console, path: string, body?: object) =>
  at.page.evaluate(
    async ([to, sent]) =>
      (
        await fetch(
          to!,
          sent === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: sent },
        )
      ).status,
    [path, body && JSON.stringify(body)],
  );

test('each queue holds the tasks that its person may see, and the browser was sent nothing of the others', async () => {
  await expect
    .poll(() => titles(desk).then((all) => all.sort()))
    .toEqual(['Flood in the archive cellar', 'Tree across the road']);
  await expect.poll(() => titles(porter)).toEqual(['Tree across the road']);
  expect(desk.received.some((text) => FLOOD.test(text))).toBe(true);
  expect(porter.received.filter((text) => FLOOD.test(text))).toEqual([]);
});

test('nor does looking for it, naming it, or asking the station for it find it', async () => {
  for (const path of ['', '/text', '/comments', '/history', '/photos', '/pdf', '/shortdata'])
    expect([
      path,
      await statusOf(desk, `/news/${flood}${path}`),
      await statusOf(porter, `/news/${flood}${path}`),
    ]).toEqual([path, 200, 404]);
  expect([
    await statusOf(porter, `/news/${flood}/update`, { title: 'Mine' }),
    await statusOf(porter, `/news/${flood}/comments`, { action: 'post', comment: 'x' }),
  ]).toEqual([404, 404]);
  const found = async ({ page }: Console) => {
    await page.goto(`${station.address}/#/archive`);
    await page.getByLabel('Number or words (F)').fill('Flood');
    const nothing = page.getByText('No matching tasks');
    const options = page.getByRole('listbox', { name: 'Found tasks' }).getByRole('option').filter({ hasText: 'Flood' });
    await nothing.or(options).first().waitFor();
    const titles = await options.locator('.title').allTextContents();
    await page.goto(`${station.address}/#/`);
    return titles;
  };
  expect([await found(desk), await found(porter)]).toEqual([['Flood in the archive cellar'], []]);
  await porter.page.getByLabel('Command line').fill(`t ${flood}`);
  await porter.page.keyboard.press('Enter');
  expect(await porter.page.locator('.card').filter({ hasText: FLOOD }).count()).toBe(0);
  await porter.page.getByLabel('Command line').fill('');
  await porter.page.keyboard.press('Escape'); // what the line offers covers the queue
  expect(porter.received.filter((text) => FLOOD.test(text))).toEqual([]);
});

test('each card offers what its person may do with the task, and the station refuses the rest', async () => {
  for (const { page } of [desk, porter]) {
    await page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').filter({ hasText: 'Tree across' }).click();
    await page
      .locator('.card')
      .filter({ hasText: `Task ${tree}` })
      .locator('h1')
      .waitFor();
    await page.locator('.card').getByLabel('Add a comment').waitFor();
  }
  const offered = async ({ page }: Console) => [
    await page.locator('.card').getByRole('button', { name: 'Edit (E)' }).count(),
    await page.locator('.card').getByRole('button', { name: 'Add files' }).count(),
    await page.locator('.card').getByRole('button', { name: 'To the archive' }).count(),
  ];
  await expect.poll(() => offered(desk)).toEqual([1, 1, 1]);
  expect(await offered(porter)).toEqual([0, 0, 0]);
  await porter.page.locator('.card h1').click();
  await porter.page.keyboard.press('e'); // the key does no more than the button would
  expect(await porter.page.locator('.editor').count()).toBe(0);
  expect([
    await statusOf(porter, `/news/${tree}/update`, { title: 'Mine' }),
    await statusOf(porter, `/news/${tree}/comments`, { action: 'post', comment: 'On my way' }),
    await statusOf(porter, '/users', { login: 'x' }),
  ]).toEqual([403, 200, 403]);
  await desk.page.locator('.card').getByText('On my way').waitFor();
});

test('a task comes and goes with its state, at the console where that says who sees it', async () => {
  await ask('POST', `/news/${tree}/update`, { assigned_status: 2 });
  await expect.poll(() => titles(porter)).toEqual([]);
  await expect.poll(() => porter.page.locator('.card').filter({ hasText: 'Tree across' }).count()).toBe(0);
  expect((await titles(desk)).sort()).toEqual(['Flood in the archive cellar', 'Tree across the road']);
  await ask('POST', `/news/${flood}/update`, { assigned_status: 1 });
  await expect.poll(() => titles(porter)).toEqual(['Flood in the archive cellar']);
});

test('a right that is changed holds at once at the open console', async () => {
  await ask('PUT', `/rights/${right}`, { accesses: [] });
  await expect.poll(() => titles(porter), { timeout: Math.max(PATIENCE, 15_000) }).toEqual([]);
  await ask('PUT', `/rights/${right}`, { accesses: [{ capability_id: 1, states: null }] });
  await expect
    .poll(() => titles(porter).then((all) => all.sort()), { timeout: Math.max(PATIENCE, 15_000) })
    .toEqual(['Flood in the archive cellar', 'Tree across the road']);
});

test('nothing went wrong on any page', () => {
  for (const one of [desk, porter]) expect(one.faults()).toEqual([]);
});
