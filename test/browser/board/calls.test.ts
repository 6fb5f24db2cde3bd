import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enter, openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** A call rings at two desks; one takes it with one key, and it ends with the task. */
let desk: DemoConsole;
/** The desk of a second call-taker. */
let other: Page;
beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
});
afterAll(() => desk?.close());

interface Call {
  id: number;
  state: string;
  takenBy: { name: string } | null;
  news: { title: string } | null;
}
const NUMBER = '+441632960417';
const ring = (body: object) => desk.ask<Call>('POST', '/calls', { number: NUMBER, ...body });
const calls = (query: string) => desk.ask<Call[]>('GET', `/calls?${query}`);

test('a ringing call keeps a draft, is taken with F2, fills the place, and ends with its task', async () => {
  const { page } = desk;
  const before = await ring({ line: '112-1' });
  await desk.ask('POST', `/calls/${before.id}/end`, {});
  const [lat, lon] = [56.1911, 18.9121];
  const { label } = await desk.ask<{ label: string }>('GET', `/geocoding/reverse?lat=${lat}&lon=${lon}&lang=en`);

  other = await (await desk.browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await enter(other, desk.station.address, 'dispatcher', 'dispatcher');
  await other.locator('.light[data-level=good]').waitFor();

  await page.keyboard.press('n');
  const what = page.getByLabel('What happened');
  await what.fill('Smell of gas in the yard');
  await ring({ line: '112-2', name: 'Marta Lindqvist', lat, lon });
  const popup = page.getByRole('alert').filter({ hasText: 'Marta Lindqvist' });
  await popup.getByText('One earlier call from this number').waitFor();
  await other.getByRole('alert').filter({ hasText: 'Marta Lindqvist' }).waitFor();
  expect(await what.evaluate((element) => element === document.activeElement)).toBe(true);
  await what.press('End');
  await page.keyboard.type(', strong');
  expect(await what.inputValue()).toBe('Smell of gas in the yard, strong');
  await screenshot(page, 'call-rings');
  expect(await inEveryLook(page, 'call-rings')).toEqual([]);

  await page.keyboard.press('F2');
  await page.getByRole('region', { name: 'Caller' }).getByText('Marta Lindqvist').waitFor();
  await other.getByRole('status').filter({ hasText: 'took the call' }).waitFor();
  await expect.poll(() => page.getByLabel('Place', { exact: true }).inputValue()).toBe(label);
  await expect.poll(() => what.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await what.inputValue()).toBe('');
  await screenshot(page, 'call-taken');
  await page.keyboard.type('Car against a lamp post');
  await page.keyboard.press('Control+Enter');
  await expect
    .poll(async () => (await calls(`number=${encodeURIComponent(NUMBER)}`))[0]?.news?.title)
    .toBe('Car against a lamp post');
  expect((await calls('open=true')).length).toBe(0);
  await page.locator('.card').getByText('Marta Lindqvist').waitFor();

  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await what.inputValue()).toBe('Smell of gas in the yard, strong');
});

test('a call that is hidden at one desk still rings at the other, until somebody takes it', async () => {
  const { page } = desk;
  const { id } = await desk.ask<Call>('POST', '/calls', { number: '+441632960111', line: '112-3' });
  const popup = page.getByRole('alert').filter({ hasText: '+441632960111' });
  await popup.getByRole('button', { name: 'Hide' }).click();
  await expect.poll(() => popup.count()).toBe(0);
  await other.getByRole('alert').filter({ hasText: '+441632960111' }).waitFor();
  await desk.ask('POST', `/calls/${id}/take`);
  await expect.poll(() => other.getByRole('alert').filter({ hasText: '+441632960111' }).count()).toBe(0);
  await desk.ask('POST', `/calls/${id}/end`, {});
});

test('the list of calls shows who took one, and what came of it', async () => {
  const { page } = desk;
  await page.getByRole('link', { name: /^Calls/ }).click();
  const row = page.getByRole('row').filter({ hasText: 'Marta Lindqvist' });
  await row.getByRole('link', { name: /Car against a lamp post/ }).waitFor();
  expect(await row.innerText()).toContain('Ended');
  expect(await inEveryLook(page, 'calls')).toEqual([]);
  expect(desk.faults()).toEqual([]);
});
