import readXlsx from 'read-excel-file/node';
import type { Browser, Locator, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askStation } from '../harness/ask-station.ts';
import { expectFocus, focusOf, tabTo } from '../harness/by-keyboard.ts';
import { launchChromium } from '../harness/chromium.ts';
import {
  downloaded,
  type RunningStation,
  screenshot,
  startStillDemo,
  watchForFaults,
} from '../harness/console-harness.ts';
import { prefer } from '../harness/every-look.ts';

/** One night of an operator who has no mouse: each test goes on from the one before. */
let station: RunningStation;
let browser: Browser;
let page: Page;
let faults: () => string[];
let admin = '';
/** The task of this night. */
let id = 0;
const lamps: number[] = [];
const SOS = 990_101;
const POWER = 990_102;
/** East of the river, where the demo has streets; a degree of longitude is 62 km there. */
const NIGHT = { lat: 56.2, lon: 18.86, gpsCount: 9 };

beforeAll(async () => {
  [station, browser] = await Promise.all([startStillDemo(), launchChromium()]);
  admin = (await ask('POST', '/auth/login', { login: 'admin', password: 'admin-admin' })).token;
  for (const [name, glonassId] of [
    ['Night 1', SOS],
    ['Night 2', POWER],
  ])
    await ask('POST', '/cars', { name, carNo: `N ${glonassId}`, glonassId });
  await ask('POST', '/telemetry', drive());
  for (const street of ['Mill Road', 'High Street', 'Harbour'])
    lamps.push(
      Number(
        (await ask('POST', '/news/', { action: 'put', values: { title: `Lantern dark, ${street}`, news_type_id: 1 } }))
          .newsId,
      ),
    );
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  faults = watchForFaults(context, station.address);
  page = await context.newPage();
  page.setDefaultTimeout(30_000);
  // only once somebody listens does the browser tell of the chooser, instead of opening its own
  page.on('filechooser', () => undefined);
});
afterAll(async () => {
  await browser?.close();
  await station?.stop();
});

const ask = (method: string, path: string, body?: unknown) => askStation(station, admin, method, path, body);
const detail = async (task: number) => (await ask('GET', `/news/${task}`)).news_data;
const statusOf = async (task: number) => String((await detail(task)).assigned_status);

/** Ten minutes at 36 km/h to the east, the last of them now: 6 km. */
function drive(): object[] {
  const end = Date.now() - 1_000;
  return Array.from({ length: 61 }, (_, step) => ({
    glonassId: SOS,
    time: end - (60 - step) * 10_000,
    ...NIGHT,
    lon: NIGHT.lon + (step * 100) / 62_000,
    speed: 36,
    direction: 90,
  }));
}

/** A picture by night, and one by day in Russian; what was typed and what has the focus must outlive both. */
async function look(name: string): Promise<void> {
  const before = await standing();
  await screenshot(page, `night-shift-${name}-night-en`);
  await prefer(page, { palette: 'day', language: 'ru' });
  await screenshot(page, `night-shift-${name}-day-ru`);
  await prefer(page, { palette: 'night', language: 'en' });
  expect(await standing()).toEqual(before);
  expect((await focusOf(page)).wrong).toBeUndefined();
}
const standing = () =>
  page.evaluate(() => ({
    typed: [...document.querySelectorAll<HTMLInputElement>('input:not([type=checkbox]), textarea')].map(
      ({ value }) => value,
    ),
    in: document.activeElement?.tagName,
  }));

const card = () => page.locator('.panel.card');
const queue = () => page.getByRole('region', { name: 'Tasks', exact: true });
const place = () => page.getByLabel('Place', { exact: true });
const what = () => page.getByLabel('What happened');
const button = (name: string | RegExp, inside: Page | Locator = page) => inside.getByRole('button', { name });
const alarm = (vehicle: string) => page.locator('[data-alarm]').filter({ hasText: vehicle });
const alarmThere = async (vehicle: string) =>
  (await ask('GET', '/alarms?state=unacknowledged,acknowledged,shelved,cleared')).find(
    ({ carName: vehicleName }: { carName: string }) => vehicleName === vehicle,
  );

/** Types a line into the command line, lets it be done, and is back where it was. */
async function command(text: string, said: RegExp): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await page.locator('#command-preview').getByText(said).waitFor();
  await page.keyboard.press('Enter');
}

