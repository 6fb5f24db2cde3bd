import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFocus } from '../harness/by-keyboard.ts';
import { launchChromium } from '../harness/chromium.ts';
import {
  ROOT,
  screenshot,
  startStationProcess,
  watchForFaults,
  type RunningStation,
} from '../harness/console-harness.ts';

let station: RunningStation;
let browser: Browser;

beforeAll(async () => {
  [station, browser] = await Promise.all([startStationProcess([]), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await station?.stop();
});

test('an empty station is set up in the browser, and a territory imported with progress to be seen; then there are a map and addresses', async () => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    colorScheme: 'light',
  });
  const faults = watchForFaults(context, station.address);
  const page = await context.newPage();
  await page.goto(`${station.address}/`);
  await page.getByText('Set up this station').waitFor();
  await page.getByLabel('Organisation').fill('Harbour control');
  await page.getByLabel('Your full name').fill('Ada North');
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill('a long password');
  await page.getByLabel('Repeat the password').fill('another');
  await page.keyboard.press('Enter');
  await page.getByText('The passwords do not match.').waitFor();
  await screenshot(page, 'first-run');
  await page.getByLabel('Repeat the password').fill('a long password');
  await page.keyboard.press('Enter');

  await page.getByText('No open tasks').waitFor();
  await page.getByRole('link', { name: 'Import one' }).click();
  await page.getByRole('radio', { name: 'On the station' }).click();
  await page.getByLabel('File on the station').fill('/no/such/file.osm.pbf');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('File on the station').fill(join(ROOT, 'resources/demo/town.osm.pbf'));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Import in progress').waitFor();
  await screenshot(page, 'import-under-way');
  await page.getByText('Addresses', { exact: true }).waitFor({ timeout: 60_000 });

  const tile = page.waitForResponse((response) => response.url().includes('/tiles/') && response.status() === 200);
  await page.getByRole('link', { name: 'Board' }).click();
  await tile;
  await page.keyboard.press('n');
  await expectFocus(page, page.getByLabel('Place', { exact: true }));
  await page.keyboard.type('mill');
  await page.getByRole('option', { name: /mill/i }).first().waitFor();
  expect(await page.getByText('No territory is loaded.').count()).toBe(0);
  await screenshot(page, 'first-map');
  expect(faults()).toEqual([]);
});
