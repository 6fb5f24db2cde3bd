import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAnew, openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** Small things that cost an operator a key or a wrong reading at night, each as it was found. */
let desk: DemoConsole;
let page: Page;
let vehicles: readonly { id: number; name: string }[];

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, viewport: { width: 1280, height: 720 } });
  page = desk.page;
  vehicles = await desk.ask('GET', '/cars');
});
afterAll(() => desk?.close());

async function openTask(id: string | number): Promise<void> {
  await page.goto(`${desk.station.address}/#/`);
  const line = page.getByLabel('Command line');
  await expect
    .poll(async () => (await line.fill(''), await line.fill(`t ${id}`), page.getByText(`Open task ${id},`).isVisible()))
    .toBe(true);
  await line.press('Enter');
  await page
    .locator('.card')
    .filter({ hasText: `Task ${id}` })
    .waitFor();
}
async function newTask(title: string): Promise<string> {
  return (
    await desk.ask<{ newsId: string }>('POST', '/news/', {
      action: 'put',
      values: { title, news_type_id: 1 },
      point: [18.912, 56.191],
    })
  ).newsId;
}

test('beside an open card no alarm lies over another, however many there are', async () => {
  await openTask(await newTask('Gate torn off'));
  for (const { id } of vehicles.slice(0, 4)) await desk.ask('PUT', `/cars/${id}/status`, { status: 0 });
  const alarms = page.getByRole('region', { name: 'Alarms' }).locator('[data-alarm]');
  const fold = page.locator('.alarm-line .fold');
  await fold.click();
  await expect.poll(() => alarms.count()).toBeGreaterThanOrEqual(4);
  const overlaps = await alarms.evaluateAll((rows) =>
    rows.flatMap((row) =>
      [...row.querySelectorAll<HTMLElement>('.what, .actions')]
        .filter(
          (part) =>
            part.getBoundingClientRect().bottom > row.getBoundingClientRect().bottom + 1 ||
            part.getBoundingClientRect().top < row.getBoundingClientRect().top - 1,
        )
        .map((part) => part.textContent),
    ),
  );
  expect(overlaps).toEqual([]);
  expect(await inEveryLook(page, 'night-alarms')).toEqual([]);
  await fold.click();
  for (const { id } of vehicles.slice(0, 4)) await desk.ask('PUT', `/cars/${id}/status`, { status: 1 });
  for (const alarm of await desk.ask<{ id: number }[]>('GET', '/alarms'))
    await desk.ask('POST', `/alarms/${alarm.id}/acknowledge`).catch(() => undefined);
});

test('anybody who writes a comment sees the button that sends it, under a growing text, too', async () => {
  const proposal = Promise.withResolvers<void>();
  await page.route('**/news/*/proposal', async (route) => {
    await proposal.promise;
    await route.continue();
  });
  await openTask(await newTask('Fence down'));
  await page.keyboard.press('c');
  await page.keyboard.type('Said from the car');
  proposal.resolve(); // what comes late above the comment must not push it away
  await page.locator('.card .ranked [data-car]').first().waitFor({ state: 'attached' });
  await page.unroute('**/news/*/proposal');
  const send = page.locator('.card').getByRole('button', { name: /^Send/ });
  const seen = () =>
    send.evaluate((button) => {
      const [own, card] = [button.getBoundingClientRect(), button.closest('.card, .panel')!.getBoundingClientRect()];
      return (
        document.elementFromPoint(own.left + 4, own.bottom - 3)?.closest('button') === button &&
        own.bottom <= card.bottom
      );
    });
  await expect.poll(seen).toBe(true);
  for (let line = 0; line < 6; line++) await page.keyboard.press('Enter');
  await page.keyboard.type('and more');
  await expect.poll(seen).toBe(true);
  await page.keyboard.press('Control+Enter');
  await page.locator('.card').getByText('Said from the car').waitFor();
});

test('a report that stands there follows the language', async () => {
  await page.goto(`${desk.station.address}/#/reports`);
  await page.getByRole('button', { name: 'Create the report' }).click();
  const title = (text: string) => page.getByRole('heading', { level: 2, name: text }).waitFor({ timeout: 60_000 });
  await title('Mileage');
  await page.locator('h1').click();
  await page.keyboard.press('l');
  await title('Пробег');
  await page.keyboard.press('l');
  await title('Mileage');
});

