import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, PICTURES, screenshot, enter, type DemoConsole } from '../harness/console-harness.ts';

let desk: DemoConsole;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, login: 'admin', viewport: { width: 1280, height: 720 } });
  page = desk.page;
});
afterAll(() => desk?.close());

/** Asks the station as the person who is signed in on the page, past the console. */
function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  return page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(path as string, {
        method: method as string,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as unknown) : text;
    },
    [method, path, body] as const,
  ) as Promise<T>;
}

interface Named {
  readonly id: string;
  readonly name: string;
}
const row = (name: string) =>
  page.locator('[role=listbox] .row[role=option]').filter({ has: page.getByText(name, { exact: true }) });
const rows = () => page.locator('[role=listbox] .row[role=option]');
const field = (key: string) => page.locator(`[data-field="${key}"]`);

async function open(path: string, title: string) {
  await page.goto(`${desk.station.address}/#${path}`);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

test('a type of work is made by keys alone, changed, and deleted after one question', async () => {
  await open('/types', 'Types of work');
  await rows().first().waitFor();
  await page.keyboard.press('n');
  await page.keyboard.type('Lost dog');
  await field('reviewSeconds').getByRole('textbox').fill('1:30');
  await page.keyboard.press('Control+Enter');
  await row('Lost dog').waitFor();
  await page.getByText('Saved: Lost dog').waitFor();
  const types = async () =>
    (await ask<{ newstype: (Named & { period_of_review_in_sec: string })[] }>('GET', '/newstype')).newstype;
  expect((await types()).find((type) => type.name === 'Lost dog')?.period_of_review_in_sec).toBe('5400');

  await field('name').getByRole('textbox').fill('Lost cat');
  await page.getByText('Not saved', { exact: true }).first().waitFor();
  await page.keyboard.press('Control+s');
  await row('Lost cat').waitFor();
  await expect.poll(async () => (await types()).map((type) => type.name)).toContain('Lost cat');

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Delete “Lost cat”? This cannot be undone.').waitFor();
  await page.keyboard.press('Escape');
  expect(await row('Lost cat').count()).toBe(1);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => row('Lost cat').count()).toBe(0);
  expect((await types()).map((type) => type.name)).not.toContain('Lost cat');
});

test('what is wrong stands at its field: at once where it is known, else in the words of the station', async () => {
  await open('/custom-fields', 'Custom fields');
  await page.keyboard.press('n');
  await page.keyboard.press('Control+Enter');
  await field('name').getByText('Required.').waitFor();
  await page.keyboard.type('Weight of the load');
  await field('minLength').getByRole('textbox').fill('9');
  await field('maxLength').getByRole('textbox').fill('2');
  await page.keyboard.press('Control+Enter');
  await field('minLength').getByRole('alert').getByText('(9) is more than max_length (2).').waitFor();
  await screenshot(page, 'directories-refusal-day-en');
  await field('minLength').getByRole('textbox').fill('1');
  await page.keyboard.press('Control+Enter');
  await row('Weight of the load').waitFor();

  await open('/types', 'Types of work');
  await rows().first().click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('alert')
    .getByText(/is in use by tasks/)
    .waitFor();
});

test('what was made, changed or dropped is taken back by one key, until somebody goes on from there', async () => {
  await open('/categories', 'Categories');
  const names = async () =>
    (await ask<{ category: { id: string; name: string }[] }>('GET', '/category')).category.map((one) => one.name);
  const taken = (what: string) => page.getByText(`Undone: ${what}`);
  const save = async (name: string) => {
    await page.keyboard.press('Control+Enter');
    await page.getByText(`Saved: ${name}`, { exact: true }).waitFor();
    await page.keyboard.press('Escape'); // from the form into the list
  };
  await page.keyboard.press('n');
  await page.keyboard.type('Not meant');
  await save('Not meant');
  await page.keyboard.press('u');
  await taken('Saved: Not meant').waitFor();
  await expect.poll(() => row('Not meant').count()).toBe(0);
  expect(await names()).not.toContain('Not meant');

  await page.keyboard.press('n');
  await page.keyboard.type('Weather');
  await save('Weather');
  await row('Weather').click();
  await field('name').getByRole('textbox').fill('Storm');
  await save('Storm');
  await row('Storm').waitFor();
  await page.keyboard.press('u');
  await taken('Saved: Storm').waitFor();
  await row('Weather').waitFor();
  expect(await names()).toContain('Weather');

  await field('name').getByRole('textbox').fill('Storms');
  await save('Storms');
  const { id } = (await ask<{ category: { id: string; name: string }[] }>('GET', '/category')).category.find(
    (one) => one.name === 'Storms',
  )!;
  await ask('PUT', `/category/${id}`, { name: 'Gales' });
  await row('Gales').waitFor();
  await page.keyboard.press('u');
  await page.getByText('Not undone, because somebody else has changed it since').waitFor();
  expect(await names()).toContain('Gales');

  await field('name').getByRole('textbox').fill('Half typed');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await row('Gales').waitFor();
  await page.keyboard.press('u');
  await expect.poll(() => field('name').getByRole('textbox').inputValue()).toBe('Half typed');
  await page.getByRole('button', { name: 'Discard changes' }).click();
});