test('signs in, and the keys belong to the queue; P makes it night', async () => {
  await page.goto(`${station.address}/`);
  await expectFocus(page, page.getByLabel('Login'));
  await page.keyboard.type('supervisor');
  await page.keyboard.press('Tab');
  await page.keyboard.type('supervisor');
  await page.keyboard.press('Enter');
  await page.locator('.light[data-level=good]').waitFor();
  await expectFocus(page, queue());
  const palette = () => page.evaluate(() => document.documentElement.dataset['palette']);
  for (let press = 0; press < 3 && (await palette()) !== 'night'; press++) await page.keyboard.press('p');
  expect(await palette()).toBe('night');
  await expect.poll(() => page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').count()).toBeGreaterThan(3);
  expect((await page.request.get(`${station.address}/users/current`)).status()).toBe(200);
  await look('01-signed-in');
});

test('takes a call: place from the suggestions, type, words; it is saved', async () => {
  await page.keyboard.press('n');
  await expectFocus(page, place());
  await page.keyboard.type('hon');
  await page.getByRole('option', { name: /Honey/ }).first().waitFor();
  await look('02-suggestions');
  await page.keyboard.press('Enter');
  await expectFocus(page, what());
  const address = await place().inputValue();
  expect(address).toMatch(/Honey/);
  await page.keyboard.type('Smoke from a cellar');
  const type = page.getByLabel('Type', { exact: true });
  await tabTo(page, type, 'Shift+Tab');
  await page.keyboard.press('ArrowDown');
  const typeId = Number(await type.inputValue());
  await tabTo(page, page.getByLabel('Details'));
  await page.keyboard.type('Second door on the left');
  expect([await what().inputValue(), await place().inputValue()]).toEqual(['Smoke from a cellar', address]);
  await look('03-call');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/^Task \d+ is saved: Smoke from a cellar/).waitFor();
  await expectFocus(page, card());
  id = Number(/\d+/.exec((await card().locator('h2').first().textContent())!)![0]);
  const saved = await detail(id);
  expect([saved.title, Number(saved.news_type_id), saved.address]).toEqual(['Smoke from a cellar', typeId, address]);
  expect((await ask('GET', `/news/${id}/point`)).point).not.toBeNull();
});

test('a second call at the same place: the hint is opened, left, and the call is still there; it is dismissed', async () => {
  await page.keyboard.press('n');
  await page.keyboard.type('hon');
  await page.getByRole('option', { name: /Honey/ }).first().waitFor();
  await page.keyboard.press('Enter');
  await expectFocus(page, what());
  await page.keyboard.type('smoke in the cellar');
  const hint = page
    .getByRole('region', { name: 'Already reported?' })
    .getByRole('button')
    .filter({ hasText: 'Smoke from a cellar' });
  await hint.waitFor();
  await tabTo(page, hint);
  await look('04-duplicate');
  await page.keyboard.press('Enter');
  await card().getByRole('heading', { name: 'Smoke from a cellar' }).waitFor();
  await expectFocus(page, card());
  await page.keyboard.press('Escape');
  await expectFocus(page, what());
  expect([await what().inputValue(), await place().inputValue()]).toEqual([
    'smoke in the cellar',
    expect.stringMatching(/Honey/),
  ]);
  const before = (await ask('GET', '/news/listAfterId/0/1')).count_news;
  await tabTo(page, button('Clear'));
  await page.keyboard.press('Enter');
  await page.getByText('The draft is cleared').waitFor();
  await expectFocus(page, place());
  await page.keyboard.press('Escape');
  await expectFocus(page, queue());
  expect((await ask('GET', '/news/listAfterId/0/1')).count_news).toBe(before);
});

test('the second of the recommended vehicles is sent, and shown on the map', async () => {
  await command(`t ${id}`, /Smoke from a cellar/);
  await card().waitFor();
  await expectFocus(page, queue());
  await card().locator('.ranked [data-car]').nth(1).waitFor();
  const second = card().locator('.ranked [data-car]').nth(1);
  await tabTo(page, second);
  const [vehicle, name] = [
    Number(await second.getAttribute('data-car')),
    (await second.locator('strong').textContent())!,
  ];
  await look('05-recommended');
  await page.keyboard.press('Enter');
  await page.getByText(`${name} is assigned to task ${id}`).waitFor();
  await card().locator('.serving').filter({ hasText: name }).waitFor();
  await expectFocus(page, card());
  expect(Number((await detail(id)).assigned_car_id)).toBe(vehicle);
  expect(await statusOf(id)).toBe('2');
  await expect.poll(() => card().locator('.timers dd').nth(2).textContent()).toMatch(/\d/);
  await tabTo(page, button('Show', card().locator('.serving')));
  await page.keyboard.press('Enter');
  await page
    .getByRole('listbox', { name: 'Vehicles' })
    .getByRole('option', { selected: true })
    .filter({ hasText: name })
    .waitFor();
  await look('06-followed');
});

