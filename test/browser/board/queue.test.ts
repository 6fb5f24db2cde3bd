import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectFocus } from '../harness/by-keyboard.ts';
import { openDemoConsole, PICTURES, screenshot, enter, type DemoConsole } from '../harness/console-harness.ts';
import { intercept } from '../harness/intercept.ts';

let desk: DemoConsole;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, login: 'admin', viewport: { width: 1440, height: 1000 } });
  page = desk.page;
});
afterAll(() => desk?.close());
beforeEach(async () => {
  await page.goto(`${desk.station.address}/#/`);
  await page.locator('.light[data-level=good]').waitFor();
  await rows().first().waitFor();
});

const list = (at = page) => at.getByRole('listbox', { name: 'Tasks' });
const rows = (at = page) => list(at).getByRole('option');
/** The number in the title of the queue. */
const shown = async () =>
  Number(await page.getByRole('region', { name: 'Tasks' }).locator('header .count').first().textContent());
const numbersOf = () =>
  rows()
    .locator('.id')
    .allTextContents()
    .then((texts) => texts.map((text) => Number(text.slice(1))));

interface Item {
  readonly id: string;
  readonly assigned_status: string;
  readonly news_type_id: string;
  readonly archive: string;
}
async function items(query = ''): Promise<Item[]> {
  return page.evaluate(
    async (path) => ((await (await fetch(path)).json()) as { news_list: Item[] }).news_list,
    `/news/listAfterId/0/500?${query}`,
  );
}
const statusOf = async (id: number) =>
  (await items('withArchive=true')).find((item) => item.id === String(id))?.assigned_status;

test('filters narrow what is shown as the station counts it, and are said in a line', async () => {
  const open = (await items()).filter((item) => item.assigned_status !== '4');
  expect(await shown()).toBe(open.length);
  const type = open[0]!.news_type_id;
  const name = await page.evaluate(
    async (id) =>
      (
        (await (await fetch('/newstype')).json()) as { newstype: { news_type_id: string; name: string }[] }
      ).newstype.find((one) => one.news_type_id === id)!.name,
    type,
  );
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('group', { name: 'Filters' }).getByText('Type', { exact: true }).click();
  await page.getByRole('checkbox', { name, exact: true }).check();
  await expect.poll(shown).toBe(open.filter((item) => item.news_type_id === type).length);
  await page.keyboard.press('Escape');
  await page.getByText('Filtered by Type').waitFor();
  await page.getByRole('button', { name: 'Back to the view' }).click();
  await expect.poll(shown).toBe(open.length);
});

