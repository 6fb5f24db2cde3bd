import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExchangeStandIn } from '../../support/exchange-stand-in.ts';
import { loadAnew, openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** The exchange is set up in the console; then numbers of people are called with one press. */
let desk: DemoConsole;
let exchange: ExchangeStandIn;
let page: Page;

beforeAll(async () => {
  [desk, exchange] = await Promise.all([
    openDemoConsole({ login: 'admin', standsStill: true }),
    ExchangeStandIn.start(),
  ]);
  page = desk.page;
});
afterAll(async () => {
  await desk?.close();
  await exchange?.stop();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of many shapes, each looked into by its test
const ask = (method: string, path: string, body?: object) => desk.ask<any>(method, path, body);
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const outgoing = () => page.getByRole('region', { name: 'Outgoing call' });
const says = (words: string | RegExp) => outgoing().getByText(words).waitFor();
const orders = () => exchange.asked.filter(({ Action }) => Action === 'Originate');
async function press(button: Locator): Promise<void> {
  const { length } = orders();
  await button.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => orders().length).toBe(length + 1);
}

test('the exchange is set up, tried and saved; its secret is not shown again', async () => {
  await page.goto(`${desk.station.address}/#/exchange`);
  await field('Host').fill('127.0.0.1');
  await field('Port').fill(String(exchange.port));
  await field('User').fill(exchange.login);
  await page.getByLabel('Secret').fill('wrong');
  await page.getByRole('button', { name: 'Try the connection' }).click();
  await page.getByText(/It does not work: The exchange refused the login/).waitFor();
  await page.getByLabel('Secret').fill(exchange.secret);
  await page.getByRole('button', { name: 'Try the connection' }).click();
  await page.getByText('It works: Asterisk Call Manager/11.0.0').waitFor();
  expect((await ask('GET', '/telephony/settings')).host).toBe('');
  await page.getByRole('button', { name: 'Add a line' }).click();
  await field('Number called').fill('112');
  await page.getByLabel('Connect to the exchange').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /^Connected$/ })
    .waitFor();
  expect(await page.getByLabel('Secret').inputValue()).toBe('');
  expect(await page.content()).not.toContain(exchange.secret);
  expect((await ask('GET', '/telephony/settings')).lines).toEqual([
    { context: 'from-trunk', extension: '112', orgId: expect.any(Number) },
  ]);
  expect(await inEveryLook(page, 'exchange')).toEqual([]);
});

test('a wrong field is said at its place, and nothing is saved', async () => {
  await field('Channel of a telephone').fill('PJSIP/101');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.field').filter({ hasText: 'Channel of a telephone' }).getByRole('alert').waitFor();
  expect((await ask('GET', '/telephony/settings')).channel).toBe('PJSIP/{extension}');
  await page.getByRole('button', { name: 'Discard changes' }).click();
});

test('without a telephone there is no button; with one in the own account it is there', async () => {
  await ask('POST', '/calls', { number: '+441632960417', name: 'Marta Lindqvist' });
  await page.goto(`${desk.station.address}/#/calls`);
  const call = page.getByRole('button', { name: 'Call Marta Lindqvist, +441632960417' });
  await page.getByRole('row').filter({ hasText: 'Marta Lindqvist' }).waitFor();
  expect(await call.count()).toBe(0);
  await page.goto(`${desk.station.address}/#/settings`);
  await field('Extension').fill('1 1');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await screenshot(page, 'own-extension-wrong');
  await page.getByText(/letters, digits and/).waitFor();
  await field('Extension').fill('101');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The extension is saved').waitFor();
  expect(await inEveryLook(page, 'own-extension')).toEqual([]);
  await page.goto(`${desk.station.address}/#/calls`);
  await call.waitFor();
  expect(await call.getAttribute('title')).toBe('Call Marta Lindqvist, +441632960417');
});

