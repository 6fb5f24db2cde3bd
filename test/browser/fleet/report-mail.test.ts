import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askStation } from '../harness/ask-station.ts';
import { launchChromium } from '../harness/chromium.ts';
import { enter, startStationProcess, watchForFaults, type RunningStation } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** Setting up a report by mail, sending it, and what the page says of it. */
let station: RunningStation;
let browser: Browser;
let page: Page;
let faults: () => string[];

beforeAll(async () => {
  [station, browser] = await Promise.all([
    startStationProcess([], { WAYPOST_ADMIN_PASSWORD: 'admin-admin' }),
    launchChromium(),
  ]);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  faults = watchForFaults(context, station.address);
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await enter(page, station.address, 'admin', 'admin-admin');
  await page.locator('.light[data-level=good]').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await station?.stop();
});

test('a report is set up in a form; a wrong address is named at its field', async () => {
  await page.goto(`${station.address}/#/reports`);
  await page.getByRole('link', { name: 'Reports by mail' }).click();
  await page.getByRole('heading', { name: 'Reports by mail', level: 1 }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Name' }).fill('Mileage of the week');
  await page.getByLabel('Day of the week').selectOption({ label: 'Friday' });
  await page.getByRole('textbox', { name: 'Time' }).fill('6:30');
  await page.getByLabel('Other addresses').fill('chief at example.org');
  await page.keyboard.press('Control+Enter');
  await page.getByText('chief at example.org is not an e-mail address').waitFor();
  await page.getByLabel('Other addresses').fill('chief@example.org');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('option').filter({ hasText: 'Friday, 06:30' }).getByText('Never yet').waitFor();
});

test('sent by hand it says what became of its mails; without a mail server they wait', async () => {
  await page.getByRole('option').filter({ hasText: 'Mileage of the week' }).click();
  // The notice of the save still stands: it must not cover the button.
  await page.getByRole('button', { name: 'Send now' }).click({ timeout: 5_000 });
  await page.getByText('Mails: 0 sent, 1 waiting, 0 failed.').waitFor();
  await page.getByRole('option').filter({ hasText: 'Mileage of the week' }).getByText('Waiting').waitFor();
});

test('a report of another time zone keeps it, and the page names it', async () => {
  const body = {
    ...{ name: 'Tokyo', report: 'mileage', form: 'xlsx', lang: 'en', every: 'day', day: null, minute: 450 },
    ...{ tz: 'Asia/Tokyo', groups: [], cars: [], userIds: [], addresses: ['chief@example.org'], paused: false },
  };
  const sent = { login: 'admin', password: 'admin-admin' };
  const { token } = await askStation(station, undefined, 'POST', '/auth/login', sent);
  const made = await askStation(station, token, 'POST', '/reports/schedules', body);
  const row = page.getByRole('option').filter({ hasText: 'Daily, 07:30 (Asia/Tokyo)' });
  await row.click();
  await page.getByText('hh:mm in the time zone Asia/Tokyo').waitFor();
  await page.getByRole('textbox', { name: 'Time' }).fill('8:00');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('option').filter({ hasText: 'Daily, 08:00 (Asia/Tokyo)' }).waitFor();
  const kept: (typeof body & { id: number })[] = await askStation(station, token, 'GET', '/reports/schedules');
  expect(kept.find(({ id }) => id === made.id)).toMatchObject({ tz: 'Asia/Tokyo', minute: 480 });
});

test('the page at each size, in both languages', async () => {
  for (const width of [1440, 640]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await inEveryLook(page, `report-mail-${width}`)).toEqual([]);
  }
  expect(faults()).toEqual([]);
});
