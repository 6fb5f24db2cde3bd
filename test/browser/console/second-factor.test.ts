import { Secret, TOTP } from 'otpauth';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../harness/chromium.ts';
import { screenshot, startStationProcess, watchForFaults, type RunningStation } from '../harness/console-harness.ts';

let station: RunningStation;
let browser: Browser;

beforeAll(async () => {
  const environment = { WAYPOST_ADMIN_PASSWORD: 'admin-admin', WAYPOST_SIGN_IN_SECOND_FACTOR: 'everybody' };
  [station, browser] = await Promise.all([startStationProcess(['--tls-port', '0'], environment), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await station?.stop();
});

test('where a second factor is required, anybody who has none sets one up before the board opens, by keyboard', async () => {
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
  await page.getByLabel('Code from the app').fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('Check the clock of your telephone').waitFor();
  await page.getByLabel('Code from the app').fill(new TOTP({ secret: Secret.fromBase32(key) }).generate());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
  await screenshot(page, 'second-factor-codes');
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('No open tasks').waitFor();
  await page.goto(`${station.address}/#/settings`);
  await page.getByText('This station requires it.').waitFor();
  expect(await page.getByRole('button', { name: 'Turn off' }).count()).toBe(0);
  await screenshot(page, 'second-factor-settings');
  const made = await page.evaluate(async () => {
    const [{ id: groupId }] = await (await fetch('/rights')).json();
    const body = JSON.stringify({ login: 'olga', fio: 'Olga', password: 'a fine password', groupId });
    return (await fetch('/users', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status;
  });
  expect(made).toBe(200);
  expect(faults()).toEqual([]);
});

test('a passkey opens the console alone and in place of a code, and is named and removed in the settings', async () => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
  });
  const address = station.address.replace('127.0.0.1', 'localhost'); // a number has no passkeys
  const faults = watchForFaults(context, address);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${address}/`);
  await page.getByLabel('Login').fill('olga');
  await page.getByLabel('Password', { exact: true }).fill('a fine password');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Use a passkey instead' }).click();
  await screenshot(page, 'second-factor-passkey');
  await page.getByLabel('Your password').fill('a fine password');
  await page.getByLabel('Name').fill('This desk');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('No open tasks').waitFor();
  await page.goto(`${address}/#/settings`);
  await page.getByRole('button', { name: 'Add a passkey' }).scrollIntoViewIfNeeded();
  await page.getByText('This desk').waitFor();
  await page.getByRole('button', { name: 'Rename the passkey' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Desk 4');
  await page.keyboard.press('Enter');
  await page.getByText('Desk 4').waitFor();
  await page.getByText(/^[\dA-F]{2}(:[\dA-F]{2}){31}$/).waitFor(); // the certificate's fingerprint
  await screenshot(page, 'passkeys-settings');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  for (const palette of ['Day', 'Dusk', 'Night']) {
    await page.getByRole('radio', { name: palette }).click();
    await screenshot(page, `sign-in-passkey-${palette.toLowerCase()}`);
  }
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('No open tasks').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Login').fill('olga');
  await page.getByLabel('Password', { exact: true }).fill('a fine password');
  await page.keyboard.press('Enter');
  await page.getByText('The password of olga is correct.').waitFor();
  await screenshot(page, 'sign-in-code-or-passkey');
  await page.getByRole('button', { name: 'Use a passkey instead' }).click();
  await page.getByText('No open tasks').waitFor();
  expect(faults()).toEqual([]);
});
