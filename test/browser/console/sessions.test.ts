import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../harness/chromium.ts';
import { screenshot, startStationProcess, watchForFaults, type RunningStation } from '../harness/console-harness.ts';

let station: RunningStation;
let browser: Browser;

beforeAll(async () => {
  const environment = { WAYPOST_ADMIN_PASSWORD: 'admin-admin', WAYPOST_CONSOLE_KEEPS_RECORDS: 'false' };
  [station, browser] = await Promise.all([startStationProcess([], environment), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await station?.stop();
});

/** A console of its own, on the board. */
async function signIn(): Promise<{ page: Page; faults: () => string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  const faults = watchForFaults(context, station.address);
  const page = await context.newPage();
  await page.goto(`${station.address}/`);
  await page.getByLabel('Login').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill('admin-admin');
  await page.keyboard.press('Enter');
  await page.getByText('No open tasks').waitFor();
  return { page, faults };
}

test('one ends a session elsewhere with the password, and an administrator those of all people', async () => {
  const { page, faults } = await signIn();
  const { page: other } = await signIn();
  await page.goto(`${station.address}/#/settings`);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'End the session' });
  await sheet.getByLabel('Your password').fill('not mine');
  await page.keyboard.press('Enter');
  await sheet.getByText('wrong').waitFor();
  await screenshot(page, 'sessions-end');
  await sheet.getByLabel('Your password').fill('admin-admin');
  await page.keyboard.press('Enter');
  await sheet.waitFor({ state: 'detached' });
  await other.getByLabel('Login').waitFor();
  expect(await page.getByRole('button', { name: 'End', exact: true }).count()).toBe(0);

  const { page: third } = await signIn();
  await page.goto(`${station.address}/#/users`);
  await page.getByRole('button', { name: 'End all sessions' }).click();
  await screenshot(page, 'sessions-end-all');
  await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click();
  await page.getByText('one session ended').waitFor();
  await third.getByLabel('Login').waitFor();
  expect(faults()).toEqual([]);
});

test('with `console.keepsRecords` false a console leaves no record in the browser', async () => {
  const { page, faults } = await signIn();
  await page.goto(`${station.address}/#/users`);
  await page.getByText('admin').first().waitFor(); // the accounts have come
  await page.reload();
  await page.getByText('admin').first().waitFor();
  const kept = await page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('waypost-replica');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const files = opening.result;
          if (!files.objectStoreNames.contains('records')) return resolve(0);
          const counting = files.transaction('records').objectStore('records').count();
          counting.onsuccess = () => resolve(counting.result);
        };
      }),
  );
  expect(kept).toBe(0);
  expect(faults()).toEqual([]);
});