test('what was typed is there again after other records, other pages and a change by somebody else', async () => {
  await open('/categories', 'Categories');
  const name = field('name').getByRole('textbox');
  await rows().first().click();
  const before = await name.inputValue();
  await name.fill('Half a na');
  await rows().nth(1).click();
  expect(await name.inputValue()).not.toBe('Half a na');
  await open('/statuses', 'Statuses');
  await page.getByText('Categories: one record is not saved. Your input is kept.').waitFor();
  const { category } = await ask<{ category: Named[] }>('GET', '/category');
  await ask('PUT', `/category/${category.find((one) => one.name === before)!.id}`, { order_important: 77 });
  await open('/categories', 'Categories');
  await rows().first().click();
  expect(await name.inputValue()).toBe('Half a na');
  await expect.poll(() => field('importance').getByRole('textbox').inputValue()).toBe('77');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  expect(await name.inputValue()).toBe(before);
});

test('what has a fixed meaning is renamed, and neither made nor deleted', async () => {
  await open('/statuses', 'Statuses');
  await rows().first().click();
  await field('name').getByRole('textbox').waitFor();
  await page.getByRole('button', { name: 'Save' }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'New' }).count()).toBe(0);
});

test('custom fields are carried into another order by pointer and by keys, deleted and restored', async () => {
  await open('/custom-fields', 'Custom fields');
  for (const name of ['First asked', 'Second asked']) await ask('POST', '/custom_field', { name, format: 'int' });
  await row('Second asked').waitFor();
  const order = async () =>
    (await ask<{ custom_fields: Named[] }>('GET', '/news/custom_fields')).custom_fields.map((one) => one.name);
  const shown = () =>
    rows()
      .locator('.first')
      .allTextContents()
      .then((texts) => texts.map((text) => text.trim()));

  const last = row('Second asked');
  await last.scrollIntoViewIfNeeded();
  const from = (await last.locator('.handle').boundingBox())!;
  await page.mouse.move(from.x + 5, from.y + 10);
  await page.mouse.down();
  const list = (await page.getByRole('listbox').boundingBox())!;
  await page.mouse.move(from.x + 5, list.y + 30, { steps: 8 });
  for (let step = 0; step < 40 && (await page.getByRole('listbox').evaluate((view) => view.scrollTop)) > 0; step++)
    await page.mouse.move(from.x + 5, list.y + 5 + (step % 2));
  await page.mouse.move(from.x + 5, list.y + 10);
  await page.mouse.up();
  await expect.poll(async () => (await order())[0]).toBe('Second asked');
  await expect.poll(async () => (await shown())[0]).toBe('Second asked');
  await page.getByText('The order is saved').waitFor();
  await page.keyboard.press('u');
  await page.getByText('Undone: The order is saved').waitFor();
  expect((await order()).at(-1)).toBe('Second asked');
  await expect.poll(shown).toEqual(await order());

  await row('Second asked').click();
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(async () => (await order()).at(-2)).toBe('Second asked');
  await expect.poll(shown).toEqual(await order());

  await row('Second asked').click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted: Second asked').waitFor();
  expect(await order()).not.toContain('Second asked');
  await page.keyboard.press('u');
  await row('Second asked').waitFor();
  expect(await order()).toContain('Second asked');

  await row('Second asked').click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('radio', { name: /^Deleted/ }).click();
  await row('Second asked').click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('button', { name: 'Delete' }).waitFor(); // it is chosen again, in the list of those in use
  await expect.poll(() => page.getByText('Restored: Second asked', { exact: true }).count()).toBe(2);
  expect(await order()).toContain('Second asked');
  await page.keyboard.press('u');
  await page.getByText('Undone: Restored: Second asked').waitFor();
  expect(await order()).not.toContain('Second asked');
  await page.getByRole('radio', { name: /^Deleted/ }).click();
  await row('Second asked').waitFor();
  await page.keyboard.press('n');
  await field('name').getByRole('textbox').waitFor(); // a new one is begun in the list of those in use
  await expect.poll(() => page.getByRole('radio', { name: /^Deleted/ }).getAttribute('aria-checked')).toBe('false');
});

