import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GATEWAY_LOGIN, SmsGatewayProcess } from '../../support/sms-gateway.ts';
import { askStation } from '../harness/ask-station.ts';
import { launchChromium } from '../harness/chromium.ts';
import { enter, startStationProcess, watchForFaults, type RunningStation } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** The SMS gateway set up in the console, a message that also goes out as SMS, and SMS from unknown numbers. */
let station: RunningStation;
let gateway: SmsGatewayProcess;
let browser: Browser;
let page: Page;
let admin: string | undefined;
let key: string;
let faults: () => string[];

beforeAll(async () => {
  gateway = new SmsGatewayProcess();
  [station, browser] = await Promise.all([
    startStationProcess([], { WAYPOST_ADMIN_PASSWORD: 'admin-admin' }),
    launchChromium(),
  ]);
  admin = (await ask('POST', '/auth/login', { login: 'admin', password: 'admin-admin' })).token;
  for (const name of ['Engine 1', 'Engine 2']) await ask('POST', '/cars', { name });
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
  await gateway?.stop();
});

const ask = (method: string, path: string, body?: unknown) => askStation(station, admin, method, path, body);
const field = (name: string) => page.getByRole('textbox', { name, exact: true });

test('a gateway is set up, tested, and a wrong password is said in words', async () => {
  await page.goto(`${station.address}/#/sms`);
  await page.getByRole('radio', { name: 'HTTP gateway' }).click();
  await field('Address').fill(`http://127.0.0.1:${(await gateway.ports).http}/message`);
  await page.getByLabel('Form of incoming SMS').selectOption({ label: 'Fields from and text' });
  await field('Login').fill(GATEWAY_LOGIN.login);
  await page.getByLabel('Password or token').fill('wrong');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await field('Number').fill('+79123456789');
  await page.getByRole('button', { name: 'Send a test SMS' }).click();
  await page.getByText(/The gateway did not accept it; the station retries: .*401/).waitFor();
  await page.getByLabel('Password or token').fill(GATEWAY_LOGIN.secret);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => gateway.taken.map(({ to }) => to), { timeout: 60_000 }).toContain('+79123456789');
  await page.getByRole('listitem').filter({ hasText: '+79123456789' }).getByText('Sent').waitFor();
  await page.getByRole('button', { name: 'Create a new key' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Keep the key' }).first().click();
  await sheet.waitFor({ state: 'detached' });
  expect(await page.locator('.incoming code').count()).toBe(0);
  await page.getByRole('button', { name: 'Create a new key' }).click();
  await sheet.getByRole('button', { name: 'Create a new key' }).click();
  key = (await page.locator('.incoming code').innerText()).trim();
  expect(key.length).toBeGreaterThan(30);
});

test('settings of somebody else show at once; typed ones stay, and a port that is no number is refused', async () => {
  const change = (login: string) => ask('PUT', '/sms/settings', { gateway: 'http', login });
  await change('relay');
  await expect.poll(() => field('Login').inputValue(), { timeout: 15_000 }).toBe('relay');
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('radio', { name: 'Message centre (SMPP)' }).click();
  await field('Host').fill('centre.example');
  await field('Port').fill('27a');
  await change(GATEWAY_LOGIN.login);
  await page.waitForResponse((response) => response.url().endsWith('/sms/settings'));
  expect([await field('Host').inputValue(), await field('Port').inputValue()]).toEqual(['centre.example', '27a']);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('From 1 to 65535.').waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')), { timeout: 5_000 })
    .toBe('true');
  expect(await ask('GET', '/sms/settings')).toMatchObject({ gateway: 'http', smpp: { host: '' } });
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect.poll(() => field('Login').inputValue()).toBe(GATEWAY_LOGIN.login);
});

test('how many go out and for how long is set there; an address that the station refuses is marked', async () => {
  await field('SMS per minute, at most').fill('30');
  await field('Give up an SMS after, hours').fill('73');
  await page.getByText('From 1 to 72.').waitFor();
  await field('Give up an SMS after, hours').fill('6');
  const address = await field('Address').inputValue();
  await field('Address').fill('ftp://gateway.example/message');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => field('Address').getAttribute('aria-invalid'), { timeout: 5_000 }).toBe('true');
  expect(await ask('GET', '/sms/settings')).toMatchObject({ perMinute: 60, hours: 12 });
  await field('Address').fill(address);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => ask('GET', '/sms/settings')).toMatchObject({ perMinute: 30, hours: 6 });
  await expect.poll(() => field('Address').getAttribute('aria-invalid')).toBe('false');
});

test('the page at each size, in both languages', async () => {
  for (const width of [1440, 640]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await inEveryLook(page, `sms-${width}`)).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a message to a crew also goes out as SMS when that is marked, to the telephone that is noted', async () => {
  await page.goto(`${station.address}/#/crews`);
  await page.getByRole('textbox', { name: 'Engine 1' }).fill('+79120000001');
  await page.getByRole('textbox', { name: 'Engine 1' }).press('Enter');
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Engine 1' });
  await field('Message').fill('Come back over the bridge');
  await page.getByLabel('Also as SMS').check();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText(/^SMS: 0 delivered, 1 sent/).waitFor();
  expect(gateway.taken.at(-1)).toMatchObject({ to: '+79120000001' });
  expect(gateway.taken.at(-1)!.text).toContain('Come back over the bridge');
});

test('SMS from unknown numbers become a task or a message of a crew, or are put away', async () => {
  for (const [from, text] of [
    ['+79990000001', 'Tree on the railway, near the depot'],
    ['+79990000002', 'We are on our way'],
    ['+79990000003', 'Buy now'],
  ])
    await askStation(station, key, 'POST', '/sms/hook', { from, text });
  await page.reload();
  const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  await row('Tree on the railway').waitFor();
  for (const width of [1440, 640]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await inEveryLook(page, `crews-sms-${width}`)).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await row('Buy now').getByRole('button', { name: 'Dealt with' }).press('Enter');
  await row('Buy now').waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('BUTTON');
  await row('We are on our way').getByRole('button', { name: 'From a crew…' }).press('Enter');
  await expect.poll(focused).toBe('SELECT');
  await row('We are on our way').getByLabel('Vehicle').selectOption({ label: 'Engine 2' });
  await row('We are on our way').getByRole('button', { name: 'Assign to the crew' }).click();
  await expect
    .poll(async () => (await ask('GET', '/crews/messages')).map(({ text }: { text: string }) => text))
    .toContain('We are on our way');
  await row('Tree on the railway').getByRole('button', { name: 'Create a task' }).click();
  await expect.poll(() => page.getByLabel('What happened').inputValue()).toBe('Tree on the railway, near the depot');
  expect(await ask('GET', '/sms/unknown')).toHaveLength(1);
  expect(faults()).toEqual([]);
});
