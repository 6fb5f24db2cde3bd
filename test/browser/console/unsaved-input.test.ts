import type { Locator, Page, Request } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { loadAnew, openDemoConsole, screenshot, signIn, type DemoConsole } from '../harness/console-harness.ts';
import { intercept } from '../harness/intercept.ts';

/**
 * What an operator meets when the station goes away, their session ends or a change is refused, and that
 * nothing typed is lost by it.
 */
let desk: DemoConsole;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, login: 'admin', fetchesAhead: true });
  page = desk.page;
});
afterAll(() => desk?.close());

async function open(path: string, sign: Locator): Promise<void> {
  await page.goto(`${desk.station.address}/#${path}`);
  await sign.waitFor();
}
const light = (level: string) => page.locator(`.light[data-level=${level}]`);
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const rows = () => page.getByRole('listbox', { name: 'Tasks' }).getByRole('option');
const card = () => page.locator('.card');
const refusal = () => page.getByText('The station cannot be reached', { exact: false }).first();
async function newTask(title: string): Promise<number> {
  const { newsId } = await desk.ask<{ newsId: string }>('POST', '/news/', {
    action: 'put',
    values: { title, news_type_id: 1 },
    point: [18.912, 56.191],
  });
  return Number(newsId);
}
async function openTask(id: number): Promise<void> {
  await open('/', rows().first());
  const line = page.getByLabel('Command line');
  await expect
    .poll(async () => (await line.fill(''), await line.fill(`t ${id}`), page.getByText(`Open task ${id},`).isVisible()))
    .toBe(true);
  await line.press('Enter');
  await card()
    .filter({ hasText: `Task ${id}` })
    .waitFor();
}
/** Requests of this kind are held until they are released, and counted. */
async function hold(path: RegExp): Promise<{ count(): number; release(): Promise<void> }> {
  const held: Request[] = [];
  let openGate = () => {};
  const gate = new Promise<void>((resolve) => (openGate = resolve));
  await intercept(page, path, async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    held.push(route.request());
    await gate;
    await route.continue();
  });
  return {
    count: () => held.length,
    async release() {
      openGate();
      await Promise.all(held.map((request) => request.response()));
      await page.unroute(path);
    },
  };
}

test('a second key before the first is answered sends nothing once more: one comment, one crew, one step', async () => {
  const id = await newTask('Gate torn off');
  await openTask(id);
  await page.getByLabel('Add a comment').fill('Said once');
  const comments = await hold(/\/news\/\d+\/comments/);
  const field = page.getByLabel('Add a comment');
  await field.press('Control+Enter');
  await field.press('Control+Enter');
  await expect.poll(comments.count).toBe(1);
  await page.getByLabel('Add a comment').fill('Said once, and gone on');
  await comments.release();
  await card().getByText('Said once', { exact: true }).waitFor();
  expect((await desk.ask<{ comments: unknown[] }>('GET', `/news/${id}/comments`)).comments).toHaveLength(1);
  expect(await page.getByLabel('Add a comment').inputValue()).toBe('Said once, and gone on');
  await page.getByLabel('Add a comment').fill('');

  await card().locator('.ranking button').nth(1).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Gate torn off' }).click(); // out of the field
  const crews = await hold(/\/news\/\d+\/update/);
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  await expect.poll(crews.count).toBe(1);
  await crews.release();
  await card().locator('.serving').waitFor();
  await card().getByRole('button', { name: /^Done/ }).waitFor(); // the key does what the button does
  const steps = await hold(/\/news\/\d+\/update/);
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect.poll(steps.count).toBe(1);
  await steps.release();
  await card().getByRole('button', { name: 'Reopen' }).waitFor();
  expect([comments.count(), crews.count(), steps.count()]).toEqual([1, 1, 1]);
});

test('what was typed is there again when the session has ended and its person signs in, on the same page; another person finds nothing of it', async () => {
  const id = await newTask('Sign fallen over');
  await openTask(id);
  await page.getByLabel('Add a comment').fill('Half said');
  await card().getByRole('button', { name: 'Edit (E)' }).click();
  await page.locator('.editor').getByLabel('What happened').fill('Sign fallen over, on the lane');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await page.getByLabel('What happened').fill('Fire in a shed');
  await open('/types', heading('Types of work'));
  await page.getByRole('button', { name: /^New/ }).click();
  await page.locator('[data-field=name]').getByRole('textbox').fill('Flooding');

  await desk.context.clearCookies();
  await page.getByRole('button', { name: /^Create/ }).click();
  await page.getByText('Your unsaved input is kept', { exact: false }).waitFor();
  await screenshot(page, 'session-ended');
  expect(await page.getByLabel('Login').inputValue()).toBe('admin');
  await page.getByLabel('Password').fill('admin-admin');
  await page.keyboard.press('Enter');
  await heading('Types of work').waitFor();
  expect(await page.locator('[data-field=name]').getByRole('textbox').inputValue()).toBe('Flooding');
  await page.getByRole('button', { name: /^Create/ }).click();
  await page.locator('[role=listbox] .row[role=option]').filter({ hasText: 'Flooding' }).waitFor();
  await open('/', page.getByLabel('What happened'));
  expect(await page.getByLabel('What happened').inputValue()).toBe('Fire in a shed');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.keyboard.press('Escape');
  await openTask(id);
  expect(await page.getByLabel('Add a comment').inputValue()).toBe('Half said');
  await card().getByRole('button', { name: 'Continue' }).click();
  expect(await page.locator('.editor').getByLabel('What happened').inputValue()).toBe('Sign fallen over, on the lane');

  await page.reload(); // asked for by the person: the same
  await card().getByRole('button', { name: 'Continue' }).waitFor();
  expect(await page.getByLabel('Add a comment').inputValue()).toBe('Half said');
  await desk.context.clearCookies();
  await page.reload();
  await page.getByText('Your unsaved input is kept', { exact: false }).waitFor();
  await signIn(page, desk.station.address, 'supervisor', 'supervisor');
  await light('good').waitFor();
  await openTask(id);
  expect(await page.getByLabel('Add a comment').inputValue()).toBe('');
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('waypost')))).toEqual([]);
  await page.getByRole('button', { name: /^Sign out/ }).click();
  await page.getByLabel('Login').waitFor();
  expect(await page.getByText('Your unsaved input is kept', { exact: false }).count()).toBe(0);
  await signIn(page, desk.station.address, 'admin', 'admin-admin');
  await light('good').waitFor();
});