test('states, what is assigned and not done, and when something was changed narrow by keyboard alone, here and in all tasks, and are saved with a view', async () => {
  const state = await page.evaluate(async () => {
    // A new state may change what a person may see, so all records come again: no row goes meanwhile.
    const list = document.querySelector('[role=listbox][aria-label=Tasks]')!;
    new MutationObserver(() => {
      if (list.querySelector('[role=option]') === null) document.body.dataset['listWasEmpty'] = 'yes';
    }).observe(list, { childList: true, subtree: true });
    const answer = await fetch('/news/states', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Left to somebody', field: 'assigned_status', sign: 'in', value: [2, 3] }),
    });
    return ((await answer.json()) as { state: { id: string } }).state.id;
  });
  const [changed] = await numbersOf();
  await desk.ask('POST', `/news/${changed}/update`, { text: 'Changed just now' });
  const minuteAgo = await page.evaluate(() => {
    const at = new Date(Date.now() - 60_000);
    const two = (value: number) => String(value).padStart(2, '0');
    return {
      day: `${two(at.getDate())}.${two(at.getMonth() + 1)}.${at.getFullYear()}`,
      time: `${two(at.getHours())}:${two(at.getMinutes())}`,
    };
  });
  /** The demo goes on meanwhile, so both are asked until they agree. */
  const countedAlike = (query: string) =>
    expect
      .poll(async () => (await shown()) - (await items(query)).filter((item) => item.assigned_status !== '4').length)
      .toBe(0);
  const panel = page.getByRole('group', { name: 'Filters' });
  const tabTo = async (target: Locator) => {
    for (
      let presses = 0;
      presses < 60 && !(await target.evaluate((element) => element === document.activeElement));
      presses++
    )
      await page.keyboard.press('Tab');
    expect(await target.evaluate((element) => element === document.activeElement)).toBe(true);
  };
  const all = await shown();

  await tabTo(page.getByRole('button', { name: 'Filters' }));
  await page.keyboard.press('Enter');
  await tabTo(panel.locator('summary').filter({ hasText: 'State' }));
  await page.keyboard.press('Enter');
  await tabTo(panel.getByRole('checkbox', { name: 'Left to somebody' }));
  expect(await page.evaluate(() => document.body.dataset['listWasEmpty'])).toBe(undefined);
  await page.keyboard.press('Space');
  await expect.poll(shown).toBeLessThan(all);
  await countedAlike(`onlyStates=${state}`);
  expect(await shown()).toBeGreaterThan(0);
  await page.keyboard.press('Space');
  await expect.poll(shown).toBe(all);

  await tabTo(panel.getByRole('checkbox', { name: 'Assigned, not done' }));
  await page.keyboard.press('Space');
  await expect.poll(shown).toBeLessThan(all);
  await countedAlike('onlyAssigned=true');
  await page.keyboard.press('Space');

  await panel.getByLabel('Changed after').fill(minuteAgo.day);
  await page.keyboard.press('Tab'); // the calendar
  await page.keyboard.press('Tab');
  await page.keyboard.type(minuteAgo.time);
  const since = `gtUpdateDate=${minuteAgo.day}%20${minuteAgo.time}`;
  await expect.poll(shown).toBeLessThan(all);
  await countedAlike(since);
  expect(await shown()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Save as a view' }).click();
  await page.getByLabel('Name of the view').fill('Changed lately');
  await page.keyboard.press('Enter');
  await page.reload();
  await page.getByRole('radio', { name: /^Changed lately/ }).click();
  await countedAlike(since);
  await page.getByRole('button', { name: 'Filters' }).click();
  expect([
    await panel.getByLabel('Changed after').inputValue(),
    await panel.getByLabel('Time').first().inputValue(),
  ]).toEqual([minuteAgo.day, minuteAgo.time]);
  await page.getByRole('button', { name: 'Delete the view Changed lately' }).click();
  await page.keyboard.press('Escape');

  await page.goto(`${desk.station.address}/#/archive`);
  await page.getByRole('checkbox', { name: 'Assigned, not done' }).check();
  await page.getByText(`${(await items('onlyAssigned=true&withArchive=true')).length} tasks`).waitFor();
  await page.getByRole('checkbox', { name: 'Assigned, not done' }).uncheck();
  await page.locator('summary').filter({ hasText: 'State' }).click();
  await page.getByRole('checkbox', { name: 'Left to somebody' }).check();
  await page.getByText(`${(await items(`onlyStates=${state}&withArchive=true`)).length} tasks`).waitFor();
});