test('a comment with two photos: one pasted, one chosen; nothing half said is lost', async () => {
  const photo = (colour: string) =>
    sharp({ create: { width: 640, height: 480, channels: 3, background: colour } })
      .png()
      .toBuffer();
  await page.keyboard.press('c');
  const comment = page.getByLabel('Add a comment');
  await expectFocus(page, comment);
  await page.keyboard.type('The caller sends a picture');
  await page.evaluate(
    async (bytes) =>
      navigator.clipboard.write([
        new ClipboardItem({ 'image/png': new Blob([new Uint8Array(bytes)], { type: 'image/png' }) }),
      ]),
    [...(await photo('teal'))],
  );
  await page.keyboard.press('Control+V');
  await button(/Open the photo Pasted/, card()).waitFor();
  await page.keyboard.press('Control+Enter');
  await card().locator('.comments').getByText('The caller sends a picture').waitFor();
  await expectFocus(page, comment);
  expect(await comment.inputValue()).toBe('');

  await tabTo(page, button('Add files', card()), 'Shift+Tab');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
  await chooser.setFiles([{ name: 'cellar.png', mimeType: 'image/png', buffer: await photo('olive') }]);
  await button('Open the photo cellar.png', card()).waitFor();
  await tabTo(page, button('Open the photo cellar.png', card()));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').locator(':focus').waitFor(); // the photo fills the screen and has the keys
  await page.keyboard.press('Escape');
  await expectFocus(page, button('Open the photo cellar.png', card()));
  await page.keyboard.press('c');
  await page.keyboard.type('Half a sen');
  await look('07-comment');
  expect((await ask('GET', `/news/${id}/comments`)).comments.map((one: { comment: string }) => one.comment)).toEqual([
    'The caller sends a picture',
  ]);
  expect(
    (await ask('GET', `/news/${id}/photos`)).photos.map(({ name }: { name: string }) =>
      name.replace(/^Pasted.*/, 'Pasted'),
    ),
  ).toEqual(['Pasted', 'cellar.png']);
});

test('two alarms come while a sentence is half said: one is acknowledged, the other put aside', async () => {
  await ask('POST', '/telemetry', [
    { glonassId: SOS, time: Date.now(), ...NIGHT, lon: NIGHT.lon + 6_000 / 62_000, speed: 0, params: { alarm: 'sos' } },
    { glonassId: POWER, time: Date.now(), ...NIGHT, speed: 0, params: { power_cut: 1 } },
  ]);
  await alarm('Night 1').waitFor();
  await expectFocus(page, page.getByLabel('Add a comment'));
  await page.keyboard.type('tence');
  expect(await page.getByLabel('Add a comment').inputValue()).toBe('Half a sentence');
  await look('08-alarms');

  await page.keyboard.press('Escape');
  await expectFocus(page, queue());
  await page.keyboard.press('q');
  // Answered, it stands while its cause does: a press of the button that is over takes it away.
  await expect
    .poll(() => page.locator('[data-alarm][data-state=unacknowledged]').filter({ hasText: 'Night 1' }).count())
    .toBe(0);
  expect(await alarmThere('Night 1')).toMatchObject({ rule: 'sos', acknowledgedBy: { name: expect.any(String) } });
  expect((await alarmThere('Night 2')).state).toBe('unacknowledged');

  await tabTo(page, button(/more$|^Details/, page.getByRole('region', { name: 'Alarms' })));
  await page.keyboard.press('Enter');
  await tabTo(page, button('Acknowledge', alarm('Night 2')));
  await page.keyboard.press('Enter');
  await expect.poll(() => alarm('Night 2').getAttribute('data-state')).toBe('acknowledged');
  await expectFocus(page, alarm('Night 2'));
  await tabTo(page, button('Shelve', alarm('Night 2')));
  await page.keyboard.press('Enter');
  const why = page.getByRole('dialog').getByLabel('Reason');
  await expectFocus(page, why);
  await page.keyboard.type('The workshop has the battery out');
  await look('09-put-aside');
  await page.keyboard.press('Enter');
  await expect.poll(() => alarm('Night 2').count()).toBe(0);
  await expectFocus(page, page.getByRole('list', { name: 'Alarms' }));
  expect(await alarmThere('Night 2')).toMatchObject({
    state: 'shelved',
    shelved: { reason: 'The workshop has the battery out' },
  });
  await command(`t ${id}`, /Smoke from a cellar/);
  await card().waitFor();
  expect(await page.getByLabel('Add a comment').inputValue()).toBe('Half a sentence');
});