test('a state is over a date, a custom field or the point, in the forms that the station takes', async () => {
  const custom = await ask<{ id: string; translit: string }>('POST', '/custom_field', {
    name: 'Gas cut off',
    format: 'bool',
  });
  interface Rule {
    readonly name: string;
    readonly field: string;
    readonly sign: string;
    readonly value: string | null;
  }
  const stateNamed = async (name: string) =>
    (await ask<{ states: Rule[] }>('GET', '/news/states')).states.find((state) => state.name === name);
  await open('/states', 'Task states');
  const begin = async (name: string, over: string, sign: string) => {
    await page.keyboard.press('n');
    await field('name').getByRole('textbox').fill(name);
    await field('field').getByRole('combobox').selectOption(over);
    await field('sign').getByRole('combobox').selectOption(sign);
  };
  const value = () => page.locator('[data-field=value]').first();

  await begin('Since March', 'Date', 'is at least');
  await value().getByRole('textbox').first().fill('01.03.2026');
  await value().getByRole('textbox').last().fill('10:30');
  await page.getByText('A task is in this state when: Date is at least 01.03.2026 10:30.').waitFor();
  await page.keyboard.press('Control+Enter');
  await row('Since March').waitFor();
  const seconds = await page.evaluate(() => new Date(2026, 2, 1, 10, 30).getTime() / 1000);
  expect(await stateNamed('Since March')).toMatchObject({ field: 'date', sign: '>=', value: String(seconds) });

  await begin('Off the map', 'Point on the map', 'is');
  await page.getByText('A task is in this state when: Point on the map is None.').waitFor();
  expect(await value().count()).toBe(0);
  await page.keyboard.press('Control+Enter');
  await row('Off the map').waitFor();
  expect(await stateNamed('Off the map')).toMatchObject({ field: 'point', sign: '=', value: null });

  await begin('No gas', 'Gas cut off', 'is');
  await value().getByRole('combobox').selectOption('Yes');
  await page.keyboard.press('Control+Enter');
  await row('No gas').waitFor();
  expect(await stateNamed('No gas')).toMatchObject({
    field: `custom_fields.${custom.translit}`,
    sign: '=',
    value: 'true',
  });
  await row('No gas').click();
  await page.getByText('A task is in this state when: Gas cut off is Yes.').waitFor();

  await begin('Nobody’s', 'Title', 'is');
  await value().getByRole('textbox').fill(' ');
  await page.keyboard.press('Control+Enter');
  await page.locator('[data-field=value]').getByRole('alert').waitFor();
  await value().getByRole('textbox').fill('Drill');
  await page.keyboard.press('Control+Enter');
  await row('Nobody’s').waitFor();
});

test('a right is limited to a state, and the tester says what that comes to', async () => {
  await open('/states', 'Task states');
  await page.keyboard.press('n');
  await page.keyboard.type('While new');
  await page.getByText('A task is in this state when: Status is New.').waitFor();
  await page.keyboard.press('Control+Enter');
  await row('While new').waitFor();

  interface Task {
    readonly id: string;
    readonly assigned_status: string;
    readonly department_title: string;
  }
  const { news_list: tasks } = await ask<{ news_list: Task[] }>('GET', '/news/listAfterId/0/500');
  const fresh = tasks.find(
    (task) =>
      task.assigned_status === '1' &&
      tasks.some((other) => other.assigned_status === '2' && other.department_title === task.department_title),
  )!;
  const busy = tasks.find((task) => task.assigned_status === '2' && task.department_title === fresh.department_title)!;

  await open('/rights', 'Roles');
  await page.keyboard.press('n');
  await page.keyboard.type('Trainee');
  await field('organizationId').getByRole('combobox').selectOption(fresh.department_title);
  await page.locator('[data-capability=edit]').getByRole('radio', { name: 'In states' }).click();
  await page.locator('[data-capability=edit]').getByRole('button', { name: 'While new' }).click();
  await page.keyboard.press('Control+Enter');
  await row('Trainee').waitFor();

  const roleId = (await ask<{ id: number; name: string }[]>('GET', '/rights')).find(
    (one) => one.name === 'Trainee',
  )!.id;
  for (const [task, mayEdit] of [
    [fresh, 't'],
    [busy, 'f'],
  ] as const) {
    const expected = (
      await ask<{ capabilities: { name: string; allowed: string }[] }>('POST', '/news/allowed/try', {
        right_id: roleId,
        news_id: Number(task.id),
      })
    ).capabilities;
    expect(expected.find(({ name }) => name === 'edit')!.allowed).toBe(mayEdit);
    await page.getByRole('combobox', { name: 'Task' }).fill(task.id);
    await page
      .getByRole('option')
      .filter({ hasText: new RegExp(`#${task.id}\\b`) })
      .first()
      .click();
    await expect
      .poll(() =>
        page
          .locator('[data-verdict]')
          .evaluateAll((found) =>
            found.map((one) => `${(one as HTMLElement).dataset['verdict']} ${(one as HTMLElement).dataset['allowed']}`),
          ),
      )
      .toEqual(expected.map(({ name, allowed }) => `${name} ${allowed}`));
  }
  await page.locator('[data-verdict=edit]').getByText('allowed only in: While new (Status is New)').waitFor();
  await page.locator('[data-verdict=delete]').scrollIntoViewIfNeeded();
  await screenshot(page, 'directories-right-tester-day-en');
  await page.locator('[data-verdict=delete]').getByText('not allowed by this role').waitFor();
});