test('a view of one’s own is saved with its filters and its order, counted, kept over a reload, and deleted with a way back', async () => {
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Overdue' }).check();
  const expected = await shown();
  await page.getByRole('button', { name: 'Save as a view' }).click();
  await page.getByLabel('Name of the view').fill('Late and known');
  await page.keyboard.press('Enter');
  await page.keyboard.press('u');
  await expect.poll(() => page.getByRole('radio', { name: /^Late and known/ }).count()).toBe(0);
  await expect.poll(shown).toBe(expected); // still narrowed
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('button', { name: 'Save as a view' }).click();
  await page.getByLabel('Name of the view').fill('Late and known');
  await page.keyboard.press('Enter');
  await page.getByLabel('Order').selectOption('Oldest');
  const view = page.getByRole('radio', { name: /^Late and known/ });
  // A task may become overdue meanwhile, so both are read at once.
  const counted = async () => Number(/\d+$/.exec((await view.textContent())!.trim())?.[0]);
  await expect.poll(async () => (await counted()) - (await shown())).toBe(0);
  await page.getByRole('button', { name: 'Filters' }).click();
  const update = page.getByRole('button', { name: 'Update the view' });
  await update.click();
  await expect.poll(() => update.count()).toBe(0);
  await page.keyboard.press('u');
  await update.click(); // the view was as before, so there is something to update again
  await page.reload();
  await rows().first().waitFor();
  // The address names the view, so it is still chosen.
  await page.getByRole('radio', { name: /^Open/ }).click();
  await page.getByLabel('Order').selectOption('Urgency');
  await view.click();
  expect(await page.getByLabel('Order').inputValue()).toBe('oldest');
  const ages = await rows().locator('.age').allTextContents();
  expect(ages.length).toBeGreaterThan(1);
  const numbers = await numbersOf();
  const dates = new Map(
    (
      await page.evaluate(
        async () =>
          (
            (await (await fetch('/news/listAfterId/0/500')).json()) as {
              news_list: { id: string; news_date: string }[];
            }
          ).news_list,
      )
    ).map((item) => [Number(item.id), item.news_date]),
  );
  expect(numbers.map((id) => dates.get(id)!)).toEqual(numbers.map((id) => dates.get(id)!).sort());

  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('button', { name: 'Delete the view Late and known' }).click();
  await expect.poll(() => view.count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('u');
  await view.waitFor();
  await page.getByLabel('Order').selectOption('Urgency');
  await page.getByRole('radio', { name: /^Open/ }).click();
});

test('rows are selected by Ctrl and Shift, by Shift and an arrow, and all at once; Esc clears the selection and keeps the card', async () => {
  const selected = () => list().locator('[aria-checked=true]').count();
  await rows().nth(1).click();
  await rows()
    .nth(4)
    .click({ modifiers: ['Shift'] });
  expect(await selected()).toBe(4);
  await rows()
    .nth(2)
    .click({ modifiers: ['Control'] });
  expect(await selected()).toBe(3);
  await page.keyboard.press('Control+a');
  await page.getByRole('status', { name: `${await shown()} tasks selected` }).waitFor();
  await page.keyboard.press('Escape');
  expect(await selected()).toBe(0);
  await page.locator('.card h1').waitFor();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  expect(await selected()).toBe(3);
  await page.keyboard.press('Shift+ArrowUp');
  expect(await selected()).toBe(2);
  await page.keyboard.press('Escape');
});

test('on a closed menu of the bar neither an arrow nor a letter acts: the arrow opens it', async () => {
  await rows().nth(0).click();
  await rows()
    .nth(1)
    .click({ modifiers: ['Shift'] });
  const menu = page.getByRole('combobox', { name: 'Status' });
  await menu.focus();
  await page.keyboard.press('f'); // as in Feedback
  await page.keyboard.press('End');
  expect(await menu.evaluate((select: HTMLSelectElement) => [select.matches(':open'), select.selectedIndex])).toEqual([
    false,
    0,
  ]);
  await page.keyboard.press('ArrowDown');
  expect(await menu.evaluate((select) => select.matches(':open'))).toBe(true);
  expect(await page.getByRole('button', { name: /^Change/ }).count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await menu.evaluate((select: HTMLSelectElement) => select.selectedIndex)).toBe(0);
  await page.keyboard.press('Escape');
});

test('a long menu of the bar gets its entries when somebody goes to it', async () => {
  await rows().nth(0).click();
  await page.keyboard.press('x');
  const menu = page.getByRole('combobox', { name: 'Assign' });
  const entries = () => menu.locator('option').count();
  expect(await entries()).toBe(1);
  await menu.focus();
  await expect.poll(entries).toBeGreaterThan(51);
  await page.getByRole('button', { name: /^Clear the selection/ }).click();
  await menu.waitFor({ state: 'detached' });
});

test('many tasks are changed after one question, and taken back by one key', async () => {
  await rows().nth(0).click();
  await rows()
    .nth(3)
    .click({ modifiers: ['Shift'] });
  const numbers = await list()
    .locator('[aria-checked=true] .id')
    .allTextContents()
    .then((texts) => texts.map((text) => Number(text.slice(1))));
  const before = await Promise.all(numbers.map(statusOf));
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Feedback');
  await screenshot(page, 'queue-bulk-question-day-en');
  const changing = before.filter((status) => status !== '3').length;
  await page.getByRole('button', { name: changing === 1 ? 'Change one' : `Change ${changing}` }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(`Status: Feedback, ${changing} tasks`).waitFor();
  expect(await Promise.all(numbers.map(statusOf))).toEqual(numbers.map(() => '3'));
  await page.keyboard.press('u');
  await page.getByText('Undone: Status: Feedback').waitFor();
  expect(await Promise.all(numbers.map(statusOf))).toEqual(before);
});

test('archived and deleted tasks leave the queue and come back', async () => {
  for (const [what, notice] of [
    ['Archive', 'Archive, 2 tasks'],
    ['Delete', 'Delete, 2 tasks'],
  ] as const) {
    const before = await shown();
    await rows().nth(0).click();
    await rows()
      .nth(1)
      .click({ modifiers: ['Shift'] });
    await page.getByRole('combobox', { name: 'More' }).selectOption(what);
    await page.getByRole('button', { name: 'Change 2' }).click();
    await page.getByText(notice).waitFor();
    await page.mouse.move(900, 500); // rows rest while the pointer is over them
    await expect.poll(shown).toBe(before - 2);
    await page.keyboard.press('u');
    await page.getByText(`Undone: ${what}`).waitFor();
    await expect.poll(shown).toBe(before);
  }
});

test('what the station refuses is listed with its reason; the rest is done', async () => {
  const [gone, kept] = await numbersOf();
  await rows().nth(0).click();
  await rows()
    .nth(1)
    .click({ modifiers: ['Shift'] });
  await page.getByRole('combobox', { name: 'More' }).selectOption('Archive');
  await intercept(page, `**/news/${gone}/update`, (route) =>
    route.fulfill({ status: 403, contentType: 'text/plain', body: 'You may not archive it.' }),
  );
  await page.getByRole('button', { name: 'Change 2' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('1 changed, 1 refused.').waitFor();
  await sheet.getByText('You may not archive it.').waitFor();
  await page.unroute(`**/news/${gone}/update`);
  await page.keyboard.press('Escape');
  const archived = await items('withArchive=true');
  expect(archived.find((item) => item.id === String(kept))!.archive).toBe('t');
  expect(archived.find((item) => item.id === String(gone))!.archive).toBe('f');
  await page.keyboard.press('u');
  await expect.poll(async () => (await items()).some((item) => item.id === String(kept))).toBe(true);
});

test('a row keeps the focus when somebody else’s change moves it to another place', async () => {
  const { category } = await desk.ask<{ category: { id: string; name: string }[] }>('GET', '/category');
  const emergency = Number(category.find(({ name }) => name === 'Emergency')!.id);
  for (const street of ['Mill Road', 'High Street', 'Harbour'])
    await desk.ask('POST', '/news/', { action: 'put', values: { title: `Lantern dark, ${street}`, news_type_id: 1 } });
  await page.getByRole('searchbox', { name: /^Filter by number/ }).fill('lantern dark');
  await expect.poll(() => rows().count()).toBe(3);
  const title = (await rows().last().locator('.title').textContent())!;
  await rows().last().click();
  await page.mouse.move(900, 500); // nobody is choosing any more
  await page.getByRole('searchbox', { name: /^Filter by number/ }).press('Enter');
  await expectFocus(page, rows().last());
  const id = Number((await rows().last().locator('.id').textContent())!.slice(1));
  await desk.ask('POST', `/news/${id}/update`, { category_id: emergency });
  await rows().first().filter({ hasText: title }).waitFor();
  await expectFocus(page, rows().first());
  await page.getByRole('searchbox', { name: /^Filter by number/ }).fill('');
});

test('whose right allows little is offered little', async () => {
  const other = await desk.browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-GB' });
  const second = await other.newPage();
  const roles = await page.evaluate(
    async () => (await (await fetch('/rights')).json()) as { id: number; name: string }[],
  );
  const viewer = roles.find((role) => role.name === 'Viewer')!.id;
  const organization = (
    await page.evaluate(
      async () => (await (await fetch('/news/listAfterId/0/1')).json()) as { news_list: { department_id: string }[] },
    )
  ).news_list[0]!.department_id;
  await desk.ask('POST', '/users', {
    login: 'looker',
    fio: 'Looker',
    password: 'a fine password',
    groupId: viewer,
    organizationId: Number(organization),
  });
  await enter(second, desk.station.address, 'looker', 'a fine password');
  await rows(second).first().click();
  await rows(second)
    .nth(0)
    .click({ modifiers: ['Control'] });
  await second.keyboard.press('Control+a');
  await second.getByRole('toolbar', { name: 'What to do with the selected tasks' }).waitFor();
  expect(
    await second.getByRole('toolbar', { name: 'What to do with the selected tasks' }).getByRole('combobox').count(),
  ).toBe(0);
  await other.close();
});

test('the archive is looked through page by page, and its tasks open and come back', async () => {
  const [first] = await numbersOf();
  const title = (await rows().nth(0).locator('.title').textContent())!;
  await desk.ask('POST', `/news/${first}/update`, { archive: true });
  await page.goto(`${desk.station.address}/#/archive`);
  await page.getByPlaceholder('Number or words').fill(`${first}`);
  const found = page
    .getByRole('listbox', { name: 'Found tasks' })
    .getByRole('option')
    .filter({ hasText: new RegExp(`#${first}\\b`) });
  await found.filter({ hasText: 'Archive' }).waitFor();
  await found.click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.getByRole('checkbox', { name: 'Include the archive' }).uncheck();
  await expect.poll(() => found.count()).toBe(0);
  await page.getByRole('checkbox', { name: 'Include the archive' }).check();
  await found.waitFor();
  await screenshot(page, 'queue-archive-day-en');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByText(`${(await items('withArchive=true')).length} tasks`).waitFor();
});

test.runIf(PICTURES)('pictures of the queue in three palettes and two languages, on two screens', async () => {
  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await rows().nth(1).click();
    await rows()
      .nth(3)
      .click({ modifiers: ['Shift'] });
    for (const [palette, keys] of [
      ['day', []],
      ['dusk', ['p', 'l']],
      ['night', ['p']],
    ] as const) {
      for (const key of keys) await page.keyboard.press(key);
      await expect.poll(() => page.evaluate(() => document.documentElement.dataset['palette'])).toBe(palette);
      await page.getByRole('button', { name: /^(Filters|Фильтры)/ }).click();
      await screenshot(page, `queue-filters-${palette}-${palette === 'day' ? 'en' : 'ru'}-${width}`);
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('p');
    await page.keyboard.press('l');
    await page.keyboard.press('Escape');
  }
});

test('nothing went wrong on any page', () => {
  expect(desk.faults()).toEqual([]);
});
