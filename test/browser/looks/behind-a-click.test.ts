import type { Locator, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadAnew, openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';
import { intercept } from '../harness/intercept.ts';

/**
 * What the pages of tasks and of their directories show only after a click or a key, in every palette and
 * language.
 */
let desk: DemoConsole;
let page: Page;
let task: number;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, login: 'admin', viewport: { width: 1280, height: 720 } });
  page = desk.page;
  page.setDefaultTimeout(20_000);
  for (const field of [
    { name: 'Callers', format: 'int', group_name: 'Call', default_value: '1' },
    { name: 'Remarks', format: 'text', group_name: 'Call', max_length: 200 },
    { name: 'Injured', format: 'bool', group_name: 'Scene' },
    { name: 'Power cut on', format: 'date', group_name: 'Scene' },
    { name: 'Material', format: 'list', possible_values: ['Wood', 'Steel'], group_name: 'Scene' },
    { name: 'Area affected', format: 'geometry', group_name: 'Scene' },
  ])
    await ask('POST', '/custom_field', field);
  const area = {
    type: 'Polygon',
    coordinates: [
      [
        [18.91, 56.19],
        [18.915, 56.19],
        [18.915, 56.193],
        [18.91, 56.193],
        [18.91, 56.19],
      ],
    ],
  };
  task = await create('Water main burst, cellar flooded', {
    text: 'Water to the kerb, two cars standing in it.',
    category: 1,
    address: 'Honey Lane 4',
    custom_fields: JSON.stringify({ callers: { value: 3 }, injured: { value: false }, area_affected: { value: area } }),
  });
  for (const [name, colour] of [
    ['underpass.png', '#356'],
    ['gauge.png', '#653'],
  ] as const)
    await attach(name, colour);
  await ask('POST', `/news/${task}/comments`, { comment: 'Pump ordered from the depot.' });
  const comments = (await ask('GET', `/news/${task}/comments`)).comments as { id: string }[];
  await ask('POST', `/news/${task}/comments`, {
    comment: 'On its way, ten minutes.',
    reference_id: Number(comments[0]!.id),
  });
  await ask('POST', `/news/${task}/update`, {
    update_comments: 'The owner does not want to be named.',
    updatecomment_visible_assigned_to: true,
    custom_fields: JSON.stringify({ callers: { value: 4 } }),
  });
});
afterAll(() => desk?.close());
/** Each begins again, whatever the one before has left open or typed. */
beforeEach(async () => {
  await page.evaluate(() => {
    history.replaceState(null, '', '#/');
    localStorage.removeItem('waypost:preferences:admin');
  });
  await loadAnew(page);
  await page.locator('.light[data-level=good]').waitFor();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of many shapes
async function ask(method: string, path: string, data?: unknown): Promise<any> {
  const response = await desk.context.request.fetch(desk.station.address + path, {
    method,
    ...(data === undefined ? {} : { data }),
    headers: { origin: desk.station.address },
  });
  if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
  return response.json();
}
const create = async (title: string, values: object = {}): Promise<number> =>
  Number(
    (
      await ask('POST', '/news/', {
        action: 'put',
        values: { title, news_type_id: 1, ...values },
        point: [18.912, 56.191],
      })
    ).newsId,
  );
async function attach(name: string, colour: string): Promise<void> {
  const buffer = await sharp({ create: { width: 900, height: 600, channels: 3, background: colour } })
    .png()
    .toBuffer();
  const answer = await desk.context.request.post(`${desk.station.address}/fileload`, {
    multipart: { file: { name, mimeType: 'image/png', buffer } },
    headers: { origin: desk.station.address },
  });
  await ask('POST', `/news/${task}/update`, {
    photos: [{ file: ((await answer.json()) as { data: string[] }).data[0], fileName: name }],
  });
}

async function openCard(): Promise<Locator> {
  const line = page.getByLabel('Command line');
  await expect
    .poll(
      async () => (await line.fill(''), await line.fill(`t ${task}`), page.getByText(`Open task ${task},`).isVisible()),
    )
    .toBe(true);
  await line.press('Enter');
  const card = page.locator('.card').filter({ hasText: `Task ${task}` });
  await card.getByRole('button', { name: 'Open the photo gauge.png' }).waitFor();
  return card;
}
const looksRight = async (name: string) => expect(await inEveryLook(page, `behind-${name}`)).toEqual([]);

test('filters, and the name of a view that is saved', async () => {
  const rows = page.getByRole('listbox', { name: 'Tasks' }).getByRole('option');
  await rows.first().waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  const panel = page.getByRole('group', { name: 'Filters' });
  await panel.getByRole('checkbox', { name: 'Assigned, not done' }).check();
  await panel.locator('summary').filter({ hasText: 'Category' }).click();
  await looksRight('filters');
  await panel.locator('summary').filter({ hasText: 'Category' }).click();
  await page.getByRole('button', { name: 'Save as a view' }).click();
  await page.getByLabel('Name of the view').fill('In hand');
  await panel.getByLabel('Changed after').scrollIntoViewIfNeeded();
  await looksRight('view-naming');
  await page.getByLabel('Name of the view').press('Enter');
  await page.keyboard.press('Escape');
  await looksRight('view-saved');
});

test('what is done to many tasks: the bar, the question, what was refused', async () => {
  const rows = page.getByRole('listbox', { name: 'Tasks' }).getByRole('option');
  await rows.nth(0).click();
  await rows.nth(3).click({ modifiers: ['Shift'] });
  await looksRight('bulk-bar');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Feedback');
  await page.getByRole('dialog').waitFor();
  await looksRight('bulk-question');
  await intercept(page, '**/news/*/update', (route) =>
    route.fulfill({ status: 403, contentType: 'text/plain', body: 'You may not change it.' }),
  );
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Change/ })
    .press('Enter');
  await page.getByRole('dialog').getByText('You may not change it.').first().waitFor();
  await looksRight('bulk-refused');
  await page.unroute('**/news/*/update');
});

