import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../harness/chromium.ts';
import {
  enter,
  screenshot,
  startStationProcess,
  watchForFaults,
  type RunningStation,
} from '../harness/console-harness.ts';
import { prefer } from '../harness/every-look.ts';
import { faintTexts } from '../harness/text-contrast.ts';

/** A centre, and a fresh station that becomes its standby, with a console at each. */
let browser: Browser;
let centre: RunningStation;
let standby: RunningStation;
let page: Page;
let code: string;
let faults: () => string[];

const start = (number: number, name: string) =>
  startStationProcess([], {
    WAYPOST_ADMIN_PASSWORD: 'admin-admin',
    WAYPOST_STATION_NUMBER: String(number),
    WAYPOST_NAME: name,
  });

beforeAll(async () => {
  browser = await launchChromium();
  [centre, standby] = await Promise.all([start(1, 'Centre'), start(2, 'Reserve')]);
  const other = await browser.newPage({ locale: 'en-GB' });
  await enter(other, centre.address, 'admin', 'admin-admin');
  const shown = await other.request.post(`${centre.address}/links/codes`, { data: {} });
  ({ code } = (await shown.json()) as { code: string });
  await other.close();
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
    timezoneId: 'UTC',
  });
  faults = watchForFaults(context, standby.address);
  page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await enter(page, standby.address, 'admin', 'admin-admin');
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([centre?.stop(), standby?.stop()]);
});

const bar = () => page.getByRole('status').filter({ hasText: 'This station is a standby of Centre' });

async function inBothLanguages(name: string): Promise<void> {
  for (const language of ['ru', 'en']) {
    await prefer(page, { palette: 'day', language });
    await screenshot(page, `${name}-${language}`);
  }
  expect((await faintTexts(page)).faint).toEqual([]);
}

test('a fresh station is paired as a standby, and says so on every page', async () => {
  await page.goto(`${standby.address}/#/stations`);
  await page.getByText('This station works alone').waitFor();
  await page.keyboard.press('n');
  await page.getByRole('radio', { name: 'Enter a code' }).click();
  await page.getByLabel('Address of the other station').fill(centre.address);
  await page.getByLabel('Code that the other station shows').fill(code);
  await page.getByLabel('As a standby: follow the other station whole').check();
  await page.getByText('Only a fresh station.').waitFor();
  await inBothLanguages('standby-pair');
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  // Its own accounts are gone: the sign-in page has come. The account of the centre is the one to use.
  await page.getByLabel('Password', { exact: true }).waitFor();
  await expect
    .poll(async () =>
      (
        await page.request.post(`${standby.address}/auth/login`, { data: { login: 'admin', password: 'admin-admin' } })
      ).status(),
    )
    .toBe(200);
  await page.goto('about:blank');
  await page.goto(`${standby.address}/#/stations`);
  await bar().filter({ hasText: 'Up to date' }).waitFor();
  await page.getByRole('button', { name: /^Centre/ }).click();
  await page.getByText('Centre leads. This station is its standby and takes no changes.').waitFor();
  await inBothLanguages('standby-follows');
});

test('a lost station is replaced when its name is typed', async () => {
  await centre.stop(true);
  await page.getByText('No answer').first().waitFor();
  await page.getByRole('button', { name: 'Promote this station…' }).click();
  const confirm = page.getByRole('button', { name: 'Promote', exact: true });
  await page.getByLabel('To confirm, type the name of the lost station: Centre').fill('Center');
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel('To confirm, type the name of the lost station: Centre').fill('Centre');
  await inBothLanguages('standby-promote');
  await confirm.click();
  await page.getByText('This station was promoted in place of Centre.').waitFor();
  await bar().waitFor({ state: 'detached' });
  await page.getByRole('status').filter({ hasText: 'This station leads in place of Centre.' }).waitFor();
  await inBothLanguages('standby-promoted');
  const made = await page.request.post(`${standby.address}/category`, { data: { name: 'After' } });
  expect(made.status()).toBe(200);

  await page.getByRole('button', { name: 'Both lead', exact: true }).click();
  await page.getByText('Both stations lead: each takes changes.').waitFor();
  expect(faults()).toEqual([]);
});