test('while the station is away each page says so, keeps what it shows and what is typed; when it is back all goes on by itself', async () => {
  await loadAnew(page);
  await light('good').waitFor();
  await open('/events', heading('Events'));
  const feed = page.getByRole('grid', { name: 'Events' });
  await feed.getByRole('row').nth(1).waitFor();
  // The pages are fetched ahead, one after another; this is the last of them.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /DesignPage.*\.js/.test(name)),
  );
  await desk.cut();
  await light('lost').waitFor();
  await page.getByRole('radio', { name: 'Yesterday' }).click();
  await refusal().waitFor();
  await screenshot(page, 'cut-events');
  const unseen: string[] = [];
  for (const [path, name] of [
    ['/archive', 'All tasks'],
    ['/log', 'Log'],
    ['/fleet/sensors', 'Sensors'],
    ['/fleet/retention', 'Track retention'],
    ['/alarms', 'Alarms'],
  ] as const) {
    await open(path, heading(name));
    if (path === '/alarms') await page.getByRole('radio', { name: 'History' }).click();
    await refusal()
      .waitFor({ timeout: Math.max(PATIENCE, 5_000) })
      .catch(() => unseen.push(path));
    await screenshot(page, `cut${path.replaceAll('/', '-')}`);
  }
  expect(unseen).toEqual([]);
  await open('/vehicles', page.getByRole('grid', { name: 'Vehicles' }).getByRole('row').nth(1)); // from the replica
  await open('/categories', heading('Categories'));
  await page.getByRole('button', { name: /^New/ }).click();
  await page.locator('[data-field=name]').getByRole('textbox').fill('In a storm');
  await page.getByRole('button', { name: /^Create/ }).click();
  await refusal().waitFor();
  expect(await page.locator('[data-field=name]').getByRole('textbox').inputValue()).toBe('In a storm');
  await page.getByRole('button', { name: 'English. Перейти' }).click();
  // also what stood there before
  await page.locator('form.form').getByText('Нет связи со станцией. Ничего не изменено.').waitFor();
  await page.getByRole('button', { name: 'Русский. Switch' }).click();
  await open('/', rows().first());
  await page.keyboard.press('n');
  await page.getByLabel('What happened').fill('Tree on a wire');
  await page.keyboard.press('Control+Enter');
  await refusal().waitFor();
  expect(await page.getByLabel('What happened').inputValue()).toBe('Tree on a wire');
  await screenshot(page, 'cut-board');
  await open('/events', heading('Events'));
  await refusal().waitFor();

  await desk.restore();
  await light('good').waitFor({ timeout: Math.max(PATIENCE, 20_000) });
  await refusal().waitFor({ state: 'detached' }); // nobody pressed anything
  await feed.getByRole('row').nth(1).waitFor();
  await open('/', page.getByLabel('What happened'));
  await page.getByLabel('What happened').press('Control+Enter');
  await card().getByRole('heading', { name: 'Tree on a wire' }).waitFor();
  await open('/categories', heading('Categories'));
  await page.locator('[data-field=name]').getByRole('textbox').waitFor();
  await page.getByRole('button', { name: /^Create/ }).click();
  await page.locator('[role=listbox] .row[role=option]').filter({ hasText: 'In a storm' }).waitFor();
});

test('what is typed while a record is being saved is not lost', async () => {
  await open('/fleet/tags', heading('Tags'));
  await page.getByRole('button', { name: /^New/ }).click();
  const name = page.locator('form [data-field=name] input');
  await name.fill('Wet');
  await page.getByRole('radio').first().click();
  const posts = await hold(/\/cars\/tags$/);
  await name.press('Control+Enter');
  await name.press('Control+Enter');
  await expect.poll(posts.count).toBe(1);
  await name.fill('Wet road');
  await posts.release();
  await page.getByRole('heading', { level: 2, name: 'Wet', exact: true }).waitFor();
  expect(await name.inputValue()).toBe('Wet road');
  await name.press('Control+Enter');
  await page.getByRole('heading', { level: 2, name: 'Wet road', exact: true }).waitFor();
});

test('lines that are pasted into a field of one line stay apart', async () => {
  await open('/', rows().first());
  await page.keyboard.press('n');
  const field = page.getByLabel('What happened');
  await field.fill('Fire: ');
  await field.evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'Mill Street 5\r\n  second floor\n');
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  expect(await field.inputValue()).toBe('Fire: Mill Street 5 second floor');
  await page.keyboard.press('Control+z');
  expect(await field.inputValue()).toBe('Fire: ');
  await page.getByRole('button', { name: 'Clear' }).click();
});

test('nothing went wrong on any page', () => {
  expect(desk.faults()).toEqual([]);
});