test('a call that is being taken: hints at the same thing, further fields, what is wrong', async () => {
  await page.keyboard.press('n');
  await page.getByLabel('Place', { exact: true }).fill('56.1911, 18.9121');
  await page.locator('.combo').getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('What happened').fill('Water main burst');
  await page.getByRole('region', { name: 'Already reported?' }).getByRole('button').first().waitFor();
  await looksRight('duplicate-hints');
  await page.getByText(/more fields/).click();
  await page.locator('[data-field=callers]').getByRole('textbox').fill('many');
  await page.keyboard.press('Control+Enter');
  await page.locator('[data-field=callers]').getByRole('alert').waitFor();
  await page.locator('[data-field=callers]').evaluate((part) => part.scrollIntoView());
  await looksRight('intake-fields');
});

test('a task: photos, comments with those who read them, history', async () => {
  const card = await openCard();
  await card.getByRole('region', { name: 'Attachments' }).scrollIntoViewIfNeeded();
  await card.getByLabel('Add a comment').fill('For the crew only');
  await card.getByRole('button', { name: 'For everybody' }).click();
  await card.getByRole('region', { name: 'Comments' }).evaluate((part) => part.scrollIntoView());
  await looksRight('comments');
  await card.getByRole('region', { name: 'History' }).evaluate((part) => part.scrollIntoView());
  await looksRight('history');
});

test('a task that is edited: its custom fields, what somebody else changed meanwhile, drawing on the map', async () => {
  await openCard();
  await page.keyboard.press('e');
  const form = page.locator('.editor');
  await form.getByLabel('What happened').fill('Water main burst, street flooded');
  await form.locator('[data-field=callers]').getByRole('textbox').fill('many');
  await page.keyboard.press('Control+Enter');
  await form.locator('[data-field=callers]').getByRole('alert').waitFor();
  await form.locator('[data-field=callers]').evaluate((part) => part.scrollIntoView());
  await looksRight('custom-fields');
  await ask('POST', `/news/${task}/update`, { title: 'Water main burst, cellar and street flooded', category_id: 2 });
  await form.getByText(/(somebody else changed .*|changed Title .*): Water/i).waitFor();
  await form.evaluate((element) => element.scrollTo(0, 0));
  await looksRight('conflict');
  await form.locator('[data-field=area_affected]').getByRole('button', { name: 'Change on the map' }).click();
  await page.locator('.sketch').waitFor();
  await looksRight('drawing');
});

test('a photo over the whole screen, and the sheet before it is printed', async () => {
  const card = await openCard();
  await card.getByRole('button', { name: 'Open the photo underpass.png' }).click();
  await page.locator('dialog img').waitFor();
  await expect
    .poll(() =>
      page.locator('dialog img').evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
    )
    .toBe(true);
  await looksRight('photo');
  await page.keyboard.press('Escape');
  await page.keyboard.press('s');
  await page.locator('.sheet-preview canvas[data-drawn]').first().waitFor({ timeout: 60_000 });
  await looksRight('sheet');
});

test('the help over the board', async () => {
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await looksRight('help');
});

for (const [path, title] of [
  ['types', 'Types of work'],
  ['type-groups', 'Type groups'],
  ['categories', 'Categories'],
  ['statuses', 'Statuses'],
  ['custom-fields', 'Custom fields'],
  ['departments', 'Organisations'],
  ['users', 'People'],
  ['rights', 'Roles'],
  ['states', 'Task states'],
] as const) {
  test(`the forms of ${path}: of what is there, and of what is new with what is wrong`, async () => {
    await page.goto(`${desk.station.address}/#/${path}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    if (path === 'states')
      await ask('POST', '/news/states', {
        name: 'Left to somebody',
        field: 'assigned_status',
        sign: 'in',
        value: [2, 3],
      });
    if (path === 'type-groups') await ask('POST', '/newstype/group', { name: 'Water' });
    await page.locator('[role=listbox] .row[role=option]').first().click();
    await page.locator('form.form').waitFor();
    await looksRight(`${path}-form`);
    if (path !== 'statuses') {
      await page.keyboard.press('n');
      await page.keyboard.press('Control+Enter');
      await page.locator('form.form [role=alert]').first().waitFor();
      await looksRight(`${path}-new`);
    }
  });
}

test('the question before a deletion, and what a right comes to', async () => {
  await page.goto(`${desk.station.address}/#/categories`);
  await page.locator('[role=listbox] .row[role=option]').first().click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').waitFor();
  await looksRight('deletion');
  await page.goto(`${desk.station.address}/#/rights`);
  await page.locator('[role=listbox] .row[role=option]').filter({ hasText: 'Chief dispatcher' }).click();
  const tester = page.getByRole('region', { name: 'Try this role on a task' });
  await tester.getByLabel('Task').fill(String(task));
  await tester.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await tester.locator('[data-verdict]').first().waitFor();
  await tester.evaluate((part) => part.scrollIntoView());
  await looksRight('tester');
});

test('no request left the station, and no page had an error or broke the content security policy', () => {
  expect(desk.faults()).toEqual([]);
});
