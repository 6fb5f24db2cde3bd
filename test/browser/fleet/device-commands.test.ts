import { once } from 'node:events';
import { connect } from 'node:net';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { askStation } from '../harness/ask-station.ts';
import { launchChromium } from '../harness/chromium.ts';
import { enter, startStationProcess, watchForFaults, type RunningStation } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';
import { freePort } from '../../support/free-ports.ts';

/** Commands to a tracker on the card of its vehicle. */
const IMEI = '356307042441013';
let station: RunningStation;
let browser: Browser;
let page: Page;
let port: number;
let admin: string | undefined;
let vehicle: number;
let faults: () => string[];

beforeAll(async () => {
  port = await freePort();
  [station, browser] = await Promise.all([
    startStationProcess([], { WAYPOST_ADMIN_PASSWORD: 'admin-admin', WAYPOST_TELTONIKA_PORT: String(port) }),
    launchChromium(),
  ]);
  admin = (await ask('POST', '/auth/login', { login: 'admin', password: 'admin-admin' })).token;
  vehicle = (await ask('POST', '/cars', { name: 'Engine 1', devimei: IMEI })).id;
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

const ask = (method: string, path: string, body?: unknown) => askStation(station, admin, method, path, body);
const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });

test('a command waits, is cancelled, and another one shows what the tracker answered', async () => {
  await page.goto(`${station.address}/#/vehicles/${vehicle}`);
  await page.getByRole('radio', { name: 'Commands' }).click();
  await page.getByText('No commands yet').waitFor();
  const text = page.getByRole('textbox', { name: 'Command to the tracker' });
  await text.fill('reboot');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await row('reboot').getByText('Waits for the tracker').waitFor();
  await row('reboot').getByRole('button', { name: 'Cancel' }).click();
  await row('reboot').getByText('Cancelled').waitFor();

  await text.fill('getinfo');
  await text.press('Enter');
  await row('getinfo').getByText('Waits for the tracker').waitFor();
  const tracker = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void tracker.destroy());
  let heard = Buffer.alloc(0);
  tracker.on('data', (bytes) => (heard = Buffer.concat([heard, bytes])));
  await once(tracker, 'connect');
  tracker.write(Buffer.concat([Buffer.from([0, IMEI.length]), Buffer.from(IMEI)]));
  await expect.poll(() => heard.toString('latin1'), { timeout: 20_000 }).toContain('getinfo');
  await row('getinfo').getByText('Sent, waiting for the answer').waitFor();
  const answer =
    '00000000000000370C01060000002F4449313A31204449323A30204449333A302041494E313A302041494E323A313639323420444F313A3020444F323A3101000066E3';
  tracker.write(Buffer.from(answer, 'hex'));
  await row('getinfo').getByText('DI1:1 DI2:0').waitFor();
  await row('getinfo').getByText('Answered').waitFor();
  expect(await inEveryLook(page, 'device-commands')).toEqual([]);
  expect(faults()).toEqual([]);
});