test('what was done is said in the language that is set, and so is that it was taken back', async () => {
  await page.goto(`${desk.station.address}/#/`);
  const line = page.getByLabel('Command line');
  await line.fill(`s ${vehicles[6]!.name} 3`);
  await line.press('Enter');
  const notice = (text: string) =>
    page
      .getByRole('list', { name: /Recent actions|Последние действия/ })
      .getByText(text)
      .waitFor();
  await notice(`${vehicles[6]!.name}: 3 En route`);
  await line.press('Escape');
  await page.keyboard.press('l');
  await notice(`${vehicles[6]!.name}: 3 В пути`);
  await page.keyboard.press('u');
  await notice(`Отменено: ${vehicles[6]!.name}: 3 В пути`);
  await page.keyboard.press('l');
  await notice(`Undone: ${vehicles[6]!.name}: 3 En route`);
});

test('after a new record one key begins the next', async () => {
  await page.goto(`${desk.station.address}/#/fleet/tags`);
  await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
  await page.keyboard.press('n');
  for (const name of ['Tail lift', 'Tow bar']) {
    await page.locator('[data-field=name]').getByRole('textbox').waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Control+Enter');
    await page.getByText(`Saved: ${name}`).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=listbox]') !== null)).toBe(true);
    await page.keyboard.press('n');
  }
  await expect.poll(() => page.locator('[data-field=name]').getByRole('textbox').inputValue()).toBe('');
  expect((await desk.ask<{ name: string }[]>('GET', '/cars/tags')).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Tail lift', 'Tow bar']),
  );
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('what is left unsaved is said in the language that is set, the name of its list too', async () => {
  await page.goto(`${desk.station.address}/#/fleet/tags`);
  await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
  await page.keyboard.press('n');
  await page.locator('[data-field=name]').getByRole('textbox').fill('Half a name');
  await page.goto(`${desk.station.address}/#/fleet/marks`);
  await page.getByText('Tags: one record is not saved.', { exact: false }).waitFor();
  await page.locator('body').press('l');
  await page.getByText('Метки: 1 запись не сохранена.', { exact: false }).waitFor();
  await page.locator('body').press('l');
  await page.goto(`${desk.station.address}/#/fleet/tags`);
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('a day is typed without its year', async () => {
  await page.goto(`${desk.station.address}/#/fleet/routes`);
  await page.locator('[role=listbox] .row[role=option]').first().click();
  const day = page.locator('[data-field=from]').getByLabel('Driven from');
  for (const [typed, stands] of [
    ['5.3', `05.03.${new Date().getFullYear()}`],
    ['31.12.26', '31.12.2026'],
  ] as const) {
    await day.fill(typed);
    await day.blur();
    expect(await day.inputValue()).toBe(stands);
  }
  await page.getByRole('button', { name: 'Discard changes' }).click();
});

test('signing out asks while something is not saved, and not otherwise', async () => {
  await page.goto(`${desk.station.address}/#/`);
  await page.getByRole('button', { name: 'New task' }).waitFor();
  await page.keyboard.press('n');
  await page.getByLabel('What happened').fill('Half said');
  await page.getByRole('button', { name: /^Sign out/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Sign out?' });
  await sheet.getByText('One unsaved change will be lost').waitFor();
  expect(await inEveryLook(page, 'night-sign-out')).toEqual([]);
  await page.keyboard.press('Enter'); // staying has the focus
  await sheet.waitFor({ state: 'detached' });
  expect(await page.getByLabel('What happened').inputValue()).toBe('Half said');
  await page.getByRole('button', { name: /^Sign out/ }).click();
  await sheet.getByRole('button', { name: 'Sign out and discard' }).click();
  await page.getByLabel('Login').waitFor();
  await page.getByLabel('Login').fill('supervisor');
  await page.getByLabel('Password').fill('supervisor');
  await page.keyboard.press('Enter');
  await page.locator('.light[data-level=good]').waitFor();
  await page.keyboard.press('n');
  expect(await page.getByLabel('What happened').inputValue()).toBe('');
  await loadAnew(page);
  await page.locator('.light[data-level=good]').waitFor();
  await page.getByRole('button', { name: /^Sign out/ }).click();
  await page.getByLabel('Login').waitFor();
  expect(desk.faults()).toEqual([]);
});
