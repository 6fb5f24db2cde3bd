import { Secret, TOTP } from 'otpauth';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../harness/chromium.ts';
import { screenshot, startStationProcess, watchForFaults, type RunningStation } from '../harness/console-harness.ts';

let station: RunningStation;
let browser: Browser;

beforeAll(async () => {
  const environment = { WAYPOST_ADMIN_PASSWORD: 'admin-admin', WAYPOST_SIGN_IN_SECOND_FACTOR: 'everybody' };
  [station, browser] = await Promise.all([startStationProcess([], environment), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await station?.stop();
});

test('where a second factor is required, whoever has none sets one up before the board opens, by keyboard', async () => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    colorScheme: 'light',
  });
  const faults = watchForFaults(context, station.address);
  const page = await context.newPage();
  await page.goto(`${station.address}/`);
  await page.getByLabel('Login').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill('admin-admin');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await screenshot(page, 'second-factor-password');
  await page.goto(`${station.address}/#/settings`);
  await page.reload(); // nothing leads past it
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await page.keyboard.type('admin-admin');
  await page.keyboard.press('Enter');
  const key = (await page.locator('p .key').textContent())!.replaceAll(' ', '');
  for (const palette of ['Day', 'Dusk', 'Night']) {
    await page.getByRole('radio', { name: palette }).click();
    await screenshot(page, `second-factor-${palette.toLowerCase()}`);
  }
  await page.getByLabel('Code that the app shows').fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('Check the clock of your telephone').waitFor();
  await page.getByLabel('Code that the app shows').fill(new TOTP({ secret: Secret.fromBase32(key) }).generate());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
  await screenshot(page, 'second-factor-codes');
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('No open tasks').waitFor();
  await page.goto(`${station.address}/#/settings`);
  await page.getByText('This station requires it.').waitFor();
  expect(await page.getByRole('button', { name: 'Turn off' }).count()).toBe(0);
  await screenshot(page, 'second-factor-settings');
  expect(faults()).toEqual([]);
});