test('a call goes its way, each state in words: it rings here, it rings there, it is answered, it ends', async () => {
  await press(page.getByRole('button', { name: 'Call Marta Lindqvist, +441632960417' }));
  await says('Asking the exchange …');
  exchange.report('Newstate', { ChannelStateDesc: 'Ringing' });
  await says('Your telephone 101 is ringing: pick it up');
  expect(await inEveryLook(page, 'call-out-rings')).toEqual([]);
  exchange.report('Newstate', { ChannelStateDesc: 'Up' });
  await says('Dialling …');
  exchange.report('DialState', { DialStatus: 'RINGING' });
  await says('Ringing');
  exchange.report('DialEnd', { DialStatus: 'ANSWER' });
  await says('Connected');
  exchange.report('Hangup');
  await says('Hung up');
  expect(orders().at(-1)).toMatchObject({ Channel: 'PJSIP/101', Exten: '+441632960417' });
});

test('a busy number stays with its reason until it is closed; it can be called again', async () => {
  await press(page.getByRole('button', { name: 'Call Marta Lindqvist, +441632960417' }));
  exchange.report('Newstate', { ChannelStateDesc: 'Up' });
  exchange.report('DialEnd', { DialStatus: 'BUSY' });
  exchange.report('Hangup');
  await says('The number is busy');
  expect(await inEveryLook(page, 'call-out-busy')).toEqual([]);
  await press(outgoing().getByRole('button', { name: 'Call again' }));
  exchange.report('OriginateResponse', { Response: 'Failure', ActionID: exchange.channel });
  await page.getByText('The exchange could not ring telephone 101.').first().waitFor();
  await expect.poll(() => outgoing().count()).toBe(0);
});

test('numbers of drivers, of notes about a place and of a caller of a task have the button', async () => {
  await page.goto(`${desk.station.address}/#/fleet/drivers`);
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: /^Call .+, \+7 900 555/ }).waitFor();
  await screenshot(page, 'call-out-driver');
  await page.goto(`${desk.station.address}/#/vehicles/1`);
  await page
    .locator('.driver')
    .getByRole('button', { name: /^Call / })
    .first()
    .waitFor();
  expect(await inEveryLook(page, 'call-out-vehicle')).toEqual([]);
  const called = await ask('POST', '/calls', { number: '+441632960999', name: 'Olle' });
  const values = { title: 'Locked out', text: 'Keys: +44 1632 960 555', news_type_id: 1 };
  const { newsId: id } = await ask('POST', '/news/', { values });
  await ask('POST', `/calls/${called.id}/end`, { newsId: Number(id) });
  await page.goto(`${desk.station.address}/#/?task=${id}`);
  const card = page.locator('.card');
  await card.getByRole('button', { name: 'Call +44 1632 960 555' }).waitFor();
  await card.getByRole('button', { name: 'Call Olle, +441632960999' }).waitFor();
  expect(await inEveryLook(page, 'call-out-task')).toEqual([]);
});

test('an exchange that goes away is said in words, and the next call too', async () => {
  await press(page.locator('.card').getByRole('button', { name: 'Call Olle, +441632960999' }));
  exchange.report('Newstate', { ChannelStateDesc: 'Ringing' });
  await says('Your telephone 101 is ringing: pick it up');
  await exchange.stop();
  await says('The connection to the exchange is lost: check your telephone');
  expect(await inEveryLook(page, 'call-out-lost')).toEqual([]);
  await outgoing().getByRole('button', { name: 'Close' }).click();
  await page.locator('.card').getByRole('button', { name: 'Call Olle, +441632960999' }).click();
  await page.getByText('The telephone exchange does not answer. Dial by hand.').first().waitFor();
  await loadAnew(page);
  await page.goto(`${desk.station.address}/#/exchange`);
  await page.getByText(/^Not connected: /).waitFor();
  await page.getByLabel('Connect to the exchange').uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.goto(`${desk.station.address}/#/calls`);
  await page.getByRole('row').filter({ hasText: 'Olle' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Call / }).count()).toBe(0);
});