test('three tasks are changed at once, and taken back within ten seconds', async () => {
  await tabTo(page, page.getByRole('searchbox', { name: /^Filter by number/ }), 'Shift+Tab');
  await page.keyboard.type('lantern dark');
  const rows = page.getByRole('listbox', { name: 'Tasks' }).getByRole('option');
  await expect.poll(() => rows.count()).toBe(3);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expectFocus(page, rows.first());
  await page.keyboard.press('Control+A');
  const menu = page.getByRole('combobox', { name: 'Status' });
  await tabTo(page, menu);
  await look('10-selected');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('Feedback');
  await page.keyboard.press('Enter');
  await expectFocus(page, button('Change 3'));
  await look('11-question');
  await page.keyboard.press('Enter');
  await page.getByText('Status: Feedback, 3 tasks').waitFor();
  await expectFocus(page, page.getByRole('listbox', { name: 'Tasks' }).getByRole('option', { selected: true }));
  expect(await Promise.all(lamps.map(statusOf))).toEqual(['3', '3', '3']);
  await page.keyboard.press('u');
  await page.getByText('Undone: Status: Feedback').waitFor();
  expect(await Promise.all(lamps.map(statusOf))).toEqual(['1', '1', '1']);
  await look('12-taken-back');
});

test('the task is finished', async () => {
  await command(`t ${id}`, /Smoke from a cellar/);
  await card().getByRole('heading', { name: 'Smoke from a cellar' }).waitFor();
  const done = button(/^Done/, card());
  await tabTo(page, done);
  await page.keyboard.press('Enter');
  await page.getByText(new RegExp(`Task ${id}, Smoke from a cellar: Done`)).waitFor();
  await expectFocus(page, card());
  await card().locator('.state').getByText('Done').waitFor();
  expect(await statusOf(id)).toBe('4');
  await look('13-finished');
});

test('a report is made, and its workbook says the same', async () => {
  await page.keyboard.press('/');
  await tabTo(page, page.getByRole('link', { name: 'Reports' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Reports' }).waitFor();
  const vehicle = page.getByLabel('Vehicle', { exact: true });
  await tabTo(page, vehicle);
  await page.keyboard.type('Night 1');
  await expect
    .poll(() => vehicle.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text))
    .toBe('Night 1');
  const make = page.getByRole('button', { name: /^Create the report|^Create it again/ });
  await tabTo(page, make);
  await page.keyboard.press('Enter');
  const grid = page.getByRole('grid', { name: 'Mileage' });
  await grid.getByText('Night 1').first().waitFor();
  await expectFocus(page, page.locator('main button[type=submit]'));
  const link = page.getByRole('link', { name: 'Workbook (xlsx)' });
  await tabTo(page, link);
  await look('14-report');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  const [sheet] = await readXlsx(await downloaded(download));
  const inFile = sheet!.data.find((row) => row.includes('Night 1'));
  const { columns, rows } = await ask(
    'GET',
    `/reports/mileage?${new URL((await link.getAttribute('href'))!, station.address).searchParams}`,
  );
  const there = rows.find((row: Record<string, unknown>) => Object.values(row).includes('Night 1'));
  expect(there.km).toBeGreaterThan(5);
  expect(there.km).toBeLessThan(7);
  expect(inFile![columns.findIndex(({ name }: { name: string }) => name === 'km')]).toBeCloseTo(there.km, 1);
  expect(await grid.getByRole('row').filter({ hasText: 'Night 1' }).first().textContent()).toContain(
    there.km.toFixed(2),
  );
  await expectFocus(page, link);
  expect(faults()).toEqual([]);
});