test('a person is made with a password, and signs in', async () => {
  await open('/users', 'People');
  await page.keyboard.press('n');
  await page.keyboard.type('Ada Night');
  await field('login').getByRole('textbox').fill('ada');
  await field('password').locator('input').fill('short');
  await page.keyboard.press('Control+Enter');
  await field('password')
    .getByText(/Must have at least \d+ characters/)
    .waitFor();
  await field('password').locator('input').fill('a fine password');
  await field('roleId').getByRole('combobox').selectOption('Trainee');
  await page.keyboard.press('Control+Enter');
  await row('Ada Night').waitFor();
  // Not from the page, whose session would become hers.
  const answer = await fetch(`${desk.station.address}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'ada', password: 'a fine password' }),
  });
  expect(((await answer.json()) as { user?: { fio: string } }).user?.fio).toBe('Ada Night');
});

test('who is no administrator is not offered what only administrators keep', async () => {
  const other = await desk.browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-GB' });
  const second = await other.newPage();
  await enter(second, desk.station.address, 'dispatcher', 'dispatcher');
  await second.goto(`${desk.station.address}/#/administration`);
  await second.getByRole('navigation', { name: 'Administration' }).waitFor();
  expect(
    await second.getByRole('navigation', { name: 'Administration' }).getByRole('link').allTextContents(),
  ).not.toContain('Roles');
  await other.close();
});

test.runIf(PICTURES)(
  'pictures of directories and pages of the station in three palettes and two languages',
  async () => {
    const pages = {
      'types': 'types',
      'rights': 'rights',
      'custom-fields': 'custom-fields',
      'users': 'users',
      'log': 'log',
      'quarantine': 'quarantine',
      'archive': 'archive',
    };
    for (const [path, name] of Object.entries(pages)) {
      await page.goto(`${desk.station.address}/#/${path}`);
      await page.locator('main :is([role=listbox], .empty)').first().waitFor();
      await page.keyboard.press('ArrowDown');
      for (const [palette, keys] of [
        ['day', []],
        ['dusk', ['p', 'l']],
        ['night', ['p']],
      ] as const) {
        for (const key of keys) await page.keyboard.press(key);
        await expect.poll(() => page.evaluate(() => document.documentElement.dataset['palette'])).toBe(palette);
        await screenshot(page, `directory-${name}-${palette}-${palette === 'day' ? 'en' : 'ru'}`);
      }
      await page.keyboard.press('p');
      await page.keyboard.press('l');
    }
  },
);

test('nothing went wrong on any page', () => {
  expect(desk.faults()).toEqual([]);
});

test('a webhook is made, shows its secret once, and tells what became of a test message', async () => {
  const taken: string[] = [];
  const receiver = createServer((request, response) => {
    taken.push(String(request.headers['webhook-id']));
    response.writeHead(taken.length === 1 ? 500 : 204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    await open('/webhooks', 'Webhooks');
    await page.getByRole('button', { name: /^New/ }).click();
    await field('name').getByRole('textbox').fill('Wall board');
    expect(await field('password').count()).toBe(0);
    await field('url').getByRole('textbox').fill('mqtts://waypost@broker.example/control');
    await field('password').getByLabel('Password of the broker').fill('of the broker');
    await field('url')
      .getByRole('textbox')
      .fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
    await page.keyboard.press('Control+Enter');
    await row('Wall board').waitFor();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    // The first attempt fails; the second one follows after a second.
    await page.getByRole('region', { name: 'Deliveries' }).getByText('Sent', { exact: true }).nth(1).waitFor();
    expect(taken).toHaveLength(2);
    expect(taken[1]).toBe(taken[0]);
    await page.getByRole('button', { name: /webhook\.test/ }).click();
    await page.getByText('"type": "webhook.test"').waitFor();
    if (PICTURES) await screenshot(page, 'webhooks');
  } finally {
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  }
});
